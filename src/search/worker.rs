//! One thread of a search: the tables it learns in, its path from the root, and how it notices that it must stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shakmaty::{Chess, Move, Position};

use super::{
    Control, Limits, Probe, SearchSettings,
    history::{Histories, PieceTo, PreviousMoves},
    limits::Timer,
    transposition_table::{TranspositionTable, TtEntry},
    value::{DRAW, MAX_PLY, TB_WIN, mated_in, value_from_tt, value_to_tt},
    zobrist::{key_after, key_after_null_move},
};
use crate::{
    evaluation::{Evaluation, Evaluator},
    model::Value,
};

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub tt: &'a TranspositionTable,
    /// Tablebases, if there are any.
    pub probe: Option<&'a dyn Probe>,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub timer: Timer,
    /// Raised when all threads have to stop.
    pub stop: AtomicBool,
    pub nodes: AtomicU64,
    pub tb_hits: AtomicU64,
    /// Whether the value of every root move is asked for, not only a best move (see [`Worker::may_prune`]).
    pub prices: bool,
    /// Searches see only those entries of the table that were made with the same salt. 0 but for looks by depth, which must not
    /// know what a deeper search has found, and for searches with [`Contempt`](super::Contempt).
    pub salt: u64,
}

impl<'a> Shared<'a> {
    pub fn new(
        tt: &'a TranspositionTable,
        probe: Option<&'a dyn Probe>,
        control: &'a Control,
        limits: &'a Limits,
        settings: &SearchSettings,
    ) -> Shared<'a> {
        Shared {
            tt,
            probe,
            control,
            limits,
            timer: Timer::new(limits, settings.move_overhead),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
            prices: false,
            salt: 0,
        }
    }
}

/// Stack frames before the root, so that looking back from the root needs no special case.
const BEFORE_ROOT: usize = 4;
/// Plies back whose moves the continuation history looks at.
const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];
/// Plies from the root in which nothing is pruned where every move is to have its value, nor on main lines.
const UNPRUNED_PLIES: usize = 2;
/// Nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;
/// Half-moves without capture or pawn move after which the game is drawn.
pub(super) const FIFTY_MOVES: u32 = 100;
/// With more pieces than this, material is never insufficient.
const FEW_PIECES: usize = 4;

/// The search stack: what a thread notes about each ply of its path.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub eval: i32,
    /// The move made here.
    pub current_move: PieceTo,
    pub killers: [Option<Move>; 2],
    /// The move that a singular-extension search leaves out.
    pub excluded: Option<Move>,
}

impl Frame {
    const EMPTY: Frame = Frame { eval: 0, current_move: PieceTo::NONE, killers: [None; 2], excluded: None };
}

/// What a thread keeps from search to search.
pub(super) struct ThreadMemory {
    pub evaluator: Evaluator,
    pub histories: Histories,
}

impl ThreadMemory {
    pub fn new(evaluation: &Evaluation) -> ThreadMemory {
        ThreadMemory { evaluator: Evaluator::new(evaluation), histories: Histories::new() }
    }
}

pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut ThreadMemory,
    stack: Vec<Frame>,
    /// Zobrist keys of the game and of the path from the root.
    keys: Vec<u64>,
    /// How many of `keys` are the game's, the root included.
    game_length: usize,
    /// A hash of the game's keys.
    game_hash: u64,
    /// The triangular table of principal variations: the best line from each ply on.
    pub pv: Vec<Vec<Move>>,
    pub nodes: u64,
    /// How many of `nodes` are in the sum of all threads.
    published: u64,
    pub seldepth: usize,
    pub stopped: bool,
    /// False in the first iteration, which is always finished, so that there is a best move.
    pub may_stop: bool,
    /// Checks extend the search up to this ply.
    pub extended_plies: usize,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, memory: &'a mut ThreadMemory, keys: Vec<u64>) -> Worker<'a> {
        Worker {
            shared,
            memory,
            // Four to spare: a node clears the killers of its grandchildren.
            stack: vec![Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 4],
            game_length: keys.len(),
            game_hash: keys.iter().fold(0, |hash, key| hash ^ key.rotate_left(17)),
            keys,
            pv: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            published: 0,
            seldepth: 0,
            stopped: false,
            may_stop: false,
            extended_plies: MAX_PLY,
        }
    }

    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.stack[ply + BEFORE_ROOT]
    }

    /// Whether the static evaluation has risen since this side's last move.
    pub fn improving(&self, ply: usize) -> bool {
        ply >= 2 && self.stack[ply + BEFORE_ROOT].eval > self.stack[ply + BEFORE_ROOT - 2].eval
    }

    pub fn previous_moves(&self, ply: usize) -> PreviousMoves {
        CONTINUATION_PLIES.map(|back| self.stack[ply + BEFORE_ROOT - back].current_move)
    }

    pub fn is_after_null_move(&self, ply: usize) -> bool {
        ply > 0 && self.stack[ply + BEFORE_ROOT - 1].current_move == PieceTo::NONE
    }

    /// Whether a node or its moves may be left out of the search. Near a root whose every move is to have its value, and on main
    /// lines from there, they may not: at low depth the only good reply may be a late one.
    pub fn may_prune<const PV: bool>(&self, ply: usize) -> bool {
        !self.shared.prices || !PV && ply > UNPRUNED_PLIES
    }

    /// The position after `m`, and its key. [`undo_move`](Self::undo_move) has to follow.
    #[inline(always)]
    pub fn make_move(&mut self, position: &Chess, key: u64, m: Move, ply: usize) -> (Chess, u64) {
        let mut after = position.clone();
        after.play_unchecked(m);
        let key = key_after(position, key, m, &after);
        self.shared.tt.prefetch(key ^ self.shared.salt);
        self.frame(ply).current_move = PieceTo::new(position.turn(), m);
        self.keys.push(key);
        (after, key)
    }

    /// The position after a null move, and its key; none if that leaves a king in check. If there is one,
    /// [`undo_move`](Self::undo_move) has to follow.
    pub fn make_null_move(&mut self, position: &Chess, key: u64, ply: usize) -> Option<(Chess, u64)> {
        let after = position.clone().swap_turn().ok()?;
        let key = key_after_null_move(position, key);
        self.shared.tt.prefetch(key ^ self.shared.salt);
        self.frame(ply).current_move = PieceTo::NONE;
        self.keys.push(key);
        Some((after, key))
    }

    pub fn undo_move(&mut self) {
        self.keys.pop();
    }

    /// The principal variation from `ply` on now begins with `m`.
    pub fn update_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Whether the position occurred since the root, or twice before it: both count as a draw.
    pub fn is_repetition(&self, position: &Chess) -> bool {
        let Some((last, earlier)) = self.keys.split_last() else { return false };
        let reversible = (position.halfmoves() as usize).min(earlier.len());
        let mut occurrences = 0;
        let mut back = 4;
        while back <= reversible {
            let index = earlier.len() - back;
            if earlier[index] == *last {
                occurrences += 1;
                if index >= self.game_length || occurrences == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether the position occurred in the game, the root included.
    pub fn occurred_in_game(&self, position: &Chess, ply: usize) -> bool {
        let Some(last) = self.keys.last() else { return false };
        let first = self.game_length - self.game_positions_in_reach(position, ply);
        self.keys[first..self.game_length].contains(last)
    }

    /// How many of the game's last positions, the root included, could still come back.
    pub fn game_positions_in_reach(&self, position: &Chess, ply: usize) -> usize {
        (position.halfmoves() as usize + 1).saturating_sub(ply).min(self.game_length)
    }

    /// Tells games apart whose earlier positions could be repeated.
    pub fn game_hash(&self) -> u64 {
        self.game_hash
    }

    /// The value of a node that is over by rule: a repetition, the fifty-move rule (where checkmate comes first)
    /// or insufficient material.
    pub fn draw_by_rule(&self, position: &Chess, in_check: bool, ply: usize, repeated: bool) -> Option<i32> {
        if position.halfmoves() >= FIFTY_MOVES {
            let is_mate = in_check && position.legal_moves().is_empty();
            return Some(if is_mate { mated_in(ply) } else { DRAW });
        }
        let insufficient =
            position.board().occupied().count() <= FEW_PIECES && position.is_insufficient_material();
        (insufficient || repeated).then_some(DRAW)
    }

    /// Counts a node, and looks now and then whether it is time to stop.
    pub fn count_node(&mut self, ply: usize) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if let Some(limit) = self.shared.limits.nodes
            && self.may_stop
            && self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.published >= limit
        {
            self.stop();
        }
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.publish_nodes();
            if self.may_stop
                && (self.shared.stop.load(Ordering::Relaxed)
                    || self.shared.control.is_stopped()
                    || self.shared.timer.is_over(self.shared.control))
            {
                self.stop();
            }
        }
    }

    /// Adds this thread's nodes to the sum of all threads.
    pub fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.published, Ordering::Relaxed);
        self.published = self.nodes;
    }

    /// Nodes of all threads, as far as they are known.
    pub fn nodes_of_all(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.published
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// The entry of the transposition table, with its value counted from the root.
    pub fn probe_tt(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = self.shared.tt.probe(key ^ self.shared.salt)?;
        Some(TtEntry { value: value_from_tt(i32::from(entry.value), ply) as i16, ..entry })
    }

    /// Keeps an entry whose value is counted from the root.
    pub fn store_tt(&self, key: u64, ply: usize, entry: TtEntry) {
        let value = value_to_tt(i32::from(entry.value), ply) as i16;
        self.shared.tt.store(key ^ self.shared.salt, TtEntry { value, ..entry });
    }

    /// The tablebases' value of a position. They are probed right after captures and pawn moves only: elsewhere
    /// they would say that all is won without saying how to make progress.
    pub fn probe_tablebases(&self, position: &Chess, ply: usize) -> Option<i32> {
        let probe = self.shared.probe?;
        if position.halfmoves() != 0 || position.board().occupied().count() > probe.max_men() {
            return None;
        }
        let value = probe.value(position)?;
        self.shared.tb_hits.fetch_add(1, Ordering::Relaxed);
        Some(match value {
            Value::Win => TB_WIN - ply as i32,
            Value::Draw => DRAW,
            Value::Loss => ply as i32 - TB_WIN,
        })
    }

    /// Static evaluation for the side to move.
    pub fn evaluate(&mut self, position: &Chess, ply: usize) -> i32 {
        let value = self.memory.evaluator.evaluate(position, ply);
        self.shared.limits.contempt.map_or(value, |contempt| value + contempt.for_mover(position))
    }
}
