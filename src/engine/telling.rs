//! What a chess program is told of a move that was chosen from a look.

use std::time::Instant;

use shakmaty::Move;

use crate::{
    game::Game,
    model::{Depth, Score, State},
    oracle::{Bound, Budget, Look, Metered, Oracle, Report, TableOracle},
};

/// What a win is worth when nobody knows how many moves there are to mate.
const WIN: i32 = 20_000;
/// Plies of a line that are shown.
const LINE: usize = 12;

/// What there is to tell from.
pub(super) struct Telling<'a> {
    /// The look at the position.
    pub look: &'a Look,
    /// Who has looked, and what all looks have cost.
    pub oracle: &'a Metered<'a>,
    /// Who knows depths to mate.
    pub mates: Option<&'a TableOracle>,
    /// When the look began.
    pub begun: Instant,
    /// Whether the line of play after a move is wanted.
    pub lines: bool,
}

impl Telling<'_> {
    /// A line of play that begins with a move: with its value, and with what was really done to find it.
    pub fn report(&self, game: &Game, m: Move, multipv: usize) -> Report {
        let by_tables = self.look.metric().is_some();
        let pv = if by_tables && self.lines { self.line(game, m) } else { vec![m] };
        let (spent, own) = (self.oracle.spent(), self.look.cost());
        let depth = if by_tables { pv.len() as u32 } else { own.depth.max(1) };
        let table_hits = spent.table_hits + if by_tables { own.table_hits } else { 0 };
        let nodes = if by_tables { table_hits } else { spent.nodes };
        let time = self.begun.elapsed();
        Report {
            depth,
            seldepth: depth,
            multipv,
            score: self.score(game, m),
            bound: Bound::Exact,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: 0,
            tbhits: table_hits,
            time,
            pv,
        }
    }

    /// What a move leads to: as it was evaluated; from tables a mate where that is known, else a large score.
    fn score(&self, game: &Game, m: Move) -> Score {
        if let Some(score) = self.look.scores(&m).last() {
            return *score;
        }
        let mate = self.mates.and_then(|mates| mates.look(game, &Budget::default()));
        let mate = mate.and_then(|look| look.prospects().of(&m)).and_then(|outcome| outcome.state());
        let known = self.look.prospects().of(&m).and_then(|outcome| outcome.state());
        match (mate, known) {
            (Some(State::Win(Depth(depth))), _) => Score::Mate(i32::from(depth) + 1),
            (Some(State::Loss(Depth(depth))), _) => Score::Mate(-i32::from(depth)),
            (None, Some(State::Win(Depth(depth)))) => Score::Centipawns(WIN - i32::from(depth)),
            (None, Some(State::Loss(Depth(depth)))) => Score::Centipawns(i32::from(depth) - WIN),
            _ => Score::Centipawns(0),
        }
    }

    /// A move, and the best play of both sides after it.
    fn line(&self, game: &Game, first: Move) -> Vec<Move> {
        let mut now = game.clone();
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(m) = next.filter(|_| line.len() < LINE) {
            line.push(m);
            now.play(m);
            let look = self.oracle.look(&now, &Budget::default());
            next = look.and_then(|look| look.best_first().first().map(|prospect| prospect.m));
        }
        line
    }
}
