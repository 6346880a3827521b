//! A player over many games: from the visitor's reviewed games. Ratings from elsewhere would be told here, beside these.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::review::{PlayerSummary, Summary, shown};
use crate::{
    human::EloBelief,
    web::{error::Refusal, house::House, identity::Identity},
};

/// What many games say of a player.
struct Rating {
    games: usize,
    moves: usize,
    best: usize,
    loss: (usize, f64),
    elo: EloBelief,
}

impl Rating {
    fn new() -> Rating {
        Rating { games: 0, moves: 0, best: 0, loss: (0, 0.0), elo: EloBelief::unknown() }
    }

    fn add(&mut self, game: &PlayerSummary) {
        self.games += 1;
        self.moves += game.moves;
        self.best += game.best;
        self.loss = (self.loss.0 + game.loss.0, self.loss.1 + game.loss.1);
        if let Err(error) = self.elo.merge(&game.shown) {
            log::warn!("a game can't be counted: {error}");
        }
    }

    fn json(&self, name: &str) -> Value {
        json!({
            "name": name, "games": self.games, "moves": self.moves, "best": self.best,
            "mean_loss": (self.loss.0 > 0).then(|| self.loss.1 / self.loss.0 as f64),
            "elo": shown(&self.elo),
        })
    }
}

impl House {
    /// All players of a visitor's reviewed games.
    pub fn players(self: &Arc<House>, visitor: Identity) -> Value {
        let mut ratings: BTreeMap<String, Rating> = BTreeMap::new();
        for (_, summary) in self.reviews(visitor).summaries().iter().filter(|(_, summary)| summary.done) {
            for player in &summary.players {
                ratings.entry(player.name.clone()).or_insert_with(Rating::new).add(player);
            }
        }
        let mut players: Vec<Value> = ratings.iter().map(|(name, rating)| rating.json(name)).collect();
        players.sort_by_key(|player| std::cmp::Reverse(player["games"].as_u64()));
        json!({ "players": players })
    }

    /// One of them: all games, and what they say together, game by game.
    pub fn player(self: &Arc<House>, visitor: Identity, name: &str) -> Result<Value, Refusal> {
        let mut games: Vec<(Identity, Summary)> = self.reviews(visitor).summaries();
        games.retain(|(_, game)| game.done && game.players.iter().any(|player| player.name == name));
        games.sort_by(|(_, one), (_, two)| one.date.cmp(&two.date).then(one.added.cmp(&two.added)));
        if games.is_empty() {
            return Err(Refusal::not_found("there is no reviewed game of this player"));
        }
        let mut rating = Rating::new();
        let mut list = Vec::new();
        for (id, game) in &games {
            for player in game.players.iter().filter(|player| player.name == name) {
                rating.add(player);
            }
            list.push(json!({ "game": game.json(Some(*id)), "elo": shown(&rating.elo) }));
        }
        let mut object = rating.json(name);
        object["list"] = list.into();
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_add_up() {
        let mut rating = Rating::new();
        let game = PlayerSummary {
            name: "A".to_owned(),
            elo: None,
            moves: 30,
            best: 10,
            loss: (20, 5.0),
            value_lost: 0,
            shown: EloBelief::unknown(),
        };
        rating.add(&game);
        rating.add(&game);
        let object = rating.json("A");
        assert_eq!((object["games"].as_u64(), object["best"].as_u64()), (Some(2), Some(20)));
        assert_eq!(object["mean_loss"].as_f64(), Some(0.25));
        assert_eq!(object["elo"], Value::Null, "nothing was learned");
    }
}
