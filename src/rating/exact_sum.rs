use serde::{Deserialize, Serialize};

/// A sum of floating-point numbers that does not depend on their order: they are rounded to multiples of 2^−60 first, and
/// those are added exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactSum(i128);

const UNIT: f64 = (1u64 << 60) as f64;

impl ExactSum {
    /// Adds a number; what is not finite counts for nothing.
    pub fn add(&mut self, number: f64) {
        // From floating point, what is no number becomes 0 and what is too great the greatest.
        self.0 = self.0.saturating_add((number * UNIT).round() as i128);
    }

    /// Adds another sum.
    pub fn plus(&mut self, other: ExactSum) {
        self.0 = self.0.saturating_add(other.0);
    }

    /// The sum.
    pub fn value(self) -> f64 {
        self.0 as f64 / UNIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_matter() {
        let numbers: Vec<f64> =
            (0..1000).map(|n| (f64::from(n) * 0.7).sin() * 10f64.powi(n % 9 - 4)).collect();
        let sum = |numbers: &mut dyn Iterator<Item = &f64>| {
            let mut sum = ExactSum::default();
            numbers.for_each(|&number| sum.add(number));
            sum.value().to_bits()
        };
        assert_eq!(sum(&mut numbers.iter()), sum(&mut numbers.iter().rev()));
        assert!((f64::from_bits(sum(&mut numbers.iter())) - numbers.iter().sum::<f64>()).abs() < 1e-9);
    }
}
