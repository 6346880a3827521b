//! How often something happens.

use super::{normal::Z_95, strength::Interval};

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Of the kind in question.
    pub count: u64,
    /// In all.
    pub of: u64,
}

impl Share {
    /// The part that was seen.
    pub fn part(self) -> f64 {
        self.count as f64 / self.of as f64
    }

    /// Its standard error.
    pub fn standard_error(self) -> f64 {
        (self.part() * (1.0 - self.part()) / self.of as f64).sqrt()
    }

    /// Where the true share lies, by Wilson's score interval (1927).
    pub fn interval(self) -> Interval {
        if self.of == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (n, p) = (self.of as f64, self.part());
        let (z2, scale) = (Z_95 * Z_95, 1.0 + Z_95 * Z_95 / n);
        let centre = (p + z2 / (2.0 * n)) / scale;
        let half = Z_95 / scale * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_agree_with_an_independent_computation() {
        // scipy.stats.binomtest(count, of).proportion_ci(method="wilson")
        for (count, of, low, high) in [(15, 200, 0.045_974_917, 0.120_043_610), (0, 200, 0.0, 0.018_845_326)]
        {
            let got = Share { count, of }.interval();
            assert!((got.low - low).abs() < 1e-8 && (got.high - high).abs() < 1e-8, "{got:?}");
        }
        assert_eq!(Share::default().interval(), Interval { low: 0.0, high: 1.0 });
    }
}
