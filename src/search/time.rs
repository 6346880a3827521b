//! How long to think.

use std::time::{Duration, Instant};

use super::{Control, Limits};

/// Without moves-to-go, the clock is shared out as if this many moves were left.
const EXPECTED_MOVES: u32 = 26;

impl Limits {
    /// The time that a move usually takes under these limits, when `overhead` of it is lost on the way; nothing if no
    /// limit is one of time.
    pub fn share(&self, overhead: Duration) -> Option<Duration> {
        let timer = Timer::new(self, overhead);
        timer.soft.into_iter().chain(timer.hard).min()
    }

    /// The same limits after some of the time has been spent on something else.
    pub fn after(&self, spent: Duration) -> Limits {
        let mut limits = self.clone();
        if let Some(clock) = &mut limits.clock {
            clock.remaining = clock.remaining.saturating_sub(spent);
        }
        limits.movetime = limits.movetime.map(|time| time.saturating_sub(spent));
        limits
    }
}

/// The time limits of one search.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    start: Instant,
    /// No new iteration after this, more or less as the search is unsure or sure of its move.
    soft: Option<Duration>,
    /// The search is broken off.
    hard: Option<Duration>,
    ponder: bool,
}

impl Timer {
    pub fn new(limits: &Limits, overhead: Duration) -> Timer {
        let mut timer = Timer { start: Instant::now(), soft: None, hard: None, ponder: limits.ponder };
        if let Some(clock) = limits.clock {
            let left = clock.remaining.saturating_sub(overhead).max(Duration::from_millis(1));
            let moves = limits.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES * 2);
            // Every move loses the overhead, so only the rest of the increment can be counted on.
            let share = left / moves + clock.increment.saturating_sub(overhead) * 3 / 4;
            // Something has to be left for the moves after this one, but for the last before a new control.
            let most = if limits.moves_to_go == Some(1) { left * 3 / 4 } else { left / 3 };
            timer.soft = Some((share * 7 / 10).min(most));
            timer.hard = Some((share * 3).min(most));
        }
        if let Some(movetime) = limits.movetime {
            let exact = movetime.saturating_sub(overhead).max(Duration::from_millis(1));
            timer.hard = Some(timer.hard.map_or(exact, |hard| hard.min(exact)));
        }
        timer
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the opponent's clock is running.
    pub fn pondering(&self, control: &Control) -> bool {
        self.ponder && control.hit_at().is_none()
    }

    /// Whether time is up.
    pub fn is_over(&self, control: &Control) -> bool {
        let Some(hard) = self.hard else { return false };
        let start = match (self.ponder, control.hit_at()) {
            (true, None) => return false,
            (true, Some(hit)) => hit,
            (false, _) => self.start,
        };
        start.elapsed() >= hard
    }

    /// Whether another iteration is not worth beginning. `unsure` is 1 when the search is as sure of its move
    /// as usual, less when it is surer. Thought on the opponent's time counts.
    pub fn is_enough(&self, control: &Control, unsure: f64) -> bool {
        !self.pondering(control) && self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(unsure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    fn timer(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Timer {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        let limits = Limits { clock: Some(clock), moves_to_go, ..Limits::default() };
        Timer::new(&limits, Duration::from_millis(10))
    }

    #[test]
    fn no_plan_uses_up_the_clock() {
        for remaining in [1, 5, 11, 50, 1_000, 60_000] {
            for increment in [0, 50, 5_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let hard = timer(remaining, increment, moves_to_go).hard.unwrap();
                    assert!(
                        hard <= Duration::from_millis(remaining),
                        "{remaining} {increment} {moves_to_go:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_clock_that_gains_little_more_than_is_lost_keeps_a_reserve() {
        let (increment, lost) = (Duration::from_millis(10), Duration::from_millis(8));
        let mut remaining = Duration::from_secs(1);
        for _ in 0..1000 {
            let spent = timer(remaining.as_millis() as u64, 10, None).soft.unwrap() + lost;
            remaining = remaining.saturating_sub(spent) + increment;
        }
        assert!(remaining > Duration::from_millis(60), "{remaining:?}");
    }

    #[test]
    fn fewer_moves_to_go_give_more_time() {
        assert!(timer(60_000, 0, Some(5)).soft > timer(60_000, 0, Some(40)).soft);
    }
}
