//! How a search in progress is told to end.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// The reins of one search: one hand holds them, the search looks at them now and then. A search that was stopped
/// stays so; the next one needs reins of its own.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stopped: AtomicBool,
    hit: OnceLock<Instant>,
}

impl Control {
    /// Reins for one search.
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks for the answer now.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Release);
    }

    /// The opponent played the expected move: from now on limits of time hold.
    pub fn ponderhit(&self) {
        self.0.hit.get_or_init(Instant::now);
    }

    /// Whether the answer is wanted now.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// When the opponent played the expected move.
    pub fn hit_at(&self) -> Option<Instant> {
        self.0.hit.get().copied()
    }
}
