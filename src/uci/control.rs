//! How a search in progress is told to end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The reins of one search: one hand holds them, the search looks at them now and then.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// Reins of a search that begins on the opponent's time if `pondering`.
    pub fn new(pondering: bool) -> Control {
        Control(Arc::new(Flags { stopped: AtomicBool::new(false), pondering: AtomicBool::new(pondering) }))
    }

    /// Asks for the answer now.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Release);
    }

    /// The opponent played the expected move: from now on limits of time hold.
    pub fn ponderhit(&self) {
        self.0.pondering.store(false, Ordering::Release);
    }

    /// Whether the answer is wanted now.
    pub fn stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Whether the opponent's clock is running.
    pub fn pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Acquire)
    }
}
