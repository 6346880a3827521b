//! A PGN file that grows.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
    time::SystemTime,
};

use crate::notation::{GameScore, Games};

/// Of a file that is longer, only the end is read.
const MOST_BYTES: u64 = 4 << 20;

/// A file that is looked at again and again.
pub struct GrowingFile {
    path: PathBuf,
    /// Where the last game begins.
    begin: u64,
    length: u64,
    modified: Option<SystemTime>,
    /// It has not grown since it was last read: its last word is whole.
    settled: bool,
}

/// What a look at a file has shown.
#[derive(Debug, Default)]
pub struct News {
    /// The file is another: all that came before is gone.
    pub anew: bool,
    /// The game that was last before, as it is now, and those after it, or what is wrong with them.
    pub games: Vec<Result<GameScore, String>>,
}

impl GrowingFile {
    /// Nothing was read yet.
    pub fn new(path: PathBuf) -> GrowingFile {
        GrowingFile { path, begin: 0, length: 0, modified: None, settled: true }
    }

    /// What it is called, without its folder.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(|| "games".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Looks whether there is something new; nothing if there is not.
    pub fn look(&mut self) -> io::Result<Option<News>> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        let (length, modified) = (metadata.len(), metadata.modified().ok());
        let grew = (length, modified) != (self.length, self.modified);
        if !grew && self.settled {
            return Ok(None);
        }
        let anew = length < self.length;
        if anew {
            self.begin = 0;
        }
        (self.length, self.modified, self.settled) = (length, modified, !grew);
        let from = self.begin.max(length.saturating_sub(MOST_BYTES));
        let cut = from > self.begin;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
        if grew {
            // The last word may be half written.
            let whole = bytes.iter().rposition(u8::is_ascii_whitespace).map_or(0, |last| last + 1);
            bytes.truncate(whole);
        }
        let begins = beginnings(&bytes);
        let first = if cut { begins.first().copied().unwrap_or(0) } else { 0 };
        let last = begins.last().copied().unwrap_or(first);
        self.begin = from + last as u64;
        let games = read_games(bytes.get(first..).unwrap_or_default());
        Ok(Some(News { anew: anew || cut, games }))
    }
}

/// The games of a text, or what is wrong with them.
pub fn read_games(text: &[u8]) -> Vec<Result<GameScore, String>> {
    Games::new(text).map(|game| game.map_err(|bad| bad.what)).collect()
}

/// Where games begin: at a tag that follows something else than a tag.
fn beginnings(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut place, mut after_tag) = (0, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        let is_tag = text.starts_with(b"[") && !text.starts_with(b"[%");
        if is_tag && !after_tag {
            found.push(place);
        }
        after_tag = is_tag || after_tag && text.is_empty() && found.is_empty();
        place += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write};

    use super::*;

    fn moves(news: Option<News>) -> Vec<usize> {
        news.unwrap().games.into_iter().map(|game| game.unwrap().plies.len()).collect()
    }

    #[test]
    fn a_file_is_followed_as_it_grows_and_half_a_word_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut out = OpenOptions::new().create(true).append(true).open(&path).unwrap();
        let mut file = GrowingFile::new(path.clone());
        write!(out, "[White \"A\"]\n\n1. e4 e5 2. N").unwrap();
        assert_eq!(moves(file.look().unwrap()), [2]);
        write!(out, "f3 Nc6 3. Bb").unwrap();
        assert_eq!(moves(file.look().unwrap()), [4]);
        write!(out, "5 ").unwrap();
        assert_eq!(moves(file.look().unwrap()), [5]);
        write!(out, "1-0\n\n[White \"B\"]\n\n1. d4").unwrap();
        assert_eq!(moves(file.look().unwrap()), [5, 0]);
        assert_eq!(moves(file.look().unwrap()), [1], "nothing came after it, so the word is whole");
        assert!(file.look().unwrap().is_none());
        std::fs::write(&path, "[White \"C\"]\n\n1. c4 \n").unwrap();
        let news = file.look().unwrap().unwrap();
        assert!(news.anew && news.games.len() == 1);
    }

    #[test]
    fn games_begin_at_their_first_tag() {
        let text = "[A \"1\"]\n[B \"2\"]\n\n1. e4 {\n[%clk 1:00] x} e5\n\n[A \"2\"]\n\n1. d4\n";
        assert_eq!(beginnings(text.as_bytes()), [0, text.find("[A \"2\"]").unwrap()]);
    }
}
