//! How much stronger one side is than the other, and how sure that is.

use serde::{Serialize, Serializer, ser::SerializeTuple};

use super::{
    ObservedScores,
    elo::elo_difference,
    normal::{Z_95, normal_cdf},
};

/// A 95 % interval; an end may be infinite, which JSON shows as null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&self.low)?;
        pair.serialize_element(&self.high)?;
        pair.end()
    }
}

/// Score, Elo difference and likelihood of superiority, from the first side's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// Mean points a game.
    pub score: f64,
    /// Where the true score lies: all scores that a likelihood-ratio test at 5 % does not reject.
    pub score_interval: Interval,
    /// The difference in Elo that belongs to the score; infinite (null) if all games were won or lost.
    pub elo: f64,
    /// The interval of the score, in Elo.
    pub elo_interval: Interval,
    /// The probability that the first side is the stronger: Φ of the distance from equality in standard
    /// errors, these being taken under equality; for single games that is Φ((W − L) / √(W + L)).
    pub superiority: f64,
}

impl Strength {
    /// What the sample says, if it is not empty.
    pub fn of(sample: &ObservedScores) -> Option<Strength> {
        let size = sample.size();
        if size == 0.0 {
            return None;
        }
        let score = sample.mean();
        let score_interval = Interval { low: end(sample, 0.0), high: end(sample, 1.0) };
        let error = (sample.spread_about(0.5) / size).sqrt();
        let superiority = if error > 0.0 { normal_cdf((score - 0.5) / error) } else { 0.5 };
        Some(Strength {
            score,
            score_interval,
            elo: elo_difference(score),
            elo_interval: Interval {
                low: elo_difference(score_interval.low),
                high: elo_difference(score_interval.high),
            },
            superiority,
        })
    }
}

/// The end of the profile-likelihood interval on the side of `limit`, which is 0 or 1. Unlike the interval
/// of the normal approximation it keeps inside [0, 1] and has a length even if all results are the same.
fn end(sample: &ObservedScores, limit: f64) -> f64 {
    let mean = sample.mean();
    if mean == limit {
        return limit;
    }
    let (mut inside, mut outside) = (mean, limit);
    for _ in 0..60 {
        let middle = 0.5 * (inside + outside);
        if 2.0 * sample.log_likelihood(middle) > -Z_95 * Z_95 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::super::{Pairs, Tally};
    use super::*;

    #[test]
    fn many_games_give_the_interval_of_the_normal_approximation() {
        // 4000 wins, 3000 draws, 3000 losses: score 0.55, by hand with numpy:
        // a = [0, .5, 1]; p = [.3, .3, .4]; se = sqrt((p * (a - .55)**2).sum() / 10000) = 0.00415331193.
        let strength = Strength::of(&Tally { wins: 4000, draws: 3000, losses: 3000 }.into()).unwrap();
        let error = 0.004_153_311_93;
        assert!((strength.score - 0.55).abs() < 1e-12);
        assert!((strength.score_interval.low - (0.55 - Z_95 * error)).abs() < 2e-5);
        assert!((strength.score_interval.high - (0.55 + Z_95 * error)).abs() < 2e-5);
    }

    #[test]
    fn ten_wins_in_ten_games_leave_room_for_doubt() {
        // The likeliest distribution with mean s that explains only wins has P(win) = s, P(loss) = 1 − s, so the
        // lower end solves 10 ln s = −z²/2: s = exp(−z²/20) = 0.825247.
        let strength = Strength::of(&Tally { wins: 10, draws: 0, losses: 0 }.into()).unwrap();
        assert!((strength.score_interval.low - 0.825_247).abs() < 1e-3, "{:?}", strength.score_interval);
        assert_eq!(strength.score_interval.high, 1.0);
        assert_eq!(strength.elo, f64::INFINITY);
    }

    #[test]
    fn superiority_is_the_usual_formula_for_single_games() {
        // scipy.stats.norm.cdf((30 - 20) / sqrt(50)) = 0.9213503964748574
        let strength = Strength::of(&Tally { wins: 30, draws: 70, losses: 20 }.into()).unwrap();
        assert!((strength.superiority - 0.921_350_396_474_857_4).abs() < 1e-12);
    }

    #[test]
    fn only_draws_say_nothing_of_superiority() {
        let strength = Strength::of(&Pairs([0, 0, 40, 0, 0]).into()).unwrap();
        assert_eq!(strength.superiority, 0.5);
        assert!(strength.elo.abs() < 1e-9);
    }

    #[test]
    fn pairs_that_balance_each_other_are_more_certain_than_their_games() {
        // Every pair a win and a loss: as single games a lottery, as pairs certain equality.
        let games = Strength::of(&Tally { wins: 40, draws: 0, losses: 40 }.into()).unwrap();
        let pairs = Strength::of(&Pairs([0, 0, 40, 0, 0]).into()).unwrap();
        let width = |strength: Strength| strength.score_interval.high - strength.score_interval.low;
        assert!(width(pairs) < 0.5 * width(games));
    }

    #[test]
    fn no_games_give_no_figures() {
        assert_eq!(Strength::of(&Tally::default().into()), None);
    }
}
