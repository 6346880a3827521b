//! Elo ratings of any number of players from their results against each other.

use serde::Serialize;

use super::{
    Results, Tally,
    elo::expected_score,
    groups::{comparable, connected, scored},
    normal::Z_95,
    solve::inverse,
};

/// Elo of one unit of the logistic curve's natural scale.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Games that every player is taken to have drawn with an opponent of average strength.
const VIRTUAL_DRAWS: f64 = 1.0;

/// Steps of Newton's method, at most; a dozen are usual.
const STEPS: usize = 100;

/// A step as small as this, on the natural scale, needs no check that it leads uphill: the curvature hardly changes.
const SURE: f64 = 1e-3;

/// Ratings are found when no step is longer than this, on the natural scale.
const FOUND: f64 = 1e-11;

/// The side on which the games alone set no limit to a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unbounded {
    /// All games against the rest were won.
    Above,
    /// All games against the rest were lost.
    Below,
}

impl Unbounded {
    /// The lower-case name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Unbounded::Above => "above",
            Unbounded::Below => "below",
        }
    }
}

/// How strong a player is, as far as its results say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo, relative to the mean of the group.
    pub elo: f64,
    /// Half the length of the 95 % interval of `elo`, the mean of the group taken as fixed. The error of the
    /// difference of two players is another one: it is that of both together when there are only these two.
    pub elo_error: f64,
    /// Whether only the virtual draw keeps the rating finite: the player, or the part of the group within which
    /// points went both ways, won or lost every game against the rest. The largest part, if there is just one, is
    /// what others are measured against and never marked.
    pub unbounded: Option<Unbounded>,
    /// The number, from 0, of the group of players that games connect. Ratings of different groups cannot be compared.
    pub group: usize,
    /// The mean rating of the opponents, one for each game.
    pub average_opponent: f64,
}

/// The ratings of all players, in their order; a player without games has none.
///
/// They are those of greatest likelihood when i scores 1 / (1 + 10^((r_j − r_i) / 400)) against j, a draw being
/// half a win and half a loss (Bradley and Terry 1952), and every player has, besides the games, **one virtual
/// draw** with an opponent of rating 0. That is a weak prior: it keeps ratings finite when a player has only
/// won or only lost, and pulls those with few games towards the average; its effect on n games is of order 1 / n.
/// Afterwards every group's ratings are moved so that their mean is 0.
///
/// The errors are those of the sandwich C = H⁻¹ J H⁻¹. H is the observed information, the Hessian of minus the
/// log-likelihood, in which each game between i and j counts p(1 − p); this alone would take the results for coin
/// tosses. J has the actual variance of n games with d draws in the same places, n p(1 − p) − d / 4, which draws
/// make smaller. It uses the expected score p and not the squares of the deviations from it, because these vanish when
/// every game was won. The virtual draws count p(1 − p) in both, so that draws alone leave an error too.
/// Games count as independent: where two share an opening with colours reversed, errors are as a rule too large.
// Hunter 2004, 'MM algorithms for generalized Bradley-Terry models', for likelihood and existence;
// White 1982, 'Maximum likelihood estimation of misspecified models', for the sandwich.
pub fn ratings(results: &Results) -> Vec<Option<Rating>> {
    let mut ratings = vec![None; results.players()];
    for (number, group) in connected(results).into_iter().enumerate() {
        let pool = Pool::new(results, &group);
        let strengths = pool.likeliest();
        let errors = pool.errors(&strengths);
        let mean = strengths.iter().sum::<f64>() / group.len() as f64;
        let elo: Vec<f64> = strengths.iter().map(|strength| SCALE * (strength - mean)).collect();
        let unbounded = unbounded(results, &group);
        for (place, &player) in group.iter().enumerate() {
            let games = |other: usize| results.between(player, other).games() as f64;
            let opponents: f64 = group.iter().zip(&elo).map(|(&other, elo)| games(other) * elo).sum();
            ratings[player] = Some(Rating {
                elo: elo[place],
                elo_error: Z_95 * SCALE * errors[place],
                unbounded: unbounded[place],
                group: number,
                average_opponent: opponents / results.total(player).games() as f64,
            });
        }
    }
    ratings
}

/// Of each member of a group, whether its part of the group won or lost everything against the rest.
fn unbounded(results: &Results, group: &[usize]) -> Vec<Option<Unbounded>> {
    let parts = comparable(results, group);
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let alone = parts.iter().filter(|part| part.len() == largest).count() == 1;
    let mark = |player: &usize| {
        let part = parts.iter().find(|part| part.contains(player))?;
        if alone && part.len() == largest {
            return None;
        }
        let rest = || group.iter().filter(|player| !part.contains(player));
        let any = |scored: &dyn Fn(usize, usize) -> bool| {
            part.iter().any(|&inside| rest().any(|&outside| scored(inside, outside)))
        };
        let won = any(&|inside, outside| scored(results, inside, outside));
        let lost = any(&|inside, outside| scored(results, outside, inside));
        match (won, lost) {
            (true, false) => Some(Unbounded::Above),
            (false, true) => Some(Unbounded::Below),
            _ => None,
        }
    };
    group.iter().map(mark).collect()
}

/// The games of connected players, who are counted by their places in the group.
struct Pool {
    players: usize,
    /// Each pair that met once: its places and the games of the first against the second.
    pairs: Vec<(usize, usize, Tally)>,
}

impl Pool {
    fn new(results: &Results, group: &[usize]) -> Pool {
        let place = |player| group.iter().position(|&member| member == player);
        let pairs = results.pairs().filter_map(|(i, j, tally)| Some((place(i)?, place(j)?, tally)));
        Pool { players: group.len(), pairs: pairs.collect() }
    }

    /// The logarithm of the likelihood, virtual draws included.
    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let ln_score = |x: f64| if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() };
        let prior = |&x: &f64| 0.5 * VIRTUAL_DRAWS * (ln_score(x) + ln_score(-x));
        let games = |&(i, j, tally): &(usize, usize, Tally)| {
            let x = strengths[i] - strengths[j];
            points(tally) * ln_score(x) + points(tally.reversed()) * ln_score(-x)
        };
        strengths.iter().map(prior).sum::<f64>() + self.pairs.iter().map(games).sum::<f64>()
    }

    /// The slope of the log-likelihood along each strength: the points beyond those expected.
    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let mut slope: Vec<f64> = strengths.iter().map(|&x| VIRTUAL_DRAWS * (0.5 - expected(x))).collect();
        for &(i, j, tally) in &self.pairs {
            let beyond = points(tally) - tally.games() as f64 * expected(strengths[i] - strengths[j]);
            slope[i] += beyond;
            slope[j] -= beyond;
        }
        slope
    }

    /// Minus the Hessian of the log-likelihood with `weight` for a pair's games: as for independent games of that
    /// variance at the given expected score.
    fn information(&self, strengths: &[f64], weight: impl Fn(f64, Tally) -> f64) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.players]; self.players];
        for (i, &x) in strengths.iter().enumerate() {
            matrix[i][i] = VIRTUAL_DRAWS * expected(x) * expected(-x);
        }
        for &(i, j, tally) in &self.pairs {
            let weight = weight(expected(strengths[i] - strengths[j]), tally);
            matrix[i][i] += weight;
            matrix[j][j] += weight;
            matrix[i][j] -= weight;
            matrix[j][i] -= weight;
        }
        matrix
    }

    /// The strengths of greatest likelihood, on the natural scale, by Newton's method. The logarithm is concave, so there
    /// is one maximum; steps that overshoot it are halved.
    fn likeliest(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..STEPS {
            let slope = self.slope(&strengths);
            let step = apply(&inverse(self.information(&strengths, tossed)), &slope);
            let length = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let moved = |share: f64| -> Vec<f64> {
                strengths.iter().zip(&step).map(|(strength, step)| strength + share * step).collect()
            };
            let here = self.log_likelihood(&strengths);
            let mut share = 1.0;
            while share * length > SURE && self.log_likelihood(&moved(share)) < here {
                share *= 0.5;
            }
            strengths = moved(share);
            if length < FOUND {
                break;
            }
        }
        strengths
    }

    /// The standard errors of the strengths relative to their mean, on the natural scale.
    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        let inverse = inverse(self.information(strengths, tossed));
        let spread = self.information(strengths, actual);
        // Relative to the mean: each row less the mean of all rows.
        let mean: Vec<f64> = (0..self.players)
            .map(|column| inverse.iter().map(|row| row[column]).sum::<f64>() / self.players as f64)
            .collect();
        let error = |row: &Vec<f64>| {
            let row: Vec<f64> = row.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
            let variance: f64 = apply(&spread, &row).iter().zip(&row).map(|(a, b)| a * b).sum();
            variance.max(0.0).sqrt()
        };
        inverse.iter().map(error).collect()
    }
}

/// The score expected at this difference on the natural scale.
fn expected(difference: f64) -> f64 {
    expected_score(SCALE * difference)
}

fn points(tally: Tally) -> f64 {
    tally.wins as f64 + 0.5 * tally.draws as f64
}

/// The variance of the points of games that are never drawn.
fn tossed(score: f64, tally: Tally) -> f64 {
    tally.games() as f64 * score * (1.0 - score)
}

/// The variance of the points of games as many of which are drawn as were; at an expected score near 0 or 1, as many as
/// can be.
fn actual(score: f64, tally: Tally) -> f64 {
    let most = 2.0 * score.min(1.0 - score) * tally.games() as f64;
    tossed(score, tally) - 0.25 * most.min(tally.draws as f64)
}

fn apply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::{
        super::{Strength, elo_difference},
        *,
    };
    use crate::model::Value;

    /// Player, opponent, wins, draws, losses.
    type Row = (usize, usize, u64, u64, u64);

    /// Results, and each player's rating with its error.
    type Tournament = (&'static [Row], &'static [(f64, f64)]);

    fn results(players: usize, rows: &[Row]) -> Results {
        let mut results = Results::new(players);
        for &(i, j, wins, draws, losses) in rows {
            results.add_tally(i, j, Tally { wins, draws, losses });
        }
        results
    }

    fn rated(players: usize, rows: &[Row]) -> Vec<Rating> {
        ratings(&results(players, rows)).into_iter().map(Option::unwrap).collect()
    }

    #[test]
    fn ratings_agree_with_an_independent_computation() {
        // scipy 1.17: the log-likelihood with one virtual draw a player by optimize.minimize (BFGS), polished by
        // optimize.root on its gradient; the Hessian from central differences of the gradient, inverted by numpy,
        // J with n p (1 − p) − d / 4; both relative to the mean by the projection I − 1/m.
        let tournaments: [Tournament; 3] = [
            (
                &[
                    (0, 1, 5, 3, 2),
                    (0, 2, 6, 4, 0),
                    (0, 3, 8, 1, 1),
                    (1, 2, 3, 4, 3),
                    (1, 3, 5, 5, 0),
                    (2, 3, 4, 2, 4),
                ],
                &[
                    (153.164216, 87.137739),
                    (17.000828, 73.103111),
                    (-56.439244, 77.59625),
                    (-113.7258, 84.935335),
                ],
            ),
            (
                &[(0, 1, 20, 60, 20), (0, 2, 45, 30, 25), (0, 3, 10, 40, 50)],
                &[
                    (-19.094394, 22.446026),
                    (-18.914373, 37.873613),
                    (-88.636342, 46.419459),
                    (126.645109, 44.125501),
                ],
            ),
            (
                &[(0, 1, 4, 0, 0), (0, 2, 6, 0, 0), (1, 2, 2, 1, 1)],
                &[(363.643697, 334.909467), (-142.119396, 217.969875), (-221.524301, 219.172844)],
            ),
        ];
        for (rows, expected) in tournaments {
            for (rating, (elo, error)) in rated(expected.len(), rows).iter().zip(expected) {
                assert!((rating.elo - elo).abs() < 1e-5, "{rating:?}, not {elo}");
                assert!((rating.elo_error - error).abs() < 1e-4, "{rating:?}, not {error}");
            }
        }
    }

    #[test]
    fn two_players_agree_with_the_strength_of_one_over_the_other() {
        for (wins, draws, losses) in
            [(4000, 3000, 3000), (900, 8000, 1100), (5000, 0, 5000), (7000, 2000, 1000)]
        {
            let strength = Strength::of(&Tally { wins, draws, losses }.into()).unwrap();
            let rated = rated(2, &[(0, 1, wins, draws, losses)]);
            assert!((rated[0].elo - rated[1].elo - strength.elo).abs() < 0.1, "{rated:?} {strength:?}");
            let half = (strength.elo_interval.high - strength.elo_interval.low) / 2.0;
            let error = rated[0].elo_error + rated[1].elo_error;
            assert!((error / half - 1.0).abs() < 0.01, "{error}, not {half}");
        }
    }

    #[test]
    fn the_virtual_draws_are_all_that_keeps_two_players_from_their_score() {
        // The slope vanishes where the points, and half a virtual one more, are those expected.
        let rated = rated(2, &[(0, 1, 6, 2, 2)]);
        let difference = rated[0].elo - rated[1].elo;
        let expected = 7.0 + 0.5 - expected_score(difference / 2.0);
        assert!((difference - elo_difference(expected / 10.0)).abs() < 1e-6);
    }

    #[test]
    fn draws_make_the_error_smaller_but_not_nothing() {
        let error = |wins, draws| rated(2, &[(0, 1, wins, draws, wins)])[0].elo_error;
        assert!(error(20, 60) < 0.7 * error(50, 0));
        assert!(error(0, 100) < error(20, 60));
        assert!(error(0, 100) > 1.0);
    }

    #[test]
    fn who_only_won_has_a_finite_rating_and_a_mark() {
        let rated_all = rated(3, &[(0, 1, 4, 0, 0), (0, 2, 6, 0, 0), (1, 2, 2, 1, 1)]);
        let marks: Vec<_> = rated_all.iter().map(|rating| rating.unbounded).collect();
        assert_eq!(marks, [Some(Unbounded::Above), None, None]);
        let chain = rated(3, &[(0, 1, 1, 0, 0), (1, 2, 1, 0, 0)]);
        let marks: Vec<_> = chain.iter().map(|rating| rating.unbounded).collect();
        assert_eq!(marks, [Some(Unbounded::Above), None, Some(Unbounded::Below)]);
        let many = rated(2, &[(0, 1, 1_000_000, 0, 0)]);
        assert!(many.iter().all(|rating| rating.elo.is_finite() && rating.elo_error.is_finite()), "{many:?}");
        // 10 of 10: the interval reaches below that of the score's likelihood.
        let ten = rated(2, &[(0, 1, 10, 0, 0)]);
        let lower = Strength::of(&Tally { wins: 10, draws: 0, losses: 0 }.into()).unwrap().elo_interval.low;
        assert!(2.0 * (ten[0].elo - ten[0].elo_error) < lower, "{ten:?} {lower}");
    }

    #[test]
    fn a_group_that_lost_no_point_to_the_rest_is_marked() {
        let rated = rated(4, &[(0, 1, 3, 2, 1), (2, 3, 3, 2, 1), (0, 2, 2, 0, 0)]);
        let marks: Vec<_> = rated.iter().map(|rating| rating.unbounded).collect();
        let (above, below) = (Some(Unbounded::Above), Some(Unbounded::Below));
        assert_eq!(marks, [above, above, below, below]);
    }

    #[test]
    fn groups_that_never_met_are_rated_each_by_itself() {
        let rows = [(0, 3, 5, 3, 2), (1, 4, 9, 1, 3)];
        let all = ratings(&results(5, &rows));
        assert_eq!(all[2], None);
        let alone = rated(2, &[(0, 1, 5, 3, 2)]);
        assert_eq!(all[0], Some(alone[0]));
        assert_eq!(
            all.iter().map(|rating| rating.map(|rating| rating.group)).collect::<Vec<_>>(),
            [Some(0), Some(1), None, Some(0), Some(1)]
        );
    }

    #[test]
    fn opponents_are_averaged_by_games() {
        let rated = rated(3, &[(0, 1, 2, 1, 0), (0, 2, 1, 2, 3)]);
        let average = (3.0 * rated[1].elo + 6.0 * rated[2].elo) / 9.0;
        assert!((rated[0].average_opponent - average).abs() < 1e-9);
        assert!((rated[1].average_opponent - rated[0].elo).abs() < 1e-9);
    }

    #[test]
    fn nobody_has_no_rating() {
        assert_eq!(ratings(&Results::new(0)), []);
        assert_eq!(ratings(&Results::new(2)), [None, None]);
    }

    /// Rows between players below `PLAYERS`, of which some may name the same player twice and so hold no games.
    fn rows() -> impl Strategy<Value = Vec<Row>> {
        vec((0..PLAYERS, 0..PLAYERS, 0..30_u64, 0..30_u64, 0..30_u64), 1..12)
    }

    const PLAYERS: usize = 6;

    proptest! {
        #[test]
        fn the_order_of_players_does_not_matter(
            rows in rows(),
            order in Just((0..PLAYERS).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let moved: Vec<Row> = rows.iter().map(|&(i, j, w, d, l)| (order[i], order[j], w, d, l)).collect();
            let (one, other) = (ratings(&results(PLAYERS, &rows)), ratings(&results(PLAYERS, &moved)));
            for (player, rating) in one.iter().enumerate() {
                let (Some(one), Some(other)) = (rating, other[order[player]]) else {
                    prop_assert_eq!(rating, &other[order[player]]);
                    continue;
                };
                prop_assert!((one.elo - other.elo).abs() < 1e-6, "{:?} {:?}", one, other);
                prop_assert!((one.elo_error - other.elo_error).abs() < 1e-6, "{:?} {:?}", one, other);
                prop_assert_eq!(one.unbounded, other.unbounded);
            }
        }

        #[test]
        fn a_win_never_lowers_the_winner_relative_to_the_loser(rows in rows(), winner in 0..PLAYERS, loser in 0..PLAYERS) {
            let mut results = results(PLAYERS, &rows);
            let before = ratings(&results);
            results.add(winner, loser, Value::Win);
            let after = ratings(&results);
            if let (Some(winner_before), Some(loser_before)) = (before[winner], before[loser])
                && winner_before.group == loser_before.group
            {
                let gain = |one: Rating, other: Rating| one.elo - other.elo;
                let after = gain(after[winner].unwrap(), after[loser].unwrap());
                prop_assert!(after > gain(winner_before, loser_before) - 1e-6);
            }
        }

        #[test]
        fn ratings_are_finite_and_their_mean_is_0(rows in rows()) {
            let ratings: Vec<Rating> = ratings(&results(PLAYERS, &rows)).into_iter().flatten().collect();
            for rating in &ratings {
                prop_assert!(rating.elo.is_finite() && rating.elo_error.is_finite() && rating.elo_error > 0.0);
            }
            prop_assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        }
    }
}
