use rand::{Rng, RngExt};
use shakmaty::Move;

use super::{Advice, AgentError, Hunt};
use crate::{model::NoDecision, oracle::Found};

/// What an agent would play: one move, or lots to be drawn among several.
#[derive(Clone, Debug)]
pub struct Intent {
    lots: Lots,
    /// Why.
    pub why: Why,
    /// What a search for the best move came up with, if there was one: its lines have been told already.
    pub found: Option<Found>,
}

#[derive(Clone, Debug)]
enum Lots {
    /// Each is as likely as another. Never empty.
    Even(Vec<Move>),
    /// Each with its probability; they add up to 1. Never empty.
    Weighted(Vec<(Move, f64)>),
}

/// Why an agent plays what it plays.
#[derive(Clone, Debug, Default)]
pub enum Why {
    /// The rule by which it plays says it all.
    #[default]
    Rule,
    /// What each move promises against this opponent.
    Hunt(Advice),
    /// The traps that moves of a whole game set.
    Traps(Hunt),
    /// The competence `E[c]` that each move would show.
    Shows(Vec<(Move, f64)>),
}

impl Intent {
    /// One of these moves, each as likely as another.
    pub fn even(moves: Vec<Move>) -> Result<Intent, AgentError> {
        if moves.is_empty() {
            return Err(NoDecision::GameOver.into());
        }
        Ok(Intent { lots: Lots::Even(moves), why: Why::Rule, found: None })
    }

    /// One of these moves by their probabilities, which add up to 1.
    pub fn weighted(moves: Vec<(Move, f64)>) -> Result<Intent, AgentError> {
        if moves.is_empty() {
            return Err(NoDecision::GameOver.into());
        }
        Ok(Intent { lots: Lots::Weighted(moves), why: Why::Rule, found: None })
    }

    /// The move that a search has found.
    pub fn found(found: Found) -> Result<Intent, AgentError> {
        let intent = Intent::even(found.best.into_iter().collect())?;
        Ok(Intent { found: Some(found), ..intent })
    }

    /// With what there is to say about it.
    pub fn because(self, why: Why) -> Intent {
        Intent { why, ..self }
    }

    /// Every move that may be played, with its probability, the likeliest first.
    pub fn probabilities(&self) -> Vec<(Move, f64)> {
        let mut all = match &self.lots {
            Lots::Even(moves) => moves.iter().map(|&m| (m, 1.0 / moves.len() as f64)).collect(),
            Lots::Weighted(moves) => moves.clone(),
        };
        all.retain(|&(_, probability)| probability > 0.0);
        all.sort_by(|one, two| two.1.total_cmp(&one.1));
        all
    }

    /// Draws one of the moves.
    pub fn draw(&self, rng: &mut dyn Rng) -> Move {
        match &self.lots {
            Lots::Even(moves) => moves[rng.random_range(0..moves.len())],
            Lots::Weighted(moves) => {
                let mut left: f64 = rng.random();
                let mut last = moves[0].0;
                for &(m, probability) in moves {
                    if probability > 0.0 {
                        last = m;
                        left -= probability;
                        if left < 0.0 {
                            break;
                        }
                    }
                }
                last
            }
        }
    }
}
