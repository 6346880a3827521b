//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The quantile that leaves 2.5 % on each side.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * complementary_error(-x * FRAC_1_SQRT_2)
}

/// erfc, by its power series near 0 and its continued fraction further out
/// (Abramowitz & Stegun, 7.1.6 and 7.1.14).
fn complementary_error(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return 2.0 - complementary_error(-x);
    }
    if x < 2.5 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > sum * f64::EPSILON {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum
    } else {
        let mut fraction = x;
        for k in (1..=60).rev() {
            fraction = x + f64::from(k) / 2.0 / fraction;
        }
        (-x * x).exp() / PI.sqrt() / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_agrees_with_an_independent_one() {
        // scipy.stats.norm.cdf(x), scipy 1.17.
        let rows = [
            (-6.0, 9.865_876_450_376_98e-10),
            (-3.6, 1.591_085_901_575_338e-4),
            (-2.0, 2.275_013_194_817_921e-2),
            (-0.3, 3.820_885_778_110_474e-1),
            (0.0, 0.5),
            (1.0, 8.413_447_460_685_429e-1),
            (Z_95, 0.975),
            (4.5, 9.999_966_023_268_753e-1),
        ];
        for (x, expected) in rows {
            let got = normal_cdf(x);
            assert!((got / expected - 1.0).abs() < 1e-12, "Φ({x}) = {got}, not {expected}");
        }
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
    }
}
