//! Moves of a node in the order in which they are tried: the table's move, captures that win something,
//! killers, quiet moves by their history, captures that lose something.

use shakmaty::{Chess, Move, MoveList, Position, Role};

use super::{
    captures::captures,
    exchange::{gains, worth},
    history::{Context, Histories},
};

const KILLER: i32 = 1 << 20;
const GOOD_CAPTURE: i32 = 1 << 24;
const BAD_CAPTURE: i32 = -(1 << 24);

pub(super) struct Picker<'a> {
    position: &'a Chess,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    only_captures: bool,
    begun: bool,
    moves: Option<MoveList>,
    scores: [i32; 256],
    next: usize,
}

/// What the search may want to know about the move it is given.
#[derive(Clone, Copy)]
pub(super) struct Picked {
    pub m: Move,
    /// From the table, a capture that wins something, or a killer.
    pub promising: bool,
}

impl<'a> Picker<'a> {
    /// All legal moves.
    pub fn all(position: &'a Chess, table_move: Option<Move>, killers: [Option<Move>; 2]) -> Picker<'a> {
        Picker {
            position,
            table_move,
            killers,
            only_captures: false,
            begun: false,
            moves: None,
            scores: [0; 256],
            next: 0,
        }
    }

    /// Captures and promotions only.
    pub fn captures(position: &'a Chess, table_move: Option<Move>) -> Picker<'a> {
        let table_move = table_move.filter(|m| is_tactical(*m));
        Picker { only_captures: true, ..Picker::all(position, table_move, [None; 2]) }
    }

    pub fn next(&mut self, histories: &Histories, context: &Context) -> Option<Picked> {
        if !self.begun {
            self.begun = true;
            if let Some(m) = self.table_move {
                return Some(Picked { m, promising: true });
            }
        }
        if self.moves.is_none() {
            self.generate(histories, context);
        }
        let moves = self.moves.as_mut()?;
        while self.next < moves.len() {
            let mut best = self.next;
            for i in self.next + 1..moves.len() {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            let (m, score) = (moves[best], self.scores[best]);
            // The exchange is worked out only now: most captures are never reached.
            if score >= GOOD_CAPTURE / 2 && !gains(self.position, m, 0) {
                self.scores[best] = score - GOOD_CAPTURE + BAD_CAPTURE;
                continue;
            }
            moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            if Some(m) != self.table_move {
                return Some(Picked { m, promising: score >= KILLER / 2 });
            }
        }
        None
    }

    fn generate(&mut self, histories: &Histories, context: &Context) {
        let moves = if self.only_captures { captures(self.position) } else { self.position.legal_moves() };
        let turn = self.position.turn();
        for (m, score) in moves.iter().zip(&mut self.scores) {
            *score = match m.promotion() {
                Some(Role::Queen) => GOOD_CAPTURE + worth(Role::Queen) * 16,
                Some(_) => BAD_CAPTURE,
                None => match m.capture() {
                    Some(victim) => GOOD_CAPTURE + worth(victim) * 16 + histories.capture(turn, *m),
                    None if self.killers[0] == Some(*m) => KILLER + 1,
                    None if self.killers[1] == Some(*m) => KILLER,
                    None => histories.quiet(turn, *m, context),
                },
            };
        }
        self.moves = Some(moves);
    }
}

/// Changes material: a capture or a promotion to a queen.
pub(super) fn is_tactical(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}
