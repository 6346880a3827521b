use std::time::{Duration, Instant};

use crate::oracle::{Clock, Limits};

/// What is kept back on the clock where moves take longer than they should: on a machine that is busy with something else, a
/// thread may not be let on for tenths of a second, and what is told may take as long to be heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Reserve {
    /// The most by which moves have overrun, lately.
    worst: Duration,
    /// The last move: when it began, with which clock, and the most that it should have taken.
    last: Option<(Instant, Clock, Duration)>,
}

/// What is left of the worst after each move that was in time.
const FADING: f64 = 0.98;
/// However bad it was, no more than this part of the clock is kept back.
const MOST: f64 = 0.8;

impl Reserve {
    /// The limits for a move, with less on the clock if the last ones have overrun: what they have really taken is seen by the
    /// clocks that are told.
    pub fn keep_back(&mut self, limits: &Limits, overhead: Duration, now: Instant) -> Limits {
        let Some(clock) = limits.clock.filter(|_| limits.movetime.is_none()) else {
            self.forget();
            return limits.clone();
        };
        if let Some((begun, before, planned)) = self.last.take() {
            let taken = (before.remaining + before.increment).saturating_sub(clock.remaining);
            // A clock that was set anew says nothing.
            let taken = taken.min(now.saturating_duration_since(begun));
            self.worst = taken.saturating_sub(planned + overhead).max(self.worst.mul_f64(FADING));
        }
        let back = self.worst.min(clock.remaining.mul_f64(MOST));
        let mut kept = limits.clone();
        kept.clock = Some(Clock { remaining: clock.remaining - back, ..clock });
        self.last = kept.most(overhead).map(|most| (now, clock, most));
        kept
    }

    /// The next clock has nothing to do with the last one.
    pub fn forget(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn limits(remaining: u64) -> Limits {
        let clock =
            Clock { remaining: Duration::from_millis(remaining), increment: Duration::from_millis(10) };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn left(limits: &Limits) -> u128 {
        limits.clock.unwrap().remaining.as_millis()
    }

    #[test]
    fn a_move_that_overran_is_remembered_for_a_while() {
        let (mut reserve, begun) = (Reserve::default(), Instant::now());
        let second = |number: u64| begun + Duration::from_secs(number);
        assert_eq!(left(&reserve.keep_back(&limits(400), OVERHEAD, second(0))), 400);
        // It should have taken some 45 ms and 30 more, and has taken 200.
        let kept = left(&reserve.keep_back(&limits(210), OVERHEAD, second(1)));
        assert!((80..=100).contains(&kept), "{kept}");
        // In time again: less and less is kept back.
        let mut before = kept;
        for number in 2..60 {
            let kept = left(&reserve.keep_back(&limits(210), OVERHEAD, second(number)));
            assert!(kept >= before, "{kept} after {before}");
            before = kept;
        }
        assert!(before > 160, "{before}");
    }

    #[test]
    fn there_is_always_something_left_and_a_clock_set_anew_says_nothing() {
        let (mut reserve, begun) = (Reserve::default(), Instant::now());
        let second = |number: u64| begun + Duration::from_secs(number);
        reserve.keep_back(&limits(10_000), OVERHEAD, second(0));
        assert!(left(&reserve.keep_back(&limits(100), OVERHEAD, second(20))) >= 19);
        let mut reserve = Reserve::default();
        reserve.keep_back(&limits(600_000), OVERHEAD, second(0));
        reserve.forget();
        assert_eq!(left(&reserve.keep_back(&limits(60_000), OVERHEAD, second(1))), 60_000);
        // Forgotten or not, no more can have been lost than time has passed.
        reserve.keep_back(&limits(600_000), OVERHEAD, second(2));
        assert!(left(&reserve.keep_back(&limits(60_000), OVERHEAD, second(3))) >= 59_000);
    }

    #[test]
    fn a_time_for_the_move_alone_is_not_touched() {
        let mut reserve = Reserve::default();
        let alone = Limits { movetime: Some(Duration::from_secs(1)), ..limits(50) };
        assert_eq!(reserve.keep_back(&alone, OVERHEAD, Instant::now()).movetime, alone.movetime);
    }
}
