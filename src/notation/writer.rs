use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::tag_line;

/// The text of a game: its tags, its moves, and an empty line after each.
pub fn game_text<'a>(tags: impl IntoIterator<Item = (&'a str, &'a str)>, movetext: &str) -> String {
    let mut text: String = tags.into_iter().map(|(name, value)| tag_line(name, value)).collect();
    text.push('\n');
    text.push_str(movetext);
    text.push_str("\n\n");
    text
}

/// The moves of a game, each with what is said after it (nothing, or comments in their braces), between what is said before
/// them and the end. Lines have at most 80 characters.
pub fn movetext(
    start: &Chess,
    preface: &str,
    moves: impl IntoIterator<Item = (Move, String)>,
    end: &str,
) -> String {
    let mut lines = Lines::default();
    lines.add(preface);
    let mut position = start.clone();
    // Black's moves have a number only where something stands between White's and them.
    let mut number_due = true;
    for (m, remarks) in moves {
        match position.turn() {
            Color::White => lines.add(&format!("{}.", position.fullmoves())),
            Color::Black if number_due => lines.add(&format!("{}...", position.fullmoves())),
            Color::Black => {}
        }
        lines.add(&SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        lines.add(&remarks);
        number_due = !remarks.is_empty();
    }
    lines.add(end);
    lines.text
}

/// Words in lines of at most 80 characters.
#[derive(Default)]
struct Lines {
    text: String,
    /// Characters in the last line.
    width: usize,
}

impl Lines {
    /// Adds words with a blank between them.
    fn add(&mut self, words: &str) {
        for word in words.split(' ').filter(|_| !words.is_empty()) {
            let length = word.chars().count();
            match self.width {
                0 => {}
                width if width + 1 + length > 80 => {
                    self.text.push('\n');
                    self.width = 0;
                }
                _ => {
                    self.text.push(' ');
                    self.width += 1;
                }
            }
            self.text.push_str(word);
            self.width += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn lines_are_at_most_eighty_wide() {
        let mut lines = Lines::default();
        (0..100).for_each(|_| lines.add("Nbxd7+ {a b}"));
        assert!(lines.text.lines().all(|line| line.len() <= 80));
        assert_eq!(lines.text.split_ascii_whitespace().count(), 300);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let pgn =
            "[White \"A \\\"B\\\"\"]\n\n{old} 1. e4 $1 (d4 {or so} d5) 1... e5 2. Nf3 {!} 2... Nc6 1-0\n\n";
        let score = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        let moves = score.plies.iter().map(|ply| (ply.m, ply.remarks.clone()));
        let text = movetext(&score.start, &score.preface, moves, &score.result);
        assert_eq!(game_text(score.tags.iter(), &text), pgn);
    }
}
