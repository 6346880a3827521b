use std::sync::Arc;

use serde::Serialize;
use shakmaty::Color;

use super::{Date, GameRecord, Tally};
use crate::model::Belief;

/// A point of a career: c over the last games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CareerPoint {
    /// The date of the last of them.
    pub date: String,
    /// The same as a number of years.
    pub year: f64,
    /// How many games.
    pub games: usize,
    /// Decisions.
    pub decisions: u64,
    /// `E[c]`.
    pub c: f64,
    /// Where c lies, with 95 %.
    pub c_interval: (f64, f64),
    /// The Elo of the last game, by the tags.
    pub elo: Option<u32>,
}

/// What one side of a game has shown.
pub struct SideOfGame {
    /// The game.
    pub record: Arc<GameRecord>,
    /// The side.
    pub side: Color,
    /// What was seen.
    pub tally: Tally,
}

const MASS: f64 = 0.95;

/// c over the last `window` games, one point for each game from that number on (Haworth, Regan & Di Fatta 2010, fig. 1).
/// Games without a year are left out; those whose day is not known stand in the middle of their year or month, those of one
/// day in the order of their rounds.
pub fn career(games: &[SideOfGame], window: usize, prior: &Belief) -> Vec<CareerPoint> {
    let mut dated: Vec<(f64, &SideOfGame)> = games
        .iter()
        .filter(|game| game.tally.decisions > 0)
        .filter_map(|game| Some((Date::read(&game.record.date)?.years(), game)))
        .collect();
    dated.sort_by(|(year, one), (other_year, other)| {
        let place =
            |game: &SideOfGame| (game.record.event.clone(), round(&game.record.round), game.record.key);
        year.total_cmp(other_year).then_with(|| place(one).cmp(&place(other)))
    });
    let window = window.clamp(1, dated.len().max(1));
    let point = |last: &[(f64, &SideOfGame)]| {
        let mut tally = Tally::default();
        last.iter().for_each(|(_, game)| tally.merge(&game.tally));
        let belief = tally.belief(prior)?;
        let (year, SideOfGame { record, side, .. }) = last.last()?;
        Some(CareerPoint {
            date: record.date.clone(),
            year: *year,
            games: last.len(),
            decisions: tally.decisions,
            c: belief.mean(),
            c_interval: belief.interval(MASS),
            elo: record.elo(*side),
        })
    };
    dated.windows(window).filter_map(point).collect()
}

/// The number at the beginning of a round.
fn round(text: &str) -> u32 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// A game of a player: own c and the opponent's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// The game.
    pub game: String,
    /// The date.
    pub date: String,
    /// The result.
    pub result: String,
    /// The player's colour.
    pub colour: &'static str,
    /// The player's `E[c]`.
    pub c: f64,
    /// Where it lies, with 95 %.
    pub c_interval: (f64, f64),
    /// The opponent's `E[c]`.
    pub opponent_c: f64,
    /// Where it lies.
    pub opponent_interval: (f64, f64),
}

/// c of a player and of the opponents, game by game (fig. 2).
pub fn encounters(games: &[(SideOfGame, SideOfGame)], prior: &Belief) -> Vec<Encounter> {
    let encounter = |(own, other): &(SideOfGame, SideOfGame)| {
        let (mine, theirs) = (own.tally.belief(prior)?, other.tally.belief(prior)?);
        Some(Encounter {
            game: own.record.title(),
            date: own.record.date.clone(),
            result: own.record.result.clone(),
            colour: own.side.fold_wb("white", "black"),
            c: mine.mean(),
            c_interval: mine.interval(MASS),
            opponent_c: theirs.mean(),
            opponent_interval: theirs.interval(MASS),
        })
    };
    games.iter().filter_map(encounter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_known_by_their_first_number() {
        assert_eq!(round("12.3"), 12);
        assert_eq!(round("?"), 0);
    }
}
