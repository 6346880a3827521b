//! The words of the notation for players: `kind:first,key=value,…`, each with its place in the text.

use std::fmt;

/// Text that names no player, and the word in it that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at \"{word}\" in \"{text}\"")]
pub struct NotationError {
    /// The whole text.
    pub text: String,
    /// The word at fault.
    pub word: String,
    /// What is wrong with it, and what would be right.
    pub what: String,
}

/// A word between commas, quotes removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// As it stands in the text.
    pub raw: &'a str,
    /// Without its quotes.
    pub value: String,
}

impl Word<'_> {
    /// Splits `key=value`.
    pub(super) fn pair(&self) -> Option<(&str, &str)> {
        self.value.split_once('=')
    }
}

/// A text cut into its words.
pub(super) struct PlayerWords<'a> {
    text: &'a str,
    /// What stands before the first colon.
    pub kind: &'a str,
    /// What follows it, cut at commas outside quotes.
    pub rest: Vec<Word<'a>>,
}

impl<'a> PlayerWords<'a> {
    pub(super) fn split(text: &'a str) -> Result<PlayerWords<'a>, NotationError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut words = PlayerWords { text, kind: kind.trim(), rest: Vec::new() };
        if rest.is_empty() {
            return Ok(words);
        }
        let mut begin = 0;
        let mut quoted = false;
        for (place, letter) in rest.char_indices() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => {
                    words.push(&rest[begin..place]);
                    begin = place + 1;
                }
                _ => {}
            }
        }
        if quoted {
            return Err(words.error(&rest[begin..], "a quotation mark is missing"));
        }
        words.push(&rest[begin..]);
        Ok(words)
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    fn push(&mut self, raw: &'a str) {
        self.rest.push(Word { raw, value: unquote(raw.trim()) });
    }

    pub(super) fn error(&self, word: &str, what: impl fmt::Display) -> NotationError {
        NotationError { text: self.text.to_owned(), word: word.to_owned(), what: what.to_string() }
    }
}

/// The text without its quotes; a doubled quotation mark inside them stands for one.
fn unquote(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => plain.extend(letters.next()),
            '"' => quoted = !quoted,
            letter => plain.push(letter),
        }
    }
    plain
}

/// The text in quotes if the notation needs them.
pub(super) fn quote(text: &str) -> String {
    if text.contains([',', '"']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        PlayerWords::split(text).unwrap().rest.into_iter().map(|word| word.value).collect()
    }

    #[test]
    fn commas_part_words_unless_they_are_quoted() {
        assert_eq!(
            values("engine:C:\\My Engines\\x.exe,option.Hash=64"),
            ["C:\\My Engines\\x.exe", "option.Hash=64"]
        );
        assert_eq!(values("engine:\"a,b\",arg=\"c,d\""), ["a,b", "arg=c,d"]);
        assert_eq!(values("infallible"), Vec::<String>::new());
    }

    #[test]
    fn an_open_quotation_is_pointed_at() {
        let error = PlayerWords::split("engine:a,arg=\"b").err().unwrap();
        assert_eq!(error.word, "arg=\"b");
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        for text in ["plain", "a,b", "say \"so\"", " blank ", "\"", "x=\"y,z\""] {
            assert_eq!(values(&format!("engine:{}", quote(text))), [text], "{text}");
        }
    }
}
