use std::collections::HashSet;

use shakmaty::{Chess, Color, EnPassantMode, KnownOutcome, Position, zobrist::Zobrist64};

use super::Assessment;
use crate::notation::{FenError, GameScore, Ply, epd_operand, read_playable, split_epd};

/// A position and what somebody who knows better thinks of it.
#[derive(Clone, Debug)]
pub struct AssessedPosition {
    /// The position.
    pub position: Chess,
    /// The assessment as White sees it.
    pub assessment: Assessment,
    /// How its game ended: White's points.
    pub points: Option<f64>,
    /// Positions in which the same player is to move have the same number, or if the player is not named those of one game: they
    /// are tuned on together, or not at all.
    pub source: u32,
    /// How much it counts.
    pub weight: f64,
}

/// Assessed positions, and how many were passed over.
#[derive(Clone, Debug, Default)]
pub struct AssessedPositions {
    /// Each position once.
    pub positions: Vec<AssessedPosition>,
    /// Those without an assessment that says who is better ("unclear" is none).
    pub unclear: usize,
    /// Those that were there already.
    pub repeated: usize,
    /// Those in which the game is over.
    pub over: usize,
    /// "Unclear" and "with compensation" are taken for equal (Gomboc 2004, §8.2).
    pub unclear_is_equal: bool,
    /// The assessment is how the game ended, whatever else is said.
    pub by_result: bool,
    seen: HashSet<Zobrist64>,
    sources: u32,
}

/// A line whose position can't be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct BadLine {
    line: usize,
    error: FenError,
}

/// Nothing is learnt from the opening: the first move of a game whose positions count, where the game does not assess them itself.
pub const FIRST_MOVE: u32 = 9;

impl AssessedPositions {
    /// Takes lines of EPD or of `FEN,assessment[,weight]`. The assessment in an EPD is the operation `nag`, or `c0` with a symbol, or
    /// `ce`: centipawns for the side to move; `c9` is the result of the game, `c8` the number of the player to move.
    pub fn read_lines(&mut self, text: &str) -> Result<(), BadLine> {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let csv: Vec<&str> = line.split(',').map(str::trim).collect();
            let (fen, operations) = match csv[..] {
                [fen, _] | [fen, _, _] if !line.contains(';') => (fen.to_owned(), ""),
                _ => split_epd(line),
            };
            let position = match read_playable(&fen) {
                // The names of columns.
                Err(_) if index == 0 && operations.is_empty() && csv.len() > 1 => continue,
                read => read.map_err(|error| BadLine { line: index + 1, error })?,
            };
            let weight = csv.get(2).filter(|_| operations.is_empty()).and_then(|text| text.parse().ok());
            let points = epd_operand(operations, "c9").and_then(points);
            let assessment = match operations {
                "" => csv.get(1).and_then(|text| self.assess(text)),
                operations => self.operation(operations, position.turn()),
            };
            self.sources += 1;
            let player = epd_operand(operations, "c8").and_then(|text| text.parse().ok());
            self.take(position, assessment, points, weight.unwrap_or(1.0), player);
        }
        Ok(())
    }

    /// Takes the positions of a game that have a glyph of assessment in its main line.
    pub fn read_glyphs(&mut self, score: &GameScore) {
        self.sources += 1;
        let result = points(&score.result);
        let mut position = score.start.clone();
        for Ply { m, remarks } in &score.plies {
            position.play_unchecked(*m);
            // What follows in braces and brackets is about other positions.
            let glyphs = remarks.split(['{', '(']).next().unwrap_or_default();
            for glyph in glyphs.split_whitespace().filter(|word| word.starts_with('$')) {
                if let Some(assessment) = self.assess(glyph) {
                    let player = score.player_number(position.turn());
                    self.take(position.clone(), Some(assessment), result, 1.0, player);
                }
            }
        }
    }

    /// Takes positions of a finished game whose assessment is how it ended: quiet ones, from move 9 on, the `pick` of which says yes.
    pub fn read_results(&mut self, score: &GameScore, pick: &mut dyn FnMut() -> bool) {
        let Some(result) = points(&score.result) else { return };
        self.sources += 1;
        let mut position = score.start.clone();
        for Ply { m, .. } in &score.plies {
            let late = u32::from(position.fullmoves()) >= FIRST_MOVE;
            if late && !position.is_check() && !m.is_capture() && !m.is_promotion() && pick() {
                let (assessment, player) =
                    (Assessment(2.0 * result - 1.0), score.player_number(position.turn()));
                self.take(position.clone(), Some(assessment), Some(result), 1.0, player);
            }
            position.play_unchecked(*m);
        }
    }

    fn take(
        &mut self,
        position: Chess,
        assessment: Option<Assessment>,
        points: Option<f64>,
        weight: f64,
        player: Option<u32>,
    ) {
        let result = points.map(|points| Assessment(2.0 * points - 1.0));
        let assessment = if self.by_result { result } else { assessment.or(result) };
        let Some(assessment) = assessment else {
            self.unclear += 1;
            return;
        };
        if position.legal_moves().is_empty() {
            self.over += 1;
        } else if !self.seen.insert(position.zobrist_hash(EnPassantMode::Legal)) {
            self.repeated += 1;
        } else {
            let source = player.unwrap_or(self.sources);
            self.positions.push(AssessedPosition { position, assessment, points, source, weight });
        }
    }

    fn assess(&self, text: &str) -> Option<Assessment> {
        let equal = || self.unclear_is_equal && Assessment::is_unclear(text);
        text.parse().ok().or_else(|| equal().then_some(Assessment(0.0)))
    }

    fn operation(&self, operations: &str, turn: Color) -> Option<Assessment> {
        let by_symbol = |name| self.assess(epd_operand(operations, name)?);
        let by_centipawns = || {
            let centipawns: f64 = epd_operand(operations, "ce")?.parse().ok()?;
            Some(Assessment(turn.fold_wb(1.0, -1.0) * centipawns / 100.0))
        };
        by_symbol("nag").or_else(|| by_symbol("c0")).or_else(by_centipawns)
    }
}

/// White's points by a result.
fn points(result: &str) -> Option<f64> {
    match KnownOutcome::from_ascii(result.trim_matches('"').as_bytes()) {
        Ok(KnownOutcome::Draw) => Some(0.5),
        Ok(KnownOutcome::Decisive { winner }) => Some(winner.fold_wb(1.0, 0.0)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    fn read(text: &str) -> Result<AssessedPositions, BadLine> {
        let mut read = AssessedPositions::default();
        read.read_lines(text).map(|()| read)
    }

    #[test]
    fn lines_are_read_once_and_what_says_nothing_is_counted() {
        let text = "\
            8/8/8/4k3/8/8/8/4K2R w K - nag \"$18\";\n\
            8/8/8/4k3/8/8/8/4K2R b - - c0 \"+-\";\n\
            8/8/8/4k3/8/8/8/4K2R b - - c0 \"=\";\n\
            8/8/8/4k3/8/8/8/4K1NR b - - c0 \"unclear\";\n\
            7k/6Q1/6K1/8/8/8/8/8 b - - c0 \"+-\";\n\
            r7/8/8/4k3/8/8/8/4K3 b - - ce 250;\n";
        let read = read(text).unwrap();
        let values: Vec<f64> = read.positions.iter().map(|one| one.assessment.0).collect();
        assert_eq!(values, [3.0, 3.0, -2.5]);
        assert_eq!((read.unclear, read.repeated, read.over), (1, 1, 1));
    }

    #[test]
    fn a_line_that_is_no_position_is_named() {
        let error = read("\nnonsense c0 \"=\";").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn columns_glyphs_and_results_are_read_too() {
        let mut read = AssessedPositions { unclear_is_equal: true, ..AssessedPositions::default() };
        read.read_lines(
            "fen,assessment,weight\n8/8/8/4k3/8/8/8/4K2R w K - 0 1,+-,2\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1,∞\n",
        )
        .unwrap();
        let game = "[Result \"0-1\"]\n\n1. e4 $16 (1. d4 $18) e5 {$19} 2. Nf3 $2 $10 Nc6 0-1\n";
        let score = Games::new(game.as_bytes()).next().unwrap().unwrap();
        read.read_glyphs(&score);
        let values: Vec<_> =
            read.positions.iter().map(|one| (one.assessment.0, one.weight, one.points)).collect();
        assert_eq!(
            values,
            [(3.0, 2.0, None), (0.0, 1.0, None), (2.0, 1.0, Some(0.0)), (0.0, 1.0, Some(0.0))]
        );
        assert_eq!(read.positions[2].source, read.positions[3].source);
        let mut results = AssessedPositions::default();
        results.read_lines("4k3/8/8/8/8/8/P7/4K3 w - - ce 20; c9 \"1-0\";\n").unwrap();
        assert_eq!((results.positions[0].assessment.0, results.positions[0].points), (0.2, Some(1.0)));
    }

    #[test]
    fn positions_of_a_player_belong_together_in_whatever_games() {
        let games = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 $10 e5 $10 *\n\n[White \"C\"]\n[Black \"b.\"]\n\n1. d4 $10 *\n";
        let mut read = AssessedPositions::default();
        Games::new(games.as_bytes()).for_each(|score| read.read_glyphs(&score.unwrap()));
        let sources: Vec<u32> = read.positions.iter().map(|one| one.source).collect();
        assert!(sources[0] == sources[2] && sources[0] != sources[1], "{sources:?}");
        read.read_lines(&format!("4k3/8/8/8/8/8/P7/4K3 w - - ce 20; c8 {};\n", sources[0])).unwrap();
        assert_eq!(read.positions[3].source, sources[0]);
    }
}
