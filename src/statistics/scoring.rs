//! Parameters by greatest likelihood.

use rayon::prelude::*;

use super::inverse;

/// Where the likelihood of what was observed is greatest.
#[derive(Clone, Debug)]
pub struct Maximum {
    /// The parameters.
    pub row: Vec<f64>,
    /// Their standard errors, in the same places.
    pub errors: Vec<f64>,
    /// Mean ln P of an observation.
    pub mean_ln: f64,
}

/// Steps at the most.
const STEPS: usize = 100;
/// Where a step gains less than this in mean ln P, the top is reached.
const ENOUGH: f64 = 1e-7;
/// Keeps the matrix of a parameter that nothing depends on from being singular.
const RIDGE: f64 = 1e-3;
/// Steps are halved down to this part before the ascent ends.
const SHORTEST: f64 = 1e-4;
/// Observations that are added up together: parts of one size, added in one order, give the same sum on any machine.
const PART: usize = 512;

/// Climbs by scoring: steps by the inverse of the sum of outer products of gradients (Berndt, Hall, Hall and Hausman), which
/// at the top is also what the errors follow from. `slope` gives ln P of one observation and how it changes with each
/// parameter; the parameters named in `fixed` stay as they are.
pub fn maximum<T: Sync>(
    observations: &[T],
    begin: Vec<f64>,
    fixed: &[usize],
    slope: impl Fn(&T, &[f64]) -> (f64, Vec<f64>) + Sync,
) -> Maximum {
    let mut row = begin;
    let at = |row: &[f64]| total(observations, row, fixed, &slope);
    let (mut value, mut gradient, mut information) = at(&row);
    for _ in 0..STEPS {
        let inverse = inverse(information.clone());
        let step: Vec<f64> =
            inverse.iter().map(|line| line.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let mut length = 1.0;
        let found = loop {
            let next: Vec<f64> = row.iter().zip(&step).map(|(at, step)| at + length * step).collect();
            let found = at(&next);
            if found.0 > value {
                break Some((next, found));
            }
            length /= 2.0;
            if length < SHORTEST {
                break None;
            }
        };
        let Some((next, found)) = found else { break };
        let gained = (found.0 - value) / observations.len().max(1) as f64;
        row = next;
        (value, gradient, information) = found;
        if gained < ENOUGH {
            break;
        }
    }
    let errors = inverse(information).iter().enumerate().map(|(number, line)| line[number].sqrt()).collect();
    Maximum { row, errors, mean_ln: value / observations.len().max(1) as f64 }
}

/// The sum of ln P, its gradient, and the sum of outer products of the gradients.
fn total<T: Sync>(
    observations: &[T],
    row: &[f64],
    fixed: &[usize],
    slope: &(impl Fn(&T, &[f64]) -> (f64, Vec<f64>) + Sync),
) -> (f64, Vec<f64>, Vec<Vec<f64>>) {
    let size = row.len();
    let nothing = || (0.0, vec![0.0; size], vec![vec![0.0; size]; size]);
    let parts: Vec<_> = observations
        .par_chunks(PART)
        .map(|part| {
            let mut sum = nothing();
            for observation in part {
                let (ln, gradient) = slope(observation, row);
                sum.0 += ln;
                for (number, &one) in gradient.iter().enumerate() {
                    sum.1[number] += one;
                    sum.2[number].iter_mut().zip(&gradient).for_each(|(cell, two)| *cell += one * two);
                }
            }
            sum
        })
        .collect();
    let mut sum = nothing();
    for part in parts {
        sum.0 += part.0;
        sum.1.iter_mut().zip(part.1).for_each(|(all, more)| *all += more);
        for (line, more) in sum.2.iter_mut().zip(part.2) {
            line.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
    }
    for number in 0..size {
        sum.2[number][number] += RIDGE;
    }
    for &fixed in fixed {
        sum.1[fixed] = 0.0;
        for number in 0..size {
            sum.2[fixed][number] = if fixed == number { 1.0 } else { 0.0 };
            sum.2[number][fixed] = if fixed == number { 1.0 } else { 0.0 };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_heads_is_found_with_its_error() {
        // 300 heads in 1000 throws: ln odds -0.8473, error 1 / sqrt(1000 · 0.3 · 0.7) = 0.0690.
        let throws: Vec<bool> = (0..1000).map(|number| number % 10 < 3).collect();
        let found = maximum(&throws, vec![0.0], &[], |&heads, row| {
            let chance = 1.0 / (1.0 + (-row[0]).exp());
            match heads {
                true => (chance.ln(), vec![1.0 - chance]),
                false => ((1.0 - chance).ln(), vec![-chance]),
            }
        });
        assert!((found.row[0] + 0.8473).abs() < 1e-3, "{found:?}");
        assert!((found.errors[0] - 0.0690).abs() < 1e-3, "{found:?}");
    }
}
