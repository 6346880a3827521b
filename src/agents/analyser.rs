use serde::{Deserialize, Serialize};

use super::{AgentError, Observation};
use crate::{
    human::{EloBelief, HumanModel},
    model::{Belief, Decision, Evidence, Grid, Model, PerScale, Scale},
};

/// Watches a player and infers its apparent competence (Haworth 2003, §8), on the scale of tables and on that of
/// evaluations: they can't be compared.
#[derive(Clone, Debug)]
pub struct Analyser {
    models: PerScale<Model>,
    learned: Learned,
}

/// What has been learned of a player, without how he is believed to see positions: all that has to be kept of him.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// Of his competence.
    pub competence: PerScale<Belief>,
    /// Of his Elo, if he is a person.
    pub elo: EloBelief,
}

impl Analyser {
    /// Knows nothing yet. The player is believed to see positions by these models, with a competence of these grids.
    pub fn new(models: PerScale<Model>, grids: PerScale<Grid>) -> Analyser {
        let competence = PerScale::new_with(|scale| Belief::uniform(*grids.get(scale), scale));
        Analyser { models, learned: Learned { competence, elo: EloBelief::unknown() } }
    }

    /// The same, someone having learned this before.
    pub fn having(self, learned: Learned) -> Analyser {
        Analyser { learned, ..self }
    }

    /// All that has been learned.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// The same, something being known of the player's Elo before the first move.
    pub fn expecting(self, elo: EloBelief) -> Analyser {
        Analyser { learned: Learned { elo, ..self.learned }, ..self }
    }

    /// How the player is believed to see positions.
    pub fn model(&self, scale: Scale) -> &Model {
        self.models.get(scale)
    }

    /// What is believed.
    pub fn belief(&self, scale: Scale) -> &Belief {
        self.learned.competence.get(scale)
    }

    /// What is believed of the player's Elo, if it is a person: by choices in whole games.
    pub fn elo(&self) -> &EloBelief {
        &self.learned.elo
    }

    /// A decision as the player is believed to see it.
    pub fn decision(&self, observation: &Observation) -> Result<Decision, AgentError> {
        Ok(self.model(observation.look.scale()).decide(observation.look.prospects())?)
    }

    /// Learns from what was seen.
    pub fn observe(&mut self, observation: &Observation) -> Result<Evidence, AgentError> {
        let scale = observation.look.scale();
        self.learned.elo.observe(HumanModel::built_in(), &observation.look, &observation.m)?;
        observation.teach(self.models.get(scale), self.learned.competence.get_mut(scale))
    }
}
