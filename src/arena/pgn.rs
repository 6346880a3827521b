//! Games on paper: one PGN text for each, appended whole.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use shakmaty::{ByColor, Chess, Color, Position};

use crate::{
    model::Belief,
    notation::{self, game_text, movetext},
};

use super::{
    play::{GameRecord, Note},
    rules::Rules,
    schedule::ScheduledGame,
    time_control::TimeControl,
};

/// What the tags say about all games of a match.
#[derive(Clone, Debug)]
pub struct Headers {
    /// The match.
    pub event: String,
    /// What the players are called.
    pub names: Vec<String>,
    /// The players in the notation for them.
    pub notations: Vec<String>,
    /// What limits each of them.
    pub controls: Vec<TimeControl>,
    /// By which rules.
    pub rules: Rules,
    /// What all chance follows from.
    pub seed: u64,
}

impl Headers {
    /// What limits a player, as PGN has it.
    pub(super) fn control(&self, player: usize) -> String {
        self.controls[player].to_string()
    }
}

/// A PGN file that games are appended to. Each is written at once and synced, so that a file is at most one
/// unfinished game longer than the games in it.
pub struct PgnFile(File);

impl PgnFile {
    /// Opens a file, or makes it. If its last game has no empty line after it, it gets one.
    pub fn append(path: &Path) -> io::Result<PgnFile> {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() && metadata.len() > 0 {
            file.write_all(missing_line_ends(path)?)?;
        }
        Ok(PgnFile(file))
    }

    /// Adds a game.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())?;
        self.0.sync_data()
    }
}

/// What a file lacks of ending in an empty line.
fn missing_line_ends(path: &Path) -> io::Result<&'static [u8]> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    // Two line ends are four bytes at most.
    file.seek(SeekFrom::Start(length.saturating_sub(4)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    tail.retain(|&byte| byte != b'\r');
    Ok(match tail[..] {
        [.., b'\n', b'\n'] => b"",
        [.., b'\n'] => b"\n",
        _ => b"\n\n",
    })
}

/// The text of a game, with an empty line after it.
pub fn pgn_text(headers: &Headers, scheduled: ScheduledGame, record: &GameRecord, date: &str) -> String {
    let tags = tags(headers, scheduled, &record.opening, record.game.start());
    let values = tags
        .into_iter()
        .filter_map(|(name, known)| Some((name, known.or_else(|| played_value(name, record, date))?)));
    let values: Vec<_> = values.collect();
    game_text(values.iter().map(|(name, value)| (*name, value.as_str())), &moves(record))
}

/// The tags of a game in the order in which they are written, each with its value if that is known before the game is
/// played.
pub(super) fn tags(
    headers: &Headers,
    scheduled: ScheduledGame,
    opening: &str,
    start: &Chess,
) -> Vec<(&'static str, Option<String>)> {
    let sides = ByColor { white: scheduled.white(), black: scheduled.black() };
    let mut tags = vec![
        ("Event", Some(headers.event.clone())),
        ("Site", Some("?".to_owned())),
        ("Date", None),
        ("Round", Some(scheduled.round())),
        ("White", Some(headers.names[sides.white].clone())),
        ("Black", Some(headers.names[sides.black].clone())),
        ("Result", None),
    ];
    if *start != Chess::default() {
        tags.extend([("SetUp", Some("1".to_owned())), ("FEN", Some(notation::fen(start)))]);
    }
    tags.extend([("Opening", Some(opening.to_owned())), ("PlyCount", None)]);
    match [sides.white, sides.black].map(|side| headers.control(side)) {
        [white, black] if white == black => tags.push(("TimeControl", Some(white))),
        [white, black] => {
            tags.extend([("WhiteTimeControl", Some(white)), ("BlackTimeControl", Some(black))]);
        }
    }
    tags.extend([
        ("Rules", Some(headers.rules.to_string())),
        ("Termination", None),
        ("Reason", None),
        ("WhitePlayer", Some(headers.notations[sides.white].clone())),
        ("BlackPlayer", Some(headers.notations[sides.black].clone())),
        ("Seed", Some(headers.seed.to_string())),
        ("WhiteC", None),
        ("BlackC", None),
    ]);
    tags
}

/// The value of a tag that the game decides, unless there is none.
fn played_value(name: &str, record: &GameRecord, date: &str) -> Option<String> {
    let competence = |belief: &Option<Belief>| belief.as_ref().map(|belief| belief.mean().to_string());
    match name {
        "Date" => Some(date.to_owned()),
        "Result" => Some(record.ending.outcome.to_string()),
        "PlyCount" => Some(record.game.moves().len().to_string()),
        "Termination" => Some(record.ending.reason.termination().to_owned()),
        "Reason" => Some(record.ending.reason.name().to_owned()),
        "WhiteC" => competence(&record.beliefs.white),
        "BlackC" => competence(&record.beliefs.black),
        _ => None,
    }
}

fn moves(record: &GameRecord) -> String {
    let opening = record.game.moves().len() - record.notes.len();
    let first = record.game.start().turn();
    let moves = record.game.moves().iter().enumerate().map(|(ply, &m)| {
        let turn = if ply % 2 == 0 { first } else { !first };
        let note = ply.checked_sub(opening).and_then(|place| record.notes.get(place));
        (m, note.map_or_else(String::new, |note| comment(note, turn)))
    });
    let mut end = record.ending.outcome.to_string();
    if let Some(fault) = &record.fault {
        // A brace would end the comment.
        let fault = fault.to_string().replace(['{', '}'], "|");
        end = format!("{{{}: {fault}}} {end}", record.game.position().turn());
    }
    movetext(record.game.start(), "", moves, &end)
}

/// Evaluation from White's side and depth, time spent, time left, the mover's apparent competence.
fn comment(note: &Note, turn: Color) -> String {
    let mut parts = Vec::new();
    if let Some(score) = note.score {
        let depth = note.depth.map_or_else(String::new, |depth| format!(",{depth}"));
        parts.push(format!("[%eval {}{depth}]", score.for_white(turn)));
    }
    if note.elapsed.as_millis() > 0 {
        parts.push(format!("[%emt {}]", clock_text(note.elapsed)));
    }
    if let Some(clock) = note.clock {
        parts.push(format!("[%clk {}]", clock_text(clock)));
    }
    if let Some(c) = note.competence {
        parts.push(format!("[%c {c:.2}]"));
    }
    if parts.is_empty() { String::new() } else { format!("{{{}}}", parts.join(" ")) }
}

fn clock_text(time: Duration) -> String {
    let milliseconds = time.as_millis();
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000);
    format!("{}:{:02}:{:02}.{:03}", minutes / 60, minutes % 60, rest / 1000, rest % 1000)
}

/// Today's date in universal time, as PGN wants it.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01, by counting years and months.
fn date(mut days: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_parted_by_an_empty_line_whatever_the_file_ended_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for (before, after) in [
            ("", "x"),
            ("1-0", "1-0\n\nx"),
            ("1-0\n", "1-0\n\nx"),
            ("1-0\n\n", "1-0\n\nx"),
            ("1-0\r\n", "1-0\r\n\nx"),
            ("1-0\r\n\r\n", "1-0\r\n\r\nx"),
        ] {
            std::fs::write(&path, before).unwrap();
            PgnFile::append(&path).unwrap().write("x").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), after);
        }
    }

    #[test]
    fn days_become_dates() {
        for (days, expected) in
            [(0, "1970.01.01"), (59, "1970.03.01"), (11_016, "2000.02.29"), (20_088, "2024.12.31")]
        {
            assert_eq!(date(days), expected);
        }
    }

    #[test]
    fn times_are_hours_minutes_and_seconds() {
        assert_eq!(clock_text(Duration::from_millis(3_723_045)), "1:02:03.045");
    }
}
