//! Words of a game's moves that no reader understands: a forgiving one skips them, and the moves after them are then other
//! moves than were played.

use shakmaty::san::SanPlus;

/// What stands beside moves in old files and is none: en passant, novelty, diagram.
const BESIDE: &[&str] = &["e", "p", "ep", "N", "D", "RR"];

/// The first word among the moves of a game, outside comments and variations, that is neither a move nor anything else
/// that PGN knows.
pub(super) fn first_unreadable(game: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(game);
    let mut rest = movetext(text.trim_start_matches('\u{feff}'));
    let mut variations = 0_usize;
    let mut line_begins = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '%' if line_begins => rest.find('\n').unwrap_or(rest.len()),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            '(' => {
                variations += 1;
                1
            }
            ')' => {
                variations = variations.saturating_sub(1);
                1
            }
            '$' => rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| end + 1),
            letter if letter.is_alphabetic() || !letter.is_ascii() && !is_beside(letter) => {
                let word = &rest[..rest.find(ends_word).unwrap_or(rest.len())];
                if variations == 0 && !BESIDE.contains(&word) && SanPlus::from_ascii(word.as_bytes()).is_err()
                {
                    return Some(word.chars().take(40).collect());
                }
                word.len().max(first.len_utf8())
            }
            _ => first.len_utf8(),
        };
        line_begins = first == '\n';
        rest = &rest[length..];
    }
    None
}

/// Signs that are no letters of a word: blanks, and the half point.
fn is_beside(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '½' | '–' | '—' | '…' | '\u{fffd}')
}

fn ends_word(sign: char) -> bool {
    sign.is_whitespace()
        || matches!(sign, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$' | '!' | '?' | '.' | '*' | ',')
}

/// The game without the lines of its tags.
fn movetext(game: &str) -> &str {
    let mut rest = game;
    loop {
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        match line.trim_start().chars().next() {
            Some('[' | '%') => rest = &rest[line.len()..],
            None if !line.is_empty() => rest = &rest[line.len()..],
            _ => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pgn_knows_is_no_such_word() {
        for game in [
            "[Event \"Zb3 {\"]\n\n1. e4 e5 2.Nf3! Nc6?! 3. O-O-O+ 0-0 exd6 e.p. 1/2-1/2",
            "% Zb3\n1. e4 {Zb3} (1. Zb3) ; Zb3\n$14 e5 ½-½",
            "1... axb8=Q# 2. Nbd2 N R1a3 Qh4e1 *",
            "",
            "\u{feff}1. e4 e5 -- 1-0",
        ] {
            assert_eq!(first_unreadable(game.as_bytes()), None, "{game}");
        }
    }

    #[test]
    fn everything_else_is() {
        for (game, word) in [
            ("1. e4 Zb3 2. d4", "Zb3"),
            ("1. Sf3", "Sf3"),
            ("1. e4 e5 2. Nf3xyz", "Nf3xyz"),
            ("1. e4 ♘f6", "♘f6"),
            ("1. e8Q", "e8Q"),
            ("hello world", "hello"),
        ] {
            assert_eq!(first_unreadable(game.as_bytes()).as_deref(), Some(word), "{game}");
        }
    }
}
