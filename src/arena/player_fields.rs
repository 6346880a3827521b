//! `key=value` words of the notation: taken one by one, printed one by one.

use std::{fmt, ops::RangeInclusive, str::FromStr, time::Duration};

use super::player_notation::{NotationError, PlayerWords, Word, quote};

/// The pairs of a text that have not been taken yet, and the keys that were asked for.
pub(super) struct PlayerFields<'a> {
    words: &'a PlayerWords<'a>,
    left: Vec<(&'a str, &'a str, &'a Word<'a>)>,
    known: Vec<String>,
}

impl<'a> PlayerFields<'a> {
    /// All words but the first `skip`.
    pub(super) fn new(words: &'a PlayerWords<'a>, skip: usize) -> Result<PlayerFields<'a>, NotationError> {
        let mut left = Vec::new();
        for word in words.rest.iter().skip(skip) {
            let Some((key, value)) = word.pair() else {
                return Err(words.error(word.raw, "a setting has the form key=value"));
            };
            left.push((key.trim(), value, word));
        }
        Ok(PlayerFields { words, left, known: Vec::new() })
    }

    /// The value of a key that may be given once.
    pub(super) fn take<T>(
        &mut self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, NotationError> {
        self.known.push(key.to_owned());
        let Some(place) = self.left.iter().position(|(name, ..)| *name == key) else { return Ok(None) };
        let (_, value, word) = self.left.remove(place);
        if let Some((.., again)) = self.left.iter().find(|(name, ..)| *name == key) {
            return Err(self.words.error(again.raw, format!("'{key}' is given twice")));
        }
        parse(value).map(Some).map_err(|what| self.words.error(word.raw, what))
    }

    /// The values of a key that may be given any number of times.
    pub(super) fn take_all(&mut self, key: &str) -> Vec<String> {
        self.known.push(key.to_owned());
        let taken = self.left.extract_if(.., |(name, ..)| *name == key);
        taken.map(|(_, value, _)| value.to_owned()).collect()
    }

    /// All pairs whose key begins so, with the rest of the key.
    pub(super) fn take_prefixed(&mut self, prefix: &str) -> Vec<(String, String)> {
        self.known.push(format!("{prefix}NAME"));
        let taken =
            self.left.extract_if(.., |(name, ..)| name.len() > prefix.len() && name.starts_with(prefix));
        taken.map(|(name, value, _)| (name[prefix.len()..].to_owned(), value.to_owned())).collect()
    }

    /// Complains of a pair that nobody asked for.
    pub(super) fn finish(self) -> Result<(), NotationError> {
        match self.left.first() {
            None => Ok(()),
            Some((key, _, word)) => Err(self.words.error(
                word.raw,
                format!("'{}' has no setting '{key}' (known: {})", self.words.kind, self.known.join(", ")),
            )),
        }
    }

    /// An error of the text as a whole.
    pub(super) fn whole(&self, what: &str) -> NotationError {
        self.words.error(self.words.text(), what)
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "this must be a number from 0 up".to_owned())
}

/// A whole number in a range.
pub(super) fn within(text: &str, range: RangeInclusive<i64>) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| format!("this must be a whole number from {} to {}", range.start(), range.end()))
}

pub(super) fn unsigned<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "this must be a whole number from 0 up, and not too great".to_owned())
}

pub(super) fn flag(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "this must be true or false".to_owned())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = positive(text).ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "this must be a time in seconds".to_owned())
}

/// Writes the notation.
pub(super) struct Printer<'f, 'a> {
    out: &'f mut fmt::Formatter<'a>,
    separator: char,
}

impl<'f, 'a> Printer<'f, 'a> {
    pub(super) fn new(out: &'f mut fmt::Formatter<'a>) -> Printer<'f, 'a> {
        Printer { out, separator: ':' }
    }

    pub(super) fn kind(&mut self, kind: &str) -> fmt::Result {
        self.out.write_str(kind)
    }

    pub(super) fn word(&mut self, word: &str) -> fmt::Result {
        write!(self.out, "{}{word}", self.separator)?;
        self.separator = ',';
        Ok(())
    }

    pub(super) fn value(&mut self, key: &str, value: Option<&(impl fmt::Display + ?Sized)>) -> fmt::Result {
        value.map_or(Ok(()), |value| self.word(&format!("{key}={value}")))
    }

    pub(super) fn text(&mut self, key: &str, value: &str) -> fmt::Result {
        self.word(&format!("{key}={}", quote(value)))
    }
}
