use crate::{
    model::{Belief, Evidence, Metric, Model, Scale},
    profiles::{NotLearned, Observation},
};

use super::Settings;

/// What is believed of the opponent, on both scales.
#[derive(Clone)]
pub(super) struct Opinions {
    table: Opinion,
    evaluation: Opinion,
    /// Depths by another metric are no evidence.
    metric: Metric,
}

/// What is believed of the opponent on one scale.
#[derive(Clone)]
pub(super) struct Opinion {
    pub model: Model,
    pub belief: Belief,
}

impl Opinions {
    /// After these observations.
    pub fn new<'a>(settings: &Settings, observations: impl Iterator<Item = &'a Observation>) -> Opinions {
        let opinion = |scale| Opinion {
            model: settings.opponent_model(scale),
            belief: Belief::uniform(settings.grid(scale), scale),
        };
        let mut opinions = Opinions {
            table: opinion(Scale::Table),
            evaluation: opinion(Scale::Evaluation),
            metric: settings.tables.metric,
        };
        for observation in observations {
            if let Err(error) = opinions.learn(observation) {
                log::warn!("an observation could not be used: {error}");
            }
        }
        opinions
    }

    pub fn of(&self, scale: Scale) -> &Opinion {
        match scale {
            Scale::Table => &self.table,
            Scale::Evaluation => &self.evaluation,
        }
    }

    /// Learns from what was seen; nothing is learned from depths by another metric.
    pub fn learn(&mut self, observation: &Observation) -> Result<Option<Evidence>, NotLearned> {
        if observation.metric.is_some_and(|metric| metric != self.metric) {
            return Ok(None);
        }
        let opinion = match observation.scale() {
            Scale::Table => &mut self.table,
            Scale::Evaluation => &mut self.evaluation,
        };
        observation.teach(&opinion.model, &mut opinion.belief).map(Some)
    }
}
