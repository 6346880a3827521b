//! Who finds the moves.

use shakmaty::Move;

use crate::game::Game;

use super::{control::Control, info::Info, limits::Limits, settings::Settings};

/// The move to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; none if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub reply: Option<Move>,
}

/// Something that finds moves. It lives in a thread of its own and is only ever asked one thing at a time.
pub trait Thinker: Send {
    /// Takes over settings. Called before anything else, and when an option was set.
    fn configure(&mut self, settings: &Settings);

    /// Forgets everything about the game before.
    fn forget(&mut self);

    /// Finds a move in a position that has one, and says at least one [`Info::Search`] on the way. It may answer
    /// early, also in analysis: the answer is kept back for as long as it is not wanted.
    fn think(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut dyn FnMut(Info))
    -> Answer;
}
