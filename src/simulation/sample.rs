/// What a list of numbers comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many there are.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The standard deviation (n − 1).
    pub deviation: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Sample {
    /// Sums up some numbers.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Sample {
        let mut sample =
            Sample { count: 0, mean: 0.0, deviation: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY };
        let mut squares = 0.0;
        for value in values {
            sample.count += 1;
            let off = value - sample.mean;
            sample.mean += off / sample.count as f64;
            squares += off * (value - sample.mean);
            sample.min = sample.min.min(value);
            sample.max = sample.max.max(value);
        }
        sample.deviation = (squares / sample.count.saturating_sub(1).max(1) as f64).sqrt();
        sample
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / (self.count.max(1) as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_knows_its_mean_and_spread() {
        let sample = Sample::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((sample.mean, sample.min, sample.max), (5.0, 2.0, 9.0));
        assert!((sample.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((sample.error() - sample.deviation / 8f64.sqrt()).abs() < 1e-12);
    }
}
