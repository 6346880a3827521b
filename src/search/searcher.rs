use std::{
    mem,
    sync::{Arc, atomic::Ordering},
    thread,
};

use shakmaty::{Move, Position};

use super::{
    Contempt, Control, Found, Limits, Probe, Report, Score, SearchSettings, Shortage,
    history::Histories,
    limits::Timer,
    resources::{affordable_hash, affordable_threads},
    root::RootMove,
    transposition_table::TranspositionTable,
    value::{INFINITE, to_score},
    worker::{Shared, ThreadMemory, Worker},
};
use crate::{evaluation::Evaluation, game::Game};

/// Searches positions, and remembers what it learnt from one search to the next.
///
/// With one thread and after [`new_game`](Searcher::new_game) the same position and limits (time aside) give
/// the same nodes and the same result.
pub struct Searcher {
    settings: SearchSettings,
    probe: Option<Arc<dyn Probe>>,
    tt: TranspositionTable,
    memories: Vec<ThreadMemory>,
    /// What could not be had, and nobody was told of.
    shortages: Vec<Shortage>,
    /// There is something to forget.
    used: bool,
    /// Of the search under way (see [`Shared::salt`]).
    salt: u64,
    /// Looks that were had apart.
    looks: u64,
}

impl Searcher {
    /// A searcher without tablebases.
    pub fn new(settings: SearchSettings) -> Searcher {
        let mut searcher = Searcher {
            tt: TranspositionTable::new(1),
            memories: memories(1, &settings.evaluation),
            settings: SearchSettings { hash_mb: 1, threads: 1, ..settings.clone() },
            probe: None,
            shortages: Vec::new(),
            used: false,
            salt: 0,
            looks: 0,
        };
        searcher.set(settings);
        searcher
    }

    /// Its version, and a mark of the evaluation it searches with.
    pub fn name(&self) -> String {
        let mark = self.settings.evaluation.mark();
        format!("errare {}, evaluation {mark:08x}", env!("CARGO_PKG_VERSION"))
    }

    /// The settings of the next search.
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Changes the settings. The transposition table is emptied only if its size changes. What can't be had is taken as
    /// nearly as possible ([`Searcher::take_shortages`]).
    pub fn set(&mut self, settings: SearchSettings) {
        if settings.threads != self.settings.threads || settings.evaluation != self.settings.evaluation {
            let (asked, granted) = (settings.threads, affordable_threads(settings.threads));
            self.memories = memories(granted, &settings.evaluation);
            self.shortages.extend((granted < asked).then_some(Shortage::Threads { asked, granted }));
        }
        // What was found by another evaluation is worth nothing.
        if settings.evaluation != self.settings.evaluation {
            self.tt.clear();
        }
        if settings.hash_mb != self.settings.hash_mb {
            // The old table goes first: there may be no room for both.
            self.tt = TranspositionTable::new(1);
            let (asked, granted) = (settings.hash_mb, affordable_hash(settings.hash_mb));
            self.tt = TranspositionTable::new(granted);
            self.shortages.extend((granted < asked).then_some(Shortage::Hash { asked, granted }));
        }
        self.settings = settings;
    }

    /// What could not be had since this was last asked.
    pub fn take_shortages(&mut self) -> Vec<Shortage> {
        mem::take(&mut self.shortages)
    }

    /// Uses these tablebases, or none, and forgets everything.
    pub fn set_probe(&mut self, probe: Option<Arc<dyn Probe>>) {
        self.probe = probe;
        self.new_game();
    }

    /// Forgets everything: the next game has nothing to do with the last.
    pub fn new_game(&mut self) {
        if mem::take(&mut self.used) {
            self.tt.clear();
            self.memories = memories(self.memories.len(), &self.settings.evaluation);
        }
    }

    /// Does something by the ordinary search that must not know what was searched before, nor tell later searches.
    pub(super) fn apart<T>(&mut self, work: impl FnOnce(&mut Searcher) -> T) -> T {
        self.looks += 1;
        // Any number that differs from look to look in all its bits.
        self.salt = self.looks.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let fresh = |memory: &mut ThreadMemory| mem::replace(&mut memory.histories, Histories::new());
        let kept: Vec<Histories> = self.memories.iter_mut().map(fresh).collect();
        let done = work(self);
        self.memories.iter_mut().zip(kept).for_each(|(memory, kept)| memory.histories = kept);
        self.salt = 0;
        done
    }

    /// Of the search under way (see [`Shared::salt`]).
    pub(super) fn salt(&self) -> u64 {
        self.salt
    }

    /// What a search works with, borrowed separately.
    pub(super) fn parts(
        &mut self,
    ) -> (&TranspositionTable, &mut [ThreadMemory], Option<&dyn Probe>, &SearchSettings) {
        self.used = true;
        (&self.tt, &mut self.memories, self.probe.as_deref(), &self.settings)
    }

    /// Finds the best move of the game's present position. Returns when a limit is reached or the search is
    /// stopped; when it is infinite or ponders, only after [`Control::stop`] or [`Control::ponderhit`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        let lines = if limits.lines > 0 { limits.lines } else { self.settings.multi_pv };
        self.search_lines(game, limits, control, lines, report)
    }

    /// The captures that both sides would make before the position is evaluated, without regard to draws by rule.
    pub fn quiet_line(&mut self, game: &Game) -> Vec<Move> {
        let (limits, control) = (Limits::default(), Control::new());
        let shared = Shared::new(&self.tt, self.probe.as_deref(), &control, &limits, &self.settings);
        self.tt.new_search();
        let (position, key) = (game.position(), game.key().0);
        let mut worker = Worker::new(&shared, &mut self.memories[0], vec![key]);
        worker.quiescence(position, key, position.is_check(), 0, -INFINITE, INFINITE);
        worker.pv[0].clone()
    }

    /// The same, with this many principal variations.
    pub(super) fn search_lines(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        multi_pv: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Found {
        self.used = true;
        let position = game.position();
        let timer = Timer::new(limits, self.settings.move_overhead);
        let mut moves: Vec<RootMove> = position
            .legal_moves()
            .into_iter()
            .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
            .map(RootMove::new)
            .collect();
        let mut nodes = 0;
        if !moves.is_empty() {
            self.tt.new_search();
            let shared = Shared {
                timer: timer.clone(),
                prices: multi_pv >= moves.len(),
                salt: self.salt ^ limits.contempt.map_or(0, Contempt::salt),
                ..Shared::new(&self.tt, self.probe.as_deref(), control, limits, &self.settings)
            };
            let keys: Vec<u64> = game.reversible_keys().iter().map(|key| key.0).collect();
            let (first, helpers) = self.memories.split_at_mut(1);
            thread::scope(|scope| {
                for memory in helpers {
                    let (mut moves, keys, shared) = (moves.clone(), keys.clone(), &shared);
                    let help = move || {
                        Worker::new(shared, memory, keys)
                            .iterative_deepening(position, &mut moves, multi_pv, None)
                    };
                    // Where no more threads can be had, fewer search.
                    let _ = thread::Builder::new().spawn_scoped(scope, help);
                }
                for memory in first {
                    Worker::new(&shared, memory, keys.clone()).iterative_deepening(
                        position,
                        &mut moves,
                        multi_pv,
                        Some(report),
                    );
                }
                shared.stop.store(true, Ordering::Relaxed);
            });
            nodes = shared.nodes.load(Ordering::Relaxed);
        }
        if limits.infinite || timer.is_pondering(control) {
            control.wait(!limits.infinite);
        }
        found(position.is_check(), &moves, nodes)
    }
}

fn found(in_check: bool, moves: &[RootMove], nodes: u64) -> Found {
    let Some(best) = moves.first() else {
        let score = if in_check { Score::Mate(0) } else { Score::Centipawns(0) };
        return Found { best: None, ponder: None, score, nodes };
    };
    let value = if best.value == -INFINITE { best.previous_value } else { best.value };
    Found { best: Some(best.m), ponder: best.pv.get(1).copied(), score: to_score(value), nodes }
}

fn memories(threads: usize, evaluation: &Evaluation) -> Vec<ThreadMemory> {
    (0..threads.max(1)).map(|_| ThreadMemory::new(evaluation)).collect()
}
