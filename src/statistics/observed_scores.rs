//! Observed scores, and how likely they are if the true mean is a given one.

use super::{Pairs, Tally};

/// What takes the place of a count of 0, so that a result not yet seen is unlikely, not impossible.
const UNSEEN: f64 = 1e-3;

/// Independent observations of a score in [0, 1]: games (0, ½, 1), or pairs of games (0, ¼, … 1).
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedScores {
    /// How often each score was seen; the scores are evenly spaced from 0 to 1.
    counts: Vec<f64>,
}

impl From<Tally> for ObservedScores {
    fn from(tally: Tally) -> ObservedScores {
        ObservedScores { counts: [tally.losses, tally.draws, tally.wins].map(|n| n as f64).to_vec() }
    }
}

impl From<Pairs> for ObservedScores {
    fn from(pairs: Pairs) -> ObservedScores {
        ObservedScores { counts: pairs.0.map(|n| n as f64).to_vec() }
    }
}

impl ObservedScores {
    /// How many observations there are.
    pub fn size(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Scores with their counts.
    fn cells(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        let last = (self.counts.len() - 1) as f64;
        self.counts.iter().enumerate().map(move |(number, &count)| (number as f64 / last, count))
    }

    /// The mean score.
    pub fn mean(&self) -> f64 {
        self.cells().map(|(score, count)| score * count).sum::<f64>() / self.size()
    }

    /// The mean square distance of the scores from `centre`.
    pub fn spread_about(&self, centre: f64) -> f64 {
        self.cells().map(|(score, count)| (score - centre).powi(2) * count).sum::<f64>() / self.size()
    }

    /// The logarithm of the greatest likelihood of the sample among all distributions on the same scores
    /// that have this mean (0 < `mean` < 1); up to a constant that does not depend on the mean.
    ///
    /// By Lagrange's multipliers those probabilities are p̂_i / (1 + θ(a_i − mean)), with θ such that
    /// Σ p̂_i (a_i − mean) / (1 + θ(a_i − mean)) = 0.
    // hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, which the tests of chess engines by Fishtest rest on.
    pub fn log_likelihood(&self, mean: f64) -> f64 {
        let cells = self.cells().map(|(score, count)| (score - mean, count.max(UNSEEN)));
        // All denominators are positive between these poles, and the sum falls from +∞ to −∞ there.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..100 {
            let theta = 0.5 * (low + high);
            let slope: f64 = cells.clone().map(|(d, count)| count * d / (1.0 + theta * d)).sum();
            if slope > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        let theta = 0.5 * (low + high);
        -cells.map(|(d, count)| count * (theta * d).ln_1p()).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_are_those_of_the_points() {
        let sample = ObservedScores::from(Tally { wins: 3, draws: 4, losses: 1 });
        assert_eq!(sample.size(), 8.0);
        assert_eq!(sample.mean(), 0.625);
        assert!((sample.spread_about(0.625) - 0.109_375).abs() < 1e-15);
    }

    #[test]
    fn the_observed_mean_is_the_likeliest() {
        let sample = ObservedScores::from(Pairs([3, 10, 20, 14, 2]));
        assert!(sample.log_likelihood(sample.mean()).abs() < 1e-6);
        for mean in [0.01, 0.3, 0.5, 0.52, 0.9, 0.99] {
            assert!(sample.log_likelihood(mean) < 0.0);
        }
    }

    #[test]
    fn the_constrained_likelihood_agrees_with_numerical_optimisation() {
        // max Σ n_i ln(p_i/p̂_i) over Σ p_i = 1, Σ p_i a_i = mean by scipy.optimize.minimize (SLSQP, ftol 1e-14).
        let sample = ObservedScores::from(Pairs([3, 10, 20, 14, 2]));
        for (mean, expected) in CONSTRAINED {
            let got = sample.log_likelihood(mean);
            assert!((got - expected).abs() < 1e-6, "{mean}: {got}, not {expected}");
        }
    }

    const CONSTRAINED: [(f64, f64); 3] =
        [(0.4, -4.733_348_021), (0.5, -0.045_220_421), (0.6, -3.549_935_972)];
}
