//! What a search is asked to do, and what that may cost: its limits, the budget of a look at all moves, how the clock is
//! shared out, and what stays the same from search to search.

use std::{
    ops::RangeInclusive,
    time::{Duration, Instant},
};

use shakmaty::Move;

use super::{Contempt, Control};
use crate::evaluation::Evaluation;

/// When a search has to end. All limits that are given hold at once; with none at all it
/// ends at the greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Exactly this time.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The clock of the other side, for players who look at it.
    pub other_clock: Option<Clock>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// End when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Search only these moves; empty for all.
    pub search_moves: Vec<Move>,
    /// Search this many best lines; 0: as many as the settings say.
    pub lines: usize,
    /// The opponent is expected to err; nothing if it is as strong as we are.
    pub contempt: Option<Contempt>,
    /// Don't end before [`Control::stop`](super::Control::stop).
    pub infinite: bool,
    /// Think on the opponent's time: the clock counts only from [`Control::ponderhit`](super::Control::ponderhit).
    pub ponder: bool,
}

/// A chess clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added for each move.
    pub increment: Duration,
}

/// What pricing all moves of a position may cost. All limits that are given hold at once; depth 1 is always finished,
/// so that every move has a price.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes, for all moves together.
    pub nodes: Option<u64>,
    /// Time, for all moves together.
    pub time: Option<Duration>,
    /// Price only these moves; empty: all.
    pub moves: Vec<Move>,
    /// Only a move is wanted: prices may depend on the time and on what was searched before if that makes them better.
    pub quick: bool,
    /// Stops it early.
    pub control: Control,
}

/// From this time on, prices by the ordinary search are better than exact ones that take as long.
const QUICK_MIN_TIME: Duration = Duration::from_millis(100);
/// Depth where nothing is limited.
const DEFAULT_DEPTH: u32 = 8;

impl Budget {
    /// A depth in plies and no other limit.
    pub fn depth(depth: u32) -> Budget {
        Budget { depth: Some(depth), ..Budget::default() }
    }

    /// So many nodes and no other limit.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// Whether a move is to be priced.
    pub(super) fn wants(&self, m: &Move) -> bool {
        self.moves.is_empty() || self.moves.contains(m)
    }

    /// Whether the ordinary search gives the better prices for it: always for a few moves.
    pub(super) fn suits_quick_search(&self) -> bool {
        let few = !self.moves.is_empty();
        self.quick && (few || self.nodes.is_none() && self.time.is_none_or(|time| time >= QUICK_MIN_TIME))
    }

    /// The depth at which it ends at the latest; `most` where it is left to nodes or time.
    pub(super) fn max_depth(&self, most: u32) -> u32 {
        let unlimited = self.nodes.is_none() && self.time.is_none();
        self.depth.unwrap_or(if unlimited { DEFAULT_DEPTH } else { most })
    }
}

/// What stays the same from search to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Threads that search together.
    pub threads: usize,
    /// How many principal variations are searched and reported.
    pub multi_pv: usize,
    /// Time lost between the engine and the clock with each move.
    pub move_overhead: Duration,
    /// What evaluates positions.
    pub evaluation: Evaluation,
}

impl SearchSettings {
    /// What the size of the transposition table may be, in MiB.
    pub const HASH: RangeInclusive<i64> = 1..=65_536;
    /// How many threads there may be.
    pub const THREADS: RangeInclusive<i64> = 1..=256;
    /// How many principal variations there may be: no position has more moves.
    pub const MULTI_PV: RangeInclusive<i64> = 1..=218;
    /// What a move may lose on its way to the clock, in milliseconds.
    pub const MOVE_OVERHEAD: RangeInclusive<i64> = 0..=10_000;
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            evaluation: Evaluation::default(),
        }
    }
}

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

/// What is kept back on the clock where moves take longer than they should: on a machine that is busy with something else, a
/// thread may not be let on for tenths of a second, and what is told may take as long to be heard.
#[derive(Clone, Debug, Default)]
pub struct Reserve {
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
