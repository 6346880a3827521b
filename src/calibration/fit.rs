//! The parameters of the human model by greatest likelihood.

use rayon::prelude::*;

use super::RatedObservation;
use crate::{
    human::{HumanDecision, HumanParameters, Network, along},
    statistics::inverse,
};

/// A decision of a person of known Elo, ready for the model.
pub struct RatedDecision {
    /// The Elo.
    pub elo: u32,
    /// Who.
    pub player: String,
    /// As people see it.
    pub decision: HumanDecision,
    /// The number of the move that was played.
    pub played: usize,
    /// The value of the best move, in pawns.
    pub best: f64,
    /// What each move costs at the greatest depth, in pawns: what the paper's formula prices.
    pub losses: Vec<f64>,
}

impl RatedDecision {
    /// Of an observation; nothing where tables have priced it.
    pub fn new(prior: &Network, seen: &RatedObservation) -> Option<RatedDecision> {
        let look = &seen.seen.look;
        let decision = HumanDecision::new(prior, look, seen.elo.into())?;
        let played = decision.moves.iter().position(|m| *m == seen.seen.m)?;
        let best = look.outcome().worth();
        let losses = look.moves().iter().map(|prospect| best - prospect.outcome.worth()).collect();
        Some(RatedDecision { elo: seen.elo, player: seen.player.clone(), decision, played, best, losses })
    }

    /// How likely each move is to a player of competence c by the paper's formula (Haworth, Regan & Di Fatta 2010, §3.1).
    pub fn by_paper(&self, competence: f64) -> Vec<f64> {
        let scores: Vec<f64> =
            self.losses.iter().map(|loss| (PAPER_KAPPA + loss).powf(-competence)).collect();
        let sum: f64 = scores.iter().sum();
        scores.into_iter().map(|score| score / sum).collect()
    }
}

/// κ of the paper, in pawns.
const PAPER_KAPPA: f64 = 0.1;

/// What a fit has found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters.
    pub parameters: HumanParameters,
    /// Their standard errors, in the same places.
    pub errors: HumanParameters,
    /// Mean ln P of the moves it was fitted to.
    pub mean_ln: f64,
}

/// Steps at the most.
const STEPS: usize = 100;
/// Where a step gains less than this in mean ln P, the top is reached.
const ENOUGH: f64 = 1e-7;
/// Keeps the matrix of a parameter that nothing depends on from being singular.
const RIDGE: f64 = 1e-3;

/// Fits the parameters by scoring: steps by the inverse of the sum of outer products of gradients (Berndt, Hall, Hall and
/// Hausman), which at the top is also what the errors follow from.
pub fn fit(decisions: &[RatedDecision], depths: usize) -> Fit {
    let mut row = HumanParameters::blank(depths).to_row();
    let (mut value, mut gradient, mut information) = slope(decisions, &row);
    for _ in 0..STEPS {
        let inverse = inverse(information.clone());
        let step: Vec<f64> =
            inverse.iter().map(|line| line.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let mut length = 1.0;
        let found = loop {
            let next: Vec<f64> = row.iter().zip(&step).map(|(at, step)| at + length * step).collect();
            let found = slope(decisions, &next);
            if found.0 > value {
                break Some((next, found));
            }
            length /= 2.0;
            if length < 1e-4 {
                break None;
            }
        };
        let Some((next, found)) = found else { break };
        let gained = (found.0 - value) / decisions.len().max(1) as f64;
        row = next;
        (value, gradient, information) = found;
        if gained < ENOUGH {
            break;
        }
    }
    let errors: Vec<f64> =
        inverse(information).iter().enumerate().map(|(number, line)| line[number].sqrt()).collect();
    Fit {
        parameters: HumanParameters::from_row(&row),
        errors: HumanParameters::from_row(&errors),
        mean_ln: value / decisions.len().max(1) as f64,
    }
}

/// The sum of ln P, its gradient, and the sum of outer products of the gradients.
fn slope(decisions: &[RatedDecision], row: &[f64]) -> (f64, Vec<f64>, Vec<Vec<f64>>) {
    let parameters = HumanParameters::from_row(row);
    let size = row.len();
    let nothing = || (0.0, vec![0.0; size], vec![vec![0.0; size]; size]);
    // Chunks of one size, added in one order: the same sum on any machine.
    let parts: Vec<_> = decisions
        .par_chunks(512)
        .map(|chunk| {
            let mut sum = nothing();
            for decision in chunk {
                let (ln, gradient) = slope_of(decision, &parameters, size);
                sum.0 += ln;
                for (number, &one) in gradient.iter().enumerate() {
                    sum.1[number] += one;
                    sum.2[number].iter_mut().zip(&gradient).for_each(|(cell, two)| *cell += one * two);
                }
            }
            sum
        })
        .collect();
    let mut sum = nothing();
    for part in parts {
        sum.0 += part.0;
        sum.1.iter_mut().zip(part.1).for_each(|(all, more)| *all += more);
        for (line, more) in sum.2.iter_mut().zip(part.2) {
            line.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
    }
    // The last depth is what the others are measured by.
    for number in 0..size {
        sum.2[number][number] += RIDGE;
    }
    for fixed in size - 2..size {
        sum.1[fixed] = 0.0;
        for number in 0..size {
            sum.2[fixed][number] = if fixed == number { 1.0 } else { 0.0 };
            sum.2[number][fixed] = if fixed == number { 1.0 } else { 0.0 };
        }
    }
    sum
}

/// ln P of the move played, and how it changes with each parameter.
fn slope_of(rated: &RatedDecision, parameters: &HumanParameters, size: usize) -> (f64, Vec<f64>) {
    let (decision, played) = (&rated.decision, rated.played);
    let person = parameters.person(rated.elo.into());
    let depths = person.depths.len().min(decision.losses.len());
    let shares = person.shares(depths);
    let seen: Vec<Vec<f64>> = (0..depths).map(|depth| decision.at_depth(&person, depth)).collect();
    let probability: f64 = shares.iter().zip(&seen).map(|(share, seen)| share * seen[played]).sum();
    let probability = probability.max(f64::MIN_POSITIVE);
    let mut gradient = vec![0.0; size];
    let place = along(rated.elo.into());
    let mut push = |line: usize, slope: f64| {
        gradient[2 * line] += slope;
        gradient[2 * line + 1] += slope * place;
    };
    for depth in 0..depths {
        let (seen, losses) = (&seen[depth], &decision.losses[depth]);
        let blame = shares[depth] * seen[played] / probability;
        push(3 + depth, blame - shares[depth]);
        if blame < 1e-9 {
            continue;
        }
        let (mut ln_v, mut ln_price, mut inverse) = (0.0, 0.0, 0.0);
        for (number, &share) in seen.iter().enumerate() {
            let priced = person.kappa + losses[number];
            ln_v += share * decision.ln_v[number];
            ln_price += share * priced.ln();
            inverse += share / priced;
        }
        let priced = person.kappa + losses[played];
        let c = person.competence;
        push(0, blame * c * (ln_price - priced.ln()));
        push(1, blame * c * person.kappa * (inverse - 1.0 / priced));
        push(2, blame * (decision.ln_v[played] - ln_v));
    }
    (probability.ln(), gradient)
}

/// c of the paper's formula for everybody together, by greatest likelihood.
pub fn fit_paper(decisions: &[RatedDecision]) -> f64 {
    let value = |c: f64| -> f64 {
        let parts: Vec<f64> = decisions
            .par_chunks(512)
            .map(|chunk| chunk.iter().map(|one| one.by_paper(c)[one.played].ln()).sum())
            .collect();
        parts.iter().sum()
    };
    // The likelihood has one top; a golden section finds it.
    let (mut low, mut high) = (0.0, 6.0);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    while high - low > 1e-4 {
        let (one, two) = (high - golden * (high - low), low + golden * (high - low));
        if value(one) > value(two) { high = two } else { low = one }
    }
    (low + high) / 2.0
}
