//! Round numbers for axes.

/// Round numbers (1, 2 or 5 times a power of ten apart) that cover [low, high] with about `count` steps; the first is
/// at most `low`, the last at least `high`. They are `least` apart or more.
pub fn ticks(low: f64, high: f64, count: usize, least: f64) -> Vec<f64> {
    let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
    let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
    let rough = (high - low) / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough).max(least);
    let (first, last) = ((low / step + 1e-9).floor() as i64, (high / step - 1e-9).ceil() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// A tick's number with as many decimals as its neighbours need.
pub fn label(tick: f64, step: f64) -> String {
    let decimals = (-step.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{tick:.decimals$}");
    if text.trim_start_matches('-').chars().all(|letter| matches!(letter, '0' | '.')) {
        return "0".to_owned();
    }
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        assert_eq!(ticks(0.0, 97.0, 5, 0.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(31.0, 39.0, 4, 1.0), [30.0, 32.0, 34.0, 36.0, 38.0, 40.0]);
        let small = ticks(-0.02, 0.03, 5, 0.0);
        assert!(small[0] <= -0.02 && small.last().is_some_and(|last| *last >= 0.03));
    }

    #[test]
    fn what_is_counted_has_no_halves() {
        assert_eq!(ticks(1.0, 3.0, 8, 1.0), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_range_of_one_point_or_none_has_ticks() {
        assert!(ticks(5.0, 5.0, 5, 1.0).len() >= 2);
        assert!(ticks(f64::NAN, 5.0, 5, 0.0).len() >= 2);
        assert!(ticks(f64::INFINITY, f64::NEG_INFINITY, 5, 0.0).len() >= 2);
    }

    #[test]
    fn labels_have_the_decimals_they_need() {
        assert_eq!(label(0.30000000000000004, 0.1), "0.3");
        assert_eq!(label(-20.0, 10.0), "−20");
        assert_eq!(label(-0.0, 0.5), "0");
    }
}
