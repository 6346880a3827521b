//! How much time a search gets.

use std::time::{Duration, Instant};

use super::{Control, Limits};

/// Without moves-to-go, the clock is shared out as if this many moves were left.
const EXPECTED_MOVES: u32 = 26;
/// More moves-to-go than this count as this many.
const MOVES_TO_GO_MAX: u32 = 2 * EXPECTED_MOVES;
/// The part of the increment that is spent at once, as numerator and denominator.
const INCREMENT_PART: (u32, u32) = (3, 4);
/// The part of a move's share after which no new iteration begins, as numerator and denominator.
const SOFT_PART: (u32, u32) = (7, 10);
/// The multiple of a move's share after which the search is broken off.
const HARD_FACTOR: u32 = 3;
/// No move may take more than the clock divided by this ...
const CLOCK_DIVISOR: u32 = 3;
/// ... but the last move before a new time control may take this part, as numerator and denominator.
const LAST_MOVE_PART: (u32, u32) = (3, 4);
/// However little time there is, a search gets this much.
const LEAST: Duration = Duration::from_millis(1);

impl Limits {
    /// The time that a move usually takes under these limits, when `overhead` of it is lost on the way; none
    /// if time is not limited.
    pub fn share(&self, overhead: Duration) -> Option<Duration> {
        let timer = Timer::new(self, overhead);
        timer.soft.into_iter().chain(timer.hard).min()
    }

    /// The most that a move may take under these limits; nothing if time is not limited.
    pub fn most(&self, overhead: Duration) -> Option<Duration> {
        Timer::new(self, overhead).hard
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
    /// No new iteration begins after this, times a factor for how unsure the search is of its move.
    soft: Option<Duration>,
    /// The search is broken off after this.
    hard: Option<Duration>,
    ponder: bool,
}

impl Timer {
    pub fn new(limits: &Limits, overhead: Duration) -> Timer {
        let mut timer = Timer { start: Instant::now(), soft: None, hard: None, ponder: limits.ponder };
        let part = |time: Duration, (numerator, denominator): (u32, u32)| time * numerator / denominator;
        if let Some(clock) = limits.clock {
            let left = clock.remaining.saturating_sub(overhead).max(LEAST);
            let moves = limits.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, MOVES_TO_GO_MAX);
            // Every move loses the overhead, so only the rest of the increment can be counted on.
            let increment = clock.increment.saturating_sub(overhead);
            let share = left / moves + part(increment, INCREMENT_PART);
            let most = match limits.moves_to_go {
                Some(1) => part(left, LAST_MOVE_PART),
                _ => left / CLOCK_DIVISOR,
            };
            timer.soft = Some(part(share, SOFT_PART).min(most));
            timer.hard = Some((share * HARD_FACTOR).min(most));
        }
        if let Some(movetime) = limits.movetime {
            let exact = movetime.saturating_sub(overhead).max(LEAST);
            timer.hard = Some(timer.hard.map_or(exact, |hard| hard.min(exact)));
        }
        timer
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the opponent's clock is running.
    pub fn is_pondering(&self, control: &Control) -> bool {
        self.ponder && control.hit_at().is_none()
    }

    /// Whether the hard limit is reached. Time spent pondering does not count.
    pub fn is_over(&self, control: &Control) -> bool {
        let Some(hard) = self.hard else { return false };
        let start = match (self.ponder, control.hit_at()) {
            (true, None) => return false,
            (true, Some(hit)) => hit,
            (false, _) => self.start,
        };
        start.elapsed() >= hard
    }

    /// Whether `factor` times the soft limit is reached. Time spent pondering counts: it was spent on this move.
    pub fn is_enough(&self, control: &Control, factor: f64) -> bool {
        !self.is_pondering(control) && self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor))
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
