//! What is told of moves: lines of play for chess programs, and what the model thinks in words, which are short, since they
//! are one line in a window.

use std::time::{Duration, Instant};

use shakmaty::{Move, Position};

use crate::{
    agents::{Advice, Analyser, Candidate, Observation, Prey, Reply},
    endgame::{Making, Material},
    game::Game,
    model::{Depth, Evidence, Metric, Scale, Score, State, Value},
    oracle::{Bound, Budget, Look, Metered, Oracle, Report, TableOracle},
};

use super::verdict::Verdict;

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

/// `making the table KQKR by DTC, about 2 s; until it is there, moves are found by search`
pub(super) fn making(material: Material, metric: Metric, making: Making) -> String {
    let until = "until it is there, moves are found by search, at Game Competence";
    match making {
        Making::Begun(time) => {
            let seconds = time.max(Duration::from_secs(1)).as_secs();
            format!("making the table {material} by {metric}, about {seconds} s; {until}")
        }
        Making::UnderWay => format!("the table {material} by {metric} is still being made; {until}"),
    }
}

/// `solving KQKR against this opponent; until that is done, the Predator looks some plies ahead`
pub(super) fn solving(material: Material) -> String {
    format!(
        "solving {material} against this opponent; until that is done, the Predator looks some plies ahead"
    )
}

/// Of the interval that is told of an Elo.
const ELO_MASS: f64 = 0.9;

/// `opponent: c 18.4 ± 2.1 after 23 moves (KQKR)`
pub(super) fn opponent(opponent: &Analyser, observation: &Observation, evidence: Evidence) -> String {
    let belief = opponent.belief(observation.look.scale());
    let digits = if belief.scale() == Scale::Table { 1 } else { 2 };
    let place = match belief.scale() {
        Scale::Table => Material::of(observation.look.position().board())
            .map_or("tables".to_owned(), |(material, _)| material.to_string()),
        Scale::Evaluation => "whole game".to_owned(),
    };
    let moves = belief.observed();
    let known = match belief.is_informed() {
        true => format!("c {:.digits$} ± {:.digits$}", belief.mean(), belief.deviation()),
        false => "no information".to_owned(),
    };
    let mut text =
        format!("opponent: {known} after {moves} move{} ({place})", if moves == 1 { "" } else { "s" });
    let elo = opponent.elo();
    if belief.scale() == Scale::Evaluation && elo.observed() > 0 {
        let (low, high) = elo.interval(ELO_MASS);
        text.push_str(&format!("; chooses like Elo {:.0} ({low:.0} to {high:.0})", elo.mean()));
    }
    if evidence == Evidence::Outside {
        text.push_str("; the last one is outside the model");
    } else if belief.all_optimal() {
        text.push_str(", no mistake so far");
    }
    text
}

/// `Rf7 keeps 13 moves, expected 14.31 moves against this opponent; Rf6 14.02 moves`; nothing where there is nothing to choose.
pub(super) fn hunt(look: &Look, advice: &Advice, chosen: Move) -> Option<String> {
    let best = advice.candidates.iter().find(|candidate| candidate.m == chosen)?;
    let drawn = best.outcome.state().is_some_and(|state| state.value() == Value::Draw);
    let promise = |candidate: &Candidate| match candidate.depth {
        Some(depth) if depth.is_finite() && !drawn => format!("{depth:.2} moves"),
        _ if drawn => format!("{:.1} % to win", 100.0 * candidate.expectation.chance(Value::Win)),
        _ => format!("{:.2} points", candidate.expectation.value()),
    };
    let mut others: Vec<&Candidate> =
        advice.candidates.iter().filter(|candidate| candidate.m != chosen).collect();
    if others.is_empty() {
        return None;
    }
    // The hardest alternatives first: a loser's are long, a winner's short.
    let losing = best.outcome.state().is_some_and(|state| state.value() == Value::Loss);
    let rank = |candidate: &Candidate| candidate.depth.unwrap_or(0.0) * if losing { -1.0 } else { 1.0 };
    others.sort_by(|a, b| {
        b.expectation.value().total_cmp(&a.expectation.value()).then(rank(a).total_cmp(&rank(b)))
    });
    let outcome = match best.outcome.state()? {
        State::Win(depth) => format!("wins in {depth} moves"),
        State::Draw => "draws".to_owned(),
        State::Loss(depth) => format!("keeps {depth} moves"),
    };
    let others: Vec<_> = others.iter().take(3).map(|c| format!("{} {}", look.san(c.m), promise(c))).collect();
    Some(format!(
        "{} {outcome}, {} {} against this opponent; {}",
        look.san(best.m),
        if advice.to_the_end { "to the end" } else { "expected" },
        promise(best),
        others.join(", ")
    ))
}

/// What a move of the person's conceded, what was best, and which error others would have made.
pub(super) fn comment(observation: &Observation, verdict: &Verdict<'_>, level: &Prey) -> String {
    let Observation { look, m, .. } = observation;
    match level.temptation(look).filter(|error| error.m != *m) {
        Some(Reply { m, probability, .. }) => format!(
            "{verdict}; you did not fall for {}, which {:.0} % of players like you would have played",
            look.san(m),
            100.0 * probability
        ),
        None => verdict.to_string(),
    }
}

/// `your Nd5 set a trap: Qxb2 tempts 38 % of players like me`; nothing if there is none.
pub(super) fn trap_set(look: &Look, last: Option<String>, level: &Prey) -> Option<String> {
    let Reply { m, probability, .. } = level.temptation(look)?;
    let yours = last.map_or("you".to_owned(), |san| format!("your {san}"));
    Some(format!(
        "{yours} set a trap: {} tempts {:.0} % of players like me",
        look.san(m),
        100.0 * probability
    ))
}
