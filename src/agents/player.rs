use super::{Agent, AgentError, AgentKind, Intent, Situation};
use crate::model::{Competence, Model};

/// The reference player R_c: chooses by chance, each move independently of those before (Haworth 2003, §3).
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// Its c.
    pub competence: Competence,
    /// How it prices moves and which it never plays.
    pub model: Model,
}

pub(super) const KIND: AgentKind = AgentKind {
    name: "Player",
    help: "by chance, at a competence",
    fields: &[
        "competence",
        "game_competence",
        "keep_value",
        "horizon",
        "kappa",
        "game_kappa",
        "n1",
        "n2",
        "elo",
        "human_pace",
    ],
    build: |spec, scale, _| {
        let (competence, model) = (*spec.competence.get(scale), spec.own_model(scale)?);
        Ok(Box::new(Player { competence, model }))
    },
    ..AgentKind::BASE
};

impl Agent for Player {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let decision = self.model.decide(situation.look()?.prospects())?;
        let probabilities = decision.probabilities(self.competence)?;
        Intent::weighted(decision.choices().iter().map(|choice| choice.m).zip(probabilities).collect())
    }
}
