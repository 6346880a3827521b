use serde_json::{Value, json};
use shakmaty::{ByColor, Color, Position};

use crate::{
    agents::{Analyser, Observation, Watcher},
    analysis::{Judge, Judged},
    game::Game,
    notation::{self, GameScore},
    oracle::{Budget, Oracle},
    web::practice::plies,
};

/// A game being judged, half-move by half-move.
pub struct Judging {
    score: GameScore,
    game: Game,
    stranger: Analyser,
    judge: Judge,
    moves: Vec<Judged>,
    /// Half-moves that have been looked at.
    done: usize,
}

impl Judging {
    /// Nothing has been looked at, and nothing is known of the players.
    pub fn new(score: GameScore, stranger: &Analyser) -> Judging {
        Judging {
            game: score.game(),
            score,
            judge: Judge::new(stranger),
            stranger: stranger.clone(),
            moves: Vec::new(),
            done: 0,
        }
    }

    /// The same game as it is now. What was judged stands if it was not taken back. Says whether anything is new.
    pub fn follow(&mut self, score: GameScore) -> bool {
        let game = score.game();
        let same = game.start() == self.game.start() && game.moves() == self.game.moves();
        if same && score.result == self.score.result && score.tags == self.score.tags {
            return false;
        }
        let kept = game.start() == self.game.start()
            && game.moves().get(..self.done) == self.game.moves().get(..self.done);
        if !kept {
            *self = Judging::new(score, &self.stranger);
        } else {
            (self.score, self.game) = (score, game);
        }
        true
    }

    /// The game.
    pub fn score(&self) -> &GameScore {
        &self.score
    }

    /// All moves that were judged.
    pub fn moves(&self) -> &[Judged] {
        &self.moves
    }

    /// What is believed of the players.
    pub fn players(&self) -> &ByColor<Analyser> {
        self.judge.players()
    }

    /// The game up to the next half-move to be looked at, and that one.
    pub fn next(&self) -> Option<Game> {
        (self.done < self.game.moves().len()).then(|| self.game.up_to(self.done + 1))
    }

    /// Looks at the last half-move of `game`, which [`Judging::next`] gave, and notes what it was worth, unless the game has
    /// become another meanwhile. The look takes time; it needs no hold on this.
    pub fn look(game: &Game, oracle: &dyn Oracle, budget: &Budget) -> Option<Observation> {
        Watcher::from_ply(game, game.moves().len().checked_sub(1)?, oracle, budget).next()
    }

    /// Notes what came of a look.
    pub fn note(&mut self, game: &Game, seen: Option<Observation>) {
        let same =
            self.game.start() == game.start() && self.game.moves().get(..=self.done) == Some(game.moves());
        if !same {
            return;
        }
        self.done += 1;
        if let Some(observation) = seen {
            match self.judge.judge(&observation) {
                Ok(judged) => self.moves.push(judged),
                Err(error) => log::warn!("a move can't be judged: {error}"),
            }
        }
    }

    /// As the page sees it.
    pub fn json(&self) -> Value {
        let moves: Vec<Value> = self.moves.iter().map(Judged::json).collect();
        object(&self.score, &self.game, &Value::Array(moves), self.done)
    }
}

/// Tags that are shown.
const TAGS: [&str; 8] = ["White", "Black", "Event", "Site", "Date", "Round", "WhiteElo", "BlackElo"];

/// A game as the page sees it, with what is known of its moves.
pub fn object(score: &GameScore, game: &Game, moves: &Value, done: usize) -> Value {
    let tags: serde_json::Map<String, Value> = TAGS
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), short(score.tags.get(name)?).into())))
        .collect();
    json!({
        "tags": tags, "result": score.result, "start": notation::fen(game.start()),
        "turn": game.start().turn().fold_wb("white", "black"), "plies": plies(game), "moves": moves, "done": done,
    })
}

/// A tag that is not endless.
pub fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

/// A player's name as it is shown; nothing if nobody has said.
pub fn player(score: &GameScore, side: Color) -> String {
    short(score.tag(side.fold_wb("White", "Black")))
}
