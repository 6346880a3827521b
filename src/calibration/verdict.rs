//! How well a model of people foretells moves.

use std::collections::BTreeMap;

/// Predictions and what came of them.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    count: u64,
    ln: f64,
    ln_squared: f64,
    hits: f64,
    in_three: u64,
    /// By how sure the model was of its first choice: predictions, the sum of their probabilities, hits.
    bins: BTreeMap<u32, (u64, f64, f64)>,
}

/// Bins of the calibration error.
const BINS: f64 = 10.0;

impl Verdict {
    /// One more move: how likely each one was found, and which was played.
    pub fn add(&mut self, probabilities: &[f64], played: usize) {
        let probability = probabilities[played];
        let ln = probability.max(f64::MIN_POSITIVE).ln();
        let better = probabilities.iter().filter(|&&other| other > probability).count();
        let surest = probabilities.iter().copied().fold(0.0, f64::max);
        self.count += 1;
        self.ln += ln;
        self.ln_squared += ln * ln;
        // Of equal first choices one would be drawn.
        let equal = probabilities.iter().filter(|&&other| other == probability).count();
        let hit = if better == 0 { 1.0 / equal as f64 } else { 0.0 };
        self.hits += hit;
        self.in_three += u64::from(better < 3);
        let bin = self.bins.entry((surest * BINS).min(BINS - 1.0) as u32).or_default();
        bin.0 += 1;
        bin.1 += surest;
        bin.2 += hit;
    }

    /// Moves.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean ln P of the moves played.
    pub fn mean_ln(&self) -> f64 {
        self.ln / self.count.max(1) as f64
    }

    /// The standard error of that mean.
    pub fn error(&self) -> f64 {
        let count = self.count.max(2) as f64;
        ((self.ln_squared / count - self.mean_ln().powi(2)).max(0.0) / (count - 1.0)).sqrt()
    }

    /// The share of moves that were the model's first choice.
    pub fn hit_rate(&self) -> f64 {
        self.hits / self.count.max(1) as f64
    }

    /// The share that was among its first three.
    pub fn in_three_rate(&self) -> f64 {
        self.in_three as f64 / self.count.max(1) as f64
    }

    /// The expected calibration error: by how much the model is surer of its first choice, or less sure, than it should be.
    pub fn calibration_error(&self) -> f64 {
        let off = |&(_, sure, hits): &(u64, f64, f64)| (sure - hits).abs();
        self.bins.values().map(off).sum::<f64>() / self.count.max(1) as f64
    }

    /// By bins of how sure it was: how sure on average, how often right, how many.
    pub fn reliability(&self) -> Vec<(f64, f64, u64)> {
        let mean = |&(count, sure, hits): &(u64, f64, f64)| (sure / count as f64, hits / count as f64, count);
        self.bins.values().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_says_what_happens_has_no_calibration_error() {
        let mut verdict = Verdict::default();
        for played in [0, 0, 0, 1] {
            verdict.add(&[0.75, 0.25], played);
        }
        assert_eq!((verdict.hit_rate(), verdict.in_three_rate()), (0.75, 1.0));
        assert!(verdict.calibration_error() < 1e-12);
        assert!((verdict.mean_ln() - (3.0 * 0.75_f64.ln() + 0.25_f64.ln()) / 4.0).abs() < 1e-12);
        verdict.add(&[0.75, 0.25], 1);
        assert!((verdict.calibration_error() - 0.15).abs() < 1e-12);
    }
}
