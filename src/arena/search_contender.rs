//! Errare's own search at the board.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use shakmaty::{ByColor, Position};

use crate::{
    game::Game,
    search::{self, Bound, Control, Limits, Searcher, Settings},
};

use super::{
    contender::{Contender, Fault, FaultKind, Thought, Trouble},
    engine_contender::Tolerance,
    spec::SearchSpec,
    time_control::{Clock, TimeControl},
};

/// The search, in this process.
pub struct SearchContender {
    searcher: Searcher,
    tolerance: Tolerance,
    cancel: Arc<AtomicBool>,
}

impl SearchContender {
    /// A search that plays until `cancel` is raised.
    pub fn new(spec: &SearchSpec, tolerance: Tolerance, cancel: Arc<AtomicBool>) -> SearchContender {
        let default = Settings::default();
        let settings = Settings {
            hash_mb: spec.hash.unwrap_or(default.hash_mb),
            threads: spec.threads.unwrap_or(default.threads).max(1),
            ..default
        };
        SearchContender { searcher: Searcher::new(settings), tolerance, cancel }
    }
}

impl Contender for SearchContender {
    fn new_game(&mut self, _opening: &Game, _seed: u64) -> Result<(), Trouble> {
        self.searcher.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, clocks: &ByColor<Clock>) -> Result<Thought, Trouble> {
        let clock = clocks.get(game.position().turn());
        let begun = Instant::now();
        let control = Control::new();
        let mut depth = None;
        let found = self.searcher.search(game, &limits(clock), &control, &mut |report| {
            if report.bound == Bound::Exact {
                depth = Some(report.depth);
            }
            if self.cancel.load(Ordering::Relaxed) {
                control.stop();
            }
        });
        let elapsed = begun.elapsed();
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Trouble::Cancelled);
        }
        let fault = |kind, what: String| Err(Trouble::Fault(Fault { kind, what }));
        if let Some(time) = clock.allowance().filter(|&time| elapsed > time + self.tolerance.margin) {
            let (took, had) = (elapsed.as_secs_f64(), time.as_secs_f64());
            return fault(FaultKind::Time, format!("took {took:.3} s, had {had:.3} s"));
        }
        let Some(m) = found.best else { return fault(FaultKind::Illegal, "no move".to_owned()) };
        Ok(Thought { m, elapsed, score: Some(found.score), depth })
    }
}

fn limits(clock: &Clock) -> Limits {
    match clock.control() {
        TimeControl::Clock { increment, .. } => Limits {
            clock: clock.remaining().map(|remaining| search::Clock { remaining, increment }),
            moves_to_go: clock.moves_to_go(),
            ..Limits::default()
        },
        TimeControl::MoveTime(time) => Limits { movetime: Some(time), ..Limits::default() },
        TimeControl::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        TimeControl::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
    }
}
