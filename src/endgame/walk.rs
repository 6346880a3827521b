use std::sync::Arc;

use shakmaty::{Color, Role, Square};

use super::{
    blocks::BlockFileError,
    board::{Board, Conversion},
    exits::Exits,
    generate::around,
    index::{Index, Indexer},
    making::TablesError,
    table::{Table, before, converted},
    tables::Tables,
};
use crate::model::{Depth, Metric, State, Value};

/// A table with those around it: walks from a position to its successors, by number and without a chess library.
pub struct Walk {
    table: Arc<Table>,
    /// The endgame's values, where the table itself has none.
    values: Option<Arc<Table>>,
    exits: Exits,
}

/// A legal move in a walk.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The place of the man who moves, in the order of [`super::Material::pieces`].
    pub place: usize,
    /// Where he goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// State after the move, for the mover.
    pub outcome: State,
    /// The number of the position after the move, if the material stays as it is.
    pub next: Option<Index>,
}

impl Walk {
    /// A walk over a table; the tables around it are taken from `tables`.
    pub fn new(table: Arc<Table>, tables: &Tables) -> Result<Walk, TablesError> {
        let (material, metric) = (table.material(), table.metric());
        let by = around(metric);
        let found = |material| tables.get(material, by).cloned().ok_or(TablesError::Missing(material, by));
        let values = if metric == Metric::Dtd { Some(found(material)?) } else { None };
        Ok(Walk { table, values, exits: Exits::new(material, metric, found)? })
    }

    /// The table that is walked over.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    pub(super) fn exits(&self) -> &Exits {
        &self.exits
    }

    /// The value of a position for the side to move.
    #[inline]
    pub fn value(&self, mover: Color, index: Index) -> Result<Value, BlockFileError> {
        Ok(self.values.as_ref().unwrap_or(&self.table).state(mover, index)?.value())
    }

    /// How its positions are numbered.
    pub fn indexer(&self) -> &Indexer {
        self.table.indexer()
    }

    /// Whether the table says something of a legal position: by depth to draw, of drawn ones alone.
    #[inline]
    pub fn is_told(&self, mover: Color, index: Index) -> Result<bool, BlockFileError> {
        Ok(self.values.is_none() || self.value(mover, index)? == Value::Draw)
    }

    /// The board of a number that stands for a legal position with `mover` to move; None for all others.
    #[inline]
    pub fn board(&self, mover: Color, index: Index) -> Option<Board<'_>> {
        let indexer = self.indexer();
        let squares = indexer.squares(index);
        let board = Board::new(indexer.men(), squares)?;
        let counts = !indexer.is_ambiguous(&squares) || indexer.index(&squares) == Some(index);
        (counts && !board.attacks_king(mover)).then_some(board)
    }

    /// All legal moves of a position, with what they lead to.
    #[inline]
    pub fn each_step(
        &self,
        board: &Board<'_>,
        index: Index,
        mover: Color,
        mut visit: impl FnMut(Step),
    ) -> Result<(), BlockFileError> {
        let targets = board.targets(mover);
        board.each_conversion(mover, &targets, |conversion| {
            let outcome = self.exits.outcome(board, conversion)?;
            let Conversion { place, to, promotion, .. } = conversion;
            visit(Step { place, to, promotion, outcome, next: None });
            Ok::<_, BlockFileError>(())
        })?;
        let metric = self.table.metric();
        for place in board.places(mover) {
            let zeroing = metric == Metric::Dtz && board.men()[place].role == Role::Pawn;
            for to in board.inside(&targets, place) {
                let next = self.indexer().index_after(index, board.squares(), place, to);
                let Some(next) = next else { continue };
                let plain = self.values.as_ref().unwrap_or(&self.table).state(!mover, next)?;
                let mut state = self.exits.after_inside(board, place, to, plain)?;
                if zeroing {
                    state = converted(metric, state);
                }
                visit(Step { place, to, promotion: None, outcome: -state, next: Some(next) });
            }
        }
        Ok(())
    }

    /// The state of a position as its moves make it. Depth by the rule and depth to draw do not follow from the moves one by
    /// one: [`super::verify`] knows other ways.
    pub fn recompute(&self, board: &Board<'_>, index: Index, mover: Color) -> Result<State, BlockFileError> {
        let mut best: Option<State> = None;
        self.each_step(board, index, mover, |step| best = best.max(Some(step.outcome)))?;
        Ok(match best {
            Some(outcome) => before(self.table.metric(), outcome),
            None if board.in_check(mover) => State::Loss(Depth(0)),
            None => State::Draw,
        })
    }

    /// Whether it matters to both sides who is to move, and neither wants to: each does worse by moving.
    pub fn is_mutual_zugzwang(&self, index: Index) -> Result<bool, BlockFileError> {
        let (white, black) = (self.value(Color::White, index)?, self.value(Color::Black, index)?);
        Ok(white < -black && Color::ALL.into_iter().all(|mover| self.board(mover, index).is_some()))
    }
}
