//! `go`: every combination of limits that chess programs send.

use std::time::Duration;

use shakmaty::{ByColor, Chess, Color, Move, Position, uci::UciMove};

use crate::oracle::{Clock, Limits};

use super::scan::{Words, quote};

/// A `go` as it was said, before it is known in which position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`, in moves.
    pub mate: Option<u32>,
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
    /// `movetime`.
    pub movetime: Option<Duration>,
    /// `wtime` and `btime`. A clock that has run out is at 0.
    pub time: ByColor<Option<Duration>>,
    /// `winc` and `binc`.
    pub increment: ByColor<Option<Duration>>,
    /// `searchmoves`.
    pub search_moves: Vec<UciMove>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// Words that mean nothing here.
    pub ignored: Vec<String>,
}

impl Go {
    /// Reads what follows the word `go`. What can't be understood is set aside rather than refused: the other
    /// side waits for a move, whatever it has said.
    pub(super) fn scan(mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
                        go.search_moves.push(m);
                        words.next();
                    }
                }
                _ => match words.peek().and_then(number) {
                    Some(value) if go.limit(word, value) => {
                        words.next();
                    }
                    _ => go.ignored.push(quote(word)),
                },
            }
        }
        go
    }

    /// Sets the limit called `name`, if there is one.
    fn limit(&mut self, name: &str, value: i64) -> bool {
        // A limit of nothing would leave no move to play, so that counts start at 1.
        let count = u64::try_from(value.max(1)).unwrap_or(1);
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        let time = Duration::from_millis(u64::try_from(value).unwrap_or(0));
        match name {
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(small),
            "movestogo" => self.moves_to_go = Some(small),
            "movetime" => self.movetime = Some(time),
            "wtime" => self.time.white = Some(time),
            "btime" => self.time.black = Some(time),
            "winc" => self.increment.white = Some(time),
            "binc" => self.increment.black = Some(time),
            _ => return false,
        }
        true
    }

    /// The limits that this means in `position`.
    pub fn limits(&self, position: &Chess) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock: self.clock(position.turn()),
            other_clock: self.clock(!position.turn()),
            moves_to_go: self.moves_to_go,
            mate: self.mate,
            search_moves: self.legal_search_moves(position),
            lines: 0,
            infinite: self.infinite,
            ponder: self.ponder,
        }
    }

    /// The clock of `color`. If only the opponent's is told, ours is taken to be alike: some clock is running.
    fn clock(&self, color: Color) -> Option<Clock> {
        let own_or_other = |times: &ByColor<Option<Duration>>| times.get(color).or(*times.get(color.other()));
        let remaining = own_or_other(&self.time);
        let increment = own_or_other(&self.increment);
        (remaining.is_some() || increment.is_some()).then(|| Clock {
            remaining: remaining.unwrap_or_default(),
            increment: increment.unwrap_or_default(),
        })
    }

    /// Those of `searchmoves` that are legal. `0000` stands for no move and leaves all of them.
    fn legal_search_moves(&self, position: &Chess) -> Vec<Move> {
        let mut moves = Vec::new();
        for m in self.search_moves.iter().filter_map(|m| m.to_move(position).ok()) {
            if !moves.contains(&m) {
                moves.push(m);
            }
        }
        moves
    }
}

/// An integer; one that is too large for us is as good as the largest.
fn number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::scan(Words::new(text))
    }

    fn milliseconds(value: u64) -> Option<Duration> {
        Some(Duration::from_millis(value))
    }

    #[test]
    fn pondering_keeps_the_clocks() {
        let go = go("ponder wtime 60000 btime 59000 winc 100 binc 200");
        assert!(go.ponder);
        assert_eq!(go.time, ByColor { white: milliseconds(60000), black: milliseconds(59000) });
        assert_eq!(go.increment, ByColor { white: milliseconds(100), black: milliseconds(200) });
    }

    #[test]
    fn all_limits_hold_at_once() {
        let go = go("movetime 500 depth 300 wtime 1000 nodes 12345678901234 mate 256 movestogo 300 infinite");
        assert_eq!(go.movetime, milliseconds(500));
        assert_eq!(go.depth, Some(300));
        assert_eq!(go.time.white, milliseconds(1000));
        assert_eq!(go.nodes, Some(12_345_678_901_234));
        assert_eq!(go.mate, Some(256));
        assert_eq!(go.moves_to_go, Some(300));
        assert!(go.infinite);
        assert!(go.ignored.is_empty());
    }

    #[test]
    fn numbers_beyond_reason_are_as_good_as_the_nearest_that_makes_sense() {
        let go = go("depth 99999999999999999999 nodes 0 mate -3 movetime -1 wtime -99999999999999999999");
        assert_eq!(go.depth, Some(u32::MAX));
        assert_eq!(go.nodes, Some(1));
        assert_eq!(go.mate, Some(1));
        assert_eq!(go.movetime, milliseconds(0));
        assert_eq!(go.time.white, milliseconds(0));
    }

    #[test]
    fn a_word_without_its_number_is_set_aside_and_the_rest_holds() {
        let go = go("depth joho nodes 5 wtime");
        assert_eq!(go.ignored, ["depth", "joho", "wtime"]);
        assert_eq!(go.nodes, Some(5));
    }

    #[test]
    fn searchmoves_end_at_the_next_limit() {
        let go = go("searchmoves e2e4  d2d4\tdepth 3");
        let limits = go.limits(&Chess::default());
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.depth, Some(3));
    }

    #[test]
    fn searchmoves_that_are_not_legal_leave_all_moves() {
        for text in ["searchmoves 0000", "searchmoves e2e5", "searchmoves"] {
            assert!(go(text).limits(&Chess::default()).search_moves.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_clock_told_for_one_side_only_is_taken_for_both() {
        for text in ["wtime 1000 winc 10", "btime 1000 binc 10"] {
            let clock = go(text).limits(&Chess::default()).clock.unwrap();
            assert_eq!(clock.remaining, Duration::from_millis(1000), "{text}");
            assert_eq!(clock.increment, Duration::from_millis(10), "{text}");
        }
    }
}
