use serde::Serialize;

use crate::model::Belief;

/// Two who were rated, compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// The posterior probability that c of the first is greater.
    pub a_above_b: f64,
    /// `E[c]` of the first less that of the second.
    pub difference: f64,
    /// Where the difference lies, with 95 %.
    pub interval: (f64, f64),
}

/// Compares two beliefs about c on one grid, the evidence being of different decisions. Nothing if the grids differ.
pub fn compare(a: (&str, &Belief), b: (&str, &Belief)) -> Option<Comparison> {
    let grid = *a.1.grid();
    if grid != *b.1.grid() || a.1.scale() != b.1.scale() {
        return None;
    }
    let (one, two) = (a.1.probabilities(), b.1.probabilities());
    // The probability of each difference, in steps of the grid.
    let last = grid.len() - 1;
    let mut by_steps = vec![0.0; 2 * last + 1];
    for (i, p) in one.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        for (j, q) in two.iter().enumerate() {
            by_steps[i + last - j] += p * q;
        }
    }
    let above: f64 = by_steps[last + 1..].iter().sum();
    let reach = |order: &mut dyn Iterator<Item = usize>| {
        let (mut sum, mut end) = (0.0, last);
        for place in order {
            end = place;
            sum += by_steps[place];
            if sum > TAIL {
                break;
            }
        }
        (end as f64 - last as f64) * grid.step()
    };
    Some(Comparison {
        a: a.0.to_owned(),
        b: b.0.to_owned(),
        // Of equal candidates either may be above.
        a_above_b: above + 0.5 * by_steps[last],
        difference: a.1.mean() - b.1.mean(),
        interval: (reach(&mut (0..by_steps.len())), reach(&mut (0..by_steps.len()).rev())),
    })
}

/// What is cut off on either side.
const TAIL: f64 = 0.025;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Grid, Scale};

    #[test]
    fn normal_beliefs_are_compared_as_the_normal_distribution_says() {
        let grid: Grid = "0(0.01)3".parse().unwrap();
        let belief = |mean, deviation| Belief::normal(grid, Scale::Evaluation, mean, deviation).unwrap();
        let (a, b) = (belief(1.3, 0.03), belief(1.2, 0.04));
        let compared = compare(("a", &a), ("b", &b)).unwrap();
        // The difference is normal with mean 0.1 and deviation 0.05.
        assert!((compared.a_above_b - crate::statistics::normal_cdf(2.0)).abs() < 2e-3, "{compared:?}");
        assert!((compared.difference - 0.1).abs() < 1e-6);
        assert!((compared.interval.0 - 0.002).abs() < 0.011 && (compared.interval.1 - 0.198).abs() < 0.011);
        let reversed = compare(("b", &b), ("a", &a)).unwrap();
        assert!((compared.a_above_b + reversed.a_above_b - 1.0).abs() < 1e-9);
    }
}
