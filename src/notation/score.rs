use shakmaty::{Chess, Color, Move};

use super::{Tags, player_number};
use crate::game::Game;

/// The score of a game: what was played and what was written beside it.
#[derive(Clone, Debug)]
pub struct GameScore {
    /// The tags.
    pub tags: Tags,
    /// The position in which the game began.
    pub start: Chess,
    /// What stands before the first move.
    pub preface: String,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move of a score.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// What stands after it in the score: glyphs, comments and variations.
    pub remarks: String,
}

/// A game that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number} ({players}): {what}; it is skipped")]
pub struct BadGame {
    /// Counted from 1.
    pub number: usize,
    /// `White - Black`, as far as known.
    pub players: String,
    /// What is wrong with it.
    pub what: String,
    /// What there is of it.
    pub text: String,
}

impl GameScore {
    /// The value of a tag; `?` if there is none.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).unwrap_or("?")
    }

    /// The Elo number of a player, if the tags have one; 0 stands for none.
    pub fn elo(&self, side: Color) -> Option<u32> {
        let elo = self.tags.get(side.fold_wb("WhiteElo", "BlackElo"))?.trim().parse().ok()?;
        (elo > 0).then_some(elo)
    }

    /// The number of a player, if the tags have a name.
    pub fn player_number(&self, side: Color) -> Option<u32> {
        player_number(self.tag(side.fold_wb("White", "Black")))
    }

    /// The game.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.plies.iter().for_each(|ply| game.play(ply.m));
        game
    }
}
