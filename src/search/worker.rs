//! One thread of a search: its memory, its path through the tree, and how it notices that it must end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use shakmaty::{Chess, Move, Position};

use super::{
    Control, Limits, Probe,
    history::{Context, Histories, PieceTo},
    table::Table,
    time::Timer,
    value::{DRAW, MAX_PLY, TABLE_WIN, mated},
    zobrist::key_after,
};
use crate::{
    evaluation::{Evaluator, Weights},
    model::Value,
};

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub probe: Option<&'a dyn Probe>,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub timer: Timer,
    /// Raised when all threads have to end.
    pub stop: AtomicBool,
    pub nodes: AtomicU64,
    pub table_hits: AtomicU64,
}

/// Frames before the root, so that looking back from the root needs no special case.
const BEFORE_ROOT: usize = 4;

/// What a thread notes about each ply of its path.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub eval: i32,
    /// The move made here; none for a pass.
    pub moved: Option<PieceTo>,
    pub killers: [Option<Move>; 2],
    /// Not to be looked at, while the others are tested against it.
    pub excluded: Option<Move>,
}

/// Memory that a thread keeps from search to search.
pub(super) struct Memory {
    pub evaluator: Evaluator,
    pub histories: Histories,
}

impl Memory {
    pub fn new(weights: Arc<Weights>) -> Memory {
        Memory { evaluator: Evaluator::new(weights), histories: Histories::new() }
    }
}

pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory,
    frames: Vec<Frame>,
    /// Keys of the game and of the path.
    keys: Vec<u64>,
    /// How many of `keys` are the game's, the root included.
    root: usize,
    /// A mix of the game's keys.
    past: u64,
    /// The best line from each ply on.
    pub lines: Vec<Vec<Move>>,
    pub nodes: u64,
    /// Nodes already told to the others.
    told: u64,
    pub seldepth: usize,
    pub stopped: bool,
    /// The first iteration is never broken off, so that there is a move.
    pub may_stop: bool,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, memory: &'a mut Memory, keys: Vec<u64>) -> Worker<'a> {
        Worker {
            shared,
            memory,
            frames: vec![Frame::default(); MAX_PLY + BEFORE_ROOT + 4],
            root: keys.len(),
            past: keys.iter().fold(0, |past, key| past ^ key.rotate_left(17)),
            keys,
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            told: 0,
            seldepth: 0,
            stopped: false,
            may_stop: false,
        }
    }

    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The static evaluation two plies ago was lower: things go our way.
    pub fn improving(&self, ply: usize) -> bool {
        ply >= 2 && self.frames[ply + BEFORE_ROOT].eval > self.frames[ply + BEFORE_ROOT - 2].eval
    }

    pub fn context(&self, ply: usize) -> Context {
        [1, 2, 4].map(|back| self.frames[ply + BEFORE_ROOT - back].moved)
    }

    /// Whether the last move was a pass.
    pub fn passed(&self, ply: usize) -> bool {
        ply > 0 && self.frames[ply + BEFORE_ROOT - 1].moved.is_none()
    }

    /// Goes on to the position after `m`. Every `descend` has its [`ascend`](Self::ascend).
    pub fn descend(&mut self, position: &Chess, key: u64, m: Move, ply: usize) -> (Chess, u64) {
        let mut after = position.clone();
        after.play_unchecked(m);
        let key = key_after(position, key, m, &after);
        self.frame(ply).moved = Some(PieceTo::new(position.turn(), m));
        self.keys.push(key);
        (after, key)
    }

    /// Goes on to the position after a pass, whose key is `key`.
    pub fn descend_by_pass(&mut self, key: u64, ply: usize) {
        self.frame(ply).moved = None;
        self.keys.push(key);
    }

    pub fn ascend(&mut self) {
        self.keys.pop();
    }

    /// The best line from `ply` on now begins with `m`.
    pub fn extend_line(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// A position that was on the board since the root, or twice before it, counts as a draw.
    pub fn is_repeated(&self, position: &Chess) -> bool {
        let Some((last, earlier)) = self.keys.split_last() else { return false };
        let reversible = (position.halfmoves() as usize).min(earlier.len());
        let mut before_root = 0;
        let mut back = 4;
        while back <= reversible {
            let index = earlier.len() - back;
            if earlier[index] == *last {
                before_root += 1;
                if index >= self.root || before_root == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// A position that was on the board in the game, the root included.
    pub fn is_of_game(&self, position: &Chess, ply: usize) -> bool {
        let reversible = position.halfmoves() as usize;
        let Some(last) = self.keys.last() else { return false };
        let back = (reversible + 1).saturating_sub(ply);
        self.keys[self.root.saturating_sub(back)..self.root].contains(last)
    }

    /// Stands for the positions of the game that may still be repeated.
    pub fn past(&self) -> u64 {
        self.past
    }

    /// Draws by rule. On the 50th move mate goes first.
    pub fn drawn(&self, position: &Chess, in_check: bool, ply: usize, repeated: bool) -> Option<i32> {
        if position.halfmoves() >= 100 {
            let is_mate = in_check && position.legal_moves().is_empty();
            return Some(if is_mate { mated(ply) } else { DRAW });
        }
        let bare = position.board().occupied().count() <= 4 && position.is_insufficient_material();
        (bare || repeated).then_some(DRAW)
    }

    /// Counts a node and looks now and then whether it is time to end.
    pub fn count(&mut self, ply: usize) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if let Some(limit) = self.shared.limits.nodes
            && self.may_stop
            && self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.told >= limit
        {
            self.halt();
        }
        if self.nodes.is_multiple_of(1024) {
            self.tell();
            if self.may_stop
                && (self.shared.stop.load(Ordering::Relaxed)
                    || self.shared.control.is_stopped()
                    || self.shared.timer.is_over(self.shared.control))
            {
                self.halt();
            }
        }
    }

    /// Adds this thread's nodes to the sum of all.
    pub fn tell(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Nodes that the others don't know of yet.
    pub fn untold(&self) -> u64 {
        self.nodes - self.told
    }

    fn halt(&mut self) {
        self.stopped = true;
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// What the tables say. They are asked right after captures and pawn moves only: elsewhere they would say
    /// that all is won without saying how to get on.
    pub fn probe(&self, position: &Chess, ply: usize) -> Option<i32> {
        let probe = self.shared.probe?;
        if position.halfmoves() != 0 || position.board().occupied().count() > probe.max_men() {
            return None;
        }
        let value = probe.value(position)?;
        self.shared.table_hits.fetch_add(1, Ordering::Relaxed);
        Some(match value {
            Value::Win => TABLE_WIN - ply as i32,
            Value::Draw => DRAW,
            Value::Loss => ply as i32 - TABLE_WIN,
        })
    }

    /// Static evaluation for the side to move.
    pub fn evaluate(&mut self, position: &Chess) -> i32 {
        self.memory.evaluator.evaluate(position)
    }
}

/// With pawns alone, zugzwang is too common for passing to tell anything.
pub(super) fn has_pieces(position: &Chess) -> bool {
    (position.us() & !position.board().pawns() & !position.board().kings()).any()
}

/// The position with the other side to move.
pub(super) fn pass(position: &Chess) -> Option<Chess> {
    position.clone().swap_turn().ok()
}
