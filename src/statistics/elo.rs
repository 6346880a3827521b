//! Elo's logistic curve.

/// The difference in Elo at which this score is expected; infinite for 0 and 1.
pub fn elo_difference(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score expected at this difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_points_are_191_elo() {
        assert!((elo_difference(0.75) - 190.848_501_887_865).abs() < 1e-9);
        assert!((expected_score(elo_difference(0.3)) - 0.3).abs() < 1e-15);
        assert_eq!(elo_difference(1.0), f64::INFINITY);
        assert_eq!(elo_difference(0.0), f64::NEG_INFINITY);
    }
}
