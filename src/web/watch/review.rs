//! A game that is reviewed, as it is kept.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::Color;

use super::{
    judging::{Judging, object, player, short},
    rated::Rated,
};
use crate::{
    analysis::{self, Judged},
    human::EloBelief,
    notation::{GameScore, Games, game_text, movetext},
    rating::Tally,
    web::{identity::Identity, practice::side_name},
};

/// What is kept of a game.
#[derive(Serialize, Deserialize)]
pub struct Review {
    /// Of this form.
    pub version: u32,
    /// In short.
    pub summary: Summary,
    /// The game as it came.
    pub pgn: String,
    /// The same with what was found, when it is done.
    pub annotated: Option<String>,
    /// What its moves were worth.
    pub moves: Value,
}

/// The version that this program writes and reads.
pub const VERSION: u32 = 1;

/// A game in short.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// When it was sent, in seconds since 1970, and its place among those sent with it.
    pub added: (u64, usize),
    /// All moves were looked at.
    pub done: bool,
    /// Half-moves.
    pub plies: usize,
    /// The tag.
    pub event: String,
    /// The tag.
    pub date: String,
    /// The result.
    pub result: String,
    /// White, then Black.
    pub players: [PlayerSummary; 2],
}

/// A player of a game in short.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The Elo of the tags.
    pub elo: Option<u32>,
    /// Moves that were judged.
    pub moves: usize,
    /// How many of them were best.
    pub best: usize,
    /// Moves that were judged by search, and pawns given up by them.
    pub loss: (usize, f64),
    /// How often value was given up that tables know of.
    pub value_lost: usize,
    /// What is believed of the player's Elo by this game alone.
    pub shown: EloBelief,
    /// What the game says for a rating.
    #[serde(default)]
    pub tally: Tally,
}

impl Review {
    /// A game that waits to be looked at.
    pub fn waiting(score: &GameScore, added: (u64, usize)) -> Review {
        let moves = score.plies.iter().map(|ply| (ply.m, ply.remarks.clone()));
        let pgn = game_text(score.tags.iter(), &movetext(&score.start, &score.preface, moves, &score.result));
        let summary = Summary {
            added,
            done: false,
            plies: score.plies.len(),
            event: short(score.tag("Event")),
            date: short(score.tag("Date")),
            result: short(&score.result),
            players: [Color::White, Color::Black].map(|side| PlayerSummary {
                name: player(score, side),
                elo: score.elo(side),
                moves: 0,
                best: 0,
                loss: (0, 0.0),
                value_lost: 0,
                shown: EloBelief::unknown(),
                tally: Tally::default(),
            }),
        };
        Review { version: VERSION, summary, pgn, annotated: None, moves: json!([]) }
    }

    /// The game; nothing if it can't be read.
    pub fn score(&self) -> Option<GameScore> {
        Games::new(self.pgn.as_bytes()).next()?.ok().filter(|_| self.version == VERSION)
    }

    /// Notes what was found.
    pub fn finish(&mut self, judging: &Judging, rated: Rated) {
        let sides = [Color::White, Color::Black].into_iter().zip(rated.into_tallies());
        for (player, (side, tally)) in self.summary.players.iter_mut().zip(sides) {
            let own = || judging.moves().iter().filter(|judged| judged.side == side);
            player.moves = own().count();
            player.best = own().filter(|judged| judged.is_optimal()).count();
            player.loss = (own().filter_map(Judged::loss).count(), own().filter_map(Judged::loss).sum());
            player.value_lost = own()
                .filter(|judged| {
                    judged.states().is_some_and(|(before, after)| before.value() != after.value())
                })
                .count();
            player.shown = judging.players().get(side).elo().clone();
            player.tally = tally;
        }
        self.moves = judging.moves().iter().map(Judged::json).collect();
        self.annotated = Some(analysis::annotate(judging.score(), judging.moves()));
        self.summary.done = true;
    }

    /// As the page sees it.
    pub fn json(&self) -> Option<Value> {
        let score = self.score()?;
        let done = if self.summary.done { self.summary.plies } else { 0 };
        let mut object = object(&score, &score.game(), &self.moves, done);
        object["summary"] = self.summary.json(None);
        Some(object)
    }
}

/// Of the intervals that are told.
const MASS: f64 = 0.95;

/// A belief for people: the mean, the interval and how many moves it rests on; nothing if on none.
fn shown(belief: &EloBelief) -> Option<Value> {
    (belief.observed() > 0).then(
        || json!({ "mean": belief.mean(), "interval": belief.interval(MASS), "moves": belief.observed() }),
    )
}

impl Summary {
    /// As the page sees it.
    pub fn json(&self, id: Option<Identity>) -> Value {
        let side = |place: usize| {
            let player = &self.players[place];
            json!({
                "name": player.name, "elo": player.elo, "moves": player.moves, "best": player.best,
                "mean_loss": (player.loss.0 > 0).then(|| player.loss.1 / player.loss.0 as f64),
                "value_lost": player.value_lost, "shown": shown(&player.shown),
            })
        };
        json!({
            "id": id, "added": self.added.0, "done": self.done, "plies": self.plies, "event": self.event, "date": self.date,
            "result": self.result, side_name(Color::White): side(0), side_name(Color::Black): side(1),
        })
    }
}
