//! Going on where a PGN file stopped.

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use pgn_reader::{RawTag, Reader, Visitor};
use shakmaty::{Chess, KnownOutcome};

use crate::endgame;

use super::{
    entry::Entry,
    pgn::Headers,
    rules::{Ending, Reason},
    schedule::{Schedule, parse_round},
};

/// What a PGN file has to say about a match.
#[derive(Debug, Default)]
pub struct Resumed {
    /// The games in it.
    pub entries: Vec<Entry>,
    /// The length of an unfinished game that was cut off its end, in bytes.
    pub cut: Option<u64>,
}

/// Why a match can't go on in a file.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It can't be read or cut.
    #[error("cannot go on in {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is of another match.
    #[error("cannot go on in {}: game {game}: {what}; give the arguments of the match in this file, or another --pgn", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        game: usize,
        /// The difference.
        what: String,
    },
}

#[derive(Default)]
struct Tags {
    round: String,
    result: String,
    reason: String,
    fen: Option<String>,
    plies: String,
    players: [String; 2],
    seed: String,
    controls: [String; 2],
    rules: String,
    competence: [Option<f64>; 2],
}

struct TagReader;

impl Visitor for TagReader {
    type Tags = Tags;
    type Movetext = Tags;
    type Output = Tags;

    fn begin_tags(&mut self) -> ControlFlow<Tags, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Tags> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"Round" => tags.round = value,
            b"Result" => tags.result = value,
            b"Reason" => tags.reason = value,
            b"FEN" => tags.fen = Some(value),
            b"PlyCount" => tags.plies = value,
            b"WhitePlayer" => tags.players[0] = value,
            b"BlackPlayer" => tags.players[1] = value,
            b"Seed" => tags.seed = value,
            b"TimeControl" => tags.controls = [value.clone(), value],
            b"WhiteTimeControl" => tags.controls[0] = value,
            b"BlackTimeControl" => tags.controls[1] = value,
            b"Rules" => tags.rules = value,
            b"WhiteC" => tags.competence[0] = value.parse().ok(),
            b"BlackC" => tags.competence[1] = value.parse().ok(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Tags, Tags> {
        ControlFlow::Break(tags)
    }

    fn end_game(&mut self, tags: Tags) -> Tags {
        tags
    }
}

impl Resumed {
    /// Reads the games of a match from the file it was written to. A last game that was not written to its end is cut
    /// off. Games of other players, another seed or other openings are refused.
    pub fn read(path: &Path, headers: &Headers, schedule: &Schedule) -> Result<Resumed, ResumeError> {
        let unreadable = |source| ResumeError::Unreadable { path: path.to_owned(), source };
        let text = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Resumed::default()),
            Err(error) => return Err(unreadable(error)),
        };
        let (whole, fragment) = split_fragment(&text);
        let mut reader = Reader::new(whole);
        let mut seen = HashSet::new();
        let mut resumed = Resumed::default();
        while let Some(tags) = reader.read_game(&mut TagReader).map_err(unreadable)? {
            let other =
                |what| ResumeError::Other { path: path.to_owned(), game: resumed.entries.len() + 1, what };
            let entry = entry(&tags, headers, schedule).map_err(other)?;
            if !seen.insert(entry.slot.number) {
                return Err(other(format!("round {} occurs twice", tags.round)));
            }
            resumed.entries.push(entry);
        }
        if !fragment.is_empty() {
            let file = OpenOptions::new().write(true).open(path).map_err(unreadable)?;
            file.set_len(whole.len() as u64).and_then(|()| file.sync_all()).map_err(unreadable)?;
            resumed.cut = Some(fragment.len() as u64);
        }
        Ok(resumed)
    }
}

/// Parts the text after its last game that ends in a result. Our games end in an empty line.
fn split_fragment(text: &[u8]) -> (&[u8], &[u8]) {
    let ends = [b"1-0\n\n".as_slice(), b"0-1\n\n", b"1/2-1/2\n\n"];
    let last = ends.iter().filter_map(|end| {
        let place = text.windows(end.len()).rposition(|window| window == *end)?;
        Some(place + end.len())
    });
    text.split_at(last.max().unwrap_or(0))
}

fn entry(tags: &Tags, headers: &Headers, schedule: &Schedule) -> Result<Entry, String> {
    let Some((number, paired)) = parse_round(&tags.round) else {
        return Err(format!("round '{}' is none of a match", tags.round));
    };
    if paired != schedule.is_paired() {
        return Err("colours are reversed in one match but not in the other".to_owned());
    }
    let (slot, opening) = schedule.game(number);
    for (color, side) in [slot.white(), 1 - slot.white()].into_iter().enumerate() {
        let (given, player) = (&tags.players[color], &headers.notations[side]);
        if given != player {
            return Err(format!("the player there is '{given}', not '{player}'"));
        }
        let (given, control) = (&tags.controls[color], headers.control(side));
        if *given != control {
            return Err(format!("the time control there is '{given}', not '{control}'"));
        }
    }
    let (given, rules) = (&tags.rules, headers.rules.to_string());
    if *given != rules {
        return Err(format!("the rules there are '{given}', not '{rules}'"));
    }
    if tags.seed != headers.seed.to_string() {
        return Err(format!("its seed is {}, not {}", tags.seed, headers.seed));
    }
    let start = opening.game.start();
    let fen = (*start != Chess::default()).then(|| endgame::text(start));
    if tags.fen != fen {
        return Err("it begins in another position".to_owned());
    }
    let outcome = KnownOutcome::from_ascii(tags.result.as_bytes())
        .map_err(|_| format!("'{}' is no result", tags.result))?;
    let reason = Reason::ALL
        .into_iter()
        .find(|reason| reason.name() == tags.reason)
        .ok_or_else(|| format!("'{}' is no reason to end a game", tags.reason))?;
    let plies: usize = tags.plies.parse().map_err(|_| format!("'{}' is no number of plies", tags.plies))?;
    let length = plies.saturating_sub(opening.game.moves().len()).div_ceil(2);
    let competence = [slot.white(), 1 - slot.white()].map(|color| tags.competence[color]);
    Ok(Entry {
        slot,
        opening: opening.name.clone(),
        ending: Ending { outcome, reason },
        length,
        competence,
        beliefs: [None, None],
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{ByColor, Color, uci::UciMove};

    use crate::model::{Belief, Scale};

    use super::super::{
        contender::FaultKind,
        opening::Opening,
        pgn::{PgnFile, pgn_text},
        play::{Note, Record},
        rules::Rules,
    };
    use super::*;

    fn headers() -> Headers {
        Headers {
            event: "a \"match\"".to_owned(),
            names: ["A", "B"].map(str::to_owned),
            notations: ["engine:C:\\a b.exe", "engine:\"b,c\""].map(str::to_owned),
            controls: [None, Some("5+0.05".parse().unwrap())],
            rules: Rules::CHESS,
            seed: 9,
        }
    }

    fn schedule(fen: &str) -> Schedule {
        let position = super::super::position_spec::position(fen).unwrap();
        Schedule::new(vec![Opening::from_position("o", position)], 10, true, 9)
    }

    const FEN: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

    fn record() -> Record {
        let mut game = schedule(FEN).game(0).1.game.clone();
        game.play("a1a8".parse::<UciMove>().unwrap().to_move(game.position()).unwrap());
        let note = Note {
            elapsed: std::time::Duration::from_millis(52),
            clock: None,
            score: Some(crate::score::Score::Mate(1)),
            depth: Some(3),
            competence: Some(7.5),
        };
        let ending = Ending::won(Color::White, Reason::Checkmate);
        let belief = Belief::uniform("0(1)15".parse().unwrap(), Scale::Table);
        Record {
            opening: "o".to_owned(),
            game,
            notes: vec![note],
            ending,
            fault: None,
            beliefs: ByColor { black: None, white: Some(belief) },
        }
    }

    fn text(number: usize) -> String {
        pgn_text(&headers(), schedule(FEN).game(number).0, &record(), "2026.01.01")
    }

    #[test]
    fn written_games_are_read_back_and_a_fragment_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut file = PgnFile::append(&path).unwrap();
        file.write(&text(0)).unwrap();
        file.write(&text(3)).unwrap();
        let fragment = &text(1)[..150];
        file.write(fragment).unwrap();
        let resumed = Resumed::read(&path, &headers(), &schedule(FEN)).unwrap();
        let numbers: Vec<_> = resumed.entries.iter().map(|entry| entry.slot.number).collect();
        assert_eq!(numbers, [0, 3]);
        assert_eq!(resumed.entries[0].length, 1);
        assert_eq!(resumed.entries[0].ending, record().ending);
        let competence: Vec<_> = resumed.entries.iter().map(|entry| entry.competence).collect();
        assert_eq!(competence, [[Some(7.5), None], [None, Some(7.5)]], "A has Black in the fourth game");
        assert_eq!(resumed.cut, Some(150));
        assert_eq!(fs::read_to_string(&path).unwrap(), text(0) + &text(3));
    }

    #[test]
    fn games_of_another_match_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        PgnFile::append(&path).unwrap().write(&text(0)).unwrap();
        let refusal = |headers: &Headers, schedule: &Schedule| {
            Resumed::read(&path, headers, schedule).unwrap_err().to_string()
        };
        let mut other = headers();
        other.notations[0] = "infallible".to_owned();
        assert!(refusal(&other, &schedule(FEN)).contains("not 'infallible'"));
        let mut other = headers();
        other.rules.fifty = false;
        assert!(
            refusal(&other, &schedule(FEN))
                .contains("the rules there are '50 moves, repetition, tables, mate'")
        );
        let mut other = headers();
        other.controls[0] = other.controls[1];
        assert!(refusal(&other, &schedule(FEN)).contains("the time control there is '-', not '5+0.05'"));
        let elsewhere = "7k/8/6K1/8/8/8/R7/8 w - - 0 1";
        assert!(refusal(&headers(), &schedule(elsewhere)).contains("another position"));
        PgnFile::append(&path).unwrap().write(&text(0)).unwrap();
        assert!(refusal(&headers(), &schedule(FEN)).contains("occurs twice"));
    }

    #[test]
    fn a_file_that_is_not_there_has_no_games() {
        let resumed = Resumed::read(Path::new("no-such.pgn"), &headers(), &schedule(FEN)).unwrap();
        assert!(resumed.entries.is_empty() && resumed.cut.is_none());
    }

    #[test]
    fn faults_are_told_with_their_culprit() {
        let mut entry = Entry::new(schedule(FEN).game(1).0, &record());
        entry.ending.reason = Reason::Fault(FaultKind::Stall);
        assert_eq!(entry.fault(), Some((0, FaultKind::Stall)), "A has Black in the second game");
    }

    #[test]
    fn a_game_is_written_with_evaluation_depth_and_time() {
        let text = text(0);
        assert!(text.contains("[Event \"a \\\"match\\\"\"]"), "{text}");
        assert!(text.contains("[WhitePlayer \"engine:C:\\\\a b.exe\"]"), "{text}");
        assert!(text.contains("1. Ra8# {[%eval #1,3] [%emt 0:00:00.052] [%c 7.50]}"), "{text}");
    }
}
