//! A line as words between blanks, with what follows them still at hand.

/// The words of a line that have not been read yet. Any run of blanks, tabs and line ends separates words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        Words(line)
    }

    /// All that has not been read, as it was written, without the blanks around it.
    pub(super) fn rest(self) -> &'a str {
        self.0.trim_matches(|c: char| c.is_ascii_whitespace())
    }

    /// The next word, left unread.
    pub(super) fn peek(mut self) -> Option<&'a str> {
        self.next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Words of the other side as they may appear in one of our lines: short, and without control characters.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut quoted: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}
