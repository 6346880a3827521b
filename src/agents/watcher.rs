use shakmaty::{ByColor, Color, Move, Position};

use super::Observation;
use crate::{
    game::Game,
    oracle::{Budget, Oracle},
};

/// Replays a game and looks at every decision in it: the one way from a game to observations.
pub struct Watcher<'a> {
    oracle: &'a dyn Oracle,
    budget: &'a Budget,
    before: Game,
    moves: std::vec::IntoIter<Move>,
    ply: usize,
    only: Option<Color>,
    /// How many more decisions of each side are looked at.
    left: ByColor<usize>,
}

impl<'a> Watcher<'a> {
    /// Watches a game from its start, both sides.
    pub fn new(game: &Game, oracle: &'a dyn Oracle, budget: &'a Budget) -> Watcher<'a> {
        Watcher::from_ply(game, 0, oracle, budget)
    }

    /// Watches a game from the half-move of this number on, counted from 0.
    pub fn from_ply(game: &Game, ply: usize, oracle: &'a dyn Oracle, budget: &'a Budget) -> Watcher<'a> {
        let moves: Vec<Move> = game.moves().iter().skip(ply).copied().collect();
        Watcher {
            oracle,
            budget,
            before: game.up_to(ply),
            moves: moves.into_iter(),
            ply,
            only: None,
            left: ByColor { black: usize::MAX, white: usize::MAX },
        }
    }

    /// Watches one side only.
    pub fn of(self, side: Color) -> Watcher<'a> {
        Watcher { only: Some(side), ..self }
    }

    /// Looks at no more than so many decisions of each side.
    pub fn at_most(self, decisions: usize) -> Watcher<'a> {
        Watcher { left: ByColor { black: decisions, white: decisions }, ..self }
    }
}

/// The decisions that the oracle could serve.
impl Iterator for Watcher<'_> {
    type Item = Observation;

    fn next(&mut self) -> Option<Observation> {
        loop {
            let m = self.moves.next()?;
            let ply = self.ply;
            self.ply += 1;
            let side = self.before.position().turn();
            let wanted = self.only.is_none_or(|only| only == side) && *self.left.get(side) > 0;
            let look = if wanted { self.oracle.look(&self.before, self.budget) } else { None };
            self.before.play(m);
            if let Some(look) = look {
                *self.left.get_mut(side) -= 1;
                return Some(Observation { ply, look, m });
            }
        }
    }
}
