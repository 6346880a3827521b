//! Priced decisions on disk: what a calibration is fitted to. Pricing takes hours, so what is done is kept as it is done,
//! and a run that was stopped goes on where it was.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move};

use super::RatedMove;
use crate::{agents::Observation, notation, oracle::Look, profiles::ObservationRecord};

/// A move of a person whose Elo is known, with the prices of all that could have been played.
#[derive(Clone, Debug)]
pub struct RatedObservation {
    /// Who moved.
    pub player: String,
    /// The Elo that the tags give.
    pub elo: u32,
    /// The decision and what was played.
    pub seen: Observation,
}

impl RatedObservation {
    /// What tells it from others.
    pub fn key(&self) -> String {
        key(&self.player, self.seen.look.position(), self.seen.m)
    }
}

#[derive(Serialize, Deserialize)]
struct Record {
    player: String,
    elo: u32,
    #[serde(flatten)]
    seen: ObservationRecord,
}

/// The first line: by what the prices were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceHeader {
    errare_prices: u32,
    /// Who priced.
    pub by: String,
    /// To this depth, in plies.
    pub depth: u32,
}

const VERSION: u32 = 1;

impl PriceHeader {
    /// Prices by whom and how deep.
    pub fn new(by: String, depth: u32) -> PriceHeader {
        PriceHeader { errare_prices: VERSION, by, depth }
    }
}

/// Why prices can't be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum PriceFileError {
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another kind of file.
    #[error("{} does not begin as a file of prices does; name another", .0.display())]
    Foreign(PathBuf),
    /// Prices that can't stand beside the new ones.
    #[error("{} has prices by {}, depth {}; name another file for prices by {}, depth {}", path.display(), have.by, have.depth, want.by, want.depth)]
    Other {
        /// Which file.
        path: PathBuf,
        /// What it says.
        have: PriceHeader,
        /// What was to be written.
        want: PriceHeader,
    },
    /// A line that makes no sense.
    #[error("{}, line {line}: {cause}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
}

/// A file of priced decisions, open for more.
pub struct PriceFile {
    path: PathBuf,
    file: File,
    done: HashSet<String>,
}

impl PriceFile {
    /// Opens a file, or makes it. A last line that was never finished is taken away.
    pub fn open(path: &Path, header: &PriceHeader) -> Result<PriceFile, PriceFileError> {
        let io = |error| PriceFileError::Io { path: path.to_owned(), error };
        let mut done = HashSet::new();
        let mut length = 0;
        let exists = path.exists();
        if exists {
            let text = std::fs::read_to_string(path).map_err(io)?;
            let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
            length = whole.len() as u64;
            let (have, observations) = read_text(path, whole)?;
            if have != *header {
                return Err(PriceFileError::Other { path: path.to_owned(), have, want: header.clone() });
            }
            done.extend(observations.iter().map(RatedObservation::key));
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(io)?;
        match exists {
            true => file.set_len(length).map_err(io)?,
            false => write_line(&mut file, header).map_err(io)?,
        }
        Ok(PriceFile { path: path.to_owned(), file, done })
    }

    /// How many decisions it has.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Whether a decision is there already.
    pub fn has(&self, rated: &RatedMove) -> bool {
        self.done.contains(&rated.key())
    }

    /// Keeps one more.
    pub fn add(&mut self, rated: &RatedMove, look: Look) -> Result<(), PriceFileError> {
        let seen = Observation { ply: rated.game.moves().len(), look, m: rated.m };
        self.done.insert(rated.key());
        let record = Record { player: rated.player.clone(), elo: rated.elo, seen: (&seen).into() };
        write_line(&mut self.file, &record)
            .map_err(|error| PriceFileError::Io { path: self.path.clone(), error })
    }
}

/// All decisions of a file, and by what they were priced.
pub fn read_prices(path: &Path) -> Result<(PriceHeader, Vec<RatedObservation>), PriceFileError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| PriceFileError::Io { path: path.to_owned(), error })?;
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    read_text(path, whole)
}

fn read_text(path: &Path, text: &str) -> Result<(PriceHeader, Vec<RatedObservation>), PriceFileError> {
    let mut lines = text.lines().enumerate();
    let header: Option<PriceHeader> = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok());
    let header = header
        .filter(|header| header.errare_prices == VERSION)
        .ok_or_else(|| PriceFileError::Foreign(path.to_owned()))?;
    let read = |(index, line): (usize, &str)| {
        let wrong = |cause: String| PriceFileError::Line { path: path.to_owned(), line: index + 1, cause };
        let Record { player, elo, seen } =
            serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let seen =
            seen.try_into().map_err(|error: crate::profiles::UnreadableRecord| wrong(error.to_string()))?;
        Ok(RatedObservation { player, elo, seen })
    };
    Ok((header, lines.map(read).collect::<Result<_, _>>()?))
}

impl RatedMove {
    /// What tells it from others; its price is found by it.
    pub fn key(&self) -> String {
        key(&self.player, self.game.position(), self.m)
    }
}

fn key(player: &str, position: &Chess, m: Move) -> String {
    format!("{player} {} {}", notation::fen(position), m.to_uci(CastlingMode::Chess960))
}

fn write_line(file: &mut File, record: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    file.write_all(&line)
}
