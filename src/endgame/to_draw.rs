//! Depth to draw: in how many of its moves a side can force the draw that it presses for.
//!
//! The draw is made by stalemate, or by a change of material into an endgame that is drawn, whoever brings that about; a
//! slip of the other side into a loss counts as one. Only drawn positions take part. With the presser to move the depth
//! is 1 + the least over his moves that keep the draw, with the other to move the greatest over his; a move that makes
//! the draw counts 0. A draw that can't be forced so is *held*: it has no depth.
//!
//! One run of the retrograde analysis for each side as the presser, who takes the part of the winner. The table keeps the positions
//! where the *other* side is to move; those where the presser is follow from them in one move.

use shakmaty::{Chess, Color, Move, Position};

use super::{
    blocks::BlockFileError,
    board::{Board, Targets},
    generate::{GenerateError, Generator, Goal, Passing, SAFE},
    index::{Index, one_of_each_image},
    table::{Cell, DEEPEST, DRAW, Table, loss},
    tables::Tables,
};
use crate::model::{Depth, Metric, State};

/// In how many of its own moves each side can force a drawn position to its end; None for a draw that it can only hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawDepths {
    /// For the side to move.
    pub mover: Option<Depth>,
    /// For the other side.
    pub other: Option<Depth>,
}

impl Generator<'_> {
    /// The table by this metric.
    pub(super) fn depths_to_draw(mut self) -> Result<Table, GenerateError> {
        let mut finished = [Vec::new(), Vec::new()];
        for (place, mover) in [Color::White, Color::Black].into_iter().enumerate() {
            self.goal = Goal::Draw(!mover);
            self.run(DEEPEST)?;
            finished[place] = self.finished(mover, |index| self.found(mover, index));
        }
        Ok(Table::new(self.material, Metric::Dtd, self.indexer, finished))
    }

    /// As [`Generator::judge`], of a drawn position that a side presses to draw.
    pub(super) fn judge_draw(
        &self,
        presser: Color,
        board: &Board<'_>,
        index: Index,
        mover: Color,
    ) -> Result<(Cell, u8), GenerateError> {
        let targets = board.targets(mover);
        if targets.iter().all(|targets| targets.is_empty()) {
            if mover != presser {
                return Ok((loss(0), 0));
            }
            self.stalemates.lock().push(index);
            return Ok((DRAW, SAFE));
        }
        if self.material.has_opposing_pawns() {
            self.note_passing_draws(presser, board, index, mover, &targets)?;
        }
        if mover == presser {
            let mut made = false;
            board.each_conversion(mover, &targets, |conversion| {
                made |= self.exits.outcome(board, conversion)? == State::Draw;
                Ok::<_, BlockFileError>(())
            })?;
            return Ok((if made { 1 } else { DRAW }, SAFE));
        }
        let symmetric = self.indexer.is_symmetric(board.squares());
        let mut inside = 0;
        for place in board.places(mover) {
            let mut quiet = board.inside(&targets, place);
            if symmetric {
                quiet = one_of_each_image(board.squares()[place], quiet);
            }
            for to in quiet {
                let Some(next) = self.indexer.index_after(index, board.squares(), place, to) else {
                    continue;
                };
                let plain = self.own_state(presser, next)?;
                if self.exits.after_inside(board, place, to, plain)? == State::Draw {
                    inside += 1;
                }
            }
        }
        Ok((loss(0), inside))
    }

    /// Sets aside the double steps that keep the draw and may be answered by taking in passing.
    fn note_passing_draws(
        &self,
        presser: Color,
        board: &Board<'_>,
        index: Index,
        mover: Color,
        targets: &Targets,
    ) -> Result<(), BlockFileError> {
        let taker = !mover;
        for place in board.places(mover) {
            for to in targets[place].into_iter().filter(|&to| board.is_double_step(place, to)) {
                let after = board.after(place, to);
                let Some(taking) = self.exits.taking_in_passing(&after, to, mover)? else { continue };
                let Some(next) = self.indexer.index_after(index, board.squares(), place, to) else {
                    continue;
                };
                let plain = self.own_state(taker, next)?;
                if self.exits.after_inside(board, place, to, plain)? != State::Draw {
                    continue;
                }
                let makes_draw = taker == presser && taking == State::Draw;
                let taking = if makes_draw { State::win(1) } else { State::loss(0) };
                let plain = Some(next).filter(|_| plain == State::Draw && after.has_moves(taker));
                self.passing.lock().push(Passing { mover, origin: index, plain, taking });
            }
        }
        Ok(())
    }
}

impl Tables {
    /// How far a drawn position is from a forced draw. None if it is decided, or if a table is missing.
    pub fn draw_depths(&self, position: &Chess) -> Option<DrawDepths> {
        if self.probe(position, Metric::Dtc)? != State::Draw {
            return None;
        }
        let moves = position.legal_moves();
        let mut mover = moves.is_empty().then_some(Depth(0));
        for m in moves {
            if self.outcome(position, m, Metric::Dtc)? == State::Draw {
                let depth = self.forced_after(position, m)?.map(|Depth(depth)| Depth(depth + 1));
                mover = [mover, depth].into_iter().flatten().min();
            }
        }
        Some(DrawDepths { mover, other: self.forced_by_other(position)? })
    }

    /// The same after a move, for the side that makes it (`mover`) and the other. A change of material makes the draw.
    pub fn draw_depths_after(&self, position: &Chess, m: Move) -> Option<DrawDepths> {
        if self.outcome(position, m, Metric::Dtc)? != State::Draw {
            return None;
        }
        if m.is_conversion() {
            return Some(DrawDepths { mover: Some(Depth(0)), other: Some(Depth(0)) });
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        let DrawDepths { mover, other } = self.draw_depths(&after)?;
        Some(DrawDepths { mover: other, other: mover })
    }

    /// In how many more moves the mover can force the draw after a move that keeps it.
    fn forced_after(&self, position: &Chess, m: Move) -> Option<Option<Depth>> {
        if m.is_conversion() {
            return Some(Some(Depth(0)));
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        self.forced_by_other(&after)
    }

    /// In how many moves the side that is not to move can force a drawn position to its end.
    fn forced_by_other(&self, position: &Chess) -> Option<Option<Depth>> {
        if position.board().occupied().count() == 2 {
            return Some(Some(Depth(0)));
        }
        let taken = position.legal_ep_square().is_some();
        let decided = || self.probe_plain(position, Metric::Dtc).is_some_and(|plain| plain != State::Draw);
        if taken && (position.legal_moves().iter().all(|m| m.is_en_passant()) || decided()) {
            return Some(Some(Depth(0)));
        }
        self.probe_plain(position, Metric::Dtd).map(State::depth)
    }
}
