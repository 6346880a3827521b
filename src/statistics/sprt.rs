//! The sequential test: stop as soon as the games decide between two hypotheses.

use serde::Serialize;

use super::{ObservedScores, elo::expected_score};

/// A generalised sequential probability ratio test between two differences in logistic Elo.
///
/// The log-likelihood ratio is that of the likeliest distributions with the two expected scores, over pairs of
/// games where games are paired (pentanomial), else over single games (trinomial).
// A. Wald, "Sequential tests of statistical hypotheses", 1945, for the bounds; stat.columbia.edu/~jcliu/paper/GSPRT_SQA3.pdf
// for the generalised test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative, above `elo0`.
    pub elo1: f64,
    /// The chance of accepting the alternative though the null holds.
    pub alpha: f64,
    /// The chance of accepting the null though the alternative holds.
    pub beta: f64,
}

/// A test that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// Hypotheses in the wrong order, or the same.
    #[error("--elo1 must be above --elo0, but {1} is not above {0}")]
    Hypotheses(f64, f64),
    /// Chances of error that leave nothing to test.
    #[error("--alpha and --beta must be above 0 and below 0.5, but {0} is not")]
    Chance(f64),
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// Go on.
    Undecided,
    /// The difference is `elo0`, or less.
    H0,
    /// The difference is `elo1`, or more.
    H1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// At or below this the null hypothesis is accepted.
    pub lower: f64,
    /// At or above this the alternative is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// A test, if it makes sense.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if elo0.is_nan() || elo1.is_nan() || elo1 <= elo0 {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        match [alpha, beta].into_iter().find(|chance| !(*chance > 0.0 && *chance < 0.5)) {
            Some(chance) => Err(SprtError::Chance(chance)),
            None => Ok(Sprt { elo0, elo1, alpha, beta }),
        }
    }

    /// Where the test stands after this sample.
    pub fn state(self, sample: &ObservedScores) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = if sample.size() > 0.0 {
            sample.log_likelihood(expected_score(self.elo1))
                - sample.log_likelihood(expected_score(self.elo0))
        } else {
            0.0
        };
        let verdict = match llr {
            llr if llr >= upper => SprtVerdict::H1,
            llr if llr <= lower => SprtVerdict::H0,
            _ => SprtVerdict::Undecided,
        };
        SprtState { test: self, llr, lower, upper, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pairs, Tally};
    use super::*;

    fn state(elo0: f64, elo1: f64, sample: ObservedScores) -> SprtState {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().state(&sample)
    }

    #[test]
    fn the_ratio_agrees_with_an_independent_computation() {
        // scipy.optimize.brentq for the multiplier of each hypothesis, then Σ n ln(p1/p0) (numpy).
        for (pairs, elo0, elo1, expected) in PENTANOMIAL {
            let got = state(elo0, elo1, Pairs(pairs).into()).llr;
            assert!((got - expected).abs() < 1e-8, "{pairs:?}: {got}, not {expected}");
        }
        for (tally, elo0, elo1, expected) in TRINOMIAL {
            let got = state(elo0, elo1, tally.into()).llr;
            assert!((got - expected).abs() < 1e-8, "{tally:?}: {got}, not {expected}");
        }
    }

    const PENTANOMIAL: [([u64; 5], f64, f64, f64); 2] = [
        ([10, 100, 300, 120, 15], 0.0, 5.0, 1.089002215),
        ([63, 5224, 12000, 5600, 72], 0.0, 2.0, 6.091441213),
    ];
    const TRINOMIAL: [(Tally, f64, f64, f64); 1] =
        [(Tally { wins: 120, draws: 200, losses: 90 }, -5.0, 5.0, 1.685506072)];

    #[test]
    fn the_bounds_are_walds() {
        let state = state(0.0, 5.0, Tally::default().into());
        assert!((state.upper - 19f64.ln()).abs() < 1e-12);
        assert!((state.lower + 19f64.ln()).abs() < 1e-12);
        assert_eq!((state.llr, state.verdict), (0.0, SprtVerdict::Undecided));
    }

    #[test]
    fn a_much_stronger_side_passes_and_a_much_weaker_one_fails() {
        let strong = Tally { wins: 300, draws: 100, losses: 100 };
        assert_eq!(state(0.0, 20.0, strong.into()).verdict, SprtVerdict::H1);
        assert_eq!(state(0.0, 20.0, strong.reversed().into()).verdict, SprtVerdict::H0);
    }

    #[test]
    fn a_test_that_makes_no_sense_is_refused() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.05, f64::NAN).is_err());
    }
}
