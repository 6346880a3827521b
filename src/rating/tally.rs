use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{ExactSum, Expectation, GameKey, Judged};
use crate::{human::People, model::Scale};

/// What many decisions say together. The order in which they are added does not matter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The games that decisions were seen of.
    pub games: HashSet<GameKey>,
    /// Decisions on the scale of evaluations.
    pub decisions: u64,
    /// ln P for each candidate c.
    ln_c: Vec<ExactSum>,
    /// ln P for each Elo.
    ln_elo: Vec<ExactSum>,
    /// Decisions that people were asked about.
    pub asked: u64,
    /// How often the first choice of the pricer was played, the second … the tenth, a later one.
    pub ranks: [u64; RANKS + 1],
    /// Pawns given up, and their squares.
    errors: SumAndSquares,
    /// Decisions and pawns given up by what the best move was worth.
    by_value: [(u64, ExactSum); VALUES.len()],
    /// What was to be expected of people of each Elo.
    expected: Vec<Expected>,
    /// What was to be expected of players of the Elo that the tags give, where they give one.
    own: Expected,
    /// Decisions whose player's Elo is known, and the sum of those.
    tagged: u64,
    elo_tags: u64,
    /// First choices played and pawns given up by those players.
    own_matches: u64,
    own_errors: ExactSum,
    /// Decisions that tables have judged, and ln P for each candidate c on their scale.
    pub table_decisions: u64,
    ln_table_c: Vec<ExactSum>,
}

/// A sum and a sum of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct SumAndSquares {
    sum: ExactSum,
    squares: ExactSum,
}

/// Sums of expectations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Expected {
    first: ExactSum,
    first_variance: ExactSum,
    error: ExactSum,
    error_variance: ExactSum,
}

/// Choices that are counted one by one.
pub const RANKS: usize = 10;
/// Decisions are told apart by what the best move is worth, up to so many pawns either way.
pub const VALUES: [f64; 5] = [0.25, 0.5, 1.0, 2.0, f64::INFINITY];

/// What was seen beside what was to be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// Decisions.
    pub decisions: u64,
    /// First choices played.
    pub matches: u64,
    /// Expected number of them, and its variance.
    pub expected_matches: (f64, f64),
    /// Pawns given up.
    pub errors: f64,
    /// Expected, and its variance.
    pub expected_errors: (f64, f64),
}

impl Expected {
    fn add(&mut self, one: &Expectation) {
        self.first.add(one.first);
        self.first_variance.add(one.first * (1.0 - one.first));
        self.error.add(one.error);
        self.error_variance.add(one.variance);
    }

    fn plus(&mut self, other: &Expected) {
        self.first.plus(other.first);
        self.first_variance.plus(other.first_variance);
        self.error.plus(other.error);
        self.error_variance.plus(other.error_variance);
    }
}

impl Tally {
    /// One more decision of a game, by a player of an Elo, if the tags have it.
    pub fn add(&mut self, game: GameKey, elo: Option<u32>, judged: &Judged) {
        self.games.insert(game);
        if judged.scale == Scale::Table {
            self.table_decisions += 1;
            return add_all(&mut self.ln_table_c, &judged.ln_c);
        }
        self.decisions += 1;
        add_all(&mut self.ln_c, &judged.ln_c);
        self.ranks[judged.rank.min(RANKS + 1) - 1] += 1;
        self.errors.sum.add(judged.error);
        self.errors.squares.add(judged.error * judged.error);
        let bin = VALUES.iter().position(|&most| judged.best.abs() <= most).unwrap_or(VALUES.len() - 1);
        self.by_value[bin].0 += 1;
        self.by_value[bin].1.add(judged.error);
        let Some(people) = &judged.people else { return };
        self.asked += 1;
        add_all(&mut self.ln_elo, &people.ln_elo);
        self.expected.resize(People::COUNT, Expected::default());
        self.expected.iter_mut().zip(&people.expected).for_each(|(sum, one)| sum.add(one));
        if let Some((own, _)) = &people.own {
            self.own.add(own);
            self.tagged += 1;
            self.elo_tags += u64::from(elo.unwrap_or(0));
            self.own_matches += u64::from(judged.rank == 1);
            self.own_errors.add(judged.error);
        }
    }

    /// All decisions of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games.extend(&other.games);
        self.decisions += other.decisions;
        self.asked += other.asked;
        self.tagged += other.tagged;
        self.elo_tags += other.elo_tags;
        self.own_matches += other.own_matches;
        self.own_errors.plus(other.own_errors);
        self.table_decisions += other.table_decisions;
        plus_all(&mut self.ln_c, &other.ln_c);
        plus_all(&mut self.ln_elo, &other.ln_elo);
        plus_all(&mut self.ln_table_c, &other.ln_table_c);
        self.ranks.iter_mut().zip(other.ranks).for_each(|(sum, more)| *sum += more);
        self.errors.sum.plus(other.errors.sum);
        self.errors.squares.plus(other.errors.squares);
        for (sum, more) in self.by_value.iter_mut().zip(&other.by_value) {
            sum.0 += more.0;
            sum.1.plus(more.1);
        }
        self.expected.resize(self.expected.len().max(other.expected.len()), Expected::default());
        self.expected.iter_mut().zip(&other.expected).for_each(|(sum, more)| sum.plus(more));
        self.own.plus(&other.own);
    }

    /// ln P of all moves for each candidate c on a scale.
    pub fn ln_c(&self, scale: Scale) -> Vec<f64> {
        values(if scale == Scale::Table { &self.ln_table_c } else { &self.ln_c })
    }

    /// ln P of all moves for each Elo.
    pub fn ln_elo(&self) -> Vec<f64> {
        values(&self.ln_elo)
    }

    /// Pawns given up at a move: mean and standard error.
    pub fn mean_error(&self) -> (f64, f64) {
        let count = self.decisions.max(1) as f64;
        let mean = self.errors.sum.value() / count;
        let variance = (self.errors.squares.value() / count - mean * mean).max(0.0);
        (mean, (variance / count).sqrt())
    }

    /// By what the best move was worth: up to so many pawns either way, decisions, pawns given up at a move.
    pub fn errors_by_value(&self) -> Vec<(f64, u64, f64)> {
        let bins = VALUES.iter().zip(&self.by_value).filter(|(_, bin)| bin.0 > 0);
        bins.map(|(&most, bin)| (most, bin.0, bin.1.value() / bin.0 as f64)).collect()
    }

    /// The mean Elo that the tags give, by decisions, if they give one for all.
    pub fn tag_elo(&self) -> Option<f64> {
        let all = self.tagged > 0 && self.tagged == self.decisions;
        all.then(|| self.elo_tags as f64 / self.tagged as f64)
    }

    /// What was seen beside what was to be expected of players of the Elo that the tags give, for the decisions that have one.
    pub fn beside_tags(&self) -> Option<Beside> {
        (self.tagged > 0).then(|| Beside {
            decisions: self.tagged,
            matches: self.own_matches,
            expected_matches: (self.own.first.value(), self.own.first_variance.value()),
            errors: self.own_errors.value(),
            expected_errors: (self.own.error.value(), self.own.error_variance.value()),
        })
    }

    /// What was seen beside what was to be expected of players of one Elo.
    pub fn beside(&self, elo: f64) -> Option<Beside> {
        let at = |of: &dyn Fn(&Expected) -> ExactSum| {
            let numbers: Vec<f64> = self.expected.iter().map(|one| of(one).value()).collect();
            People::between(&numbers, elo)
        };
        (self.asked > 0).then(|| Beside {
            decisions: self.asked,
            matches: self.ranks[0],
            expected_matches: (at(&|one| one.first), at(&|one| one.first_variance)),
            errors: self.errors.sum.value(),
            expected_errors: (at(&|one| one.error), at(&|one| one.error_variance)),
        })
    }
}

fn add_all(sums: &mut Vec<ExactSum>, numbers: &[f64]) {
    sums.resize(numbers.len(), ExactSum::default());
    sums.iter_mut().zip(numbers).for_each(|(sum, &number)| sum.add(number));
}

fn plus_all(sums: &mut Vec<ExactSum>, others: &[ExactSum]) {
    sums.resize(sums.len().max(others.len()), ExactSum::default());
    sums.iter_mut().zip(others).for_each(|(sum, &other)| sum.plus(other));
}

fn values(sums: &[ExactSum]) -> Vec<f64> {
    sums.iter().map(|sum| sum.value()).collect()
}
