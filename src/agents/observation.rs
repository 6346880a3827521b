use shakmaty::{Color, Move, Position};

use super::AgentError;
use crate::{
    model::{Belief, Evidence, Model},
    oracle::Look,
};

/// A decision of somebody as it was seen, and what was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The number of the half-move in its game, counted from 0.
    pub ply: usize,
    /// What each move leads to.
    pub look: Look,
    /// The move that was played.
    pub m: Move,
}

impl Observation {
    /// Who moved.
    pub fn side(&self) -> Color {
        self.look.position().turn()
    }

    /// Has a belief learn from it, by how the player is believed to see positions.
    pub fn teach(&self, model: &Model, belief: &mut Belief) -> Result<Evidence, AgentError> {
        Ok(belief.observe(&model.decide(self.look.prospects())?, &self.m)?)
    }
}
