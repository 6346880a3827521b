use crate::model::{Belief, BeliefError, Grid, Scale};

/// Preferences of all candidates of a grid for moves to every depth, computed once for many games.
#[derive(Clone, Debug)]
pub struct Spectrum {
    grid: Grid,
    /// For each depth d, (d + κ)^(−c) of each candidate.
    preferences: Vec<Box<[f64]>>,
    /// κ = 0+: wins in 0 are never missed.
    sure: bool,
}

/// ln P(moves | c) of each candidate, up to a constant: what a game says about its attacker.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    ln: Vec<f64>,
    /// A product not yet taken into `ln`.
    product: Vec<f64>,
    pending: u32,
}

/// Products of so many moves can't leave the range of floating-point numbers.
const BATCH: u32 = 8;

impl Spectrum {
    /// For wins of up to `deepest` moves. Candidates must not be negative.
    pub fn new(grid: Grid, kappa: f64, deepest: u16) -> Spectrum {
        let of = |depth: u16| match f64::from(depth) + kappa {
            // Never looked at: such moves are sure.
            0.0 => vec![1.0; grid.len()].into_boxed_slice(),
            price => grid.candidates().map(|c| price.powf(-c)).collect(),
        };
        Spectrum { grid, preferences: (0..=deepest).map(of).collect(), sure: kappa == 0.0 }
    }

    /// Nothing observed yet.
    pub fn nothing(&self) -> Evidence {
        Evidence { ln: vec![0.0; self.grid.len()], product: vec![1.0; self.grid.len()], pending: 0 }
    }

    /// Learns that a move to a win in `played` was chosen where there were so many moves to each depth.
    pub fn observe(&self, evidence: &mut Evidence, moves_to: &[(u16, u32)], played: u16) {
        let best = moves_to.iter().map(|&(depth, _)| depth).min();
        if moves_to.len() < 2 || self.sure && best == Some(0) {
            return;
        }
        let Some(preference) = self.preferences.get(usize::from(played)) else { return };
        let Evidence { ln, product, pending } = evidence;
        let mut sums = [0.0; 64];
        for (start, block) in product.chunks_mut(64).enumerate().map(|(number, block)| (64 * number, block)) {
            let range = start..start + block.len();
            let sums = &mut sums[..block.len()];
            sums.fill(0.0);
            for &(depth, count) in moves_to {
                let row = &self.preferences[usize::from(depth)][range.clone()];
                let count = f64::from(count);
                sums.iter_mut().zip(row).for_each(|(sum, preference)| *sum += count * preference);
            }
            for ((product, preference), sum) in block.iter_mut().zip(&preference[range]).zip(&*sums) {
                *product *= preference / sum;
            }
        }
        *pending += 1;
        if *pending == BATCH {
            for (ln, product) in ln.iter_mut().zip(product) {
                *ln += product.ln();
                *product = 1.0;
            }
            *pending = 0;
        }
    }

    /// ln P(moves | c) of each candidate.
    pub fn ln_likelihoods(&self, evidence: &Evidence) -> Vec<f64> {
        evidence.ln.iter().zip(&evidence.product).map(|(ln, product)| ln + product.ln()).collect()
    }

    /// The belief after some evidence, all candidates up to `most` having been equally likely before.
    pub fn belief(&self, ln_likelihoods: &[f64], most: f64) -> Result<Belief, BeliefError> {
        let greatest = ln_likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let prior: Vec<f64> = self
            .grid
            .candidates()
            .zip(ln_likelihoods)
            .map(|(c, ln)| if c <= most + 1e-9 { (ln - greatest).exp() } else { 0.0 })
            .collect();
        Belief::given(self.grid, Scale::Table, &prior)
    }
}
