//! Who watches: a game is replayed, each decision in it looked at, and competence inferred from what was played.

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Move, Position};

use super::AgentError;
use crate::{
    game::Game,
    human::{EloBelief, HumanModel},
    model::{Belief, Decision, Evidence, Grid, Model, PerScale, Scale},
    oracle::{Budget, Look, Oracle},
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

/// Replays a game and looks at every decision in it: the one way from a game to observations.
pub struct Watcher<'a> {
    oracle: &'a dyn Oracle,
    budget: &'a Budget,
    before: Game,
    moves: std::vec::IntoIter<Move>,
    ply: usize,
    only: Option<Color>,
    /// How many more decisions of each side are looked at.
    left: ByColor<usize>,
}

impl<'a> Watcher<'a> {
    /// Watches a game from its start, both sides.
    pub fn new(game: &Game, oracle: &'a dyn Oracle, budget: &'a Budget) -> Watcher<'a> {
        Watcher::from_ply(game, 0, oracle, budget)
    }

    /// Watches a game from the half-move of this number on, counted from 0.
    pub fn from_ply(game: &Game, ply: usize, oracle: &'a dyn Oracle, budget: &'a Budget) -> Watcher<'a> {
        let moves: Vec<Move> = game.moves().iter().skip(ply).copied().collect();
        Watcher {
            oracle,
            budget,
            before: game.up_to(ply),
            moves: moves.into_iter(),
            ply,
            only: None,
            left: ByColor { black: usize::MAX, white: usize::MAX },
        }
    }

    /// Watches one side only.
    pub fn of(self, side: Color) -> Watcher<'a> {
        Watcher { only: Some(side), ..self }
    }

    /// Looks at no more than so many decisions of each side.
    pub fn at_most(self, decisions: usize) -> Watcher<'a> {
        Watcher { left: ByColor { black: decisions, white: decisions }, ..self }
    }
}

/// The decisions that the oracle could serve.
impl Iterator for Watcher<'_> {
    type Item = Observation;

    fn next(&mut self) -> Option<Observation> {
        loop {
            let m = self.moves.next()?;
            let ply = self.ply;
            self.ply += 1;
            let side = self.before.position().turn();
            let wanted = self.only.is_none_or(|only| only == side) && *self.left.get(side) > 0;
            let look = if wanted { self.oracle.look(&self.before, self.budget) } else { None };
            self.before.play(m);
            if let Some(look) = look {
                *self.left.get_mut(side) -= 1;
                return Some(Observation { ply, look, m });
            }
        }
    }
}
