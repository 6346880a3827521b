//! The order in which the moves of a node are tried.

use arrayvec::ArrayVec;
use shakmaty::{Chess, Move, MoveList, Position, Role};

use super::{
    history::{Histories, PreviousMoves},
    move_generator::{captures, is_of_captures, is_underpromotion, quiets, underpromotions},
    see::{see_ge, see_value},
};

/// The stages of a node's moves, in this order. Most nodes end with a cutoff before the last, so each does its work
/// only when it is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The transposition table's move, before any move is generated.
    TtMove,
    /// Nothing is tried here: the captures are generated and scored.
    GenerateCaptures,
    /// Captures and queen promotions that lose no material by SEE: the most valuable victim first, then by
    /// capture history.
    GoodCaptures,
    /// Nothing is tried here: the quiet moves are generated.
    GenerateQuiets,
    /// Quiet moves that caused a cutoff at this ply before.
    Killers,
    /// Nothing is tried here: the quiet moves are scored.
    ScoreQuiets,
    /// By butterfly and continuation history.
    Quiets,
    /// Captures that lose material by SEE, and underpromotions.
    BadCaptures,
}

/// How much more the captured piece counts than the capture history.
const VICTIM_WEIGHT: i32 = 16;
/// No position has more legal moves.
const MAX_MOVES: usize = 256;

/// A move's score and, in the low byte, its index counted from the end: the greatest key belongs to the best move, of
/// equals to the first. Plain numbers, so that the compiler can compare many at once.
type Key = i32;
/// The key of a move that is not to be tried any more.
const DONE: Key = Key::MIN;
/// The key of a quiet move that has no score yet.
const QUIET: Key = Key::MIN + 1;

fn key(score: i32, index: usize) -> Key {
    score << 8 | (MAX_MOVES - 1 - index) as i32
}

pub(super) struct MovePicker<'a> {
    position: &'a Chess,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    wanted: Wanted,
    stage: Stage,
    /// The captures, then the quiet moves instead of them.
    moves: MoveList,
    keys: ArrayVec<Key, MAX_MOVES>,
    /// Those found bad when their turn came.
    bad_captures: MoveList,
    /// Index of the next killer or bad capture.
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// All, in check: no stages of our own save anything.
    Evasions,
    Captures,
}

#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    pub m: Move,
    pub stage: Stage,
    /// The quiet history, where it was needed to sort.
    pub history: Option<i32>,
}

impl PickedMove {
    /// The TT move, a good capture or a killer.
    pub fn is_promising(self) -> bool {
        self.stage <= Stage::Killers
    }
}

impl<'a> MovePicker<'a> {
    /// All legal moves.
    pub fn all(
        position: &'a Chess,
        in_check: bool,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> MovePicker<'a> {
        MovePicker::new(position, tt_move, killers, if in_check { Wanted::Evasions } else { Wanted::All })
    }

    /// Captures and queen promotions only.
    pub fn captures(position: &'a Chess, tt_move: Option<Move>) -> MovePicker<'a> {
        MovePicker::new(position, tt_move.filter(|m| is_tactical(*m)), [None; 2], Wanted::Captures)
    }

    fn new(
        position: &'a Chess,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        wanted: Wanted,
    ) -> MovePicker<'a> {
        MovePicker {
            position,
            tt_move,
            killers,
            wanted,
            stage: Stage::TtMove,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad_captures: MoveList::new(),
            next: 0,
        }
    }

    /// No more quiet moves are wanted but these.
    pub fn skip_quiets_but(&mut self, wanted: impl Fn(Move) -> bool) {
        for (&m, key) in self.moves.iter().zip(&mut self.keys) {
            if *key >= QUIET && !wanted(m) {
                *key = DONE;
            }
        }
    }

    pub fn next(&mut self, histories: &Histories, previous: &PreviousMoves) -> Option<PickedMove> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateCaptures;
            if let Some(m) = self.tt_move {
                return Some(PickedMove { m, stage: Stage::TtMove, history: None });
            }
        }
        if self.stage == Stage::GenerateCaptures {
            self.generate_captures(histories);
            self.stage = Stage::GoodCaptures;
        }
        if self.stage == Stage::GoodCaptures {
            if let Some(m) = self.next_good_capture() {
                return Some(PickedMove { m, stage: Stage::GoodCaptures, history: None });
            }
            self.stage = match self.wanted {
                Wanted::Captures => Stage::BadCaptures,
                Wanted::All | Wanted::Evasions => Stage::GenerateQuiets,
            };
        }
        if self.stage == Stage::GenerateQuiets {
            self.generate_quiets();
            self.stage = Stage::Killers;
        }
        if self.stage == Stage::Killers {
            if let Some(m) = self.next_killer() {
                return Some(PickedMove { m, stage: Stage::Killers, history: None });
            }
            self.next = 0;
            self.stage = Stage::ScoreQuiets;
        }
        if self.stage == Stage::ScoreQuiets {
            self.score_quiets(histories, previous);
            self.stage = Stage::Quiets;
        }
        if self.stage == Stage::Quiets {
            if let Some((m, history)) = self.take_best() {
                return Some(PickedMove { m, stage: Stage::Quiets, history: Some(history) });
            }
            self.stage = Stage::BadCaptures;
        }
        while let Some(&m) = self.bad_captures.get(self.next) {
            self.next += 1;
            if Some(m) != self.tt_move {
                return Some(PickedMove { m, stage: Stage::BadCaptures, history: None });
            }
        }
        None
    }

    fn generate_captures(&mut self, histories: &Histories) {
        match self.wanted {
            Wanted::Evasions => self.moves.extend(self.evasions(is_of_captures)),
            Wanted::All | Wanted::Captures => captures(self.position, &mut self.moves),
        }
        let turn = self.position.turn();
        self.keys.extend(self.moves.iter().enumerate().map(|(index, &m)| {
            let score = match m.promotion() {
                Some(_) => see_value(Role::Queen) * VICTIM_WEIGHT,
                None => m.capture().map_or(0, see_value) * VICTIM_WEIGHT + histories.capture(turn, m),
            };
            key(score, index)
        }));
    }

    /// No captures are left but the bad ones, which have a list of their own.
    fn generate_quiets(&mut self) {
        self.moves.clear();
        self.keys.clear();
        match self.wanted {
            Wanted::Evasions => {
                self.moves.extend(self.evasions(|m| !is_of_captures(m) && !is_underpromotion(m)));
                self.bad_captures.extend(self.evasions(is_underpromotion));
            }
            Wanted::All | Wanted::Captures => {
                quiets(self.position, &mut self.moves);
                underpromotions(self.position, &mut self.bad_captures);
            }
        }
        self.keys.extend(self.moves.iter().map(|_| QUIET));
    }

    fn evasions(&self, wanted: fn(Move) -> bool) -> impl Iterator<Item = Move> + use<> {
        self.position.legal_moves().into_iter().filter(move |m| wanted(*m))
    }

    fn score_quiets(&mut self, histories: &Histories, previous: &PreviousMoves) {
        let (turn, rows) = (self.position.turn(), histories.continuation_rows(previous));
        for (index, (&m, old)) in self.moves.iter().zip(&mut self.keys).enumerate() {
            if *old == QUIET {
                *old = key(histories.quiet_in_rows(turn, m, rows), index);
            }
        }
    }

    /// The best move that has a score and was not tried yet, with its score.
    fn take_best(&mut self) -> Option<(Move, i32)> {
        loop {
            let best = self.keys.iter().copied().fold(DONE, Key::max);
            if best <= QUIET {
                return None;
            }
            let index = MAX_MOVES - 1 - (best & 0xff) as usize;
            self.keys[index] = DONE;
            if Some(self.moves[index]) != self.tt_move {
                return Some((self.moves[index], best >> 8));
            }
        }
    }

    fn next_good_capture(&mut self) -> Option<Move> {
        while let Some((m, _)) = self.take_best() {
            // SEE waits until a capture's turn has come: most captures are never reached.
            if see_ge(self.position, m, 0) {
                return Some(m);
            }
            self.bad_captures.push(m);
        }
        None
    }

    fn next_killer(&mut self) -> Option<Move> {
        while let Some(&killer) = self.killers.get(self.next) {
            self.next += 1;
            if let Some(killer) = killer.filter(|_| killer != self.tt_move)
                && let Some(index) = self.moves.iter().position(|m| *m == killer)
                && self.keys[index] == QUIET
            {
                self.keys[index] = DONE;
                return Some(killer);
            }
        }
        None
    }
}

/// Changes material: a capture or a promotion to a queen. All other moves count as quiet.
pub(super) fn is_tactical(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}
