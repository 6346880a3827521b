//! Going on where a PGN file stopped.

mod fragment;
mod scan;

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use shakmaty::{Chess, KnownOutcome};

use crate::notation::{self, Tags};

use super::{
    entry::Entry,
    pgn::Headers,
    referee::{Ending, Reason},
    schedule::Schedule,
};

/// What some editors put at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a PGN file has to say about a match.
#[derive(Debug, Default)]
pub struct Resumed {
    /// The games in it.
    pub entries: Vec<Entry>,
    /// The unfinished game that was cut off its end.
    pub cut: Option<Cut>,
}

/// An unfinished game that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its length in bytes.
    pub bytes: u64,
    /// The file in which it is kept.
    pub copy: PathBuf,
}

/// Why a match can't go on in a file, which is left as it is.
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
    /// Something in it is no game of a match.
    #[error(
        "cannot go on in {}: what stands from line {line} on is no game of this match; take it out, or give another --pgn",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// It would have to be cut, but is only a link to a file.
    #[error(
        "cannot go on in {}: it is a link to {}, which ends in an unfinished game; give that file as --pgn",
        .path.display(), .target.display()
    )]
    Link {
        /// The link.
        path: PathBuf,
        /// The file.
        target: PathBuf,
    },
}

impl Resumed {
    /// Reads the games of a match from the file it was written to. If the last one is a game of this match that was not
    /// written to its end, it is moved to a file of its own. Anything else is refused: games of other players, another
    /// seed or other openings, and what is no game.
    pub fn read(path: &Path, headers: &Headers, schedule: &Schedule) -> Result<Resumed, ResumeError> {
        let unreadable = |source| ResumeError::Unreadable { path: path.to_owned(), source };
        let text = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Resumed::default()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let mut seen = HashSet::new();
        let mut resumed = Resumed::default();
        while let Some((tags, after)) = scan::whole_game(rest) {
            let other =
                |what| ResumeError::Other { path: path.to_owned(), game: resumed.entries.len() + 1, what };
            let entry = entry(&tags, headers, schedule).map_err(other)?;
            if !seen.insert(entry.scheduled.number) {
                return Err(other(format!("round {} occurs twice", entry.scheduled.round())));
            }
            resumed.entries.push(entry);
            rest = after;
        }
        let fragment = rest.trim_ascii_start();
        if fragment.is_empty() {
            return Ok(resumed);
        }
        let (whole, _) = text.split_at(text.len() - fragment.len());
        if !fragment::is_beginning(fragment, headers, schedule) {
            let line = 1 + whole.iter().filter(|&&byte| byte == b'\n').count();
            return Err(ResumeError::Foreign { path: path.to_owned(), line });
        }
        if fs::symlink_metadata(path).map_err(unreadable)?.is_symlink() {
            let target = fs::canonicalize(path).map_err(unreadable)?;
            return Err(ResumeError::Link { path: path.to_owned(), target });
        }
        resumed.cut = Some(cut(path, whole, fragment).map_err(unreadable)?);
        Ok(resumed)
    }
}

/// Shortens a file to what is whole in it, once the rest is kept elsewhere.
fn cut(path: &Path, whole: &[u8], fragment: &[u8]) -> io::Result<Cut> {
    let file = OpenOptions::new().write(true).open(path)?;
    let copy = keep_beside(path, fragment)?;
    let length = whole.len() as u64;
    let bytes = fragment.len() as u64;
    if file.metadata()?.len() != length + bytes {
        return Err(io::Error::other("another program is writing to it"));
    }
    file.set_len(length)?;
    file.sync_all()?;
    Ok(Cut { bytes, copy })
}

/// Writes bytes to a new file: the name of this one with the first number that is free.
fn keep_beside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut copy = path.as_os_str().to_owned();
        copy.push(format!(".cut-{number}"));
        let copy = PathBuf::from(copy);
        let failed = |error: io::Error| {
            let what = format!("cannot keep its unfinished game in {}: {error}", copy.display());
            io::Error::new(error.kind(), what)
        };
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(mut file) => {
                file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
                return Ok(copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(failed(error)),
        }
    }
}

fn entry(tags: &Tags, headers: &Headers, schedule: &Schedule) -> Result<Entry, String> {
    let tag = |name: &str| tags.get(name).unwrap_or_default();
    let round = tag("Round");
    let Some(number) = schedule.number_of(round) else {
        return Err(format!("there is no round '{round}': it has other players, or colours reversed"));
    };
    let (scheduled, opening) = schedule.game(number);
    for (color, player) in [("White", scheduled.white()), ("Black", scheduled.black())] {
        let (given, notation) = (tag(&format!("{color}Player")), &headers.notations[player]);
        if given != notation {
            return Err(format!("the player there is '{given}', not '{notation}'"));
        }
        let own = tags.get(&format!("{color}TimeControl"));
        let (given, control) = (own.unwrap_or_else(|| tag("TimeControl")), headers.control(player));
        if given != control {
            return Err(format!("the time control there is '{given}', not '{control}'"));
        }
    }
    let (given, rules) = (tag("Rules"), headers.rules.to_string());
    if given != rules {
        return Err(format!("the rules there are '{given}', not '{rules}'"));
    }
    if tag("Seed") != headers.seed.to_string() {
        return Err(format!("its seed is {}, not {}", tag("Seed"), headers.seed));
    }
    let start = opening.game.start();
    let fen = (*start != Chess::default()).then(|| notation::fen(start));
    if tags.get("FEN") != fen.as_deref() {
        return Err("it begins in another position".to_owned());
    }
    let (result, reason, plies) = (tag("Result"), tag("Reason"), tag("PlyCount"));
    let outcome =
        KnownOutcome::from_ascii(result.as_bytes()).map_err(|_| format!("'{result}' is no result"))?;
    let reason = Reason::ALL
        .into_iter()
        .find(|known| known.name() == reason)
        .ok_or_else(|| format!("'{reason}' is no reason to end a game"))?;
    let plies: usize = plies.parse().map_err(|_| format!("'{plies}' is no number of plies"))?;
    let length = plies.saturating_sub(opening.game.moves().len()).div_ceil(2);
    let competence = [scheduled.a_color, !scheduled.a_color]
        .map(|color| tag(color.fold_wb("WhiteC", "BlackC")).parse().ok());
    Ok(Entry {
        scheduled,
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

    use crate::{
        engine::FaultKind,
        model::{Belief, Scale},
    };

    use super::super::{
        opening::Opening,
        pgn::{PgnFile, pgn_text},
        play::{GameRecord, Note},
        rules::Rules,
    };
    use super::*;

    fn headers() -> Headers {
        Headers {
            event: "a \"match\"".to_owned(),
            names: ["A", "B"].map(str::to_owned).to_vec(),
            notations: ["engine:C:\\a b.exe", "engine:\"b,c\""].map(str::to_owned).to_vec(),
            controls: ["depth=3", "5+0.05"].map(|control| control.parse().unwrap()).to_vec(),
            rules: Rules::CHESS,
            seed: 9,
        }
    }

    fn schedule(fen: &str) -> Schedule {
        let position = notation::read_position(fen).unwrap();
        Schedule::new(vec![Opening::from_position("o", position)], 10, true, 9)
    }

    const FEN: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

    fn record() -> GameRecord {
        let mut game = schedule(FEN).game(0).1.game.clone();
        game.play("a1a8".parse::<UciMove>().unwrap().to_move(game.position()).unwrap());
        let note = Note {
            elapsed: std::time::Duration::from_millis(52),
            clock: None,
            score: Some(crate::model::Score::Mate(1)),
            depth: Some(3),
            competence: Some(7.5),
        };
        let ending = Ending::won(Color::White, Reason::Checkmate);
        let belief = Belief::uniform("0(1)15".parse().unwrap(), Scale::Table);
        GameRecord {
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

    /// Whoever resumes a match compares bytes, so that every one of them counts.
    #[test]
    fn a_game_is_written_byte_for_byte_as_ever() {
        let tags = [
            r#"[Event "a \"match\""]"#,
            r#"[Site "?"]"#,
            r#"[Date "2026.01.01"]"#,
            r#"[Round "1.1"]"#,
            r#"[White "A"]"#,
            r#"[Black "B"]"#,
            r#"[Result "1-0"]"#,
            r#"[SetUp "1"]"#,
            r#"[FEN "7k/8/6K1/8/8/8/8/R7 w - - 0 1"]"#,
            r#"[Opening "o"]"#,
            r#"[PlyCount "1"]"#,
        ];
        let moves = "\n\n1. Ra8# {[%eval #1,3] [%emt 0:00:00.052] [%c 7.50]} 1-0\n\n";
        let text = text(0);
        assert!(text.starts_with(&tags.join("\n")) && text.ends_with(moves), "{text}");
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
        let numbers: Vec<_> = resumed.entries.iter().map(|entry| entry.scheduled.number).collect();
        assert_eq!(numbers, [0, 3]);
        assert_eq!(resumed.entries[0].length, 1);
        assert_eq!(resumed.entries[0].ending, record().ending);
        let competence: Vec<_> = resumed.entries.iter().map(|entry| entry.competence).collect();
        assert_eq!(competence, [[Some(7.5), None], [None, Some(7.5)]], "A has Black in the fourth game");
        let copy = folder.path().join("games.pgn.cut-1");
        assert_eq!(resumed.cut, Some(Cut { bytes: 150, copy: copy.clone() }));
        assert_eq!(fs::read_to_string(copy).unwrap(), fragment);
        assert_eq!(fs::read_to_string(&path).unwrap(), text(0) + &text(3));
    }

    /// Reads a file of this text, and what is in it and beside it afterwards.
    fn read(text: &[u8]) -> (Result<Resumed, ResumeError>, Vec<u8>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, text).unwrap();
        let resumed = Resumed::read(&path, &headers(), &schedule(FEN));
        (resumed, fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count())
    }

    #[test]
    fn a_write_may_be_interrupted_anywhere() {
        let (first, second) = (text(0), text(1));
        let is_beginning = |text: &str| fragment::is_beginning(text.as_bytes(), &headers(), &schedule(FEN));
        let end = second.trim_end().len();
        for length in 1..end {
            let beginning = &second[..length];
            assert!(
                scan::whole_game(beginning.as_bytes()).is_none() && is_beginning(beginning),
                "{beginning}"
            );
        }
        for length in end..second.len() {
            let (resumed, _, files) = read(&[first.as_bytes(), &second.as_bytes()[..length]].concat());
            assert_eq!((resumed.unwrap().entries.len(), files), (2, 1), "only line ends are missing");
        }
    }

    #[test]
    fn what_we_did_not_write_is_refused_and_kept() {
        let game = text(0);
        let beginning = &text(1)[..300];
        let other_seed = beginning.replace("[Round \"1.2\"]", "[Round \"1.2\"]\n[Seed \"8\"]");
        for foreign in [
            "Dear diary,\n".to_owned(),
            "[Event \"Linares\"]\n[Result \"*\"]\n\n1. e4 *\n\n".to_owned(),
            "[Event \"a \\\"match\\\"\"]\n[Site \"Linares\"]\n".to_owned(),
            game.replace(" 1-0\n", " *\n"),
            game.replace(" 1-0\n", "\n"),
            game.replace("[Result \"1-0\"]", "[Result \"0-1\"]"),
            beginning.replace('\n', "\r\n"),
            beginning.to_owned() + "\n" + &game,
            other_seed,
            "\0\0\0\0".to_owned(),
        ] {
            for (before, line) in [("", 1), (text(3).as_str(), 1 + text(3).matches('\n').count())] {
                let whole = before.to_owned() + &foreign;
                let (resumed, left, files) = read(whole.as_bytes());
                let error = resumed.err().unwrap_or_else(|| panic!("accepted: {foreign}")).to_string();
                assert_eq!(left, whole.as_bytes());
                assert_eq!(files, 1, "there is nothing to be kept");
                assert!(error.contains(&format!("games.pgn: what stands from line {line} on")), "{error}");
            }
        }
        let foreign = "[Event \"Linares\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
        let (resumed, left, _) = read(foreign.as_bytes());
        assert!(matches!(resumed, Err(ResumeError::Other { game: 1, .. })));
        assert_eq!(left, foreign.as_bytes());
    }

    #[test]
    fn games_are_ours_whatever_their_lines_end_in() {
        let converted = (text(0) + &text(1)).replace('\n', "\r\n");
        for text in [converted.clone(), "\u{feff}".to_owned() + &converted, converted.trim_end().to_owned()] {
            let (resumed, left, _) = read(text.as_bytes());
            let resumed = resumed.unwrap();
            assert_eq!((resumed.entries.len(), resumed.cut), (2, None));
            assert_eq!(left, text.as_bytes());
        }
        let (resumed, left, files) = read((converted.clone() + &text(2)[..200]).as_bytes());
        assert_eq!(resumed.unwrap().cut.unwrap().bytes, 200);
        assert_eq!((left, files), (converted.into_bytes(), 2));
    }

    #[test]
    fn what_was_cut_before_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for number in 1..=3 {
            let copy = folder.path().join(format!("games.pgn.cut-{number}"));
            fs::write(&path, &text(0)[..100 + number]).unwrap();
            let resumed = Resumed::read(&path, &headers(), &schedule(FEN)).unwrap();
            assert_eq!(resumed.cut, Some(Cut { bytes: 100 + number as u64, copy: copy.clone() }));
            assert_eq!(fs::read(copy).unwrap().len(), 100 + number);
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_cut_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["games.pgn", "link.pgn"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        for (rest, refused) in [("", false), (&text(1)[..150], true), ("Dear diary,\n", true)] {
            let whole = text(0) + rest;
            fs::write(&path, &whole).unwrap();
            let resumed = Resumed::read(&link, &headers(), &schedule(FEN));
            assert_eq!(resumed.is_err(), refused, "{rest}");
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
            assert!(link.is_symlink());
        }
    }

    #[test]
    fn long_notations_are_read_back() {
        let mut headers = headers();
        headers.notations[0] = format!("engine:{}", "a/".repeat(20_000));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, pgn_text(&headers, schedule(FEN).game(0).0, &record(), "2026.01.01")).unwrap();
        assert_eq!(Resumed::read(&path, &headers, &schedule(FEN)).unwrap().entries.len(), 1);
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
        assert!(
            refusal(&other, &schedule(FEN)).contains("the time control there is 'depth=3', not '5+0.05'")
        );
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
