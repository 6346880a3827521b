use std::{
    path::{Path, PathBuf},
    sync::{OnceLock, atomic::AtomicBool},
};

use shakmaty::Color;

use super::{
    hopes::HuntingGround,
    predictor::PredictError,
    steps::{STEPS, Steps, relaxed},
};
use crate::{
    endgame::{BlockFile, BlockFileError, BlockFormat, Index, Indexer, Material, write_blocks},
    model::{Metric, Model},
};

/// Whom a plan is for and against.
#[derive(Clone, Debug, PartialEq)]
pub struct Quarry {
    /// The endgame.
    pub material: Material,
    /// What the opponent's depths count.
    pub metric: Metric,
    /// The side that hunts, as colours are in tables.
    pub hunter: Color,
    /// How the opponent sees positions …
    pub model: Model,
    /// … and how well he chooses.
    pub c: f64,
    /// Whether the moves that are left before a draw can be claimed are part of the state. If not, only drawn positions are played
    /// from, and who lets go of the draw has lost.
    pub counts_moves: bool,
}

/// What a hunter can hope for after each of its moves against R_c, by the moves that R_c has left before a draw can be claimed
/// if they count: the endgame solved as a decision process. Kept on disk like a table.
pub struct Plan {
    indexer: Indexer,
    /// The numbers of moves left that are kept; what lies between is interpolated.
    left: &'static [u32],
    levels: Vec<Level>,
    source: Option<BlockFile>,
}

/// All positions with so many moves left.
struct Level {
    steps: Steps,
    blocks: Vec<OnceLock<Box<[u8]>>>,
}

/// The numbers of moves left that are kept where they count …
const COUNTED: [u32; 24] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 29, 32, 35, 38, 42, 46, 50];
/// … and where they don't.
const UNCOUNTED: [u32; 1] = [MOVES];
/// The most moves that can be left.
const MOVES: u32 = 50;
/// Moves are counted in endgames of so many men: of more, one number for each position is all that memory has room for.
const COUNTED_MEN: usize = 4;
/// Positions in a block.
const BLOCK: usize = 1 << 16;
/// Bytes that say in words whom a plan is for and against.
const WORDS: usize = 256;

/// A file with so many levels.
fn format(levels: usize) -> BlockFormat {
    BlockFormat { magic: b"errareP\n", version: 2, head: WORDS + levels * 4 * STEPS, parts: levels }
}

impl Quarry {
    /// Moves count where there are few men.
    pub fn new(material: Material, metric: Metric, hunter: Color, model: Model, c: f64) -> Quarry {
        Quarry { material, metric, hunter, model, c, counts_moves: material.men() <= COUNTED_MEN }
    }

    fn words(&self) -> String {
        let Quarry { material, metric, hunter, model, c, counts_moves } = self;
        let counting = if *counts_moves { "" } else { "any time, " };
        format!("{counting}{material} {} {hunter:?} {c} {model:?}", metric.name())
    }

    fn levels(&self) -> &'static [u32] {
        if self.counts_moves { &COUNTED } else { &UNCOUNTED }
    }

    /// Where its plan lies.
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        let side = if self.hunter == Color::White { "white" } else { "black" };
        let mark = crc32fast::hash(self.words().as_bytes());
        folder.join(format!("{}.{}.{side}-c{}-{mark:08x}.plan", self.material, self.metric.name(), self.c))
    }

    /// Bytes that solving it takes, roughly: moves of both sides, numbers for positions, and the plan.
    pub fn memory(&self) -> u64 {
        let size = Indexer::new(self.material).size() as u64;
        // About half of all numbers are of drawn positions.
        let played = if self.counts_moves { 4 * 45 + 8 * 8 } else { 100 };
        size * (played + 2 * self.levels().len() as u64)
    }
}

impl Plan {
    /// Works it out: None if `cancel` was raised. `ground` must serve the quarry's c.
    pub fn solve(
        quarry: &Quarry,
        ground: &HuntingGround,
        cancel: &AtomicBool,
        progress: &dyn Fn(u32, u32),
    ) -> Result<Option<Plan>, PredictError> {
        let mut levels = Vec::new();
        let (indexer, left) = (Indexer::new(quarry.material), quarry.levels());
        let done = ground.hopes(quarry.c, MOVES, cancel, |now, hopes| {
            if left.contains(&now) {
                let (steps, coded) = Steps::round(hopes);
                let mut last = 0;
                let mut step = |index: usize| {
                    // Numbers that are not played from repeat their neighbour, which packs well.
                    let spot = ground.ground().spot(!quarry.hunter, index as Index);
                    last = spot.map_or(last, |spot| coded[spot]);
                    last
                };
                let mut bytes = |first: usize| -> Box<[u8]> {
                    let block = first..indexer.size().min(first + BLOCK);
                    block.flat_map(|index| step(index).to_le_bytes()).collect()
                };
                let blocks = (0..indexer.size()).step_by(BLOCK).map(|first| OnceLock::from(bytes(first)));
                levels.push(Level { steps, blocks: blocks.collect() });
            }
            progress(now, MOVES);
        })?;
        Ok(done.then_some(Plan { indexer, left, levels, source: None }))
    }

    /// Stores it in a folder, whole or not at all. Returns the length of its file.
    pub fn write(&self, quarry: &Quarry, folder: &Path) -> Result<u64, BlockFileError> {
        let mut head: Vec<u8> = quarry.words().bytes().chain(std::iter::repeat(0)).take(WORDS).collect();
        self.levels.iter().for_each(|level| head.extend(level.steps.to_bytes()));
        let blocks = self.indexer.size().div_ceil(BLOCK);
        let format = format(self.left.len());
        write_blocks(&quarry.path(folder), &format, &head, blocks, |level, number| self.block(level, number))
    }

    /// Opens the one that is stored. None if there is none.
    pub fn open(quarry: &Quarry, folder: &Path) -> Result<Option<Plan>, BlockFileError> {
        let (path, left) = (quarry.path(folder), quarry.levels());
        let Some(source) = BlockFile::open(&path, &format(left.len()), "it is made again")? else {
            return Ok(None);
        };
        let (words, steps) = source.head().split_at(WORDS);
        let named = words.iter().copied().take_while(|&byte| byte != 0);
        let indexer = Indexer::new(quarry.material);
        let blocks = indexer.size().div_ceil(BLOCK);
        if !named.eq(quarry.words().bytes().take(WORDS)) || source.blocks() != blocks {
            return Err(source.unfit("it holds another plan than its name says"));
        }
        let levels = steps.chunks(4 * STEPS).map(|steps| Level {
            steps: Steps::from_bytes(steps),
            blocks: std::iter::repeat_with(OnceLock::new).take(blocks).collect(),
        });
        Ok(Some(Plan { indexer, left, levels: levels.collect(), source: Some(source) }))
    }

    fn block(&self, level: usize, number: usize) -> Result<&[u8], BlockFileError> {
        let slot = &self.levels[level].blocks[number];
        if let Some(block) = slot.get() {
            return Ok(block);
        }
        let source = self.source.as_ref().ok_or(BlockFileError::NoSource)?;
        let block = source.read(level, number, 2 * BLOCK.min(self.indexer.size() - number * BLOCK))?;
        Ok(slot.get_or_init(|| block))
    }

    fn stretched(&self, level: usize, index: Index) -> Result<f64, BlockFileError> {
        let place = 2 * (index as usize % BLOCK);
        let block = self.block(level, index as usize / BLOCK)?;
        Ok(self.levels[level].steps.value(u16::from_le_bytes([block[place], block[place + 1]])))
    }

    /// The hunter's hope (the chance to win less that to lose) when the opponent is to move and has so many moves left.
    pub fn hope(&self, index: Index, left: u32) -> Result<f64, BlockFileError> {
        if left == 0 {
            return Ok(0.0);
        }
        let left = left.min(MOVES);
        let above = self.left.partition_point(|&level| level < left);
        let high = self.stretched(above, index)?;
        if above == 0 || self.left[above] == left {
            return Ok(relaxed(high));
        }
        let low = self.stretched(above - 1, index)?;
        let share =
            f64::from(left - self.left[above - 1]) / f64::from(self.left[above] - self.left[above - 1]);
        // Between a draw and a decision there is no scale to interpolate on.
        if low * high <= 0.0 {
            return Ok(relaxed(low) + share * (relaxed(high) - relaxed(low)));
        }
        Ok(relaxed(low + share * (high - low)))
    }
}
