//! What an engine may spend on a move, and how long we wait for it.

use std::time::Duration;

/// What an engine may spend on one move: the words after `go`, all of which hold at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// Time left on White's and Black's clocks.
    pub clocks: Option<[Duration; 2]>,
    /// What each move adds to White's and Black's clocks.
    pub increments: Option<[Duration; 2]>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly so long.
    pub move_time: Option<Duration>,
    /// So many positions.
    pub nodes: Option<u64>,
    /// So many plies.
    pub depth: Option<u32>,
}

/// How long to wait for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After so long `stop` is sent.
    pub stop_after: Duration,
    /// After so long more the engine is taken to have stalled.
    pub grace: Duration,
}

/// How long to wait for an engine that has nothing to think about.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From the start to `uciok`.
    pub handshake: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { handshake: Duration::from_secs(15), ready: Duration::from_secs(10) }
    }
}

impl GoLimits {
    /// The command, `go` or `go ponder`.
    pub(super) fn line(&self, command: &str) -> String {
        let mut line = command.to_owned();
        let mut add = |word: &str, number: u128| line.push_str(&format!(" {word} {number}"));
        if let Some([white, black]) = self.clocks {
            add("wtime", white.as_millis());
            add("btime", black.as_millis());
        }
        if let Some([white, black]) = self.increments {
            add("winc", white.as_millis());
            add("binc", black.as_millis());
        }
        if let Some(moves) = self.moves_to_go {
            add("movestogo", moves.into());
        }
        if let Some(time) = self.move_time {
            add("movetime", time.as_millis());
        }
        if let Some(nodes) = self.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = self.depth {
            add("depth", depth.into());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_milliseconds() {
        let limits = GoLimits {
            clocks: Some([Duration::from_millis(1500), Duration::from_secs(2)]),
            increments: Some([Duration::from_millis(10); 2]),
            moves_to_go: Some(40),
            ..GoLimits::default()
        };
        assert_eq!(limits.line("go ponder"), "go ponder wtime 1500 btime 2000 winc 10 binc 10 movestogo 40");
    }
}
