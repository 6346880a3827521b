use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use shakmaty::Color;

use super::{
    blocks::{BlockFile, BlockFileError},
    cell::{self, Cell},
    index::{Index, Indexer},
    material::Material,
};
use crate::model::{Depth, Metric, State, Value};

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
        self.cell(to_move, index).map(cell::state)
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
        let states = cells.map(cell::state).filter(|state| state.value() == value);
        states.filter_map(State::depth).max().unwrap_or_default()
    };
    [0, 1].map(|winner| deepest(winner, Value::Win).max(deepest(1 - winner, Value::Loss)))
}
