//! How much time, or how many positions, a player has.

use std::{fmt, str::FromStr, time::Duration};

use serde::Serialize;

use crate::oracle::{self, Limits};

/// What limits a player's thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A clock.
    Clock {
        /// Moves to the next time control; none if the time is for the whole game.
        moves: Option<u32>,
        /// Time for these moves.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// So long for each move.
    MoveTime(Duration),
    /// So many positions for each move.
    Nodes(u64),
    /// So many plies for each move.
    Depth(u32),
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time control: use seconds as in 5+0.05 or 40/60+0.6, or movetime=0.1, nodes=20000, depth=8"
)]
pub struct TimeControlError(pub String);

fn seconds(text: &str) -> Option<Duration> {
    // More than a year is a slip, and would overflow elsewhere.
    let seconds: f64 = text.parse().ok().filter(|seconds| (0.0..=3.2e7).contains(seconds))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn scan(text: &str) -> Option<TimeControl> {
    if let Some((key, value)) = text.split_once('=') {
        return match key {
            "movetime" => seconds(value).filter(|time| !time.is_zero()).map(TimeControl::MoveTime),
            "nodes" => value.parse().ok().filter(|&nodes| nodes > 0).map(TimeControl::Nodes),
            "depth" => value.parse().ok().filter(|&depth| depth > 0).map(TimeControl::Depth),
            _ => None,
        };
    }
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?), time),
        None => (None, text),
    };
    let (base, increment) = match time.split_once('+') {
        Some((base, increment)) => (seconds(base)?, seconds(increment)?),
        None => (seconds(time)?, Duration::ZERO),
    };
    (!base.is_zero()).then_some(TimeControl::Clock { moves, base, increment })
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        scan(text.trim()).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                match increment.is_zero() {
                    true => Ok(()),
                    false => write!(f, "+{}", increment.as_secs_f64()),
                }
            }
            TimeControl::MoveTime(time) => write!(f, "movetime={}", time.as_secs_f64()),
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl Serialize for TimeControl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A clock that runs for one player; players without a clock have none to lose by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    remaining: Duration,
    made: u32,
}

impl GameClock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> GameClock {
        let remaining = match control {
            TimeControl::Clock { base, .. } => base,
            _ => Duration::ZERO,
        };
        GameClock { control, remaining, made: 0 }
    }

    /// What it was set to.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Time left, if this player has a clock.
    pub fn remaining(&self) -> Option<Duration> {
        matches!(self.control, TimeControl::Clock { .. }).then_some(self.remaining)
    }

    /// The time the next move may take, if it is limited at all.
    pub fn allowance(&self) -> Option<Duration> {
        match self.control {
            TimeControl::MoveTime(time) => Some(time),
            _ => self.remaining(),
        }
    }

    /// What the next move may cost, the opponent having that clock.
    pub fn limits(&self, other: &GameClock) -> Limits {
        let shown = |clock: &GameClock| match clock.control {
            TimeControl::Clock { increment, .. } => {
                Some(oracle::Clock { remaining: clock.remaining, increment })
            }
            _ => None,
        };
        let limits = Limits { other_clock: shown(other), ..Limits::default() };
        match self.control {
            TimeControl::Clock { .. } => {
                Limits { clock: shown(self), moves_to_go: self.moves_to_go(), ..limits }
            }
            TimeControl::MoveTime(time) => Limits { movetime: Some(time), ..limits },
            TimeControl::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
            TimeControl::Depth(depth) => Limits { depth: Some(depth), ..limits },
        }
    }

    /// Moves to the next time control.
    pub fn moves_to_go(&self) -> Option<u32> {
        match self.control {
            TimeControl::Clock { moves: Some(moves), .. } => Some(moves - self.made % moves),
            _ => None,
        }
    }

    /// Takes a move's time off; more than is left takes all.
    pub fn spend(&mut self, elapsed: Duration) {
        self.made += 1;
        if let TimeControl::Clock { moves, base, increment } = self.control {
            self.remaining = self.remaining.saturating_sub(elapsed) + increment;
            if moves.is_some_and(|moves| self.made.is_multiple_of(moves)) {
                self.remaining += base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_given_back() {
        for text in ["5+0.05", "40/60+0.6", "60", "40/300", "movetime=0.1", "nodes=20000", "depth=8"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["", "0", "-1", "5+", "5+x", "0/60", "inf", "nan", "1e300", "nodes=0", "depth=x", "time=4"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_counts_down_adds_the_increment_and_is_refilled_at_the_control() {
        let mut clock = GameClock::new("2/10+1".parse().unwrap());
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(Duration::from_secs(4));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(Duration::from_secs(7)), Some(1)));
        clock.spend(Duration::from_secs(8));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(Duration::from_secs(11)), Some(2)));
    }
}
