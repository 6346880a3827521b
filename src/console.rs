//! Talking to people on a terminal: standard error may be full or gone, and text from outside may hold escape sequences.

use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, Write},
};

/// Writes a line to standard error. If nobody can read it there, nothing is lost but the line.
pub fn tell(line: impl Display) {
    let line = format!("{}\n", plain(&line.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Text whose control characters are written as `\u001b`, so that a name can't move the cursor, change colours or ring the
/// bell. Ends of lines and tabs are kept. In JSON this stands for the same character.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_harmful(character) {
            true => plain.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// Control characters, and those that change the direction in which a line is written.
fn is_harmful(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A writer of [`plain`] text.
pub struct PlainWriter<W>(pub W);

impl<W: Write> Write for PlainWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(plain(text).as_bytes()),
            // Half a character at the end of a piece: what is in it can't be judged, so it goes on as it is.
            Err(_) => self.0.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(plain("Ada\u{1b}[2J\u{7}\r\u{9b}x"), "Ada\\u001b[2J\\u0007\\u000d\\u009bx");
        assert_eq!(plain("Ада,\tG\u{f6}del\n"), "Ада,\tGödel\n");
        assert_eq!(plain("a\u{202e}b"), "a\\u202eb");
    }

    #[test]
    fn what_is_written_stays_valid_json() {
        let mut out = Vec::new();
        PlainWriter(&mut out).write_all("\"\u{9b}31m\"".as_bytes()).unwrap();
        let read: String = serde_json::from_slice(&out).unwrap();
        assert_eq!(read, "\u{9b}31m");
    }
}
