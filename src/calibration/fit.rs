//! The parameters of the human model by greatest likelihood.

use rayon::prelude::*;

use super::RatedObservation;
use crate::{
    human::{HumanDecision, HumanParameters, Network, along},
    statistics::maximum,
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
    /// Of an observation; nothing if the move is none of the position.
    pub fn new(prior: &Network, seen: &RatedObservation) -> Option<RatedDecision> {
        let look = &seen.seen.look;
        let decision = HumanDecision::new(prior, look, seen.elo.into(), &[1.0]);
        let played = decision.moves.iter().position(|m| *m == seen.seen.m)?;
        let best = look.outcome().worth();
        let losses = look.moves().iter().map(|prospect| best - prospect.outcome.worth()).collect();
        Some(RatedDecision { elo: seen.elo, player: seen.player.clone(), decision, played, best, losses })
    }

    /// How likely each move is to a player whose competence is this line of Elo, by the paper's formula (Haworth, Regan & Di Fatta 2010, §3.1).
    pub fn by_paper(&self, competence: [f64; 2]) -> Vec<f64> {
        let competence = competence[0] + competence[1] * along(self.elo.into());
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

/// What is believed beforehand of ln π at Elo 2000 and of what 400 Elo more add to it: depths that few decisions tell apart
/// would else run away in opposite directions, and straight lines beyond the people that were seen would lead anywhere.
const DEPTH_DEVIATIONS: [f64; 2] = [2.0, 0.5];

/// Fits the parameters. Without a prior, prices alone decide.
pub fn fit(decisions: &[RatedDecision], depths: usize, with_prior: bool) -> Fit {
    let mut begin = HumanParameters::blank(depths);
    if !with_prior {
        begin.attention = [0.0; 2];
    }
    let row = begin.to_row();
    let first_depth = row.len() - 2 * depths;
    // The last depth is what the others are measured by.
    let depth_lines = (first_depth..row.len() - 2).map(|place| (place, DEPTH_DEVIATIONS[place % 2]));
    let mut held: Vec<(usize, f64)> =
        depth_lines.chain([(row.len() - 2, 0.0), (row.len() - 1, 0.0)]).collect();
    held.extend(if with_prior { 0..0 } else { 4..6 }.map(|place| (place, 0.0)));
    let found = maximum(decisions, row, &held, |decision, row| {
        slope_of(decision, &HumanParameters::from_row(row), row.len())
    });
    Fit {
        parameters: HumanParameters::from_row(&found.row),
        errors: HumanParameters::from_row(&found.errors),
        mean_ln: found.mean_ln,
    }
}

/// ln P of the move played, and how it changes with each parameter.
fn slope_of(rated: &RatedDecision, parameters: &HumanParameters, size: usize) -> (f64, Vec<f64>) {
    let (decision, played) = (&rated.decision, rated.played);
    let person = parameters.person(rated.elo.into());
    let depths = person.depths.len().min(decision.losses.len());
    let shares = person.shares(depths);
    let seen: Vec<Vec<f64>> = (0..depths).map(|depth| decision.seeing(&person, depth)).collect();
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

/// c of the paper's formula by greatest likelihood: at Elo 2000, and what 400 Elo more add to it.
pub fn fit_paper(decisions: &[RatedDecision]) -> [f64; 2] {
    let value = |line: [f64; 2]| sum(decisions, |one| one.by_paper(line)[one.played].ln());
    best_line([(0.2, 4.0), (-0.5, 1.0)], 0.005, value)
}

/// The sum over many, the same on any machine: parts of one size are added in one order.
pub(super) fn sum<T: Sync>(all: &[T], of: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts: Vec<f64> = all.par_chunks(512).map(|chunk| chunk.iter().map(&of).sum()).collect();
    parts.iter().sum()
}

/// How exactly the slope of a line is found.
const SLOPE: f64 = 0.01;

/// The line, its level and its slope within bounds, for which a value is greatest; the level is found as exactly as asked.
pub(super) fn best_line(bounds: [(f64, f64); 2], exact: f64, value: impl Fn([f64; 2]) -> f64) -> [f64; 2] {
    let best_slope = |level: f64| best(bounds[1], SLOPE, |slope| value([level, slope]));
    let level = best(bounds[0], exact, |level| value([level, best_slope(level)]));
    [level, best_slope(level)]
}

/// Where a function with one top between two bounds has it, by the golden section.
pub(super) fn best((mut low, mut high): (f64, f64), exact: f64, value: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let [mut one, mut two] = [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut at_one, mut at_two] = [value(one), value(two)];
    while high - low > exact {
        if at_one > at_two {
            (high, two, at_two) = (two, one, at_one);
            one = high - ratio * (high - low);
            at_one = value(one);
        } else {
            (low, one, at_one) = (one, two, at_two);
            two = low + ratio * (high - low);
            at_two = value(two);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Decisions of players whose parameters are known.
    fn made_up(parameters: &HumanParameters, count: usize) -> Vec<RatedDecision> {
        let mut rng = Pcg64::seed_from_u64(5);
        let m = shakmaty::Chess::default();
        let moves: Vec<_> = shakmaty::Position::legal_moves(&m).to_vec();
        (0..count)
            .map(|_| {
                let elo = rng.random_range(1000..2800);
                let losses: Vec<Vec<f64>> = (0..2)
                    .map(|_| {
                        let mut row: Vec<f64> = moves.iter().map(|_| rng.random_range(0.0..3.0)).collect();
                        row[rng.random_range(0..moves.len())] = 0.0;
                        row
                    })
                    .collect();
                let ln_v = moves.iter().map(|_| rng.random_range(-5.0..0.0)).collect();
                let decision =
                    HumanDecision { moves: moves.clone(), ln_v, losses: losses.clone(), by_tables: false };
                let probabilities = decision.probabilities(&parameters.person(elo.into()));
                let mut left: f64 = rng.random();
                let played = probabilities.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                RatedDecision {
                    elo,
                    player: String::new(),
                    decision,
                    played: played.unwrap_or(0),
                    best: 0.0,
                    losses: losses[1].clone(),
                }
            })
            .collect()
    }

    #[test]
    fn the_parameters_of_players_are_found_again() {
        let mut truth = HumanParameters::blank(2);
        truth.ln_competence = [1.0, 0.3];
        truth.ln_kappa = [-0.3, 0.0];
        truth.ln_depths[0] = [0.5, -0.4];
        let found = fit(&made_up(&truth, 20_000), 2, true);
        let (truth, errors) = (truth.to_row(), found.errors.to_row());
        // The last depth is what the others are measured by.
        let free = truth.len() - 2;
        for ((found, truth), error) in found.parameters.to_row().into_iter().zip(truth).zip(errors).take(free)
        {
            assert!(error < 0.2 && (found - truth).abs() < 4.0 * error, "{found} ± {error}, not {truth}");
        }
    }
}
