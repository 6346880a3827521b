//! What people aim at in one endgame, and how well: their moves under many models at once.

use shakmaty::{Color, Position};

use crate::{
    agents::{AgentError, Observation, Watcher},
    endgame::Material,
    model::{Competence, Grid, Model, Scale},
    notation::GameScore,
    oracle::{Budget, Oracle},
};

/// One side of one game, while one material was on the board.
pub struct EndgamePlay {
    /// The number of the game.
    pub game: usize,
    /// The player's Elo, if the game says so.
    pub elo: Option<u32>,
    /// Whether the player had the men that are named first.
    pub attacker: bool,
    /// His decisions between two moves or more.
    pub decisions: Vec<Observation>,
}

/// So often a person's move has nothing to do with the model: it keeps one slip from deciding between models that exclude
/// it and models that don't.
const LAPSE: f64 = 0.01;

/// Both sides' play in a game while this material was on the board, as the oracle sees it; sides that decided nothing
/// are left out.
pub fn endgame_plays(
    score: &GameScore,
    number: usize,
    material: Material,
    oracle: &dyn Oracle,
) -> Vec<EndgamePlay> {
    let (game, budget) = (score.game(), Budget::default());
    let boards = (0..game.moves().len()).map(|ply| Material::of(game.up_to(ply).position().board()));
    let Some(first) = boards.into_iter().position(|found| found.is_some_and(|(men, _)| men == material))
    else {
        return Vec::new();
    };
    let elo = |tag| score.tags.get(tag).and_then(|text| text.parse().ok()).filter(|&elo: &u32| elo > 0);
    let exchanged =
        Material::of(game.up_to(first).position().board()).is_some_and(|(_, exchanged)| exchanged);
    let attacker = if exchanged { Color::Black } else { Color::White };
    let mut plays = [(Color::White, elo("WhiteElo")), (Color::Black, elo("BlackElo"))].map(|(side, elo)| {
        EndgamePlay { game: number, elo, attacker: side == attacker, decisions: Vec::new() }
    });
    for observation in Watcher::from_ply(&game, first, oracle, &budget) {
        let found = Material::of(observation.look.position().board());
        if found.is_some_and(|(men, _)| men == material) && observation.look.moves().len() > 1 {
            plays[usize::from(observation.side() == Color::Black)].decisions.push(observation);
        }
    }
    plays.into_iter().filter(|play| !play.decisions.is_empty()).collect()
}

impl EndgamePlay {
    /// ln of the probability of all decisions, for each candidate.
    pub fn ln_likelihoods(&self, model: &Model, grid: &Grid) -> Result<Vec<f64>, AgentError> {
        let mut sums = vec![0.0; grid.len()];
        for observation in &self.decisions {
            let decision = model.decide(observation.look.prospects())?;
            let played = decision.find(&observation.m);
            let lapse = LAPSE / decision.choices().len() as f64;
            for (sum, c) in sums.iter_mut().zip(grid.candidates()) {
                let probabilities = decision.probabilities(Competence::new(c, Scale::Table)?)?;
                let probability = played.map_or(0.0, |index| probabilities[index]);
                *sum += ((1.0 - LAPSE) * probability + lapse).ln();
            }
        }
        Ok(sums)
    }
}
