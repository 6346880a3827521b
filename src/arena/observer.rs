//! The Analyser beside the board: what competence the players of a game have shown.

use shakmaty::{ByColor, Position};

use crate::{
    agents::{AgentError, Analyser},
    model::{Belief, Grid, Model, Oracle, Scale},
    oracle::TableOracle,
};

use super::play::Record;

/// Watches games after they were played, as far as tables serve them.
#[derive(Clone)]
pub struct Observer {
    oracle: TableOracle,
    model: Model,
    grid: Grid,
}

impl Observer {
    /// Takes the players to be of this model, with a competence of this grid.
    pub fn new(oracle: TableOracle, model: Model, grid: Grid) -> Observer {
        Observer { oracle, model, grid }
    }

    /// Notes what is believed of each side at the end, and of the mover after each move that the players made; nothing
    /// of a side none of whose moves could be judged. Each game starts from the prior that knows nothing.
    pub fn watch(&self, record: &mut Record) -> Result<(), AgentError> {
        let mut analyser = Analyser::both(self.model, Belief::uniform(self.grid, Scale::Table));
        let mut position = record.game.start().clone();
        let opening = record.game.moves().len() - record.notes.len();
        for (ply, &m) in record.game.moves().iter().enumerate() {
            if let Some(place) = ply.checked_sub(opening)
                && let Some(prospects) = self.oracle.look(&position)
            {
                let side = position.turn();
                analyser.observe(side, &prospects, &m)?;
                record.notes[place].competence = analyser.belief(side).map(Belief::mean);
            }
            position.play_unchecked(m);
        }
        let judged = |side| analyser.belief(side).filter(|belief| belief.observed() > 0).cloned();
        record.beliefs = ByColor::new_with(judged);
        Ok(())
    }
}
