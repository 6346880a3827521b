use std::collections::HashSet;

use shakmaty::{Chess, Color, EnPassantMode, Position, zobrist::Zobrist64};

use super::Assessment;
use crate::notation::{FenError, epd_operand, read_playable, split_epd};

/// A position and what somebody who knows better thinks of it.
#[derive(Clone, Debug)]
pub struct AssessedPosition {
    /// The position.
    pub position: Chess,
    /// The assessment as White sees it.
    pub assessment: Assessment,
}

/// Assessed positions, and how many lines were passed over.
#[derive(Clone, Debug, Default)]
pub struct AssessedPositions {
    /// Each position once.
    pub positions: Vec<AssessedPosition>,
    /// Lines without an assessment that says who is better ("unclear" is none).
    pub unclear: usize,
    /// Lines with a position that was there already.
    pub repeated: usize,
    /// Lines with a position in which the game is over.
    pub over: usize,
}

/// A line whose position can't be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    line: usize,
    error: FenError,
}

impl AssessedPositions {
    /// Reads lines of EPD. The assessment is the operation `nag`, or `c0` with a symbol, or `ce`: centipawns for the side
    /// to move.
    pub fn read_epd(text: &str) -> Result<AssessedPositions, BadLine> {
        let mut read = AssessedPositions::default();
        let mut seen = HashSet::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (fen, operations) = split_epd(line);
            let position = read_playable(&fen).map_err(|error| BadLine { line: index + 1, error })?;
            let Some(assessment) = assessment(operations, position.turn()) else {
                read.unclear += 1;
                continue;
            };
            if position.legal_moves().is_empty() {
                read.over += 1;
            } else if !seen.insert(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal)) {
                read.repeated += 1;
            } else {
                read.positions.push(AssessedPosition { position, assessment });
            }
        }
        Ok(read)
    }
}

fn assessment(operations: &str, turn: Color) -> Option<Assessment> {
    let by_symbol = |name| epd_operand(operations, name)?.parse().ok();
    let by_centipawns = || {
        let centipawns: f64 = epd_operand(operations, "ce")?.parse().ok()?;
        Some(Assessment(turn.fold_wb(1.0, -1.0) * centipawns / 100.0))
    };
    by_symbol("nag").or_else(|| by_symbol("c0")).or_else(by_centipawns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_once_and_what_says_nothing_is_counted() {
        let text = "\
            8/8/8/4k3/8/8/8/4K2R w K - nag \"$18\";\n\
            8/8/8/4k3/8/8/8/4K2R b - - c0 \"+-\";\n\
            8/8/8/4k3/8/8/8/4K2R b - - c0 \"=\";\n\
            8/8/8/4k3/8/8/8/4K1NR b - - c0 \"unclear\";\n\
            7k/6Q1/6K1/8/8/8/8/8 b - - c0 \"+-\";\n\
            r7/8/8/4k3/8/8/8/4K3 b - - ce 250;\n";
        let read = AssessedPositions::read_epd(text).unwrap();
        let values: Vec<f64> = read.positions.iter().map(|one| one.assessment.0).collect();
        assert_eq!(values, [3.0, 3.0, -2.5]);
        assert_eq!((read.unclear, read.repeated, read.over), (1, 1, 1));
    }

    #[test]
    fn a_line_that_is_no_position_is_named() {
        let error = AssessedPositions::read_epd("\nnonsense c0 \"=\";").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
