use shakmaty::{ByColor, Color, Move};

use super::AgentError;
use crate::model::{Belief, Evidence, Model, Prospects};

/// Watches one side of a game or both at once, and infers the apparent competence of each (Haworth 2003, §8).
#[derive(Clone, Debug)]
pub struct Analyser {
    model: Model,
    beliefs: ByColor<Option<Belief>>,
}

impl Analyser {
    /// Watches each side for which there is a prior belief.
    pub fn new(model: Model, beliefs: ByColor<Option<Belief>>) -> Analyser {
        Analyser { model, beliefs }
    }

    /// Watches one side, starting from a prior belief.
    pub fn one(model: Model, side: Color, prior: Belief) -> Analyser {
        let mut beliefs = ByColor { black: None, white: None };
        *beliefs.get_mut(side) = Some(prior);
        Analyser::new(model, beliefs)
    }

    /// Watches both sides, each starting from the same prior belief.
    pub fn both(model: Model, prior: Belief) -> Analyser {
        Analyser::new(model, ByColor { black: Some(prior.clone()), white: Some(prior) })
    }

    /// How the players watched are believed to see positions.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What is believed about a side; nothing if it is not watched.
    pub fn belief(&self, side: Color) -> Option<&Belief> {
        self.beliefs.get(side).as_ref()
    }

    /// Learns from a move of `side`, played in a position of which `prospects` is the look. Nothing
    /// if that side is not watched.
    pub fn observe(
        &mut self,
        side: Color,
        prospects: &Prospects,
        m: &Move,
    ) -> Result<Option<Evidence>, AgentError> {
        let Some(belief) = self.beliefs.get_mut(side) else { return Ok(None) };
        let decision = self.model.decide(prospects)?;
        Ok(Some(belief.observe(&decision, m)?))
    }
}
