//! What is told while thinking.

use std::{fmt::Write, time::Duration};

use shakmaty::{CastlingMode, Move};

/// How good a position is for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves of the winner; negative or 0 if the side to move is mated.
    Mate(i32),
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies looked ahead on all lines.
    pub depth: u32,
    /// Plies looked ahead on the longest line.
    pub selective_depth: u32,
    /// For the side to move. Always exact: programs drop lines with bounds.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Since the beginning.
    pub time: Duration,
    /// Positions found in tables.
    pub table_hits: u64,
    /// The best line of play.
    pub line: Vec<Move>,
}

/// Something to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// What the search has found.
    Search(Report),
    /// A remark for people.
    Text(String),
}

impl Info {
    /// The line of the protocol.
    pub(super) fn line(&self, mode: CastlingMode) -> String {
        match self {
            Info::Search(report) => report.line(mode),
            Info::Text(text) => format!("info string {}", text.replace(|c: char| c.is_control(), " ")),
        }
    }
}

impl Report {
    fn line(&self, mode: CastlingMode) -> String {
        let score = match self.score {
            Score::Centipawns(value) => format!("cp {value}"),
            Score::Mate(moves) => format!("mate {moves}"),
        };
        let speed = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1);
        let mut line = format!(
            "info depth {} seldepth {} score {score} nodes {} nps {speed} tbhits {} time {}",
            self.depth,
            self.selective_depth,
            self.nodes,
            self.table_hits,
            self.time.as_millis(),
        );
        if !self.line.is_empty() {
            line.push_str(" pv");
        }
        for m in &self.line {
            // Writing to a string can't fail.
            let _ = write!(line, " {}", m.to_uci(mode));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    #[test]
    fn a_report_is_one_line_of_integers() {
        let report = Report {
            depth: 7,
            selective_depth: 12,
            score: Score::Mate(-3),
            nodes: 5000,
            time: Duration::from_micros(2500),
            table_hits: 1,
            line: vec![Move::Castle { king: Square::E1, rook: Square::H1 }],
        };
        let fields = "info depth 7 seldepth 12 score mate -3 nodes 5000 nps 2000000 tbhits 1 time 2 pv";
        assert_eq!(Info::Search(report.clone()).line(CastlingMode::Standard), format!("{fields} e1g1"));
        assert_eq!(Info::Search(report).line(CastlingMode::Chess960), format!("{fields} e1h1"));
    }

    #[test]
    fn a_remark_stays_on_its_line() {
        let remark = Info::Text("one\nbestmove a1a1".to_owned());
        assert_eq!(remark.line(CastlingMode::Standard), "info string one bestmove a1a1");
    }
}
