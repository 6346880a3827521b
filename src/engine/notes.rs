use crate::{
    agents::{Analyser, Observation, OwnMoves},
    game::Game,
    oracle::Look,
};

use super::continuation::{Continuation, continuation};

/// More unjudged moves than this are not kept: there was never time.
const MOST_UNJUDGED: usize = 16;

/// What was noted of the game in progress.
#[derive(Clone)]
pub(super) struct Notes {
    /// The game as far as it is known; nothing before it has begun.
    game: Option<Game>,
    /// No move of it was chosen or judged yet.
    fresh: bool,
    /// What is believed of the opponent.
    pub opponent: Analyser,
    /// The opponent's moves of this game that were judged.
    pub observed: Vec<Observation>,
    /// How many of them are in the profile.
    pub kept: usize,
    /// Half-moves that wait to be judged, if they are the opponent's.
    pub unjudged: Vec<usize>,
    /// Own decisions and moves.
    pub own: OwnMoves,
    /// The opponent's decision after the move we chose, as it was seen then.
    pub prepared: Option<Look>,
    /// The last own decision, as it was seen. It counts when its move is on the board.
    pub looked: Option<Look>,
    /// What holds if the opponent does not play the move that is pondered on.
    otherwise: Option<Box<Notes>>,
}

impl Notes {
    pub fn new(opponent: Analyser) -> Notes {
        Notes {
            game: None,
            fresh: true,
            opponent,
            observed: Vec::new(),
            kept: 0,
            unjudged: Vec::new(),
            own: OwnMoves::default(),
            prepared: None,
            looked: None,
            otherwise: None,
        }
    }

    /// Notes of a game that goes on from an opening.
    pub fn from_opening(opponent: Analyser, opening: &Game) -> Notes {
        Notes { game: Some(opening.clone()), ..Notes::new(opponent) }
    }

    /// The game as far as it is known.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// False while pondering: the last move is only expected.
    pub fn is_certain(&self) -> bool {
        self.otherwise.is_none()
    }

    /// Takes over the game; a single new move waits to be judged.
    pub fn played(&mut self, game: &Game) {
        let known = self.game.as_ref().map(|known| continuation(known, game));
        let new_plies = if known == Some(Continuation::Plies(1)) { 1 } else { 0 };
        self.note(game, new_plies);
    }

    /// Takes the game to where we have to move now. With `supposed`, its last move is only expected.
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
        let new_plies = match &self.game {
            None if game.moves().len() == 1 => 1,
            Some(known) => match continuation(known, game) {
                Continuation::Plies(2) => 2,
                Continuation::Plies(1) if self.fresh => 1,
                _ => 0,
            },
            None => 0,
        };
        self.note(game, new_plies);
    }

    /// The last `new_plies` moves are play: ours are noted with what was seen, the others wait to be judged.
    fn note(&mut self, game: &Game, new_plies: usize) {
        let goes_on = self.game.as_ref().is_some_and(|known| {
            known.start() == game.start() && continuation(known, game) != Continuation::Elsewhere
        });
        if !goes_on {
            self.unjudged.clear();
        }
        for ply in game.moves().len() - new_plies..game.moves().len() {
            let then = game.up_to(ply);
            match self.looked.take_if(|look| look.position() == then.position()) {
                Some(look) => self.own.push(Observation { ply, look, m: game.moves()[ply] }),
                None => self.unjudged.push(ply),
            }
        }
        let surplus = self.unjudged.len().saturating_sub(MOST_UNJUDGED);
        self.unjudged.drain(..surplus);
        self.fresh = false;
        self.game = Some(game.clone());
    }
}
