//! One table: what a byte of it says, what a state counts for by its metric, and the bytes of all positions of a material.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use shakmaty::{Color, Piece, fen::Fen};

use super::{
    blocks::{BlockFile, BlockFileError},
    index::{Index, Indexer, Squares},
    material::Material,
};
use crate::model::{Depth, Metric, State, Value};

/// A state in a byte: 0 draw, 1 to 127 a win in so many moves, 128 + n a loss in n, for the side to move.
///
/// No endgame of up to five men is deeper than 127 moves by any of the metrics.
pub type Cell = u8;

/// A draw, or a state not yet known.
pub const DRAW: Cell = 0;
/// The greatest depth that fits.
pub const DEEPEST: u16 = 127;

/// The cell of a loss in `depth` moves.
pub const fn loss(depth: u16) -> Cell {
    128 | depth as u8
}

/// What a cell says.
#[inline]
pub fn state_of(cell: Cell) -> State {
    match cell {
        DRAW => State::Draw,
        1..=127 => State::Win(Depth(u16::from(cell))),
        _ => State::Loss(Depth(u16::from(cell & 127))),
    }
}

/// The cell for a state of the side to move. None if it is too deep, or a win in 0, which no side to move has.
pub fn cell_of(state: State) -> Option<Cell> {
    match state {
        State::Draw => Some(DRAW),
        State::Win(Depth(depth)) => (1..=DEEPEST).contains(&depth).then_some(depth as Cell),
        State::Loss(Depth(depth)) => (depth <= DEEPEST).then_some(loss(depth)),
    }
}

/// What a state of the endgame entered counts for one that is measured by `metric`: a conversion is a goal in
/// itself unless the goal is mate, or what counts is the longest phase of all.
#[inline]
pub fn converted(metric: Metric, state: State) -> State {
    match (metric, state) {
        (Metric::Dtm | Metric::Dtr, state) => state,
        (_, State::Win(_)) => State::Win(Depth(0)),
        (_, State::Draw) => State::Draw,
        (_, State::Loss(_)) => State::Loss(Depth(0)),
    }
}

/// The state of a position whose best move has this outcome for the mover.
#[inline]
pub fn before(metric: Metric, outcome: State) -> State {
    match outcome {
        // The one move that ends this phase is its length.
        State::Win(Depth(depth)) if metric == Metric::Dtr => State::Win(Depth(depth.max(1))),
        State::Win(Depth(depth)) => State::Win(Depth(depth + 1)),
        other => other,
    }
}

/// Positions in a block: the unit that is compressed, read and checked at once.
pub const BLOCK: usize = 1 << 16;

/// Value and depth of every position of one material by one metric.
///
/// Blocks are decoded when first looked at and shared between threads without locks from then on.
pub struct Table {
    material: Material,
    metric: Metric,
    indexer: Arc<Indexer>,
    /// Blocks with White to move, then with Black to move.
    sides: [Vec<OnceLock<Box<[Cell]>>>; 2],
    deepest: [Depth; 2],
    /// The file, if the table comes from one.
    source: Option<BlockFile>,
    /// A block can't be had: nothing here is to be trusted.
    damaged: AtomicBool,
}

/// White first: the order of sides in tables and their files.
#[inline]
pub fn side(color: Color) -> usize {
    usize::from(color == Color::Black)
}

impl Table {
    /// A table of these cells, one vector a side to move.
    pub fn new(material: Material, metric: Metric, indexer: Arc<Indexer>, cells: [Vec<Cell>; 2]) -> Table {
        let deepest = deepest(&cells);
        let sides =
            cells.map(|cells| cells.chunks(BLOCK).map(|block| OnceLock::from(Box::from(block))).collect());
        Table { material, metric, indexer, sides, deepest, source: None, damaged: AtomicBool::new(false) }
    }

    /// A table whose blocks are read from a file when they are needed.
    pub fn from_source(material: Material, metric: Metric, deepest: [Depth; 2], source: BlockFile) -> Table {
        let indexer = Arc::new(Indexer::new(material));
        let blocks = indexer.size().div_ceil(BLOCK);
        let sides = [0, 1].map(|_| std::iter::repeat_with(OnceLock::new).take(blocks).collect());
        Table {
            material,
            metric,
            indexer,
            sides,
            deepest,
            source: Some(source),
            damaged: AtomicBool::new(false),
        }
    }

    /// The men.
    pub fn material(&self) -> Material {
        self.material
    }

    /// What its depths count.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How its positions are numbered.
    pub fn indexer(&self) -> &Arc<Indexer> {
        &self.indexer
    }

    /// The depth of the deepest win of a side, whoever is to move.
    pub fn deepest(&self, winner: Color) -> Depth {
        self.deepest[side(winner)]
    }

    /// The number of blocks of each side.
    pub fn blocks(&self) -> usize {
        self.sides[0].len()
    }

    /// One decoded block.
    pub fn block(&self, to_move: Color, number: usize) -> Result<&[Cell], BlockFileError> {
        let slot = &self.sides[side(to_move)][number];
        if let Some(block) = slot.get() {
            return Ok(block);
        }
        let source = self.source.as_ref().ok_or(BlockFileError::NoSource)?;
        let length = BLOCK.min(self.indexer.size() - number * BLOCK);
        let block = source.read(side(to_move), number, length)?;
        Ok(slot.get_or_init(|| block))
    }

    /// The cell of a position.
    #[inline]
    pub fn cell(&self, to_move: Color, index: Index) -> Result<Cell, BlockFileError> {
        let (number, offset) = (index as usize / BLOCK, index as usize % BLOCK);
        match self.sides[side(to_move)][number].get() {
            Some(block) => Ok(block[offset]),
            None => Ok(self.block(to_move, number)?[offset]),
        }
    }

    /// The state of a position for the side to move.
    #[inline]
    pub fn state(&self, to_move: Color, index: Index) -> Result<State, BlockFileError> {
        self.cell(to_move, index).map(state_of)
    }

    /// Whether something was found to be wrong with it.
    #[inline]
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Relaxed)
    }

    /// Notes that something is wrong with it; says whether that is news.
    pub(super) fn condemn(&self) -> bool {
        !self.damaged.swap(true, Relaxed)
    }

    /// Compares the checksums of all blocks in its file, without unpacking them.
    pub fn check(&self) -> Result<(), BlockFileError> {
        self.source.as_ref().map_or(Ok(()), BlockFile::check)
    }

    /// Decodes every block, so that looking things up can't fail any more.
    pub fn load(&self) -> Result<(), BlockFileError> {
        for color in Color::ALL {
            for number in 0..self.blocks() {
                self.block(color, number)?;
            }
        }
        Ok(())
    }
}

fn deepest(cells: &[Vec<Cell>; 2]) -> [Depth; 2] {
    let mut seen = [[false; 256]; 2];
    for (seen, cells) in seen.iter_mut().zip(cells) {
        for &cell in cells {
            seen[usize::from(cell)] = true;
        }
    }
    let deepest = |to_move: usize, value: Value| {
        let cells = (Cell::MIN..=Cell::MAX).filter(|&cell| seen[to_move][usize::from(cell)]);
        let states = cells.map(state_of).filter(|state| state.value() == value);
        states.filter_map(State::depth).max().unwrap_or_default()
    };
    [0, 1].map(|winner| deepest(winner, Value::Win).max(deepest(1 - winner, Value::Loss)))
}

/// The FEN of a placement in a table's colours.
pub fn fen(men: &[Piece], squares: &Squares, to_move: Color) -> Fen {
    let mut board = shakmaty::Board::empty();
    for (&man, &square) in men.iter().zip(squares) {
        board.set_piece_at(square, man);
    }
    let setup = shakmaty::Setup { board, turn: to_move, ..shakmaty::Setup::empty() };
    Fen::try_from_setup(setup).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_but_none_is_one_state() {
        for byte in Cell::MIN..=Cell::MAX {
            assert_eq!(cell_of(state_of(byte)), Some(byte));
        }
        assert_eq!(cell_of(State::win(128)), None);
        assert_eq!(cell_of(State::win(0)), None);
    }
}
