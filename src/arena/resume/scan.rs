//! Whole games in a PGN text. Stricter than PGN, and so not read as the games of others are: what is only nearly a game may
//! be someone's text, and nobody is to take it for less than that. It works on bytes, since a file is cut at the very
//! byte where its last whole game ends.

use crate::notation::{Tags, read_tag};

/// The results that a finished game may have.
const RESULTS: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];

/// The game that a text begins with and what follows it, if there is one with tags and moves up to the result that its
/// tags announce. Lines may end as on any system.
pub fn whole_game(text: &[u8]) -> Option<(Tags, &[u8])> {
    let mut rest = text.trim_ascii_start();
    let mut tags = Tags::default();
    while rest.starts_with(b"[") {
        let (line, after) = rest.split_at(rest.iter().position(|&byte| byte == b'\n')?);
        let (name, value) = read_tag(line)?;
        tags.push(name, value);
        rest = after.trim_ascii_start();
    }
    let after = after_result(rest, tags.get("Result")?)?;
    Some((tags, after))
}

/// What follows the result of a game whose moves a text begins with.
fn after_result<'a>(text: &'a [u8], result: &str) -> Option<&'a [u8]> {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let until = |end: &dyn Fn(u8) -> bool| rest.iter().position(|&byte| end(byte));
        match rest.first()? {
            b'{' => rest = &rest[until(&|byte| byte == b'}')? + 1..],
            // Another game has begun.
            b'[' => return None,
            _ => {
                let end = until(&|byte| byte.is_ascii_whitespace() || byte == b'{').unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if RESULTS.contains(&word) {
                    return (word == result.as_bytes()).then_some(after);
                }
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_at_its_result() {
        let text = b"\n[Round \"2\"]\n[Result \"1-0\"]\n\n1. e4 {0-1 [%emt\n0:00:01]} e5 1-0\n\nmore";
        let (tags, after) = whole_game(text).unwrap();
        assert_eq!((tags.get("Round"), after), (Some("2"), b"\n\nmore".as_slice()));
    }

    #[test]
    fn lines_may_end_as_on_any_system_and_the_last_one_need_not() {
        let (tags, after) = whole_game(b"[Result \"0-1\"]\r\n[Seed \"7\"]\r\n\r\n1. e4 0-1").unwrap();
        assert_eq!((tags.get("Seed"), after), (Some("7"), b"".as_slice()));
    }

    #[test]
    fn what_is_not_whole_is_no_game() {
        for text in [
            "",
            "some text",
            "1. e4 1-0\n",
            "[Result \"1-0\"]",
            "[Result \"1-0\"]\n\n1. e4 ",
            "[Result \"1-0\"]\n\n1. e4 0-1\n",
            "[Result \"*\"]\n\n1. e4 *\n",
            "[Result \"1-0\"]\n\n1. e4\n\n[Result \"1-0\"]\n\n1. d4 1-0\n",
            "[Result \"1-0\"]\n\n1. e4 {1-0\n",
            "[Result 1-0]\n\n1. e4 1-0\n",
        ] {
            assert!(whole_game(text.as_bytes()).is_none(), "{text}");
        }
    }
}
