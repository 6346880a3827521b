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
    /// The least.
    #[serde(skip)]
    pub min: f64,
    /// The greatest.
    #[serde(skip)]
    pub max: f64,
}

impl Moments {
    /// Those of some numbers, if there are any. The last digits depend on their order, as with all sums of
    /// floating-point numbers: where results must not, sort them first.
    // Welford 1962: in one pass, and without the difference of two great sums.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Moments> {
        let (mut count, mut mean, mut squares) = (0, 0.0, 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            count += 1;
            let off = number - mean;
            mean += off / count as f64;
            squares += off * (number - mean);
            min = number.min(min);
            max = number.max(max);
        }
        let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let standard_error = sd.map(|sd| sd / (count as f64).sqrt());
        (count > 0).then_some(Moments { count, mean, sd, standard_error, min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_an_independent_computation() {
        // numpy: a = [17.5, 21.25, 19.0, 20.0]; a.mean() = 19.4375, a.std(ddof=1) = 1.58607219
        let moments = Moments::of([17.5, 21.25, 19.0, 20.0]).unwrap();
        assert_eq!((moments.count, moments.min, moments.max), (4, 17.5, 21.25));
        assert!((moments.mean - 19.4375).abs() < 1e-12, "{moments:?}");
        assert!((moments.sd.unwrap() - 1.586_072_192_556_19).abs() < 1e-12, "{moments:?}");
        assert!((moments.standard_error.unwrap() - moments.sd.unwrap() / 2.0).abs() < 1e-12, "{moments:?}");
    }

    #[test]
    fn one_number_has_no_spread_and_none_no_mean() {
        let one = Moments::of([3.0]).unwrap();
        assert_eq!((one.mean, one.sd, one.standard_error), (3.0, None, None));
        assert_eq!(Moments::of([]), None);
    }
}
