use serde::Serialize;

/// Mean and spread of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, estimated from at least two.
    pub sd: Option<f64>,
    /// The standard error of the mean.
    pub standard_error: Option<f64>,
}

impl Moments {
    /// Those of some numbers, in whatever order, if there are any.
    pub fn of(numbers: &[f64]) -> Option<Moments> {
        if numbers.is_empty() {
            return None;
        }
        // Sums of floating-point numbers depend on their order; results must not.
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        let count = numbers.len();
        let mean = numbers.iter().sum::<f64>() / count as f64;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Moments { count, mean, sd, standard_error: sd.map(|sd| sd / (count as f64).sqrt()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_an_independent_computation() {
        // numpy: a = [17.5, 21.25, 19.0, 20.0]; a.mean() = 19.4375, a.std(ddof=1) = 1.58607219
        let moments = Moments::of(&[17.5, 21.25, 19.0, 20.0]).unwrap();
        assert_eq!((moments.count, moments.mean), (4, 19.4375));
        assert!((moments.sd.unwrap() - 1.586_072_192_556_19).abs() < 1e-12, "{moments:?}");
        assert_eq!(Moments::of(&[3.0]).unwrap().sd, None);
        assert_eq!(Moments::of(&[]), None);
    }
}
