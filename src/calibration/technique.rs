//! How much shorter wins matter to people where endgame tables know the truth.

use super::{
    RatedObservation,
    fit::{best_line, sum},
};
use crate::{
    human::{HumanDecision, HumanParameters, Network, perceived_state},
    model::State,
};

/// A decision in an endgame that tables know.
pub struct EndgameDecision {
    /// The Elo of the mover.
    pub elo: u32,
    /// Who.
    pub player: String,
    /// The number of the move that was played.
    pub played: usize,
    decision: HumanDecision,
    states: Vec<State>,
}

impl EndgameDecision {
    /// Of an observation; nothing where tables have not looked, or all moves lead to the same.
    pub fn new(prior: &Network, seen: &RatedObservation) -> Option<EndgameDecision> {
        let look = &seen.seen.look;
        let states: Option<Vec<State>> =
            look.moves().iter().map(|prospect| prospect.outcome.state()).collect();
        let states = states.filter(|states| states.iter().any(|state| *state != states[0]))?;
        let decision = HumanDecision::new(prior, look, seen.elo.into(), 1.0);
        let played = decision.moves.iter().position(|m| *m == seen.seen.m)?;
        Some(EndgameDecision { elo: seen.elo, player: seen.player.clone(), played, decision, states })
    }

    /// How likely each move is.
    pub fn probabilities(&self, parameters: &HumanParameters) -> Vec<f64> {
        let person = parameters.person(self.elo.into());
        let values: Vec<f64> =
            self.states.iter().map(|&state| perceived_state(state, person.technique)).collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let losses = vec![values.iter().map(|value| best - value).collect()];
        HumanDecision { losses, ..self.decision.clone() }.probabilities(&person)
    }
}

/// Bounds of ln s at Elo 2000, and of what 400 Elo more add to it.
const BOUNDS: [(f64, f64); 2] = [(-4.0, 3.0), (-1.0, 1.0)];

/// The line of technique that makes the moves of some decisions likeliest, all else being as it is.
pub fn fit_technique(decisions: &[EndgameDecision], parameters: &HumanParameters) -> [f64; 2] {
    best_line(BOUNDS, 0.01, |line| {
        let parameters = HumanParameters { ln_technique: line, ..parameters.clone() };
        sum(decisions, |one| one.probabilities(&parameters)[one.played].ln())
    })
}
