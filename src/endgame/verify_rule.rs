//! Checks a table of depths by the rule, not by the way it was made but by what it means.
//!
//! For t = 0, 1, 2, … every position gets the least *toll* for which its phase can be ended within t of the winner's moves:
//! the toll of a way out is what the table says of the position behind it. The winner takes the least over his moves, the
//! loser the greatest. Under a rule of k moves the win stands if the toll within k moves is k at most, so the depth is
//! the least max(t, toll within t). A toll of t at most is good enough from then on: what is cheaper takes longer.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::{Color, Role};

use super::{
    blocks::BlockFileError,
    board::Board,
    index::Index,
    table::{DEEPEST, side},
    verify::{Disagreement, Verdict},
    walk::Walk,
};
use crate::model::{Depth, State, Value};

/// No way to end the phase is known yet.
const NONE: u8 = u8::MAX;

struct Check<'a> {
    walk: &'a Walk,
    /// The least toll known so far.
    tolls: [Vec<AtomicU8>; 2],
    /// The least k known so far.
    rules: [Vec<AtomicU8>; 2],
}

pub fn verify_rule(
    walk: &Walk,
    cancel: &AtomicBool,
    progress: &(dyn Fn() + Sync),
) -> Result<Verdict, BlockFileError> {
    let none = || [0, 1].map(|_| (0..walk.indexer().size()).map(|_| AtomicU8::new(NONE)).collect());
    let check = Check { walk, tolls: none(), rules: none() };
    for moves in 0..=DEEPEST as u8 {
        let won = moves > 0 && check.sweep(Value::Win, moves, cancel)?;
        let lost = check.sweep(Value::Loss, moves, cancel)?;
        if cancel.load(Relaxed) {
            return Ok(Verdict::Cancelled);
        }
        if moves > 0 && !won && !lost {
            break;
        }
    }
    check.compare(progress)
}

impl Check<'_> {
    fn each_pair<T: Send>(
        &self,
        visit: impl Fn(Index) -> Result<T, BlockFileError> + Sync,
        fold: impl Fn(T, T) -> T + Sync + Send,
        start: impl Fn() -> T + Sync + Send,
    ) -> Result<T, BlockFileError> {
        let per_pair = self.walk.indexer().per_king_pair();
        (0..self.walk.indexer().king_pairs())
            .into_par_iter()
            .map(|pair| {
                let numbers = (pair * per_pair) as Index..((pair + 1) * per_pair) as Index;
                numbers.map(&visit).try_fold(start(), |all, one| Ok(fold(all, one?)))
            })
            .try_reduce(&start, |one, two| Ok(fold(one, two)))
    }

    /// Improves the positions that the table calls won, or lost, for the side to move; says whether any changed.
    fn sweep(&self, value: Value, moves: u8, cancel: &AtomicBool) -> Result<bool, BlockFileError> {
        let visit = |index| {
            let mut changed = false;
            for mover in Color::ALL {
                let at = side(mover);
                let known = &self.tolls[at][index as usize];
                if known.load(Relaxed) < moves
                    || self.walk.table().state(mover, index)?.value() != value
                    || cancel.load(Relaxed)
                {
                    continue;
                }
                let Some(board) = self.walk.board(mover, index) else { continue };
                let toll = self.toll(&board, index, mover, value)?;
                if toll < known.load(Relaxed) {
                    known.store(toll, Relaxed);
                    self.rules[at][index as usize].fetch_min(toll.max(moves), Relaxed);
                    changed = true;
                }
            }
            Ok(changed)
        };
        self.each_pair(visit, |one, two| one | two, || false)
    }

    fn toll(
        &self,
        board: &Board<'_>,
        index: Index,
        mover: Color,
        value: Value,
    ) -> Result<u8, BlockFileError> {
        let mut toll = if value == Value::Win { NONE } else { 0 };
        self.walk.each_step(board, index, mover, |step| {
            let zeroing = step.next.is_none() || board.men()[step.place].role == Role::Pawn;
            let of_step = match (step.outcome.value() == value, step.next) {
                (false, _) => NONE,
                (true, Some(next)) if !zeroing => self.tolls[side(!mover)][next as usize].load(Relaxed),
                (true, _) => step.outcome.depth().map_or(NONE, |Depth(depth)| depth as u8),
            };
            toll = if value == Value::Win { toll.min(of_step) } else { toll.max(of_step) };
        })?;
        Ok(toll)
    }

    fn compare(&self, progress: &(dyn Fn() + Sync)) -> Result<Verdict, BlockFileError> {
        let per_pair = self.walk.indexer().per_king_pair();
        let visit = |index: Index| {
            let mut legal = 0;
            for mover in Color::ALL {
                let Some(board) = self.walk.board(mover, index) else { continue };
                legal += 1;
                let stored = self.walk.table().state(mover, index)?;
                let recomputed = self.recomputed(&board, index, mover, stored)?;
                if stored != recomputed {
                    return Ok(Err(Disagreement::new(&board, mover, stored, recomputed)));
                }
            }
            if (index as usize + 1).is_multiple_of(per_pair) {
                progress();
            }
            Ok(Ok(legal))
        };
        let fold = |one: Result<u64, Disagreement>, two: Result<u64, Disagreement>| Ok(one? + two?);
        Ok(match self.each_pair(visit, fold, || Ok(0))? {
            Ok(positions) => Verdict::Sound(positions),
            Err(disagreement) => Verdict::Wrong(disagreement),
        })
    }

    fn recomputed(
        &self,
        board: &Board<'_>,
        index: Index,
        mover: Color,
        stored: State,
    ) -> Result<State, BlockFileError> {
        let rule = self.rules[side(mover)][index as usize].load(Relaxed);
        let decided = |state: fn(Depth) -> State| match rule {
            NONE => State::Draw,
            rule => state(Depth(rule.into())),
        };
        Ok(match stored.value() {
            Value::Win => decided(State::Win),
            Value::Loss => decided(State::Loss),
            // What is called a draw must have a move that keeps it, and none that wins.
            Value::Draw => self.walk.recompute(board, index, mover)?,
        })
    }
}
