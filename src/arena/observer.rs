//! The Analyser beside the board: what competence the players of a game have shown.

use shakmaty::ByColor;

use crate::{
    agents::{AgentError, Analyser, Watcher},
    model::{Belief, Scale},
    oracle::{Budget, TableOracle},
};

use super::play::GameRecord;

/// Watches games after they were played, as far as tables serve them.
#[derive(Clone)]
pub struct Observer {
    oracle: TableOracle,
    analyser: Analyser,
}

impl Observer {
    /// Takes the players to be as this Analyser, who knows nothing yet, sees them.
    pub fn new(oracle: TableOracle, analyser: Analyser) -> Observer {
        Observer { oracle, analyser }
    }

    /// Notes what is believed of each side at the end, and of the mover after each move that the players made; nothing
    /// of a side of which nothing was learned. Each game starts from the prior that knows nothing.
    pub fn watch(&self, record: &mut GameRecord) -> Result<(), AgentError> {
        let mut analysers = ByColor { black: self.analyser.clone(), white: self.analyser.clone() };
        let opening = record.game.moves().len() - record.notes.len();
        let budget = Budget::default();
        for observation in Watcher::from_ply(&record.game, opening, &self.oracle, &budget) {
            let analyser = analysers.get_mut(observation.side());
            analyser.observe(&observation)?;
            let belief = analyser.belief(Scale::Table);
            record.notes[observation.ply - opening].competence = belief.is_informed().then(|| belief.mean());
        }
        let judged = |analyser: Analyser| {
            Some(analyser.belief(Scale::Table)).filter(|belief: &&Belief| belief.is_informed()).cloned()
        };
        record.beliefs = analysers.map(judged);
        Ok(())
    }
}
