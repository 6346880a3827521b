//! Checks a table of depths to draw. It keeps the positions where the presser is not to move; what these say of the positions
//! one move earlier is worked out first, and then each position anew from those one move later.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    blocks::BlockFileError,
    board::Board,
    index::Index,
    table::side,
    walk::{Step, Walk},
};
use crate::model::{Depth, State, Value};

pub struct DrawCheck<'a> {
    walk: &'a Walk,
    /// In how many moves the side to move can force the draw, by pair of kings, position and side.
    forced: Vec<Vec<[Option<Depth>; 2]>>,
}

impl<'a> DrawCheck<'a> {
    /// Incomplete if `cancel` is raised.
    pub fn new(walk: &'a Walk, cancel: &AtomicBool) -> Result<DrawCheck<'a>, BlockFileError> {
        let mut check = DrawCheck { walk, forced: Vec::new() };
        let per_pair = walk.indexer().per_king_pair();
        let of_position =
            |index| Ok([check.by_mover(index, Color::White)?, check.by_mover(index, Color::Black)?]);
        let of_pair = |pair: usize| {
            let numbers = (pair * per_pair) as Index..((pair + 1) * per_pair) as Index;
            numbers.take_while(|_| !cancel.load(Relaxed)).map(of_position).collect()
        };
        check.forced =
            (0..walk.indexer().king_pairs()).into_par_iter().map(of_pair).collect::<Result<_, _>>()?;
        Ok(check)
    }

    /// The depth to draw of a drawn position for the side that is not to move, as the moves make it: [`State::Loss`] if
    /// it can force the draw in so many moves, [`State::Draw`] if it can only hold it.
    pub fn recompute(&self, board: &Board<'_>, index: Index, mover: Color) -> Result<State, BlockFileError> {
        let mut longest = Some(Depth(0));
        for step in self.drawing_steps(board, index, mover)? {
            let depth = self.by_presser(board, &step, !mover)?;
            longest = longest.zip(depth).map(|(longest, depth)| longest.max(depth));
        }
        Ok(longest.map_or(State::Draw, State::Loss))
    }

    /// The moves that keep a draw.
    fn drawing_steps(
        &self,
        board: &Board<'_>,
        index: Index,
        mover: Color,
    ) -> Result<Vec<Step>, BlockFileError> {
        let mut steps = Vec::new();
        self.walk.each_step(board, index, mover, |step| {
            if step.outcome == State::Draw {
                steps.push(step);
            }
        })?;
        Ok(steps)
    }

    /// In how many moves `presser`, who is to move, can force a drawn position; None for all others.
    fn by_mover(&self, index: Index, presser: Color) -> Result<Option<Depth>, BlockFileError> {
        if self.walk.value(presser, index)? != Value::Draw {
            return Ok(None);
        }
        let Some(board) = self.walk.board(presser, index) else { return Ok(None) };
        if !board.has_moves(presser) {
            return Ok(Some(Depth(0)));
        }
        let mut shortest: Option<Depth> = None;
        for step in self.drawing_steps(&board, index, presser)? {
            let depth = self.by_other(&board, &step, !presser)?.map(|Depth(depth)| Depth(depth + 1));
            shortest = [shortest, depth].into_iter().flatten().min();
        }
        Ok(shortest)
    }

    /// In how many moves `presser`, who is to move after this step, can force the draw.
    fn by_presser(
        &self,
        before: &Board<'_>,
        step: &Step,
        presser: Color,
    ) -> Result<Option<Depth>, BlockFileError> {
        let Some(next) = step.next else { return Ok(Some(Depth(0))) };
        if before.is_double_step(step.place, step.to) {
            let after = before.after(step.place, step.to);
            if self.walk.exits().taking_in_passing(&after, step.to, !presser)? == Some(State::Draw) {
                return Ok(Some(Depth(1)));
            }
        }
        let per_pair = self.walk.indexer().per_king_pair();
        let (pair, place) = (next as usize / per_pair, next as usize % per_pair);
        Ok(self.forced[pair].get(place).and_then(|forced| forced[side(presser)]))
    }

    /// The same where the other side, `mover`, is to move: what the table says.
    fn by_other(
        &self,
        before: &Board<'_>,
        step: &Step,
        mover: Color,
    ) -> Result<Option<Depth>, BlockFileError> {
        let Some(next) = step.next else { return Ok(Some(Depth(0))) };
        let taken = before.is_double_step(step.place, step.to)
            && before.after(step.place, step.to).takers_in_passing(step.to, !mover).next().is_some();
        // A mover who draws by taking alone has made the draw.
        if taken && self.walk.value(mover, next)? != Value::Draw {
            return Ok(Some(Depth(0)));
        }
        Ok(self.walk.table().state(mover, next)?.depth())
    }
}
