//! How much shorter wins matter to people where endgame tables know the truth, and how much that differs among them.

use super::{
    RatedObservation,
    fit::{best, best_line, sum},
};
use crate::{
    human::{HumanDecision, HumanParameters, Network, Technique, losses_by_tables},
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
        let decision = HumanDecision::new(prior, look, seen.elo.into(), &[1.0]);
        let played = decision.moves.iter().position(|m| *m == seen.seen.m)?;
        Some(EndgameDecision { elo: seen.elo, player: seen.player.clone(), played, decision, states })
    }

    /// How likely each move is.
    pub fn probabilities(&self, parameters: &HumanParameters) -> Vec<f64> {
        let person = parameters.person(self.elo.into());
        self.knowing(&person.techniques).probabilities(&person)
    }

    /// As people of these techniques see it.
    fn knowing(&self, techniques: &[f64]) -> HumanDecision {
        let losses = losses_by_tables(&self.states, techniques);
        HumanDecision { losses, ..self.decision.clone() }
    }
}

/// All decisions of one side of a game: of one person, who knows the endgame as well throughout.
pub struct EndgameSide(pub Vec<EndgameDecision>);

impl EndgameSide {
    /// Who.
    pub fn player(&self) -> &str {
        self.0.first().map_or("", |first| &first.player)
    }

    /// ln P of all moves together: the kinds of people of this Elo are weighed as wholes, not at each move anew.
    pub fn ln_likelihood(&self, parameters: &HumanParameters) -> f64 {
        let Some(first) = self.0.first() else { return 0.0 };
        let person = parameters.person(first.elo.into());
        let mut kinds = vec![0.0; person.techniques.len()];
        for one in &self.0 {
            let decision = one.knowing(&person.techniques);
            for (row, ln_likelihood) in kinds.iter_mut().enumerate() {
                *ln_likelihood += decision.seeing(&person, row)[one.played].ln();
            }
        }
        let most = kinds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = kinds.iter().map(|kind| (kind - most).exp()).sum::<f64>() / kinds.len() as f64;
        most + mean.ln()
    }
}

/// Bounds of ln s at Elo 2000, and of what 400 Elo more add to it.
const LINE: [(f64, f64); 2] = [(-4.0, 3.0), (-1.0, 1.0)];
/// Bounds of its standard deviation.
const SPREAD: (f64, f64) = (0.0, 3.0);

/// How well people know endgames, and how much that differs among them: what makes the moves of some sides of games likeliest,
/// all else being as it is.
pub fn fit_technique(sides: &[EndgameSide], parameters: &HumanParameters) -> Technique {
    let value = |technique: Technique| {
        let parameters = HumanParameters { technique, ..parameters.clone() };
        sum(sides, |side| side.ln_likelihood(&parameters))
    };
    let line =
        |spread: f64| Technique { ln: best_line(LINE, 0.02, |ln| value(Technique { ln, spread })), spread };
    line(best(SPREAD, 0.05, |spread| value(line(spread))))
}
