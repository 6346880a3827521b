use rand::Rng;
use shakmaty::Move;

use super::{Intent, Situation};
use crate::model::{BeliefError, ForeignScale, NoCompetence, NoDecision, NoGrid, NoPreference};

/// Why an agent has no move, or can't learn from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AgentError {
    /// The oracle knows nothing of the position.
    #[error("the oracle can't serve this position; build or add its tables, or use another oracle")]
    NotServed,
    /// There was no time to look so far ahead.
    #[error("there was no time to look so far ahead")]
    OutOfTime,
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
    /// A number that is no competence.
    #[error(transparent)]
    Competence(#[from] NoCompetence),
    /// κ, n1 or n2.
    #[error(transparent)]
    Preference(#[from] NoPreference),
}

/// One who chooses moves.
pub trait Agent: Send + Sync {
    /// What it would play here, and why. This changes nothing in the agent.
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError>;

    /// Chooses a move.
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError> {
        Ok(self.consider(situation)?.draw(rng))
    }
}
