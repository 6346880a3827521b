//! Games on paper: one PGN text for each, appended whole.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use shakmaty::{ByColor, Chess, Color, Position, san::SanPlus};

use crate::endgame;

use super::{
    play::{Note, Record},
    rules::Rules,
    schedule::Slot,
    time_control::TimeControl,
};

/// What the tags say about all games of a match.
#[derive(Clone, Debug)]
pub struct Headers {
    /// The match.
    pub event: String,
    /// What A and B are called.
    pub names: [String; 2],
    /// A and B in the notation for players.
    pub notations: [String; 2],
    /// What limits A and B; none for a player that does not think.
    pub controls: [Option<TimeControl>; 2],
    /// By which rules.
    pub rules: Rules,
    /// What all chance follows from.
    pub seed: u64,
}

impl Headers {
    /// What limits A (0) or B (1), as PGN has it.
    pub(super) fn control(&self, side: usize) -> String {
        self.controls[side].map_or_else(|| "-".to_owned(), |control| control.to_string())
    }
}

/// A PGN file that games are appended to. Each is written at once and synced, so that a file is at most one
/// unfinished game longer than the games in it.
pub struct PgnFile(File);

impl PgnFile {
    /// Opens a file, or makes it.
    pub fn append(path: &Path) -> io::Result<PgnFile> {
        OpenOptions::new().append(true).create(true).open(path).map(PgnFile)
    }

    /// Adds a game.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())?;
        self.0.sync_data()
    }
}

/// The text of a game, with an empty line after it.
pub fn pgn_text(headers: &Headers, slot: Slot, record: &Record, date: &str) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    let sides = ByColor { white: slot.white(), black: 1 - slot.white() };
    let result = record.ending.outcome.as_str();
    tag("Event", &headers.event);
    tag("Site", "?");
    tag("Date", date);
    tag("Round", &slot.round());
    tag("White", &headers.names[sides.white]);
    tag("Black", &headers.names[sides.black]);
    tag("Result", result);
    if *record.game.start() != Chess::default() {
        tag("SetUp", "1");
        tag("FEN", &endgame::text(record.game.start()));
    }
    tag("Opening", &record.opening);
    tag("PlyCount", &record.game.moves().len().to_string());
    match [0, 1].map(|side| headers.control(side)) {
        [a, b] if a == b => tag("TimeControl", &a),
        controls => {
            tag("WhiteTimeControl", &controls[sides.white]);
            tag("BlackTimeControl", &controls[sides.black]);
        }
    }
    tag("Rules", &headers.rules.to_string());
    tag("Termination", record.ending.reason.termination());
    tag("Reason", record.ending.reason.name());
    tag("WhitePlayer", &headers.notations[sides.white]);
    tag("BlackPlayer", &headers.notations[sides.black]);
    tag("Seed", &headers.seed.to_string());
    for (name, belief) in [("WhiteC", &record.beliefs.white), ("BlackC", &record.beliefs.black)] {
        if let Some(belief) = belief {
            tag(name, &belief.mean().to_string());
        }
    }
    text.push('\n');
    text.push_str(&movetext(record));
    text.push_str("\n\n");
    text
}

fn movetext(record: &Record) -> String {
    let mut words = Vec::new();
    let mut position = record.game.start().clone();
    let opening = record.game.moves().len() - record.notes.len();
    let mut number_needed = true;
    for (ply, &m) in record.game.moves().iter().enumerate() {
        let turn = position.turn();
        match turn {
            Color::White => words.push(format!("{}.", position.fullmoves())),
            Color::Black if number_needed => words.push(format!("{}...", position.fullmoves())),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        let note = ply.checked_sub(opening).and_then(|place| record.notes.get(place));
        let note = note.map(|note| comment(note, turn)).filter(|comment| !comment.is_empty());
        number_needed = note.is_some();
        words.extend(note);
    }
    if let Some(fault) = &record.fault {
        // A brace would end the comment.
        words.push(format!("{{{}: {}}}", position.turn(), fault.to_string().replace(['{', '}'], "|")));
    }
    words.push(record.ending.outcome.to_string());
    wrap(words.iter().flat_map(|word| word.split(' ')))
}

/// Evaluation from White's side and depth, time spent, time left, the mover's apparent competence.
fn comment(note: &Note, turn: Color) -> String {
    let mut parts = Vec::new();
    if let Some(score) = note.score {
        let depth = note.depth.map_or_else(String::new, |depth| format!(",{depth}"));
        parts.push(format!("[%eval {}{depth}]", score.for_white(turn)));
    }
    if !note.elapsed.is_zero() {
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

/// Lines of at most 80 characters.
fn wrap<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        match width {
            0 => {}
            _ if width + 1 + length > 80 => {
                text.push('\n');
                width = 0;
            }
            _ => {
                text.push(' ');
                width += 1;
            }
        }
        text.push_str(word);
        width += length;
    }
    text
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

    #[test]
    fn lines_are_at_most_eighty_wide() {
        let words = vec!["Nbxd7+"; 100];
        let text = wrap(words.iter().copied());
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(text.split_ascii_whitespace().count(), 100);
    }
}
