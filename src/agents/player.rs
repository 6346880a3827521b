use rand::Rng;
use shakmaty::Move;

use super::{Agent, AgentError, Situation, chance};
use crate::model::{Competence, Model};

/// The reference player R_c: chooses by chance, each move independently of those before (Haworth 2003, §3).
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// Its c.
    pub competence: Competence,
    /// How it prices moves and which it never plays.
    pub model: Model,
}

impl Agent for Player {
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError> {
        let decision = self.model.decide(situation.look()?.as_ref())?;
        let chosen = chance::draw(&decision.probabilities(self.competence)?, rng);
        Ok(decision.choices()[chosen].m)
    }
}
