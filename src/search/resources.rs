//! Memory and threads are asked for before they are taken: a system that can't give them would end the program.

use std::thread;

use crossbeam_channel::bounded;

/// Less was to be had than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// Memory.
    #[error("there is no memory for a Hash of {asked} MiB: {granted} MiB are used")]
    Hash {
        /// MiB that were asked for.
        asked: usize,
        /// MiB that were taken.
        granted: usize,
    },
    /// Threads.
    #[error("the system does not allow {asked} Threads: {granted} are used")]
    Threads {
        /// How many were asked for.
        asked: usize,
        /// How many there will be.
        granted: usize,
    },
}

/// Memory that must be left for everything else, in MiB; for small tables, as much as they take.
const HEADROOM: usize = 256;
/// What a thread needs beside its stack, in MiB, rounded up.
const PER_THREAD: usize = 8;
/// Threads that are left for others where there are not enough.
const SPARE_THREADS: usize = 2;

/// As many MiB as were asked for, or nearly as many as can be had.
pub(super) fn affordable_hash(asked: usize) -> usize {
    let available = available().unwrap_or(usize::MAX);
    let fits = |mb: usize| {
        let needed = mb.saturating_add(mb.min(HEADROOM));
        // Others need memory too, and the system ends whoever takes the last of it.
        needed <= available / 4 * 3 && can_reserve(needed)
    };
    let (mut fitting, mut too_many) = (1, asked);
    if asked <= 1 || fits(asked) {
        return asked.max(1);
    }
    // To within a sixteenth: what is free changes from moment to moment anyway.
    while too_many - fitting > fitting.div_ceil(16) {
        let middle = fitting + (too_many - fitting) / 2;
        match fits(middle) {
            true => fitting = middle,
            false => too_many = middle,
        }
    }
    fitting
}

fn can_reserve(mb: usize) -> bool {
    mb.checked_mul(1 << 20).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Memory that is free, in MiB, where the system says so: it promises more than it has.
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kib| kib >> 10)
}

/// As many threads as were asked for, or nearly as many as can be started.
pub(super) fn affordable_threads(asked: usize) -> usize {
    let mut wanted = asked.max(1);
    while wanted > 1 && !can_reserve(wanted.saturating_mul(PER_THREAD)) {
        wanted /= 2;
    }
    // The only way to find out is to start them, all at once.
    let started = thread::scope(|scope| {
        let (keep, end) = bounded::<()>(0);
        let wait = || {
            let end = end.clone();
            move || {
                let _ = end.recv();
            }
        };
        let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, wait()).is_ok();
        let started = (1..wanted).take_while(start).count();
        drop(keep);
        1 + started
    });
    match started == wanted {
        true => wanted,
        false => started.saturating_sub(SPARE_THREADS).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_not_taken() {
        assert_eq!(affordable_hash(1), 1);
        assert_eq!(affordable_hash(0), 1);
        let granted = affordable_hash(usize::MAX);
        assert!(granted >= 1 && can_reserve(granted), "{granted}");
        assert_eq!(affordable_threads(2), 2);
        assert_eq!(affordable_threads(0), 1);
    }
}
