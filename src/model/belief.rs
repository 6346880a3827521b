//! What is believed about a player's competence: candidates, and how likely each is by the moves that were seen.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::{Decision, ForeignScale, Mixture, Scale, mixture};

/// What is believed about a player's competence: a probability for each candidate of a grid,
/// kept in log form (Haworth 2003, §8; Haworth & Andrist, §3.2).
///
/// Prior and evidence are kept apart, so the evidence of two sets of games can be put together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BeliefRecord", into = "BeliefRecord")]
pub struct Belief {
    grid: Grid,
    scale: Scale,
    ln_prior: Vec<f64>,
    /// Sum of ln P(move | c) over the moves observed, up to a constant: its greatest entry is 0.
    evidence: Vec<f64>,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    observed: u64,
    outside: u64,
    suboptimal: u64,
}

/// What became of an observed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The belief has learned from it.
    Counted,
    /// Some candidate could never have played it (its weight is 0, or κ = 0+ and a win in 0 was
    /// missed, …): to count it would rule that candidate out for ever. The belief is as it was.
    Outside,
}

/// Why a belief can't be made, updated or merged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BeliefError {
    /// The decision or the other belief is on the other scale.
    #[error(transparent)]
    Scale(#[from] ForeignScale),
    /// The move is no choice of the decision.
    #[error("{0} is not among the moves of the position; give the decision in which it was played")]
    NotAChoice(String),
    /// A prior has a probability for each candidate, none negative, some positive.
    #[error("no prior on {grid}: it needs {expected} finite probabilities from 0 up, not all 0", expected = grid.len())]
    Prior {
        /// The grid it should fit.
        grid: Grid,
    },
    /// Beliefs on different grids.
    #[error("evidence on {given} can't be added to a belief on {mine}; use one grid for both")]
    Grid {
        /// The grid of the belief that refuses.
        mine: Grid,
        /// The other one.
        given: Grid,
    },
    /// A stored belief whose parts don't fit.
    #[error("the stored belief is damaged; start from a new one")]
    Damaged,
}

impl Belief {
    /// The 'know nothing' prior: all candidates equally likely.
    pub fn uniform(grid: Grid, scale: Scale) -> Belief {
        let ln_prior = vec![-(grid.len() as f64).ln(); grid.len()];
        Belief { evidence: vec![0.0; grid.len()], counts: Counts::default(), grid, scale, ln_prior }
    }

    /// A normal prior, cut to the grid (Haworth & Andrist, §4.3).
    pub fn normal(grid: Grid, scale: Scale, mean: f64, deviation: f64) -> Result<Belief, BeliefError> {
        if !(mean.is_finite() && deviation.is_finite() && deviation > 0.0) {
            return Err(BeliefError::Prior { grid });
        }
        let ln: Vec<f64> = grid.candidates().map(|c| -0.5 * ((c - mean) / deviation).powi(2)).collect();
        Belief::uniform(grid, scale).with_ln_prior(ln)
    }

    /// A given prior, a probability for each candidate; they need not add up to 1.
    pub fn given(grid: Grid, scale: Scale, prior: &[f64]) -> Result<Belief, BeliefError> {
        let fits = prior.len() == grid.len() && prior.iter().all(|p| p.is_finite() && *p >= 0.0);
        if !fits {
            return Err(BeliefError::Prior { grid });
        }
        Belief::uniform(grid, scale).with_ln_prior(prior.iter().map(|p| p.ln()).collect())
    }

    fn with_ln_prior(self, mut ln: Vec<f64>) -> Result<Belief, BeliefError> {
        let greatest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !greatest.is_finite() {
            return Err(BeliefError::Prior { grid: self.grid });
        }
        let ln_sum = greatest + ln.iter().map(|value| (value - greatest).exp()).sum::<f64>().ln();
        ln.iter_mut().for_each(|value| *value -= ln_sum);
        Ok(Belief { ln_prior: ln, ..self })
    }

    /// The candidates.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The scale of the candidates.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Moves observed, those outside the model included.
    pub fn observed(&self) -> u64 {
        self.counts.observed
    }

    /// Moves observed that the model could not count.
    pub fn outside(&self) -> u64 {
        self.counts.outside
    }

    /// Whether the moves observed have told anything: a candidate is more likely than another by them.
    pub fn is_informed(&self) -> bool {
        self.evidence.iter().any(|&ln| ln != 0.0)
    }

    /// Moves were observed and none was worse than another: the apparent competence is ∞ though the mean
    /// of a finite grid can't say so.
    pub fn all_optimal(&self) -> bool {
        self.counts.observed > 0 && self.counts.suboptimal == 0
    }

    /// Learns from a move (Bayes): posterior(c) ∝ prior(c) · P(move | c).
    pub fn observe<M>(&mut self, decision: &Decision<M>, m: &M) -> Result<Evidence, BeliefError>
    where
        M: PartialEq + Display,
    {
        self.scale.require(decision.scale())?;
        let index = decision.find(m).ok_or_else(|| BeliefError::NotAChoice(m.to_string()))?;
        self.counts.observed += 1;
        self.counts.suboptimal += u64::from(!decision.is_optimal(index));
        let group = decision.group_of(index).filter(|&group| mixture::all_play(decision, &self.grid, group));
        let Some(group) = group else {
            self.counts.outside += 1;
            return Ok(Evidence::Outside);
        };
        let evidence = &mut self.evidence;
        mixture::ln_likelihood(decision, &self.grid, group, |candidate, ln| evidence[candidate] += ln);
        // Only differences matter; kept small, they keep their digits however many moves come.
        let greatest = evidence.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        evidence.iter_mut().for_each(|value| *value -= greatest);
        Ok(Evidence::Counted)
    }

    /// Learns from so many moves whose ln P(moves | c), up to a constant, was worked out elsewhere, one for each candidate.
    /// Nothing is known of whether they were optimal.
    pub fn learn(&mut self, ln_likelihoods: &[f64], moves: u64) -> Result<(), BeliefError> {
        let greatest = ln_likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if ln_likelihoods.len() != self.grid.len() || !greatest.is_finite() {
            return Err(BeliefError::Damaged);
        }
        self.evidence.iter_mut().zip(ln_likelihoods).for_each(|(mine, ln)| *mine += ln - greatest);
        self.counts.observed += moves;
        self.counts.suboptimal += moves;
        Ok(())
    }

    /// ln P(move | c) up to a constant for each candidate of a grid; nothing if the move is no choice of the decision, or
    /// some candidate could never have played it.
    pub fn ln_likelihoods<M>(grid: &Grid, decision: &Decision<M>, m: &M) -> Option<Vec<f64>>
    where
        M: PartialEq,
    {
        let group = decision.group_of(decision.find(m)?)?;
        if !mixture::all_play(decision, grid, group) {
            return None;
        }
        let mut ln_likelihoods = vec![0.0; grid.len()];
        mixture::ln_likelihood(decision, grid, group, |candidate, ln| ln_likelihoods[candidate] = ln);
        Some(ln_likelihoods)
    }

    /// `E[c]` if choice number `index` were observed; nothing if that would be outside the model.
    pub fn mean_after<M>(&self, decision: &Decision<M>, index: usize) -> Result<Option<f64>, ForeignScale> {
        self.scale.require(decision.scale())?;
        let group = decision.group_of(index).filter(|&group| mixture::all_play(decision, &self.grid, group));
        let Some(group) = group else { return Ok(None) };
        let mut ln = self.ln_posterior();
        mixture::ln_likelihood(decision, &self.grid, group, |candidate, more| ln[candidate] += more);
        Ok(Some(self.mean_by(&normalised(ln))))
    }

    /// Adds the evidence of another belief, as if its moves had been observed here; its prior plays no part.
    pub fn merge(&mut self, other: &Belief) -> Result<(), BeliefError> {
        self.scale.require(other.scale)?;
        if self.grid != other.grid {
            return Err(BeliefError::Grid { mine: self.grid, given: other.grid });
        }
        self.evidence.iter_mut().zip(&other.evidence).for_each(|(mine, theirs)| *mine += theirs);
        self.counts.observed += other.counts.observed;
        self.counts.outside += other.counts.outside;
        self.counts.suboptimal += other.counts.suboptimal;
        Ok(())
    }

    /// The probability of each candidate.
    pub fn probabilities(&self) -> Vec<f64> {
        normalised(self.ln_posterior())
    }

    /// The density at each candidate: its probability by unit of c.
    pub fn density(&self) -> Vec<(f64, f64)> {
        let step = self.grid.step();
        self.grid.candidates().zip(self.probabilities().into_iter().map(|p| p / step)).collect()
    }

    /// `E[c]`, the apparent competence.
    pub fn mean(&self) -> f64 {
        self.mean_by(&self.probabilities())
    }

    /// The standard deviation of c.
    pub fn deviation(&self) -> f64 {
        let probabilities = self.probabilities();
        let mean = self.mean_by(&probabilities);
        self.expect(&probabilities, |c| (c - mean).powi(2)).sqrt()
    }

    /// The candidates between which c lies with probability `mass` at least, as much being cut off on either side.
    pub fn interval(&self, mass: f64) -> (f64, f64) {
        let tail = (1.0 - mass.clamp(0.0, 1.0)) / 2.0;
        let probabilities = self.probabilities();
        let reach = |order: &mut dyn Iterator<Item = usize>| {
            let mut sum = 0.0;
            let mut end = 0;
            for index in order {
                end = index;
                sum += probabilities[index];
                if sum > tail {
                    break;
                }
            }
            self.grid.candidate(end)
        };
        (reach(&mut (0..self.grid.len())), reach(&mut (0..self.grid.len()).rev()))
    }

    /// The opponent as a mixture of players, as it is now.
    pub fn mixture(&self) -> Mixture {
        Mixture::new(self.grid, self.scale, self.probabilities())
    }

    fn ln_posterior(&self) -> Vec<f64> {
        self.ln_prior.iter().zip(&self.evidence).map(|(prior, evidence)| prior + evidence).collect()
    }

    fn mean_by(&self, probabilities: &[f64]) -> f64 {
        self.expect(probabilities, |c| c)
    }

    fn expect(&self, probabilities: &[f64], of: impl Fn(f64) -> f64) -> f64 {
        self.grid.candidates().zip(probabilities).map(|(c, p)| p * of(c)).sum()
    }
}

fn normalised(mut ln: Vec<f64>) -> Vec<f64> {
    let greatest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    ln.iter_mut().for_each(|value| *value = (*value - greatest).exp());
    let sum: f64 = ln.iter().sum();
    ln.iter_mut().for_each(|value| *value /= sum);
    ln
}

/// A belief as it is stored. The prior is not in log form: formats such as JSON know no infinity.
#[derive(Serialize, Deserialize)]
struct BeliefRecord {
    grid: Grid,
    scale: Scale,
    prior: Vec<f64>,
    evidence: Vec<f64>,
    #[serde(flatten)]
    counts: Counts,
}

impl From<Belief> for BeliefRecord {
    fn from(belief: Belief) -> BeliefRecord {
        let prior = belief.ln_prior.iter().map(|ln| ln.exp()).collect();
        let Belief { grid, scale, evidence, counts, .. } = belief;
        BeliefRecord { grid, scale, prior, evidence, counts }
    }
}

impl TryFrom<BeliefRecord> for Belief {
    type Error = BeliefError;

    fn try_from(record: BeliefRecord) -> Result<Belief, BeliefError> {
        let BeliefRecord { grid, scale, prior, evidence, counts } = record;
        let sound = evidence.len() == grid.len()
            && evidence.iter().all(|value| value.is_finite())
            && counts.outside <= counts.observed
            && counts.suboptimal <= counts.observed;
        if !sound {
            return Err(BeliefError::Damaged);
        }
        let belief = Belief::given(grid, scale, &prior).map_err(|_| BeliefError::Damaged)?;
        Ok(Belief { evidence, counts, ..belief })
    }
}

/// Evenly spaced candidates for a competence, written c_min(δ)c_max as in the papers: `0(1)50`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Grid {
    min: f64,
    max: f64,
    count: usize,
}

/// A text or numbers that make no grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no grid of candidates: {reason}; write it as 0(1)50")]
pub struct NoGrid {
    given: String,
    reason: &'static str,
}

impl Grid {
    /// More candidates than this are refused.
    pub const MOST: usize = 1_000_001;

    /// The candidates that are considered where nobody says otherwise: 0(1)50 and 0(0.01)3.
    pub fn usual(scale: Scale) -> Grid {
        match scale {
            Scale::Table => Grid { min: 0.0, max: 50.0, count: 51 },
            Scale::Evaluation => Grid { min: 0.0, max: 3.0, count: 301 },
        }
    }

    /// c_min(δ)c_max. The step must divide the range.
    pub fn new(min: f64, step: f64, max: f64) -> Result<Grid, NoGrid> {
        let refuse = |reason| Err(NoGrid { given: format!("{min}({step}){max}"), reason });
        if !(min.is_finite() && max.is_finite() && step.is_finite()) {
            return refuse("its numbers must be finite");
        }
        if step <= 0.0 || max < min {
            return refuse("the step must be positive and the end no less than the beginning");
        }
        let steps = (max - min) / step;
        if steps > (Grid::MOST - 1) as f64 {
            return refuse("it has too many candidates");
        }
        // Decimal fractions such as 0.01 divide a range only up to rounding.
        if (steps - steps.round()).abs() > 1e-6 {
            return refuse("the step does not divide the range");
        }
        Ok(Grid { min, max, count: steps.round() as usize + 1 })
    }

    /// `count` candidates evenly spaced on [min, max], both ends included.
    pub fn evenly(min: f64, max: f64, count: usize) -> Result<Grid, NoGrid> {
        let refuse =
            |reason| Err(NoGrid { given: format!("{count} candidates from {min} to {max}"), reason });
        if !(min.is_finite() && max.is_finite() && min <= max) {
            return refuse("its ends must be finite and in order");
        }
        match count {
            1 if min == max => {}
            2..=Grid::MOST if min < max => {}
            _ => return refuse("the number of candidates does not fit the range"),
        }
        Ok(Grid { min, max, count })
    }

    /// How many candidates there are: at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The lowest candidate.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The highest candidate.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The distance of neighbours; 1 if there is one candidate.
    pub fn step(&self) -> f64 {
        if self.count == 1 { 1.0 } else { (self.max - self.min) / (self.count - 1) as f64 }
    }

    /// Candidate number `index`, counted from 0.
    pub fn candidate(&self, index: usize) -> f64 {
        if self.count == 1 {
            return self.min;
        }
        let steps = (self.count - 1) as f64;
        // Both ends and, on a range around it, zero come out exactly.
        (self.min * (steps - index as f64) + self.max * index as f64) / steps
    }

    /// All candidates, ascending.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.count).map(|index| self.candidate(index))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}){}", self.min, self.step(), self.max)
    }
}

impl FromStr for Grid {
    type Err = NoGrid;

    fn from_str(text: &str) -> Result<Grid, NoGrid> {
        let refuse = |reason| NoGrid { given: text.to_owned(), reason };
        let number =
            |part: &str| part.trim().parse::<f64>().map_err(|_| refuse("it does not read as numbers"));
        let (min, rest) = text.split_once('(').ok_or_else(|| refuse("the step in parentheses is missing"))?;
        let (step, max) = rest.split_once(')').ok_or_else(|| refuse("the step in parentheses is missing"))?;
        let (min, step, max) = (number(min)?, number(step)?, number(max)?);
        Grid::new(min, step, max).map_err(|error| NoGrid { given: text.to_owned(), ..error })
    }
}

impl TryFrom<String> for Grid {
    type Error = NoGrid;

    fn try_from(text: String) -> Result<Grid, NoGrid> {
        text.parse()
    }
}

impl From<Grid> for String {
    fn from(grid: Grid) -> String {
        grid.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_notation_is_read_and_written() {
        for (text, count) in
            [("0(1)50", 51), ("0(0.01)50", 5001), ("0(10)50", 6), ("-10(0.5)10", 41), ("7(1)7", 1)]
        {
            let grid: Grid = text.parse().unwrap();
            assert_eq!((grid.to_string().as_str(), grid.len()), (text, count));
        }
    }

    #[test]
    fn candidates_are_the_decimal_numbers_one_expects() {
        let grid: Grid = "0(0.01)50".parse().unwrap();
        assert_eq!(grid.candidate(1), 0.01);
        assert_eq!(grid.candidate(1843), 18.43);
        assert_eq!(grid.candidate(5000), 50.0);
        assert_eq!("-3(0.3)3".parse::<Grid>().unwrap().candidate(10), 0.0);
    }

    #[test]
    fn a_grid_by_number_of_candidates_can_be_written_and_read_again() {
        let grid = Grid::evenly(0.0, 7.0, 41).unwrap();
        assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        for text in
            ["", "50", "0(1", "0(0)50", "0(-1)50", "50(1)0", "0(7)50", "0(1e-9)50", "0(1)inf", "nan(1)50"]
        {
            assert!(text.parse::<Grid>().is_err(), "{text}");
        }
    }
}
