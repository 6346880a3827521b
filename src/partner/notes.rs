use shakmaty::{Move, Position, zobrist::Zobrist64};

use crate::{game::Game, model::Prospects, profiles::Observation};

use super::{
    continuation::{Continuation, continuation},
    opinion::Opinions,
};

/// More unjudged moves than this are not kept: there was never time.
const MOST_UNJUDGED: usize = 16;

/// What was noted of the game in progress.
#[derive(Clone)]
pub(super) struct Notes {
    /// The game as it was when we last had to move; nothing in a new game.
    game: Option<Game>,
    pub opinions: Opinions,
    /// The opponent's moves of this game that were judged.
    pub observed: Vec<Observation>,
    /// How many of them are in the profile.
    pub kept: usize,
    /// The opponent's moves outside the tables that wait to be judged, with the game before each.
    pub unjudged: Vec<(Game, Move)>,
    /// Own decisions and moves, for an Emulator's reference Analyser.
    pub own: Vec<(Prospects, Move)>,
    /// The last own decision: the position's key and what was seen. It counts when its move is on the board.
    pub looked: Option<(Zobrist64, Prospects)>,
    /// What holds if the opponent does not play the move that is pondered on.
    otherwise: Option<Box<Notes>>,
}

impl Notes {
    pub fn new(opinions: Opinions) -> Notes {
        Notes {
            game: None,
            opinions,
            observed: Vec::new(),
            kept: 0,
            unjudged: Vec::new(),
            own: Vec::new(),
            looked: None,
            otherwise: None,
        }
    }

    /// Whether all that is noted has really happened.
    pub fn is_certain(&self) -> bool {
        self.otherwise.is_none()
    }

    /// Takes the game to where it is now. What the opponent played since is left in [`Notes::unjudged`]. With
    /// `supposed`, its last move is only expected.
    pub fn follow(&mut self, game: &Game, supposed: bool) {
        if let Some(otherwise) = self.otherwise.take() {
            let came_true = self
                .game
                .as_ref()
                .is_some_and(|expected| matches!(continuation(expected, game), Continuation::Plies(0 | 2)));
            if !came_true {
                *self = *otherwise;
            }
        }
        if supposed {
            self.otherwise = Some(Box::new(self.clone()));
        }
        // Only what extends the game by play is judged: one own move and one reply, or the first move of a new game.
        let played = match &self.game {
            None if game.moves().len() == 1 => 1,
            Some(known) if continuation(known, game) == Continuation::Plies(2) => 2,
            _ => 0,
        };
        self.note(game, played);
        self.game = Some(game.clone());
    }

    fn note(&mut self, game: &Game, played: usize) {
        let us = game.position().turn();
        let (before, new) = game.moves().split_at(game.moves().len() - played);
        let mut then = Game::new(game.start().clone());
        if played > 0 {
            before.iter().for_each(|&m| then.play(m));
        }
        for &m in new {
            if then.position().turn() != us {
                self.unjudged.push((then.clone(), m));
            } else if let Some((key, prospects)) = self.looked.take()
                && then.keys().last() == Some(&key)
            {
                self.own.push((prospects, m));
            }
            then.play(m);
        }
        let surplus = self.unjudged.len().saturating_sub(MOST_UNJUDGED);
        self.unjudged.drain(..surplus);
    }
}
