use std::collections::VecDeque;

use rayon::prelude::*;

use super::linear;

/// Steps that are remembered.
const MEMORY: usize = 5;

/// Anderson's acceleration of a fixed-point iteration x ← g(x): of the last steps the combination is taken whose changes
/// nearly cancel (Anderson, 'Iterative procedures for nonlinear integral equations', 1965).
#[derive(Default)]
pub struct Anderson {
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of changes g(x) − x, and of results g(x), from one step to the next.
    differences: VecDeque<(Vec<f64>, Vec<f64>)>,
    /// Products of the differences of changes with one another: each is needed in many steps.
    products: VecDeque<VecDeque<f64>>,
}

impl Anderson {
    /// Where to go on from, x having led to `result`.
    pub fn next(&mut self, x: &[f64], result: Vec<f64>) -> Vec<f64> {
        let change = difference(&result, x);
        if let Some((last_change, last_result)) = self.last.take() {
            self.differences
                .push_back((difference(&change, &last_change), difference(&result, &last_result)));
            if self.differences.len() > MEMORY {
                self.differences.pop_front();
                self.products.pop_front();
                for row in &mut self.products {
                    row.pop_front();
                }
            }
            if let Some((newest, _)) = self.differences.back() {
                let row: VecDeque<f64> =
                    self.differences.iter().map(|(other, _)| dot(newest, other)).collect();
                self.products.iter_mut().zip(&row).for_each(|(old, &product)| old.push_back(product));
                self.products.push_back(row);
            }
        }
        let columns: Vec<&Vec<f64>> = self.differences.iter().map(|(changes, _)| changes).collect();
        let mut system: Vec<Vec<f64>> =
            self.products.iter().map(|row| row.iter().copied().collect()).collect();
        for (number, row) in system.iter_mut().enumerate() {
            // Steps in one direction would make it singular.
            row[number] *= 1.0 + 1e-10;
        }
        let right = columns.iter().map(|column| dot(column, &change)).collect();
        let mut next = result.clone();
        if let Some(shares) =
            linear::solve(system, right).filter(|shares| shares.iter().all(|s| s.is_finite()))
        {
            next.par_iter_mut().enumerate().with_min_len(4096).for_each(|(place, next)| {
                for (share, (_, results)) in shares.iter().zip(&self.differences) {
                    *next -= share * results[place];
                }
            });
        }
        self.last = Some((change, result));
        next
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.par_iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.par_iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_linear_iteration_is_solved_in_a_few_steps() {
        let rates = [0.999, 0.9, -0.8];
        let mut x = vec![0.0; 3];
        let mut anderson = Anderson::default();
        for _ in 0..8 {
            let result = x.iter().zip(rates).map(|(x, rate)| 1.0 + rate * x).collect();
            x = anderson.next(&x, result);
        }
        for (x, rate) in x.iter().zip(rates) {
            assert!((x * (1.0 - rate) - 1.0).abs() < 1e-6, "{x}");
        }
    }
}
