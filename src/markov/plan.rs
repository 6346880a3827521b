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
}

/// What a hunter can hope for after each of its moves against R_c, by the moves that R_c has left before a draw can be claimed:
/// the endgame solved as a decision process. Kept on disk like a table.
pub struct Plan {
    indexer: Indexer,
    levels: Vec<Level>,
    source: Option<BlockFile>,
}

/// All positions with so many moves left.
struct Level {
    steps: Steps,
    blocks: Vec<OnceLock<Box<[u8]>>>,
}

/// The numbers of moves left that are kept; what lies between is interpolated.
const LEVELS: [u32; 24] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 29, 32, 35, 38, 42, 46, 50];
/// The most moves that can be left.
const MOVES: u32 = 50;
/// Positions in a block.
const BLOCK: usize = 1 << 16;
/// Bytes that say in words whom a plan is for and against.
const WORDS: usize = 256;
const FORMAT: BlockFormat = BlockFormat {
    magic: b"errareP\n",
    version: 1,
    head: WORDS + LEVELS.len() * 4 * STEPS,
    parts: LEVELS.len(),
};

impl Quarry {
    fn words(&self) -> String {
        format!("{} {} {:?} {} {:?}", self.material, self.metric.name(), self.hunter, self.c, self.model)
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
        size * (4 * 45 + 8 * 8 + 2 * LEVELS.len() as u64)
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
        let done = ground.hopes(quarry.c, MOVES, cancel, |left, hopes| {
            if LEVELS.contains(&left) {
                let (steps, coded) = Steps::round(hopes);
                let bytes = |block: &[u16]| -> Box<[u8]> {
                    block.iter().flat_map(|step| step.to_le_bytes()).collect()
                };
                let blocks = coded.chunks(BLOCK).map(|block| OnceLock::from(bytes(block))).collect();
                levels.push(Level { steps, blocks });
            }
            progress(left, MOVES);
        })?;
        Ok(done.then(|| Plan { indexer: Indexer::new(quarry.material), levels, source: None }))
    }

    /// Stores it in a folder, whole or not at all. Returns the length of its file.
    pub fn write(&self, quarry: &Quarry, folder: &Path) -> Result<u64, BlockFileError> {
        let mut head: Vec<u8> = quarry.words().bytes().chain(std::iter::repeat(0)).take(WORDS).collect();
        self.levels.iter().for_each(|level| head.extend(level.steps.to_bytes()));
        let blocks = self.indexer.size().div_ceil(BLOCK);
        write_blocks(&quarry.path(folder), &FORMAT, &head, blocks, |level, number| self.block(level, number))
    }

    /// Opens the one that is stored. None if there is none.
    pub fn open(quarry: &Quarry, folder: &Path) -> Result<Option<Plan>, BlockFileError> {
        let Some(source) = BlockFile::open(&quarry.path(folder), &FORMAT, "it is made again")? else {
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
        Ok(Some(Plan { indexer, levels: levels.collect(), source: Some(source) }))
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
        let above = LEVELS.partition_point(|&level| level < left);
        let high = self.stretched(above, index)?;
        if LEVELS[above] == left {
            return Ok(relaxed(high));
        }
        let low = self.stretched(above - 1, index)?;
        let share = f64::from(left - LEVELS[above - 1]) / f64::from(LEVELS[above] - LEVELS[above - 1]);
        // Between a draw and a decision there is no scale to interpolate on.
        if low * high <= 0.0 {
            return Ok(relaxed(low) + share * (relaxed(high) - relaxed(low)));
        }
        Ok(relaxed(low + share * (high - low)))
    }
}
