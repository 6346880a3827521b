use std::collections::VecDeque;

use rayon::prelude::*;

use super::linear;

/// Anderson's acceleration of a fixed-point iteration x ← g(x): of the last results the combination is taken
/// whose changes nearly cancel (Anderson, 'Iterative procedures for nonlinear integral equations', 1965).
#[derive(Default)]
pub struct Anderson {
    /// The last results …
    results: VecDeque<Vec<f64>>,
    /// … by how much each differed from what it was made of, in a sample of places …
    changes: VecDeque<Vec<f64>>,
    /// … and what the next one is made of, there.
    before: Vec<f64>,
}

/// Results that are remembered.
const MEMORY: usize = 6;
/// One place in so many tells how results are best combined.
const SAMPLED: usize = 8;

impl Anderson {
    /// The next result will be made of `x`.
    pub fn begin(&mut self, x: &[f64]) {
        self.before.clear();
        self.before.extend(x.iter().step_by(SAMPLED));
    }

    /// Puts what to go on from in the place of a result.
    pub fn end(&mut self, result: &mut [f64]) {
        let sampled = result.iter().step_by(SAMPLED).zip(&self.before);
        self.changes.push_back(sampled.map(|(after, before)| after - before).collect());
        let is_full = self.results.len() == MEMORY;
        // Its memory serves again.
        let mut kept = if is_full { self.results.pop_front().unwrap_or_default() } else { Vec::new() };
        kept.clear();
        kept.extend_from_slice(result);
        self.results.push_back(kept);
        if is_full {
            self.changes.pop_front();
        }
        let shares = self.shares();
        result.par_iter_mut().enumerate().with_min_len(4096).for_each(|(place, value)| {
            *value = shares.iter().zip(&self.results).map(|(share, result)| share * result[place]).sum();
        });
    }

    /// With what shares the results are combined.
    fn shares(&self) -> Vec<f64> {
        let older = self.changes.len() - 1;
        let plain = || (0..=older).map(|place| f64::from(u8::from(place == older))).collect();
        let newest = &self.changes[older];
        let columns: Vec<Vec<f64>> = (self.changes.iter().take(older))
            .map(|change| change.iter().zip(newest).map(|(old, new)| old - new).collect())
            .collect();
        let mut system: Vec<Vec<f64>> =
            columns.iter().map(|one| columns.iter().map(|other| dot(one, other)).collect()).collect();
        for (number, row) in system.iter_mut().enumerate() {
            // Steps in one direction would make it singular.
            row[number] *= 1.0 + 1e-10;
        }
        let right = columns.iter().map(|column| -dot(column, newest)).collect();
        match linear::solve(system, right).filter(|shares| shares.iter().all(|share| share.is_finite())) {
            Some(mut shares) => {
                shares.push(1.0 - shares.iter().sum::<f64>());
                shares
            }
            None => plain(),
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_linear_iteration_is_solved_in_a_few_steps() {
        // Only one place in some is looked at.
        let rate = |place: usize| [0.999, 0.9, -0.8][place / SAMPLED % 3];
        let mut x = vec![0.0; 30 * SAMPLED];
        let mut anderson = Anderson::default();
        for _ in 0..8 {
            anderson.begin(&x);
            x.iter_mut().enumerate().for_each(|(place, x)| *x = 1.0 + rate(place) * *x);
            anderson.end(&mut x);
        }
        for (place, x) in x.iter().enumerate() {
            assert!((x * (1.0 - rate(place)) - 1.0).abs() < 1e-6, "{x}");
        }
    }
}
