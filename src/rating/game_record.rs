use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color};

use super::Date;
use crate::{
    notation::{self, GameScore},
    store::Fnv,
};

/// What tells a game from another: where it began and its moves. The same game from two files has one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameKey(u128);

/// What is known of a game besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Its key.
    pub key: GameKey,
    /// White and Black by name.
    pub players: [String; 2],
    /// Their Elo numbers by the tags.
    pub elos: [Option<u32>; 2],
    /// The event.
    pub event: String,
    /// The round.
    pub round: String,
    /// The date as it is written.
    pub date: String,
    /// The result.
    pub result: String,
    /// Which set of games it belongs to.
    pub set: String,
}

impl GameKey {
    /// That of a game.
    pub fn of(score: &GameScore) -> GameKey {
        let mut hash = Fnv::default();
        hash.eat(notation::fen(&score.start).as_bytes());
        for ply in &score.plies {
            hash.eat(b" ");
            hash.eat(ply.m.to_uci(CastlingMode::Chess960).to_string().as_bytes());
        }
        GameKey(hash.0)
    }

    /// A number that a game and a half-move have by lot, the same wherever it is drawn.
    pub fn lot(self, ply: usize, seed: u64) -> u64 {
        let mut hash = Fnv::default();
        hash.eat(&self.0.to_le_bytes());
        hash.eat(&(ply as u64).to_le_bytes());
        hash.eat(&seed.to_le_bytes());
        // The low bits of a product are the least mixed.
        (hash.0 >> 64) as u64 ^ (hash.0 >> 23) as u64
    }

    /// Whether it belongs to shard `number` of `shards`, counted from 1.
    pub fn is_in_shard(self, number: u32, shards: u32) -> bool {
        self.lot(0, 0) % u64::from(shards) == u64::from(number - 1)
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fnv(self.0).fmt(f)
    }
}

impl GameRecord {
    /// Of a game that belongs to a set. Players without an Elo are taken to have the one that is given.
    pub fn new(score: &GameScore, set: &str, assumed: Option<u32>) -> GameRecord {
        let tag = |name: &str| score.tag(name).trim().to_owned();
        let elo = |side| score.elo(side).filter(|elo| ELOS.contains(elo)).or(assumed);
        GameRecord {
            key: GameKey::of(score),
            players: [tag("White"), tag("Black")],
            elos: [elo(Color::White), elo(Color::Black)],
            event: tag("Event"),
            round: tag("Round"),
            date: tag("Date"),
            result: score.result.clone(),
            set: set.to_owned(),
        }
    }

    /// Who played a side.
    pub fn player(&self, side: Color) -> &str {
        &self.players[usize::from(side.is_black())]
    }

    /// The Elo of a side, by the tags.
    pub fn elo(&self, side: Color) -> Option<u32> {
        self.elos[usize::from(side.is_black())]
    }

    /// The year, if the date has one.
    pub fn year(&self) -> Option<u32> {
        Date::read(&self.date).map(|date| date.year)
    }

    /// White, Black, event, year and round in one line.
    pub fn title(&self) -> String {
        let [white, black] = &self.players;
        let mut title = format!("{white} - {black}, {} {}", self.event, self.date.get(..4).unwrap_or("?"));
        if !matches!(self.round.as_str(), "" | "?" | "-") {
            title.push_str(&format!(" ({})", self.round));
        }
        title
    }
}

/// What can be an Elo number.
const ELOS: std::ops::RangeInclusive<u32> = 100..=3500;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    fn key(pgn: &str) -> GameKey {
        GameKey::of(&Games::new(pgn.as_bytes()).next().unwrap().unwrap())
    }

    #[test]
    fn a_game_is_known_by_its_moves() {
        let one = key("[White \"A\"]\n\n1. e4 e5 2. Nf3 *");
        assert_eq!(one, key("[White \"B\"]\n[Event \"other\"]\n\n1. e4 {good} e5 2. Nf3 1-0"));
        assert_ne!(one, key("1. e4 e5 2. Nc3 *"));
        assert_ne!(one, key("1. e4 e5 *"));
    }

    #[test]
    fn shards_share_games_out() {
        let keys: Vec<GameKey> = (0..400u128).map(|n| GameKey(n * n * 7919 + n)).collect();
        let mut sizes = [0; 4];
        for key in &keys {
            let mine: Vec<u32> = (1..=4).filter(|&number| key.is_in_shard(number, 4)).collect();
            assert_eq!(mine.len(), 1);
            sizes[mine[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (60..140).contains(size)), "{sizes:?}");
    }
}
