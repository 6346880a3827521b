//! What an interrupted write leaves behind: the beginning of a game's text.

use shakmaty::{Chess, KnownOutcome, Position, san::SanPlus};

use super::super::{
    pgn::{Headers, tags},
    schedule::Schedule,
};
use crate::notation::tag_line;

/// Whether a text is the beginning of a game of this match, byte for byte as we write it: its tags, as far as they are
/// there, are those of the match, and its moves can be played.
pub fn is_beginning(text: &[u8], headers: &Headers, schedule: &Schedule) -> bool {
    let round = round(text, schedule);
    let (scheduled, opening) = schedule.game(round.unwrap_or(0));
    let start = opening.game.start();
    let mut rest = text;
    for (name, value) in tags(headers, scheduled, &opening.name, start) {
        let value = value.filter(|_| name != "Round" || round.is_some());
        match follow(rest, name, value.as_deref()) {
            FragmentStep::Within => return true,
            FragmentStep::Past(after) => rest = after,
            // Only some games have these.
            FragmentStep::Apart if matches!(name, "WhiteC" | "BlackC") => {}
            FragmentStep::Apart => return false,
        }
    }
    match rest.strip_prefix(b"\n") {
        Some(moves) => are_moves(&String::from_utf8_lossy(moves), start.clone()),
        None => false,
    }
}

/// The number of the game, if the text goes so far.
fn round(text: &[u8], schedule: &Schedule) -> Option<usize> {
    let line = text.split_inclusive(|&byte| byte == b'\n').find(|line| line.starts_with(b"[Round "))?;
    let value = line.strip_prefix(b"[Round \"")?.strip_suffix(b"\"]\n")?;
    schedule.number_of(str::from_utf8(value).ok()?)
}

/// Where a text stands to the tag expected at its beginning.
enum FragmentStep<'a> {
    /// It ends with it or within it.
    Within,
    /// It goes on after it.
    Past(&'a [u8]),
    /// It has something else there.
    Apart,
}

/// Compares a text with a tag, which may have any value if none is given.
fn follow<'a>(text: &'a [u8], name: &str, value: Option<&str>) -> FragmentStep<'a> {
    let expected = match value {
        Some(value) => tag_line(name, value),
        None => format!("[{name} \""),
    };
    if expected.as_bytes().starts_with(text) {
        return FragmentStep::Within;
    }
    match text.strip_prefix(expected.as_bytes()) {
        None => FragmentStep::Apart,
        Some(after) if value.is_some() => FragmentStep::Past(after),
        Some(after) => match after.iter().position(|&byte| byte == b'\n') {
            None => FragmentStep::Within,
            Some(end) if after[..end].ends_with(b"\"]") => FragmentStep::Past(&after[end + 1..]),
            Some(_) => FragmentStep::Apart,
        },
    }
}

/// Whether a text is the beginning of a game's moves, without its result.
fn are_moves(text: &str, mut position: Chess) -> bool {
    // The only empty line is after the result.
    if text.contains("\n\n") {
        return false;
    }
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\n']);
        if rest.starts_with('{') {
            match rest.split_once('}') {
                Some((_, after)) => rest = after,
                None => return true,
            }
            continue;
        }
        let Some((word, after)) = rest.split_once([' ', '\n']) else {
            // The last word need not be whole.
            let is_result = KnownOutcome::from_ascii(rest.as_bytes()).is_ok();
            return !is_result && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-=+#./".contains(c));
        };
        let is_number = word.trim_end_matches('.').chars().all(|c| c.is_ascii_digit()) && word.ends_with('.');
        if !is_number {
            let san = SanPlus::from_ascii(word.as_bytes()).ok();
            let Some(m) = san.and_then(|san| san.san.to_move(&position).ok()) else { return false };
            position.play_unchecked(m);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_can_be_played_are_a_beginning() {
        for text in [
            "",
            "1.",
            "1. e",
            "1. e4 {[%emt 0:0",
            "1. e4 {[%emt\n0:00:01.000]} 1... e5\n2. Nf3 ",
            "1. e4 1/2-",
        ] {
            assert!(are_moves(text, Chess::default()), "{text}");
        }
        for text in
            ["1. e4 *", "* ", "1. e5 ", "1. e4 1-0", "1. e4 1-0 ", "1. e4\n\n", "1. e4 \r\n", "1. e4 (1. d4"]
        {
            assert!(!are_moves(text, Chess::default()), "{text}");
        }
    }
}
