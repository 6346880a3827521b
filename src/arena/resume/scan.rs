//! Whole games in a PGN text. Stricter than PGN: what is only nearly a game may be someone's text, and nobody is to take
//! it for less than that.

/// The results that a finished game may have.
const RESULTS: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];

/// What the tags of a game say.
#[derive(Debug, Default)]
pub struct Tags {
    pub round: String,
    pub result: String,
    pub reason: String,
    pub fen: Option<String>,
    pub plies: String,
    pub players: [String; 2],
    pub seed: String,
    pub controls: [String; 2],
    pub rules: String,
    pub competence: [Option<f64>; 2],
}

impl Tags {
    fn set(&mut self, name: &[u8], value: String) {
        match name {
            b"Round" => self.round = value,
            b"Result" => self.result = value,
            b"Reason" => self.reason = value,
            b"FEN" => self.fen = Some(value),
            b"PlyCount" => self.plies = value,
            b"WhitePlayer" => self.players[0] = value,
            b"BlackPlayer" => self.players[1] = value,
            b"Seed" => self.seed = value,
            b"TimeControl" => self.controls = [value.clone(), value],
            b"WhiteTimeControl" => self.controls[0] = value,
            b"BlackTimeControl" => self.controls[1] = value,
            b"Rules" => self.rules = value,
            b"WhiteC" => self.competence[0] = value.parse().ok(),
            b"BlackC" => self.competence[1] = value.parse().ok(),
            _ => {}
        }
    }
}

/// The game that a text begins with and what follows it, if there is one with tags and moves up to the result that its
/// tags announce. Lines may end as on any system.
pub fn whole_game(text: &[u8]) -> Option<(Tags, &[u8])> {
    let mut rest = text.trim_ascii_start();
    let mut tags = Tags::default();
    while rest.starts_with(b"[") {
        let (line, after) = rest.split_at(rest.iter().position(|&byte| byte == b'\n')?);
        let (name, value) = tag(line)?;
        tags.set(name, value);
        rest = after.trim_ascii_start();
    }
    let after = after_result(rest, &tags.result)?;
    Some((tags, after))
}

/// A tag's name and value.
fn tag(line: &[u8]) -> Option<(&[u8], String)> {
    let inner = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii_end();
    let (name, value) = inner.split_at(inner.iter().position(|&byte| byte == b'"')?);
    let value = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut plain = Vec::new();
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => *bytes.next()?,
            b'"' => return None,
            byte => byte,
        });
    }
    Some((name.trim_ascii(), String::from_utf8_lossy(&plain).into_owned()))
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
        assert_eq!((tags.round.as_str(), after), ("2", b"\n\nmore".as_slice()));
    }

    #[test]
    fn lines_may_end_as_on_any_system_and_the_last_one_need_not() {
        let (tags, after) = whole_game(b"[Result \"0-1\"]\r\n[Seed \"7\"]\r\n\r\n1. e4 0-1").unwrap();
        assert_eq!((tags.seed.as_str(), after), ("7", b"".as_slice()));
    }

    #[test]
    fn quotes_and_backslashes_are_read_back() {
        let (tags, _) =
            whole_game(b"[Result \"1-0\"]\n[WhitePlayer \"engine:\\\"C:\\\\a\\\"\"]\n\n1-0\n").unwrap();
        assert_eq!(tags.players[0], "engine:\"C:\\a\"");
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
