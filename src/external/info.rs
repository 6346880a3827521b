//! What an engine says while it thinks.

use crate::model::Score;

/// Moves of a line beyond this are not kept.
const LONGEST_PV: usize = 256;

/// One `info` line, as far as anyone here asks about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Which of several lines this is, counted from 1.
    pub multipv: Option<u32>,
    /// The evaluation.
    pub score: Option<Score>,
    /// Whether the score is only a lower or an upper bound.
    pub bound: bool,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// The line expected, in UCI notation.
    pub pv: Vec<String>,
}

impl EngineInfo {
    /// Reads the words after `info`. Words that are not known, or make no sense, are skipped: engines
    /// say all sorts of things.
    pub fn parse(line: &str) -> EngineInfo {
        let mut info = EngineInfo::default();
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
                "multipv" => info.multipv = words.next().and_then(|word| word.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => {
                    let kind = words.next();
                    let number = words.next().and_then(|word| word.parse().ok());
                    info.score = match (kind, number) {
                        (Some("cp"), Some(value)) => Some(Score::Centipawns(value)),
                        (Some("mate"), Some(moves)) => Some(Score::Mate(moves)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => info.bound = true,
                "pv" => {
                    info.pv = words.by_ref().take(LONGEST_PV).map(str::to_owned).collect();
                    break;
                }
                // The rest of the line is free text, which may contain any of the words above.
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_depth_nodes_and_line_are_read() {
        let info = EngineInfo::parse("depth 12 seldepth 20 score cp -35 nodes 12345 nps 99 pv e2e4 e7e5");
        assert_eq!(info.depth, Some(12));
        assert_eq!(info.score, Some(Score::Centipawns(-35)));
        assert_eq!(info.nodes, Some(12345));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
    }

    #[test]
    fn a_bound_is_no_exact_score() {
        assert!(EngineInfo::parse("depth 9 score cp 20 lowerbound nodes 5").bound);
    }

    #[test]
    fn free_text_is_not_mistaken_for_figures() {
        assert_eq!(EngineInfo::parse("string depth 99 score mate 1"), EngineInfo::default());
    }

    #[test]
    fn nonsense_is_survived() {
        for line in ["", "score", "score cp", "score cp x", "depth -1", "pv", "depth 99999999999"] {
            assert_eq!(EngineInfo::parse(line).score, None, "{line}");
        }
    }
}
