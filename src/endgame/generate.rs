//! Retrograde analysis: value and depth of every position of an endgame, from its goals backwards.
//!
//! One algorithm serves all metrics; they differ in what leaves the endgame ([`Exits`], and pawn moves by DTZ) and in
//! what that counts. Levels are worked off in turn: losses in d make wins in d + 1 of the positions before them, and each
//! of these decrements the counter of unrefuted moves of every position before it; a position whose counter reaches 0 is
//! lost in d + 1.
//!
//! Depth by the rule ([`super::by_rule`]) and depth to draw ([`super::to_draw`]) are made of several such runs, each with its own
//! [`Goal`].

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
};

use arrayvec::ArrayVec;
use parking_lot::Mutex;
use prefetch_index::prefetch_index;
use rayon::prelude::*;
use shakmaty::{Color, Rank, Role, Square};

use super::{
    blocks::BlockFileError,
    board::{Board, Targets, is_double_step},
    exits::Exits,
    index::{Index, Indexer, one_of_each_image},
    material::Material,
    table::{Cell, DEEPEST, DRAW, Table, before, cell_of, converted, loss, side, state_of},
};
use crate::model::{Depth, Metric, State, Value};

/// Why no table came out.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A subgame's table failed.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// It would take more memory than allowed.
    #[error(
        "{material} needs {needed} MiB of memory, {allowed} are allowed: raise 'memory' in [tables] of engine.toml"
    )]
    Memory {
        /// The endgame.
        material: Material,
        /// MiB needed.
        needed: u64,
        /// MiB allowed.
        allowed: u64,
    },
    /// Deeper than a cell can hold.
    #[error("{0} is deeper than {DEEPEST} moves by {1}, which tables can't hold")]
    TooDeep(Material, Metric),
    /// It was told to stop.
    #[error("interrupted")]
    Cancelled,
}

/// How far a generation is.
#[derive(Clone, Copy, Debug)]
pub enum GenerateProgress {
    /// So many of all king pairs have been set up.
    SettingUp {
        /// Done.
        done: usize,
        /// All.
        of: usize,
    },
    /// Wins and losses of this depth are being found.
    Level(u16),
}

/// The wishes of whoever wants a table.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Raised to end the work.
    pub cancel: &'a AtomicBool,
    /// Told how far it is, from any thread.
    pub report: &'a (dyn Fn(GenerateProgress) + Sync),
}

impl Job<'static> {
    /// Work that nobody watches or ends.
    pub fn quiet() -> Job<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Job { cancel: &NEVER, report: &|_| {} }
    }
}

/// Bytes that generating a table takes, the finished one included.
pub fn memory(material: Material, metric: Metric) -> u64 {
    // A cell, a counter and the finished cell for each side to move, a bit for legality, what earlier runs have found, and
    // the endgame's values where they have to be known.
    let size = Indexer::new(material).size() as u64;
    let cells = 3 + u64::from(metric == Metric::Dtr) + u64::from(needs_own_values(material, metric));
    2 * cells * size + size / 4
}

/// A count that never comes down to 0: the position is illegal, or its mover can't lose.
pub(super) const SAFE: u8 = 255;
/// No side has more moves: a king and three queens.
const MOST_MOVES: usize = 8 + 3 * 27;
/// Positions that share a mark on the frontier.
const CHUNK: usize = 64;

/// A position after a pawn's double step that may be taken in passing: tables have no place for it.
pub(super) struct Passing {
    pub mover: Color,
    /// Before the step.
    pub origin: Index,
    /// After it, as if there were no taking in passing; None if taking is the only move.
    pub plain: Option<Index>,
    /// The best that taking gives, for the side that takes.
    pub taking: State,
}

/// What a run looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Wins, by a metric whose depths rise with every move.
    Win,
    /// Wins whose present phase ends where the rest is won under a rule of so many moves; others don't count.
    Rule(u16),
    /// Draws that this side can force; it takes the part of the winner, and decided positions take no part.
    Draw(Color),
}

pub(super) struct Generator<'a> {
    pub material: Material,
    metric: Metric,
    pub indexer: Arc<Indexer>,
    pub exits: Exits,
    /// By DTZ and DTD, the values of this very endgame, from its DTC table.
    pub values: Option<Arc<Table>>,
    /// Finished cells of earlier runs, where several make a table.
    pub results: [Vec<AtomicU8>; 2],
    /// A pawn move ends the phase.
    zeroing_pawns: bool,
    pub goal: Goal,
    /// Only positions whose pawns have gone so many squares take part.
    pub slice: Option<u32>,
    /// By the rule, depths of positions that ways out lead to.
    pub tolls: [AtomicBool; DEEPEST as usize + 1],
    /// Positions where who presses for a draw is stalemated.
    pub stalemates: Mutex<Vec<Index>>,
    pub cells: [Vec<AtomicU8>; 2],
    /// Moves that are not known to lose yet.
    pub counts: [Vec<AtomicU8>; 2],
    /// Positions that take part.
    pub legal: [Vec<AtomicU64>; 2],
    wins: Frontier,
    losses: Frontier,
    pub passing: Mutex<Vec<Passing>>,
    /// The deepest level that a way out has set in advance: up to it, whole tables are searched for a level.
    foreseen: AtomicU8,
    too_deep: AtomicBool,
    job: Job<'a>,
}

/// Marks the chunks where a level has got new members.
struct Frontier([Vec<AtomicU8>; 2]);

impl Frontier {
    fn new(size: usize) -> Frontier {
        Frontier([0, 1].map(|_| zeroes(size.div_ceil(CHUNK))))
    }

    #[inline]
    fn mark(&self, side: usize, index: Index) {
        self.0[side][index as usize / CHUNK].store(1, Relaxed);
    }

    fn clear(&self) {
        self.0.iter().flatten().for_each(|mark| mark.store(0, Relaxed));
    }
}

pub(super) fn zeroes(count: usize) -> Vec<AtomicU8> {
    std::iter::repeat_with(AtomicU8::default).take(count).collect()
}

/// Generates a table. `table` finds the finished tables that are needed: those of [`prerequisites`](super::prerequisites).
pub fn generate<E: From<GenerateError>>(
    material: Material,
    metric: Metric,
    job: Job<'_>,
    mut table: impl FnMut(Material, Metric) -> Result<Arc<Table>, E>,
) -> Result<Table, E> {
    let mut loaded = |material| -> Result<Arc<Table>, E> {
        let table = table(material, around(metric))?;
        table.load().map_err(GenerateError::from)?;
        Ok(table)
    };
    let exits = Exits::new(material, metric, &mut loaded)?;
    let values = if needs_own_values(material, metric) { Some(loaded(material)?) } else { None };
    let indexer = Arc::new(Indexer::new(material));
    let size = indexer.size();
    let generator = Generator {
        material,
        metric,
        exits,
        values,
        results: [0, 1].map(|_| zeroes(if metric == Metric::Dtr { size } else { 0 })),
        zeroing_pawns: material.has_pawns() && matches!(metric, Metric::Dtz | Metric::Dtr),
        goal: Goal::Win,
        slice: None,
        tolls: std::array::from_fn(|_| AtomicBool::new(false)),
        stalemates: Mutex::default(),
        cells: [0, 1].map(|_| zeroes(size)),
        counts: [0, 1].map(|_| zeroes(size)),
        legal: [0, 1].map(|_| std::iter::repeat_with(AtomicU64::default).take(size.div_ceil(64)).collect()),
        wins: Frontier::new(size),
        losses: Frontier::new(size),
        passing: Mutex::default(),
        foreseen: AtomicU8::new(1),
        too_deep: AtomicBool::new(false),
        indexer,
        job,
    };
    Ok(match metric {
        Metric::Dtc | Metric::Dtm | Metric::Dtz => {
            generator.run(DEEPEST)?;
            generator.finish()
        }
        Metric::Dtr => generator.by_rule()?,
        Metric::Dtd => generator.depths_to_draw()?,
    })
}

/// By which metric the tables of subgames have to be known.
pub(super) fn around(metric: Metric) -> Metric {
    match metric {
        Metric::Dtm | Metric::Dtr => metric,
        Metric::Dtc | Metric::Dtz | Metric::Dtd => Metric::Dtc,
    }
}

/// Whether the values of the endgame itself have to be known.
pub(super) fn needs_own_values(material: Material, metric: Metric) -> bool {
    metric == Metric::Dtd || metric == Metric::Dtz && material.has_pawns()
}

impl Generator<'_> {
    /// Finds what the goal asks for, up to a depth.
    pub(super) fn run(&self, deepest: u16) -> Result<(), GenerateError> {
        self.clear();
        self.set_up()?;
        for index in self.stalemates.lock().drain(..) {
            if let Goal::Draw(presser) = self.goal {
                let counts = &self.counts[side(!presser)];
                self.each_before(index, presser, counts, |previous| self.lose_a_move(!presser, previous, 0));
            }
        }
        for depth in 0..=deepest {
            if self.job.cancel.load(Relaxed) {
                return Err(GenerateError::Cancelled);
            }
            (self.job.report)(GenerateProgress::Level(depth));
            let lost = self.spread_losses(depth);
            if self.too_deep.load(Relaxed) {
                return Err(GenerateError::TooDeep(self.material, self.metric));
            }
            let won = depth < DEEPEST && self.spread_wins(depth + 1);
            if !lost && !won && depth >= u16::from(self.foreseen.load(Relaxed)) {
                break;
            }
        }
        Ok(())
    }

    /// Forgets an earlier run.
    fn clear(&self) {
        self.legal.iter().flatten().for_each(|bits| bits.store(0, Relaxed));
        self.wins.clear();
        self.losses.clear();
        self.passing.lock().clear();
        self.foreseen.store(1, Relaxed);
    }

    /// Everything that can be said of positions one at a time: legality, mates, stalemates, ways out, counts.
    fn set_up(&self) -> Result<(), GenerateError> {
        let done = AtomicU64::new(0);
        let pairs = self.indexer.king_pairs();
        let per_pair = self.indexer.per_king_pair();
        (0..pairs).into_par_iter().try_for_each(|pair| {
            if self.job.cancel.load(Relaxed) {
                return Err(GenerateError::Cancelled);
            }
            for index in pair * per_pair..(pair + 1) * per_pair {
                self.set_up_position(index as Index)?;
            }
            let done = 1 + done.fetch_add(1, Relaxed) as usize;
            (self.job.report)(GenerateProgress::SettingUp { done, of: pairs });
            Ok(())
        })
    }

    fn set_up_position(&self, index: Index) -> Result<(), GenerateError> {
        let squares = self.indexer.squares(index);
        let board = Board::new(self.indexer.men(), squares)
            .filter(|_| !self.indexer.is_ambiguous(&squares) || self.indexer.index(&squares) == Some(index));
        for mover in [Color::White, Color::Black] {
            let at = side(mover);
            let (cell, count) = match &board {
                Some(board) if !board.attacks_king(mover) && self.takes_part(board, index, mover)? => {
                    self.legal[at][index as usize / 64].fetch_or(1 << (index % 64), Relaxed);
                    match self.goal {
                        Goal::Draw(presser) => self.judge_draw(presser, board, index, mover)?,
                        Goal::Win | Goal::Rule(_) => self.judge(board, index, mover)?,
                    }
                }
                _ => (DRAW, SAFE),
            };
            self.cells[at][index as usize].store(cell, Relaxed);
            self.counts[at][index as usize].store(count, Relaxed);
        }
        Ok(())
    }

    /// Whether a legal position is looked at in this run.
    fn takes_part(&self, board: &Board<'_>, index: Index, mover: Color) -> Result<bool, BlockFileError> {
        Ok(match self.goal {
            Goal::Draw(_) => self.own_state(mover, index)? == State::Draw,
            Goal::Win | Goal::Rule(_) => self.slice.is_none_or(|slice| board.advancement() == slice),
        })
    }

    /// What is known in advance of a position of this very endgame.
    #[inline]
    pub(super) fn own_state(&self, mover: Color, index: Index) -> Result<State, BlockFileError> {
        match &self.values {
            Some(table) => table.state(mover, index),
            None => Ok(state_of(self.results[side(mover)][index as usize].load(Relaxed))),
        }
    }

    /// What a way out counts in this run.
    #[inline]
    fn counted(&self, outcome: State) -> State {
        let (Goal::Rule(limit), Some(Depth(depth))) = (self.goal, outcome.depth()) else { return outcome };
        self.tolls[usize::from(depth.min(DEEPEST))].store(true, Relaxed);
        if depth > limit { State::Draw } else { converted(Metric::Dtz, outcome) }
    }

    /// What is known of a legal position by its ways out alone: its cell (a loss stands for the deepest way out that
    /// loses, and is final only with a count of 0) and the number of moves that stay inside.
    fn judge(&self, board: &Board<'_>, index: Index, mover: Color) -> Result<(Cell, u8), GenerateError> {
        let targets = board.targets(mover);
        if targets.iter().all(|targets| targets.is_empty()) {
            return Ok(if board.in_check(mover) { (loss(0), 0) } else { (DRAW, SAFE) });
        }
        let mut best_exit: Option<State> = None;
        let mut longest_loss: Option<State> = None;
        let mut leave = |outcome: State| {
            let outcome = self.counted(outcome);
            best_exit = best_exit.max(Some(outcome));
            if outcome.value() == Value::Loss {
                longest_loss = longest_loss.max(Some(outcome));
            }
        };
        board.each_conversion(mover, &targets, |conversion| {
            self.exits.outcome(board, conversion).map(&mut leave)
        })?;
        let mut inside = 0;
        for place in board.places(mover) {
            let mut quiet = board.inside(&targets, place);
            if self.zeroing_pawns && board.men()[place].role == Role::Pawn {
                for to in quiet {
                    let Some(next) = self.indexer.index_after(index, board.squares(), place, to) else {
                        continue;
                    };
                    let state = self.exits.after_inside(board, place, to, self.own_state(!mover, next)?)?;
                    leave(-converted(self.metric, state));
                }
                continue;
            }
            if self.indexer.is_symmetric(board.squares()) {
                quiet = one_of_each_image(board.squares()[place], quiet);
            }
            inside += quiet.count() as u8;
        }
        if !self.zeroing_pawns && self.material.has_opposing_pawns() {
            self.note_passing(board, index, mover, &targets)?;
        }
        let deep = || GenerateError::TooDeep(self.material, self.metric);
        let encode = |state| cell_of(state).ok_or_else(deep);
        let (cell, count) = match best_exit.map(State::value) {
            Some(Value::Win) => {
                (encode(best_exit.map_or(State::Draw, |exit| before(Metric::Dtc, exit)))?, SAFE)
            }
            Some(Value::Draw) => (DRAW, SAFE),
            Some(Value::Loss) => (encode(longest_loss.unwrap_or(State::Draw))?, inside),
            None => (DRAW, inside),
        };
        self.foresee(cell);
        Ok((cell, count))
    }

    fn foresee(&self, cell: Cell) {
        self.foreseen.fetch_max(cell & 127, Relaxed);
    }

    /// Sets aside the double steps that may be answered by taking in passing.
    fn note_passing(
        &self,
        board: &Board<'_>,
        index: Index,
        mover: Color,
        targets: &Targets,
    ) -> Result<(), BlockFileError> {
        for place in board.places(mover) {
            for to in targets[place].into_iter().filter(|&to| board.is_double_step(place, to)) {
                let after = board.after(place, to);
                if let Some(taking) = self.exits.taking_in_passing(&after, to, mover)? {
                    if let Some(cell) = cell_of(taking) {
                        self.foresee(cell);
                    }
                    let next = self.indexer.index_after(index, board.squares(), place, to);
                    let plain = next.filter(|_| after.has_moves(!mover));
                    self.passing.lock().push(Passing { mover, origin: index, plain, taking });
                }
            }
        }
        Ok(())
    }

    /// Losses in `depth` make wins in `depth` + 1. Says whether there were any.
    fn spread_losses(&self, depth: u16) -> bool {
        let lost = loss(depth);
        let found = self.each_new(&self.losses, lost, |loser, index| {
            if self.counts[side(loser)][index as usize].load(Relaxed) != 0 {
                return false;
            }
            let cells = &self.cells[side(!loser)];
            self.each_before(index, loser, cells, |previous| self.win(!loser, previous, depth + 1));
            true
        });
        self.each_passing(|passing| match self.state_in_passing(passing) {
            Some(State::Loss(Depth(level))) if level <= depth => {
                self.win(passing.mover, passing.origin, depth + 1);
                true
            }
            _ => false,
        }) || found
    }

    /// Each win in `depth` decrements the counter of unrefuted moves of every position that can move into it. Says whether
    /// there were any.
    fn spread_wins(&self, depth: u16) -> bool {
        let found = self.each_new(&self.wins, depth as Cell, |winner, index| {
            let counts = &self.counts[side(!winner)];
            self.each_before(index, winner, counts, |previous| self.lose_a_move(!winner, previous, depth));
            true
        });
        self.each_passing(|passing| match self.state_in_passing(passing) {
            Some(State::Win(Depth(level))) if level <= depth => {
                self.lose_a_move(passing.mover, passing.origin, depth);
                true
            }
            _ => false,
        }) || found
    }

    #[inline]
    fn win(&self, winner: Color, index: Index, depth: u16) {
        let slot = &self.cells[side(winner)][index as usize];
        // Neither a win as short nor, since a move wins, a final loss: unknown, a longer win or a loss in doubt.
        let known = slot.load(Relaxed);
        if (known == DRAW || u16::from(known) > depth) && self.is_legal(winner, index) {
            if depth > DEEPEST {
                self.too_deep.store(true, Relaxed);
                return;
            }
            slot.store(depth as Cell, Relaxed);
            self.wins.mark(side(winner), index);
        }
    }

    #[inline]
    pub(super) fn lose_a_move(&self, loser: Color, index: Index, depth: u16) {
        if self.counts[side(loser)][index as usize].fetch_sub(1, Relaxed) == 1 {
            let slot = &self.cells[side(loser)][index as usize];
            // A way out may lose more slowly.
            slot.store(slot.load(Relaxed).max(loss(depth)), Relaxed);
            self.losses.mark(side(loser), index);
        }
    }

    #[inline]
    pub(super) fn is_legal(&self, mover: Color, index: Index) -> bool {
        self.legal[side(mover)][index as usize / 64].load(Relaxed) >> (index % 64) & 1 == 1
    }

    /// The state of a position with a pawn to be taken in passing, as far as it is settled.
    fn state_in_passing(&self, passing: &Passing) -> Option<State> {
        let Some(plain) = passing.plain else { return Some(passing.taking) };
        let at = side(!passing.mover);
        let cell = self.cells[at][plain as usize].load(Relaxed);
        let state = state_of(cell);
        match state.value() {
            Value::Win => Some(state.max(passing.taking)),
            Value::Loss if self.counts[at][plain as usize].load(Relaxed) == 0 => {
                Some(state.max(passing.taking))
            }
            _ => (passing.taking.value() == Value::Win).then_some(passing.taking),
        }
    }

    /// Removes those that `settles` says are settled; says whether there were any.
    fn each_passing(&self, mut settles: impl FnMut(&Passing) -> bool) -> bool {
        let mut passing = self.passing.lock();
        let before = passing.len();
        passing.retain(|passing| !settles(passing));
        passing.len() < before
    }

    /// Calls `visit` with every position that has this cell and has not been visited for it; `visit` says whether it
    /// counts. Says whether any did.
    fn each_new(&self, frontier: &Frontier, cell: Cell, visit: impl Fn(Color, Index) -> bool + Sync) -> bool {
        const STRIP: usize = 512;
        let everywhere = cell & 127 <= self.foreseen.load(Relaxed);
        let found = AtomicBool::new(false);
        for mover in [Color::White, Color::Black] {
            let cells = &self.cells[side(mover)];
            frontier.0[side(mover)].par_chunks(STRIP).enumerate().for_each(|(strip, marks)| {
                for (chunk, mark) in marks.iter().enumerate() {
                    if mark.load(Relaxed) == 0 && !everywhere {
                        continue;
                    }
                    mark.store(0, Relaxed);
                    let first = (strip * STRIP + chunk) * CHUNK;
                    let last = (first + CHUNK).min(cells.len());
                    for (offset, slot) in cells[first..last].iter().enumerate() {
                        if slot.load(Relaxed) == cell && visit(mover, (first + offset) as Index) {
                            found.store(true, Relaxed);
                        }
                    }
                }
            });
        }
        found.load(Relaxed)
    }

    /// The positions from which one move inside the endgame leads to this one, where `to_move` is to move. `touched` is what
    /// will be looked at of them: they lie far apart, so that all are fetched before the first is needed.
    #[inline]
    pub(super) fn each_before(
        &self,
        index: Index,
        to_move: Color,
        touched: &[AtomicU8],
        mut visit: impl FnMut(Index),
    ) {
        let squares = self.indexer.squares(index);
        let Some(board) = Board::new(self.indexer.men(), squares) else { return };
        let mirrored = self.indexer.is_symmetric(&squares);
        let mut before: ArrayVec<Index, MOST_MOVES> = ArrayVec::new();
        for place in board.places(!to_move) {
            let pawn = board.men()[place].role == Role::Pawn;
            if pawn && self.zeroing_pawns {
                continue;
            }
            let mut sources = board.sources(place);
            if mirrored {
                sources = one_of_each_image(squares[place], sources);
            }
            if pawn {
                let to = squares[place];
                let taken = |&from: &Square| is_double_step(from, to) && self.is_taken_in_passing(&board, to);
                sources = sources.into_iter().filter(|from| !taken(from)).collect();
            }
            self.indexer.each_index_after(index, &squares, place, sources, |previous| {
                prefetch_index(touched, previous as usize);
                before.push(previous);
            });
        }
        for &previous in &before {
            visit(previous);
        }
    }

    /// Whether the pawn that has just gone two squares to `to` may be taken: [`Passing`] cares for such moves.
    fn is_taken_in_passing(&self, board: &Board<'_>, to: Square) -> bool {
        let pawn = if to.rank() == Rank::Fourth { Color::White } else { Color::Black };
        board.takers_in_passing(to, pawn).next().is_some()
    }

    /// What this run has found of a position: what is neither won nor lost is a draw.
    #[inline]
    pub(super) fn found(&self, mover: Color, index: usize) -> Cell {
        let cell = self.cells[side(mover)][index].load(Relaxed);
        let open = cell >= loss(0) && self.counts[side(mover)][index].load(Relaxed) != 0;
        if open { DRAW } else { cell }
    }

    /// The cells of a side to move; unused numbers repeat their neighbour, which packs well.
    pub(super) fn finished(&self, mover: Color, cell: impl Fn(usize) -> Cell) -> Vec<Cell> {
        let mut last = DRAW;
        let finished = (0..self.indexer.size()).map(|index| {
            if self.is_legal(mover, index as Index) {
                last = cell(index);
            }
            last
        });
        finished.collect()
    }

    fn finish(self) -> Table {
        let finished =
            [Color::White, Color::Black].map(|mover| self.finished(mover, |index| self.found(mover, index)));
        Table::new(self.material, self.metric, self.indexer, finished)
    }
}
