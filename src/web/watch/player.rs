//! A player over many games: rated from the visitor's reviewed games, as `errare rate` does it.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::review::{PlayerSummary, Summary};
use crate::{
    model::{Belief, Grid, PerScale},
    rating::{Rating, Tally, uniform},
    web::{error::Refusal, house::House, identity::Identity},
};

/// What many games say of a player.
#[derive(Default)]
struct Record {
    tally: Tally,
    games: usize,
    /// Moves that were judged, openings and decided games among them, and how many of them were best.
    moves: usize,
    best: usize,
}

impl Record {
    /// Adds a game. Sent twice, it says nothing new.
    fn add(&mut self, game: &PlayerSummary) {
        let known = game.tally.games.iter().any(|key| self.tally.games.contains(key));
        if known {
            return;
        }
        self.games += 1;
        self.moves += game.moves;
        self.best += game.best;
        self.tally.merge(&game.tally);
    }

    fn rating(&self, name: &str) -> Rating {
        Rating::new(name, &self.tally, &prior())
    }

    fn json(&self, name: &str) -> Value {
        json!({ "name": name, "games": self.games, "moves": self.moves, "best": self.best, "rating": self.rating(name) })
    }
}

/// One who knows nothing of anybody.
fn prior() -> PerScale<Belief> {
    uniform(&PerScale::new_with(Grid::usual))
}

impl House {
    /// All players of a visitor's reviewed games.
    pub fn players(self: &Arc<House>, visitor: Identity) -> Value {
        let mut records: BTreeMap<String, Record> = BTreeMap::new();
        for (_, summary) in self.reviews(visitor).summaries().iter().filter(|(_, summary)| summary.done) {
            for player in &summary.players {
                records.entry(player.name.clone()).or_default().add(player);
            }
        }
        let mut players: Vec<(&String, &Record)> = records.iter().collect();
        players.sort_by_key(|(_, record)| std::cmp::Reverse(record.games));
        json!({ "players": players.iter().map(|(name, record)| record.json(name)).collect::<Vec<_>>() })
    }

    /// One of them: all games, and what they say together, game by game.
    pub fn player(self: &Arc<House>, visitor: Identity, name: &str) -> Result<Value, Refusal> {
        let mut games: Vec<(Identity, Arc<Summary>)> = self.reviews(visitor).summaries();
        games.retain(|(_, game)| game.done && game.players.iter().any(|player| player.name == name));
        games.sort_by(|(_, one), (_, two)| one.date.cmp(&two.date).then(one.added.cmp(&two.added)));
        if games.is_empty() {
            return Err(Refusal::not_found("there is no reviewed game of this player"));
        }
        let mut record = Record::default();
        let mut list = Vec::new();
        for (id, game) in &games {
            for player in game.players.iter().filter(|player| player.name == name) {
                record.add(player);
            }
            let so_far = record.rating(name);
            list.push(json!({
                "game": game.json(Some(*id)), "decisions": so_far.decisions,
                "elo": so_far.elo, "elo_interval": so_far.elo_interval,
                "c": so_far.c, "c_interval": so_far.c_interval,
            }));
        }
        let mut object = record.json(name);
        object["list"] = list.into();
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{human::EloBelief, notation::Games, web::watch::rated::Rated};

    fn summary(pgn: &str) -> PlayerSummary {
        let score = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        let [tally, _] = Rated::new(&score).into_tallies();
        PlayerSummary {
            name: "A".to_owned(),
            elo: None,
            moves: 30,
            best: 10,
            loss: (20, 5.0),
            value_lost: 0,
            shown: EloBelief::unknown(),
            tally,
        }
    }

    #[test]
    fn games_add_up_and_one_that_was_sent_twice_counts_once() {
        let mut record = Record::default();
        record.add(&summary("1. e4 e5 *"));
        record.add(&summary("1. d4 d5 *"));
        record.add(&summary("[White \"B\"]\n\n1. e4 e5 1-0"));
        let object = record.json("A");
        assert_eq!((object["games"].as_u64(), object["best"].as_u64()), (Some(2), Some(20)));
        assert_eq!(object["rating"]["games"], 2);
        assert_eq!(object["rating"]["elo"], Value::Null, "of so few moves nothing is learned");
    }
}
