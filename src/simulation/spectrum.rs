//! What simulated games say about their players.

use super::powers::powers;
use crate::model::{Belief, BeliefError, Code, Grid, Model, Policy, Scale};

/// Preferences of all candidates of a grid for moves to every state, computed once for many games.
#[derive(Clone, Debug)]
pub struct Spectrum {
    grid: Grid,
    /// For each code, w^(−c) of each candidate.
    rows: Vec<Box<[f64]>>,
    policy: Policy,
}

/// ln P(moves | c) of each candidate, up to a constant: what a game says about a player.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEvidence {
    ln: Vec<f64>,
    /// A product not yet taken into `ln` …
    product: Vec<f64>,
    /// … and what all its factors are at least.
    least: f64,
    moves: u64,
}

/// A product that is no less than this does not leave the range of floating-point numbers.
const LEAST: f64 = 1e-290;

impl Spectrum {
    /// For players who see the states of an endgame with these bounds n1 and n2 by this model, if floating-point numbers
    /// can hold the preferences of each candidate side by side.
    pub fn new(model: &Model, grid: Grid, bounds: [f64; 2]) -> Option<Spectrum> {
        let powers = grid.candidates().map(|c| powers(model, c, bounds)).collect::<Option<Vec<_>>>()?;
        let row = |code: Code| powers.iter().map(|powers| powers[code.place()]).collect();
        Some(Spectrum { grid, rows: Code::all().map(row).collect(), policy: model.policy })
    }

    /// Nothing observed yet.
    pub fn nothing(&self) -> GameEvidence {
        GameEvidence {
            ln: vec![0.0; self.grid.len()],
            product: vec![1.0; self.grid.len()],
            least: 1.0,
            moves: 0,
        }
    }

    /// What the players are thought never to play.
    pub(super) fn policy(&self) -> Policy {
        self.policy
    }

    /// Learns that a move to the state `played` was chosen where so many moves to each state were possible.
    pub(super) fn observe(&self, evidence: &mut GameEvidence, moves_to: &[(Code, u16)], played: Code) {
        evidence.moves += 1;
        // A move that the player can't have made says nothing, nor does one without alternative.
        if moves_to.len() < 2 || moves_to.iter().all(|&(code, _)| code != played) {
            return;
        }
        let GameEvidence { ln, product, least, .. } = evidence;
        let preference = &self.rows[played.place()];
        let sum = |candidate: usize| -> f64 {
            moves_to.iter().map(|&(code, n)| f64::from(n) * self.rows[code.place()][candidate]).sum()
        };
        // ln P is concave in c: it is least at one end of the grid.
        let factor = [0, preference.len() - 1].map(|end| preference[end] / sum(end));
        let factor = factor[0].min(factor[1]);
        if *least * factor < LEAST {
            for (ln, product) in ln.iter_mut().zip(&mut *product) {
                *ln += product.ln();
                *product = 1.0;
            }
            *least = 1.0;
        }
        *least *= factor;
        let mut sums = [0.0; 64];
        for (start, block) in product.chunks_mut(64).enumerate().map(|(number, block)| (64 * number, block)) {
            let range = start..start + block.len();
            let sums = &mut sums[..block.len()];
            sums.fill(0.0);
            for &(code, count) in moves_to {
                let row = &self.rows[code.place()][range.clone()];
                let count = f64::from(count);
                sums.iter_mut().zip(row).for_each(|(sum, preference)| *sum += count * preference);
            }
            for ((product, preference), sum) in block.iter_mut().zip(&preference[range]).zip(&*sums) {
                *product *= preference / sum;
            }
        }
    }

    /// ln P(moves | c) of each candidate.
    pub fn ln_likelihoods(&self, evidence: &GameEvidence) -> Vec<f64> {
        evidence.ln.iter().zip(&evidence.product).map(|(ln, product)| ln + product.ln()).collect()
    }

    /// The belief after some evidence, all candidates up to `most` having been equally likely before.
    pub fn belief(&self, evidence: &GameEvidence, most: f64) -> Result<Belief, BeliefError> {
        let prior: Vec<f64> = self.grid.candidates().map(|c| f64::from(u8::from(c <= most + 1e-9))).collect();
        let mut belief = Belief::given(self.grid, Scale::Table, &prior)?;
        belief.learn(&self.ln_likelihoods(evidence), evidence.moves)?;
        Ok(belief)
    }
}
