use std::{fmt, str::FromStr};

use shakmaty::Position;

use super::{Aliases, Candidate, Period};

/// What is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Each player.
    Player,
    /// Each side of each game.
    Game,
    /// The players of each event together.
    Event,
    /// Each year.
    Year,
    /// Each of some spans of time.
    Period,
    /// White and Black.
    Colour,
    /// Opening, middlegame, endgame.
    Phase,
    /// The virtual player of each band of Elo.
    Band,
    /// Each set of games.
    Set,
}

const NAMES: [(&str, By); 9] = [
    ("player", By::Player),
    ("game", By::Game),
    ("event", By::Event),
    ("year", By::Year),
    ("period", By::Period),
    ("colour", By::Colour),
    ("phase", By::Phase),
    ("band", By::Band),
    ("set", By::Set),
];

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        let found = NAMES.iter().find(|(name, _)| *name == text || text == "color" && *name == "colour");
        let names = || NAMES.map(|(name, _)| name).join(", ");
        found.map(|&(_, by)| by).ok_or_else(|| format!("'{text}' is not one of {}", names()))
    }
}

/// A range of Elos, both ends included: `2390-2410`, `2400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EloBand {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
}

impl EloBand {
    /// Whether a number lies in it.
    pub fn contains(&self, number: u32) -> bool {
        (self.from..=self.to).contains(&number)
    }
}

impl FromStr for EloBand {
    type Err = String;

    fn from_str(text: &str) -> Result<EloBand, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let read = |part: &str| part.trim().parse().ok();
        match (read(from), read(to)) {
            (Some(from), Some(to)) if from <= to => Ok(EloBand { from, to }),
            _ => Err(format!("'{text}' is no band; write it as 2390-2410")),
        }
    }
}

impl fmt::Display for EloBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

/// Who a decision belongs to.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// What is rated; with several, each combination of them.
    pub by: Vec<By>,
    /// What players are called.
    pub aliases: Aliases,
    /// Bands of Elo; without any, all of 100.
    pub bands: Vec<EloBand>,
    /// Spans of time.
    pub periods: Vec<Period>,
    /// Those players alone.
    pub only: Vec<String>,
    /// Players of those Elos alone.
    pub only_band: Option<EloBand>,
}

/// Width of a band of Elo.
const BAND: u32 = 100;
/// Up to this move it is the opening.
const OPENING: u32 = 15;
/// With no more men than this besides kings and pawns it is the endgame.
const ENDGAME: usize = 6;

impl Grouping {
    /// The name of whom a decision is counted for; nothing if for nobody.
    pub fn who(&self, candidate: &Candidate) -> Option<String> {
        let player = self.aliases.name(candidate.record.player(candidate.side()));
        if !self.only.is_empty() && !self.only.iter().any(|only| self.aliases.name(only) == player) {
            return None;
        }
        let elo = candidate.record.elo(candidate.side());
        if self.only_band.is_some_and(|band| !elo.is_some_and(|elo| band.contains(elo))) {
            return None;
        }
        let parts: Option<Vec<String>> = self.by.iter().map(|&by| self.part(by, candidate, player)).collect();
        parts.map(|parts| parts.join(" · "))
    }

    fn part(&self, by: By, candidate: &Candidate, player: &str) -> Option<String> {
        let record = &candidate.record;
        let side = candidate.side();
        Some(match by {
            By::Player => player.to_owned(),
            By::Game => format!("{}: {}", record.title(), side.fold_wb("White", "Black")),
            By::Event => {
                let year = record.date.get(..4).unwrap_or("?");
                // Many an event has its year in its name.
                if record.event.ends_with(year) {
                    record.event.clone()
                } else {
                    format!("{} {year}", record.event)
                }
            }
            By::Year => record.year()?.to_string(),
            By::Period => self.periods.iter().find(|period| period.contains(&record.date))?.to_string(),
            By::Colour => side.fold_wb("White", "Black").to_owned(),
            By::Phase => phase(candidate).to_owned(),
            By::Band => {
                let elo = record.elo(side)?;
                let usual = EloBand { from: elo / BAND * BAND, to: elo / BAND * BAND + BAND - 1 };
                match self.bands.is_empty() {
                    true => usual.to_string(),
                    false => self.bands.iter().find(|band| band.contains(elo))?.to_string(),
                }
            }
            By::Set => record.set.clone(),
        })
    }

    /// Whether names rise in a natural order, so that ratings are told in it rather than the best first.
    pub fn is_ordered(&self) -> bool {
        let ordered = |by: &By| !matches!(by, By::Player | By::Game | By::Event);
        self.by.last().is_some_and(ordered)
    }
}

fn phase(candidate: &Candidate) -> &'static str {
    let board = candidate.position.board();
    let pieces = (board.occupied() & !board.pawns() & !board.kings()).count();
    match candidate.position.fullmoves().get() {
        _ if pieces <= ENDGAME => "endgame",
        ..=OPENING => "opening",
        _ => "middlegame",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_read_as_they_are_written() {
        for text in ["2390-2410", "2400"] {
            assert_eq!(text.parse::<EloBand>().unwrap().to_string(), text);
        }
        assert!("2410-2390".parse::<EloBand>().is_err());
        assert!("player".parse::<By>().is_ok() && "clubs".parse::<By>().is_err());
    }
}
