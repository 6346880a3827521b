use serde::Serialize;

use super::{
    Tally,
    tally::{Beside, RANKS},
};
use crate::{
    human::EloBelief,
    model::{Belief, Grid, PerScale, Scale},
    statistics::Share,
};

/// What is told of somebody who was rated. Intervals hold 95 %.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Who.
    pub who: String,
    /// Games.
    pub games: usize,
    /// Decisions that count.
    pub decisions: u64,
    /// The apparent competence, `E[c]`.
    pub c: Option<f64>,
    /// The standard deviation of c.
    pub c_deviation: Option<f64>,
    /// Where c lies.
    pub c_interval: Option<(f64, f64)>,
    /// The Elo of the people whose choices these are like.
    pub elo: Option<f64>,
    /// Where it lies.
    pub elo_interval: Option<(f64, f64)>,
    /// The mean Elo by the tags, if all decisions have one.
    pub elo_by_tags: Option<f64>,
    /// The share of decisions at which the pricer's first choice was played (MM).
    #[serde(rename = "match")]
    pub matches: Option<f64>,
    /// Where it lies.
    pub match_interval: Option<(f64, f64)>,
    /// What was to be expected of people of that Elo in these positions.
    pub expected_match: Option<f64>,
    /// Pawns given up at a move.
    pub mean_error: Option<f64>,
    /// The standard error of that.
    pub mean_error_error: Option<f64>,
    /// What was to be expected.
    pub expected_error: Option<f64>,
    /// By how many standard deviations there were more matches than expected.
    pub z: Option<f64>,
    /// By how many standard deviations less was given up than expected.
    pub z_error: Option<f64>,
    /// What Elo is meant: that of the tags, or the one inferred from the same moves, which draws z towards 0.
    pub expected_for: Option<&'static str>,
    /// Shares of the pricer's first, second … tenth choice, and of later ones.
    pub choices: Vec<f64>,
    /// By what the best move was worth: pawns, decisions, pawns given up at a move.
    pub error_by_value: Vec<(Option<f64>, u64, f64)>,
    /// Endgames that tables know, on the other scale of c.
    pub table: Option<TableRating>,
}

/// What is told of endgames that tables know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRating {
    /// Decisions.
    pub decisions: u64,
    /// `E[c]` on the scale of tables.
    pub c: f64,
    /// Where c lies.
    pub c_interval: (f64, f64),
}

/// The mass of all intervals.
const MASS: f64 = 0.95;

impl Tally {
    /// What is believed of c on a scale; nothing if nothing was seen. The prior is that of the belief that is given.
    pub fn belief(&self, prior: &Belief) -> Option<Belief> {
        let scale = prior.scale();
        let moves = if scale == Scale::Table { self.table_decisions } else { self.decisions };
        let mut belief = prior.clone();
        (moves > 0).then_some(())?;
        belief.learn(&self.ln_c(scale), moves).ok()?;
        Some(belief)
    }

    /// What is believed of Elo; nothing if people were not asked.
    pub fn elo_belief(&self) -> Option<EloBelief> {
        let mut belief = EloBelief::unknown();
        (self.asked > 0).then_some(())?;
        belief.learn(&self.ln_elo(), self.asked).ok()?;
        Some(belief)
    }
}

impl Rating {
    /// Of what was seen, from a prior.
    pub fn new(who: &str, tally: &Tally, prior: &PerScale<Belief>) -> Rating {
        let belief = tally.belief(&prior.evaluation);
        let elo = tally.elo_belief();
        let by_tags = tally.beside_tags().filter(|beside| beside.decisions == tally.decisions);
        let inferred = || tally.beside(elo.as_ref()?.mean());
        let expected_for = if by_tags.is_some() { "tags" } else { "inferred" };
        let beside = by_tags.or_else(inferred);
        let decisions = tally.decisions;
        let seen = decisions > 0;
        let share = Share { count: tally.ranks[0], of: decisions };
        let mean =
            |of: &dyn Fn(&Beside) -> f64| beside.as_ref().map(|beside| of(beside) / beside.decisions as f64);
        let deviates = |off: f64, variance: f64| (variance > 0.0).then(|| off / variance.sqrt());
        let interval = share.interval();
        Rating {
            who: who.to_owned(),
            games: tally.games.len(),
            decisions,
            c: belief.as_ref().map(Belief::mean),
            c_deviation: belief.as_ref().map(Belief::deviation),
            c_interval: belief.as_ref().map(|belief| belief.interval(MASS)),
            elo: elo.as_ref().map(EloBelief::mean),
            elo_interval: elo.as_ref().map(|elo| elo.interval(MASS)),
            elo_by_tags: tally.tag_elo(),
            matches: seen.then(|| share.part()),
            match_interval: seen.then_some((interval.low, interval.high)),
            expected_match: mean(&|beside| beside.expected_matches.0),
            mean_error: seen.then(|| tally.mean_error().0),
            mean_error_error: seen.then(|| tally.mean_error().1),
            expected_error: mean(&|beside| beside.expected_errors.0),
            z: beside.as_ref().and_then(|beside| {
                deviates(beside.matches as f64 - beside.expected_matches.0, beside.expected_matches.1)
            }),
            z_error: beside.as_ref().and_then(|beside| {
                deviates(beside.expected_errors.0 - beside.errors, beside.expected_errors.1)
            }),
            expected_for: beside.is_some().then_some(expected_for),
            choices: match seen {
                true => tally.ranks.iter().map(|&count| count as f64 / decisions as f64).collect(),
                false => Vec::new(),
            },
            error_by_value: tally
                .errors_by_value()
                .into_iter()
                .map(|(most, count, error)| (most.is_finite().then_some(most), count, error))
                .collect(),
            table: tally.belief(&prior.table).map(|belief| TableRating {
                decisions: tally.table_decisions,
                c: belief.mean(),
                c_interval: belief.interval(MASS),
            }),
        }
    }

    /// The names of the columns of [`Rating::cells`].
    pub fn columns() -> Vec<String> {
        let names = "who games decisions c c_deviation c_low c_high elo elo_low elo_high elo_by_tags match expected_match \
                     mean_error mean_error_error expected_error z z_error expected_for table_decisions table_c";
        let choices = (1..=RANKS).map(|rank| format!("choice_{rank}")).chain(["choice_later".to_owned()]);
        names.split_whitespace().map(str::to_owned).chain(choices).collect()
    }

    /// A row of a table.
    pub fn cells(&self) -> Vec<String> {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let ends = |pair: Option<(f64, f64)>| [pair.map(|pair| pair.0), pair.map(|pair| pair.1)].map(number);
        let mut cells = vec![self.who.clone(), self.games.to_string(), self.decisions.to_string()];
        cells.extend([self.c, self.c_deviation].map(number));
        cells.extend(ends(self.c_interval));
        cells.push(number(self.elo));
        cells.extend(ends(self.elo_interval));
        let numbers = [
            self.elo_by_tags,
            self.matches,
            self.expected_match,
            self.mean_error,
            self.mean_error_error,
            self.expected_error,
            self.z,
            self.z_error,
        ];
        cells.extend(numbers.map(number));
        cells.push(self.expected_for.unwrap_or_default().to_owned());
        cells.push(self.table.as_ref().map_or(0, |table| table.decisions).to_string());
        cells.push(number(self.table.as_ref().map(|table| table.c)));
        let later = (0..=RANKS).map(|rank| number(self.choices.get(rank).copied()));
        cells.extend(later);
        cells
    }
}

/// A prior that knows nothing, on both scales.
pub fn uniform(grids: &PerScale<Grid>) -> PerScale<Belief> {
    PerScale::new_with(|scale| Belief::uniform(*grids.get(scale), scale))
}
