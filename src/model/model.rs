use std::fmt::Display;

use super::{Decision, ForeignScale, Outcome, Policy, Preference, Prospects, State, choice::Choice};

/// How one player, or one believed-in opponent, sees positions: prices and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// What moves cost.
    pub preference: Preference,
    /// What is never played.
    pub policy: Policy,
}

/// Why a look at a position makes no decision.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoDecision {
    /// The preference prices another scale.
    #[error(transparent)]
    Scale(#[from] ForeignScale),
    /// Mate or stalemate.
    #[error("there is no legal move: the game is over")]
    GameOver,
    /// Own weights have to be finite and not negative.
    #[error("weight {weight} of move {m} is no weight: use a number from 0 up")]
    Weight {
        /// The move, in UCI notation of standard chess.
        m: String,
        /// Its weight.
        weight: f64,
    },
    /// Own weights exclude every move.
    #[error("every move has weight 0: give at least one a positive weight")]
    NoWeight,
}

impl Model {
    /// Prices and weights what an oracle saw.
    pub fn decide<M>(&self, prospects: &Prospects<M>) -> Result<Decision<M>, NoDecision>
    where
        M: Clone + PartialEq + Display,
    {
        self.decide_weighted(prospects, |_| 1.0)
    }

    /// As [`Model::decide`], each move weighted by its own weight too (Haworth 2003, §4: an
    /// apparently strong move more than 1, an apparently weak one less).
    pub fn decide_weighted<M>(
        &self,
        prospects: &Prospects<M>,
        own: impl Fn(&M) -> f64,
    ) -> Result<Decision<M>, NoDecision>
    where
        M: Clone + PartialEq + Display,
    {
        self.preference.scale().require(prospects.scale())?;
        let moves = prospects.moves();
        if moves.is_empty() {
            return Err(NoDecision::GameOver);
        }
        let mut weights = Vec::with_capacity(moves.len());
        for prospect in moves {
            let weight = own(&prospect.m);
            if !weight.is_finite() || weight < 0.0 {
                return Err(NoDecision::Weight { m: prospect.m.to_string(), weight });
            }
            weights.push(weight);
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err(NoDecision::NoWeight);
        }
        self.policy.restrict(moves, &mut weights);
        let (n1, n2) = self.preference.bounds(prospects);
        let best = moves.iter().map(|prospect| prospect.outcome.worth()).fold(f64::NEG_INFINITY, f64::max);
        let choices = moves.iter().zip(weights).enumerate().map(|(place, (prospect, weight))| Choice {
            m: prospect.m.clone(),
            outcome: prospect.outcome,
            ln_price: match prospect.outcome {
                // Only a draw leans, and only its price depends on n1 alone.
                Outcome::Table(State::Draw) => {
                    self.preference.ln_price(State::Draw, n1 - prospects.lean(place), n2)
                }
                Outcome::Table(state) => self.preference.ln_price(state, n1, n2),
                Outcome::Evaluation(score) => self.preference.ln_price_of_evaluation(score.pawns(), best),
            },
            weight,
        });
        Ok(Decision::new(prospects.outcome(), choices.collect(), n1, n2))
    }
}
