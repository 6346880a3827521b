use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};

/// How long a waiting search sleeps at most before it looks at its flags again.
const RECHECK: Duration = Duration::from_millis(100);

/// A handle on one running search, for other threads. A new search needs a new handle: one that was
/// stopped stays stopped.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stopped: AtomicBool,
    ponderhit: OnceLock<Instant>,
    /// Guards no data, but keeps a wake-up from falling between a look at the flags and the wait.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// A handle for one search.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// The opponent has played the move that was pondered on: the clock runs from now.
    pub fn ponderhit(&self) {
        self.0.ponderhit.get_or_init(Instant::now);
        self.wake();
    }

    /// Whether the search was told to end.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// The flag that [`Control::stop`] raises, for code that takes a flag rather than a handle.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stopped
    }

    /// When the ponder move was played.
    pub fn hit_at(&self) -> Option<Instant> {
        self.0.ponderhit.get().copied()
    }

    /// Sleeps until the search is stopped or, if it ponders, until the ponder move is played.
    pub(super) fn wait(&self, pondering: bool) {
        let mut guard = self.0.lock.lock();
        let is_over = || self.is_stopped() || pondering && self.hit_at().is_some();
        while !is_over() {
            self.0.changed.wait_for(&mut guard, RECHECK);
        }
    }

    fn wake(&self) {
        let _guard = self.0.lock.lock();
        self.0.changed.notify_all();
    }
}
