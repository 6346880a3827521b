//! Openings from files: FEN or EPD, a position a line; PGN, a game each.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use shakmaty::Chess;

use crate::{
    game::Game,
    notation::{Games, read_position},
};

/// Where a game begins: a position, or some moves that lead to one.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What to call it.
    pub name: String,
    /// The game up to the point where the players take over.
    pub game: Game,
}

/// A file of openings that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It can't be read.
    #[error("cannot read {}: {source}; check the name", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in it is wrong.
    #[error("{}, {place}: {what}", .path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line or game.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// There is nothing in it.
    #[error("{} contains no opening", .0.display())]
    Empty(PathBuf),
}

impl Opening {
    /// A position without moves before it.
    pub fn from_position(name: impl Into<String>, position: Chess) -> Opening {
        Opening { name: name.into(), game: Game::new(position) }
    }

    /// All openings of a file. PGN is known by the file's extension or by its first tag; of a PGN game at most
    /// `plies` moves are taken.
    pub fn read(path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
        let unreadable = |source| OpeningError::Unreadable { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
        let begin = file.fill_buf().map_err(unreadable)?.trim_ascii_start();
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
            || begin.starts_with(b"[");
        let openings = if is_pgn { read_pgn(file, path, plies) } else { read_lines(file, path) }?;
        if openings.is_empty() { Err(OpeningError::Empty(path.to_owned())) } else { Ok(openings) }
    }
}

fn read_lines(file: impl BufRead, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in file.lines().enumerate() {
        let line = line.map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("line {}", number + 1);
        let opening = scan_line(line, &place).map_err(|what| OpeningError::Wrong {
            path: path.to_owned(),
            place,
            what,
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// A FEN, or the four fields of an EPD with its operations, of which `id`, `hmvc` and `fmvn` are heeded.
fn scan_line(line: &str, place: &str) -> Result<Opening, String> {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(6).collect();
    let is_number = |field: Option<&&str>| field.is_some_and(|field| field.parse::<u32>().is_ok());
    let length = if is_number(fields.get(4)) && is_number(fields.get(5)) { 6 } else { 4 };
    let board = fields.get(..length.min(fields.len())).unwrap_or_default().join(" ");
    let mut rest = line;
    for _ in 0..length {
        rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    }
    let operation = |code: &str| {
        rest.split(';').find_map(|operation| operation.trim().strip_prefix(code)?.strip_prefix(' '))
    };
    let fen = match length {
        4 => format!(
            "{board} {} {}",
            operation("hmvc").unwrap_or("0").trim(),
            operation("fmvn").unwrap_or("1").trim()
        ),
        _ => board,
    };
    let position = read_position(&fen).map_err(|error| error.to_string())?;
    let name = operation("id").map_or_else(|| place.to_owned(), |id| id.trim().trim_matches('"').to_owned());
    Ok(Opening::from_position(name, position))
}

fn read_pgn(file: impl io::Read, path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let games = Games::new(file).at_most(plies).enumerate().map(|(index, game)| {
        let place = format!("game {}", index + 1);
        match game {
            Ok(score) => {
                let name = score.tags.get("Opening").filter(|name| !name.is_empty()).unwrap_or(&place);
                Ok(Opening { name: name.to_owned(), game: score.game() })
            }
            Err(bad) => Err(OpeningError::Wrong { path: path.to_owned(), place, what: bad.what }),
        }
    });
    games.collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;

    fn lines(text: &str) -> Result<Vec<Opening>, OpeningError> {
        read_lines(text.as_bytes(), Path::new("x.epd"))
    }

    #[test]
    fn fen_and_epd_lines_are_positions() {
        let openings = lines(
            "# two\n8/8/8/8/8/k7/8/K6R w - - 3 40\n\n\
             K3r3/8/5k2/Q7/8/8/8/8 w - - id \"BB1\"; hmvc 7; bm Qa6+;\n",
        )
        .unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!((openings[0].name.as_str(), openings[0].game.position().halfmoves()), ("line 2", 3));
        assert_eq!((openings[1].name.as_str(), openings[1].game.position().halfmoves()), ("BB1", 7));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = lines("8/8/8/8/8/k7/8/K6R w - -\nnonsense\n").unwrap_err().to_string();
        assert!(error.starts_with("x.epd, line 2: 'nonsense 0 1' is not a FEN"), "{error}");
    }

    #[test]
    fn a_pgn_game_is_an_opening_of_so_many_plies() {
        let pgn = "[Opening \"Spanish\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n[FEN \"8/8/8/8/8/k7/8/K6R w - - 0 1\"]\n\n1. Rh3+ *\n";
        let openings = read_pgn(pgn.as_bytes(), Path::new("x.pgn"), 4).unwrap();
        assert_eq!(openings[0].name, "Spanish");
        assert_eq!(openings[0].game.moves().len(), 4);
        assert_eq!((openings[1].name.as_str(), openings[1].game.moves().len()), ("game 2", 1));
    }

    #[test]
    fn an_illegal_move_is_named() {
        let error = read_pgn("1. e4 e5 2. Ke3 *".as_bytes(), Path::new("x.pgn"), 99).unwrap_err().to_string();
        assert!(error.starts_with("x.pgn, game 1: 2. Ke3 can't be played"), "{error}");
    }
}
