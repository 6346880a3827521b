//! Who finds the moves.

use crate::{
    game::Game,
    partner::{Answer, Mind, Say, Settings},
    search::{Control, Limits},
};

/// Something that finds moves. It lives in a thread of its own and is only ever asked one thing at a time.
pub trait Thinker: Send {
    /// Takes over settings. Called before anything else, and when an option was set.
    fn configure(&mut self, settings: &Settings, say: &mut Say<'_>);

    /// Forgets everything about the game before.
    fn forget(&mut self);

    /// Forgets what was learned in searches.
    fn clear_hash(&mut self);

    /// Finds a move in a position that has one, and says at least one line of play on the way. It may answer
    /// early, also in analysis: the answer is kept back for as long as it is not wanted.
    fn think(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer;

    /// Does what can wait until an answer is out.
    fn rest(&mut self, say: &mut Say<'_>);
}

impl Thinker for Mind {
    fn configure(&mut self, settings: &Settings, say: &mut Say<'_>) {
        Mind::configure(self, settings, say);
    }

    fn forget(&mut self) {
        Mind::forget(self);
    }

    fn clear_hash(&mut self) {
        Mind::clear_hash(self);
    }

    fn think(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
        Mind::think(self, game, limits, control, say)
    }

    fn rest(&mut self, say: &mut Say<'_>) {
        Mind::rest(self, say);
    }
}
