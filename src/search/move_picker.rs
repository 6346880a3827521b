//! The order in which the moves of a node are tried.

use shakmaty::{Chess, Move, MoveList, Position, Role};

use super::{
    captures::captures,
    history::{Histories, PreviousMoves},
    see::{see_ge, see_value},
};

/// The stages of a node's moves, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The transposition table's move, before any move is generated.
    TtMove,
    /// Nothing is tried here: all other moves are generated and scored.
    Generate,
    /// Captures and queen promotions that lose no material by SEE: the most valuable victim first, then by
    /// capture history.
    GoodCaptures,
    /// Quiet moves that caused a cutoff at this ply before.
    Killers,
    /// By butterfly and continuation history.
    Quiets,
    /// Captures that lose material by SEE, and underpromotions.
    BadCaptures,
}

/// Distance between the scores of two stages: more than any history or victim adds.
const STAGE_BAND: i32 = 1 << 20;
/// How much more the captured piece counts than the capture history.
const VICTIM_WEIGHT: i32 = 16;
/// No position has more legal moves.
const MAX_MOVES: usize = 256;

impl Stage {
    /// The middle of the stage's band of scores.
    const fn base(self) -> i32 {
        (Stage::BadCaptures as i32 - self as i32) * STAGE_BAND
    }

    fn of_score(score: i32) -> Stage {
        match score + STAGE_BAND / 2 {
            score if score >= Stage::GoodCaptures.base() => Stage::GoodCaptures,
            score if score >= Stage::Killers.base() => Stage::Killers,
            score if score >= Stage::Quiets.base() => Stage::Quiets,
            _ => Stage::BadCaptures,
        }
    }
}

pub(super) struct MovePicker<'a> {
    position: &'a Chess,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    captures_only: bool,
    stage: Stage,
    moves: MoveList,
    scores: [i32; MAX_MOVES],
    next: usize,
}

#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    pub m: Move,
    pub stage: Stage,
}

impl PickedMove {
    /// The TT move, a good capture or a killer.
    pub fn is_promising(self) -> bool {
        self.stage <= Stage::Killers
    }
}

impl<'a> MovePicker<'a> {
    /// All legal moves.
    pub fn all(position: &'a Chess, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker<'a> {
        MovePicker {
            position,
            tt_move,
            killers,
            captures_only: false,
            stage: Stage::TtMove,
            moves: MoveList::new(),
            scores: [0; MAX_MOVES],
            next: 0,
        }
    }

    /// Captures and queen promotions only.
    pub fn captures(position: &'a Chess, tt_move: Option<Move>) -> MovePicker<'a> {
        let tt_move = tt_move.filter(|m| is_tactical(*m));
        MovePicker { captures_only: true, ..MovePicker::all(position, tt_move, [None; 2]) }
    }

    pub fn next(&mut self, histories: &Histories, previous: &PreviousMoves) -> Option<PickedMove> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::Generate;
            if let Some(m) = self.tt_move {
                return Some(PickedMove { m, stage: Stage::TtMove });
            }
        }
        if self.stage == Stage::Generate {
            self.generate(histories, previous);
        }
        while self.next < self.moves.len() {
            let best = self.index_of_best();
            let (m, score) = (self.moves[best], self.scores[best]);
            self.stage = Stage::of_score(score);
            // SEE waits until a capture's turn has come: most captures are never reached.
            if self.stage == Stage::GoodCaptures && !see_ge(self.position, m, 0) {
                self.scores[best] = score - Stage::GoodCaptures.base() + Stage::BadCaptures.base();
                continue;
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            if Some(m) != self.tt_move {
                return Some(PickedMove { m, stage: self.stage });
            }
        }
        None
    }

    /// One step of selection sort: a cutoff mostly comes before a full sort would have paid.
    fn index_of_best(&self) -> usize {
        let scores = &self.scores[..self.moves.len()];
        let mut best = (self.next, scores[self.next]);
        for (i, &score) in scores.iter().enumerate().skip(self.next + 1) {
            if score > best.1 {
                best = (i, score);
            }
        }
        best.0
    }

    fn generate(&mut self, histories: &Histories, previous: &PreviousMoves) {
        self.moves = if self.captures_only { captures(self.position) } else { self.position.legal_moves() };
        self.stage = Stage::GoodCaptures;
        let turn = self.position.turn();
        let victim_score = |victim: Role| Stage::GoodCaptures.base() + see_value(victim) * VICTIM_WEIGHT;
        for (m, score) in self.moves.iter().zip(&mut self.scores) {
            *score = match (m.promotion(), m.capture()) {
                (Some(Role::Queen), _) => victim_score(Role::Queen),
                (Some(_), _) => Stage::BadCaptures.base(),
                (None, Some(victim)) => victim_score(victim) + histories.capture(turn, *m),
                (None, None) if self.killers[0] == Some(*m) => Stage::Killers.base() + 1,
                (None, None) if self.killers[1] == Some(*m) => Stage::Killers.base(),
                (None, None) => Stage::Quiets.base() + histories.quiet(turn, *m, previous),
            };
        }
    }
}

/// Changes material: a capture or a promotion to a queen. All other moves count as quiet.
pub(super) fn is_tactical(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}
