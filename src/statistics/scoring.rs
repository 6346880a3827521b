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
/// parameter. Parameters named in `held` are believed beforehand to lie where they begin, give or take a standard deviation;
/// with a deviation of 0 they stay there.
pub fn maximum<T: Sync>(
    observations: &[T],
    begin: Vec<f64>,
    held: &[(usize, f64)],
    slope: impl Fn(&T, &[f64]) -> (f64, Vec<f64>) + Sync,
) -> Maximum {
    let mut row = begin.clone();
    let at = |row: &[f64]| hold(total(observations, row, &slope), &begin, row, held);
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
    let (ln, ..) = total(observations, &row, &slope);
    Maximum { row, errors, mean_ln: ln / observations.len().max(1) as f64 }
}

/// The sum of ln P, its gradient, and the sum of outer products of the gradients.
type Total = (f64, Vec<f64>, Vec<Vec<f64>>);

fn total<T: Sync>(
    observations: &[T],
    row: &[f64],
    slope: &(impl Fn(&T, &[f64]) -> (f64, Vec<f64>) + Sync),
) -> Total {
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
    sum
}

/// Adds what is believed beforehand.
fn hold(
    (mut ln, mut gradient, mut information): Total,
    begin: &[f64],
    row: &[f64],
    held: &[(usize, f64)],
) -> Total {
    for &(place, deviation) in held {
        if deviation > 0.0 {
            let precision = deviation.powi(-2);
            let off = row[place] - begin[place];
            ln -= precision * off * off / 2.0;
            gradient[place] -= precision * off;
            information[place][place] += precision;
        } else {
            gradient[place] = 0.0;
            information[place].fill(0.0);
            information.iter_mut().for_each(|line| line[place] = 0.0);
            information[place][place] = 1.0;
        }
    }
    (ln, gradient, information)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_heads_is_found_with_its_error() {
        // 300 heads in 1000 throws: ln odds -0.8473, error 1 / sqrt(1000 · 0.3 · 0.7) = 0.0690.
        let throws: Vec<bool> = (0..1000).map(|number| number % 10 < 3).collect();
        let slope = |&heads: &bool, row: &[f64]| {
            let chance = 1.0 / (1.0 + (-row[0]).exp());
            match heads {
                true => (chance.ln(), vec![1.0 - chance]),
                false => ((1.0 - chance).ln(), vec![-chance]),
            }
        };
        let found = maximum(&throws, vec![0.0], &[], slope);
        assert!((found.row[0] + 0.8473).abs() < 1e-3, "{found:?}");
        assert!((found.errors[0] - 0.0690).abs() < 1e-3, "{found:?}");
        // Who believes in fair coins as firmly as 1000 throws tell finds something in between.
        let held = maximum(&throws, vec![0.0], &[(0, 0.0690)], slope);
        assert!((-0.5..-0.35).contains(&held.row[0]), "{held:?}");
        assert_eq!(maximum(&throws, vec![0.0], &[(0, 0.0)], slope).row, [0.0]);
    }
}
