use rand::Rng;
use shakmaty::Move;

use super::Situation;
use crate::model::{BeliefError, ForeignScale, NoDecision, NoGrid, Prospects};

/// Who made a move, as an agent in the game sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The agent itself.
    Own,
    /// Its opponent.
    Opponent,
}

/// Why an agent has no move, or can't learn from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AgentError {
    /// The oracle knows nothing of the position.
    #[error("the oracle can't serve this position; build or add its tables, or use another oracle")]
    NotServed,
    /// The rule of the infallible player needs a look by depth to mate.
    #[error("the rule longest-dtm needs depths to mate; give the situation an oracle for them")]
    NoMates,
    /// The position makes no decision.
    #[error(transparent)]
    Decision(#[from] NoDecision),
    /// The agent's competence is on another scale than the position's prices.
    #[error(transparent)]
    Scale(#[from] ForeignScale),
    /// A belief refuses.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The candidates of a reference Analyser can't be laid out.
    #[error(transparent)]
    Grid(#[from] NoGrid),
}

/// One who chooses moves.
///
/// Choosing changes nothing in the agent; what was really played is told by [`Agent::observe`].
pub trait Agent {
    /// Chooses a move.
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError>;

    /// Learns that `m` was played in a position of which `prospects` is the look.
    fn observe(&mut self, _mover: Mover, _prospects: &Prospects, _m: &Move) -> Result<(), AgentError> {
        Ok(())
    }

    /// Forgets what belongs to one game only.
    fn new_game(&mut self) {}
}
