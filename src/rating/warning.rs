use crate::statistics::normal_cdf;

/// What must be said with so many z-scores: how many are that great by chance alone, were the model right. `greatest` is
/// the greatest of them by size.
pub fn multiple_tests(tests: usize, greatest: f64) -> String {
    let beyond = |z: f64| tests as f64 * 2.0 * normal_cdf(-z);
    format!(
        "{tests} z-score{}: were the model right, {:.1} would lie beyond ±2 and {:.2} beyond ±3 by chance alone, and one as great as \
         {greatest:.1} or greater would be among them with probability {:.2}. The model is not quite right, and decisions of one game \
         are not independent: z-scores spread more widely than that. They are no evidence against a person.",
        if tests == 1 { "" } else { "s" },
        beyond(2.0),
        beyond(3.0),
        1.0 - (1.0 - 2.0 * normal_cdf(-greatest.abs())).powi(tests as i32),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_a_hundred_tests_some_are_great_by_chance() {
        let text = super::multiple_tests(100, 2.5);
        assert!(text.contains("4.6 would lie beyond ±2") && text.contains("probability 0.71"), "{text}");
    }
}
