//! What an engine came up with.

use std::time::Duration;

use crate::model::Score;

use super::{info::EngineInfo, limits::GoLimits};

/// Lines of a higher `multipv` are not kept: no position has more moves than this, and what an engine says must not
/// fill the memory.
const MOST_LINES: u32 = 256;

/// A move and what was said before it.
#[derive(Clone, Debug, Default)]
pub struct EngineAnswer {
    /// Its move in UCI notation, just as it said it.
    pub best_move: String,
    /// The reply that it expects, in the same notation, if it said one.
    pub reply: Option<String>,
    /// From `go` or `ponderhit` to `bestmove`.
    pub elapsed: Duration,
    /// The last line for each `multipv`, the first one first.
    pub lines: Vec<EngineInfo>,
    /// The greatest depth that it gave a score for.
    pub depth: Option<u32>,
    /// The most positions that it says it has looked at.
    pub nodes: Option<u64>,
}

impl EngineAnswer {
    /// The evaluation of the move chosen, and the depth it was searched to.
    pub fn verdict(&self) -> (Option<Score>, Option<u32>) {
        self.lines.first().map_or((None, None), |info| (info.score, info.depth))
    }

    /// A limit in positions or plies that the engine, by its own figures, has not kept to. Engines count positions now
    /// and then only, so that twice as many and some more are forgiven.
    pub fn ignored(&self, limits: &GoLimits) -> Option<&'static str> {
        let exceeds = |nodes: u64, limit: u64| nodes > limit.saturating_mul(2).saturating_add(10_000);
        if matches!((self.depth, limits.depth), (Some(depth), Some(limit)) if depth > limit) {
            return Some("depth");
        }
        if matches!((self.nodes, limits.nodes), (Some(nodes), Some(limit)) if exceeds(nodes, limit)) {
            return Some("nodes");
        }
        None
    }

    /// Takes note of a line.
    pub(super) fn hear(&mut self, info: EngineInfo) {
        self.nodes = self.nodes.max(info.nodes);
        // Without a score, a depth is one that was only begun.
        if info.score.is_none() {
            return;
        }
        self.depth = self.depth.max(info.depth);
        let number = info.multipv.unwrap_or(1);
        if info.bound || !(1..=MOST_LINES).contains(&number) {
            return;
        }
        match self.lines.binary_search_by_key(&number, |line| line.multipv.unwrap_or(1)) {
            Ok(place) => self.lines[place] = info,
            Err(place) => self.lines.insert(place, info),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(lines: &[&str]) -> EngineAnswer {
        let mut answer = EngineAnswer::default();
        lines.iter().for_each(|line| answer.hear(EngineInfo::parse(line)));
        answer
    }

    #[test]
    fn the_last_exact_line_of_each_number_is_kept() {
        let answer = answer(&[
            "depth 1 multipv 2 score cp 5",
            "depth 1 multipv 1 score cp 9",
            "depth 2 multipv 1 score cp 11",
            "depth 3 multipv 1 score cp 40 upperbound",
            "currmove e2e4",
        ]);
        let scores: Vec<_> = answer.lines.iter().filter_map(|line| line.score).collect();
        assert_eq!(scores, [Score::Centipawns(11), Score::Centipawns(5)]);
    }

    #[test]
    fn no_more_lines_are_kept_than_a_position_may_have_moves() {
        let mut answer = EngineAnswer::default();
        for number in (1..1000).chain([u32::MAX, 0]) {
            answer.hear(EngineInfo::parse(&format!("depth 1 multipv {number} score cp 1")));
        }
        assert_eq!(answer.lines.len(), 256);
    }

    #[test]
    fn a_limit_that_was_not_kept_is_named() {
        let depth = |depth| GoLimits { depth: Some(depth), ..GoLimits::default() };
        let nodes = |nodes| GoLimits { nodes: Some(nodes), ..GoLimits::default() };
        let answer = answer(&["depth 7 score cp 1 nodes 25000", "depth 8 currmove e2e4"]);
        assert_eq!(answer.ignored(&GoLimits::default()), None);
        assert_eq!(answer.ignored(&depth(7)), None, "the eighth ply was only begun");
        assert_eq!(answer.ignored(&depth(6)), Some("depth"));
        assert_eq!(answer.ignored(&nodes(7500)), None);
        assert_eq!(answer.ignored(&nodes(7499)), Some("nodes"));
        assert_eq!(answer.ignored(&nodes(u64::MAX)), None);
        assert_eq!(EngineAnswer::default().ignored(&depth(1)), None, "nothing was said");
    }
}
