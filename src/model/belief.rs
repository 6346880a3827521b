use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::{Decision, ForeignScale, Grid, Mixture, Scale, spectrum};

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
        let group = decision.group_of(index).filter(|&group| spectrum::all_play(decision, &self.grid, group));
        let Some(group) = group else {
            self.counts.outside += 1;
            return Ok(Evidence::Outside);
        };
        let evidence = &mut self.evidence;
        spectrum::ln_likelihood(decision, &self.grid, group, |candidate, ln| evidence[candidate] += ln);
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
        if !spectrum::all_play(decision, grid, group) {
            return None;
        }
        let mut ln_likelihoods = vec![0.0; grid.len()];
        spectrum::ln_likelihood(decision, grid, group, |candidate, ln| ln_likelihoods[candidate] = ln);
        Some(ln_likelihoods)
    }

    /// `E[c]` if choice number `index` were observed; nothing if that would be outside the model.
    pub fn mean_after<M>(&self, decision: &Decision<M>, index: usize) -> Result<Option<f64>, ForeignScale> {
        self.scale.require(decision.scale())?;
        let group = decision.group_of(index).filter(|&group| spectrum::all_play(decision, &self.grid, group));
        let Some(group) = group else { return Ok(None) };
        let mut ln = self.ln_posterior();
        spectrum::ln_likelihood(decision, &self.grid, group, |candidate, more| ln[candidate] += more);
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
