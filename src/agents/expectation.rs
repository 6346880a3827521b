use std::cmp::Ordering;

use shakmaty::Move;

use crate::model::{Depth, Outcome, State, Value};

/// What the Predator can expect, seen by itself, when the opponent has replied to the last move it looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectation {
    value: f64,
    wins: Mass,
    losses: Mass,
    /// Probability of draws in which men have been given up or exchanged.
    simplified: f64,
}

/// Probability of a value, and the sum of probability times depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mass {
    probability: f64,
    depth: f64,
}

impl Mass {
    fn add(&mut self, probability: f64, other: Mass) {
        self.probability += probability * other.probability;
        self.depth += probability * other.depth;
    }

    fn mean(self) -> Option<f64> {
        (self.probability > 0.0).then(|| self.depth / self.probability)
    }
}

/// Expected depths closer than this are ties: they differ by rounding.
const SAME_DEPTH: f64 = 1e-9;

impl Expectation {
    /// A certain outcome.
    pub fn certain(outcome: Outcome) -> Expectation {
        let mass = |Depth(depth)| Mass { probability: 1.0, depth: f64::from(depth) };
        let (wins, losses) = match outcome {
            Outcome::Table(State::Win(depth)) => (mass(depth), Mass::default()),
            Outcome::Table(State::Loss(depth)) => (Mass::default(), mass(depth)),
            Outcome::Table(State::Draw) | Outcome::Evaluation(_) => Default::default(),
        };
        Expectation { value: outcome.worth(), wins, losses, simplified: 0.0 }
    }

    /// So many points, of whatever outcomes they are made.
    pub fn promised(points: f64) -> Expectation {
        Expectation { value: points, ..Expectation::default() }
    }

    /// The same line with `m` in front of it: if that changes the material, all its draws are simplified.
    pub fn preceded_by(self, m: Move) -> Expectation {
        let draws = 1.0 - self.wins.probability - self.losses.probability;
        Expectation { simplified: if m.is_conversion() { draws } else { self.simplified }, ..self }
    }

    /// The same outcome, but the game is drawn by rule; the depth still tells moves apart.
    pub fn drawn_by_rule(self) -> Expectation {
        Expectation { value: Value::Draw.points(), ..self }
    }

    /// Adds a line of play that comes about with the given probability.
    pub fn add(&mut self, probability: f64, line: Expectation) {
        self.value += probability * line.value;
        self.wins.add(probability, line.wins);
        self.losses.add(probability, line.losses);
        self.simplified += probability * line.simplified;
    }

    /// The expected value: points (win 1, draw ½, loss 0), draws by rule included, or pawns.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The probability of outcomes that are theoretically of this value.
    pub fn chance(&self, value: Value) -> f64 {
        match value {
            Value::Win => self.wins.probability,
            Value::Draw => 1.0 - self.wins.probability - self.losses.probability,
            Value::Loss => self.losses.probability,
        }
    }

    /// The expected depth among outcomes that are theoretically of this value; nothing if there are none.
    pub fn depth(&self, value: Value) -> Option<f64> {
        match value {
            Value::Win => self.wins.mean(),
            Value::Draw => None,
            Value::Loss => self.losses.mean(),
        }
    }

    /// The probability of draws in which no man of the present position has been captured or promoted.
    fn unsimplified_draws(&self) -> f64 {
        1.0 - self.wins.probability - self.losses.probability - self.simplified
    }

    /// By how many moves this is better than `other` in depth: shorter among wins for one who does not
    /// lose, longer among losses for one who does. Of draws, the one with more men kept is better: a simpler one holds less to
    /// err in.
    pub fn depth_gain(&self, other: &Expectation, root: Value) -> f64 {
        let gain = |of: Value, sign: f64| {
            self.depth(of).zip(other.depth(of)).map_or(0.0, |(mine, theirs)| sign * (mine - theirs))
        };
        let kept = other.simplified - self.simplified;
        match root {
            Value::Draw if kept.abs() > SAME_DEPTH => kept,
            Value::Win | Value::Draw => gain(Value::Win, -1.0),
            Value::Loss => gain(Value::Loss, 1.0),
        }
    }
}

/// What a side plays for.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// What its position is worth.
    pub root: Value,
    /// Values closer than this are ties.
    pub tolerance: f64,
    /// Moves left in which the opponent may err in a draw: until it can be claimed, or 50 where it can't; 0 for evaluations.
    pub tries: f64,
}

impl Aim {
    /// The chance that the opponent errs later in a draw with all men still on the board, if each of the moves to come
    /// tempts him as much as the best one now that keeps them there.
    fn future(&self, expectations: &[Expectation]) -> f64 {
        if self.root != Value::Draw {
            return 0.0;
        }
        let kept = expectations.iter().filter(|expectation| expectation.simplified <= SAME_DEPTH);
        let chance = kept.map(|expectation| 2.0 * (expectation.value - 0.5)).fold(0.0, f64::max);
        1.0 - (1.0 - chance.min(1.0)).powf(self.tries)
    }

    /// The numbers of the best: greatest value plus the bonus for draws that may still be won (see `future`); of those within
    /// the tolerance of it, the best depth. More than one if they tie.
    pub fn best(&self, expectations: &[Expectation]) -> Vec<usize> {
        let future = self.future(expectations);
        let values: Vec<f64> = expectations
            .iter()
            .map(|expectation| expectation.value + 0.5 * future * expectation.unsimplified_draws())
            .collect();
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best: Vec<usize> = Vec::new();
        for (index, expectation) in expectations.iter().enumerate() {
            // Not written as a difference: evaluations may be infinite.
            if values[index] < greatest - self.tolerance {
                continue;
            }
            let gain =
                best.first().map_or(1.0, |&first| expectation.depth_gain(&expectations[first], self.root));
            match gain.partial_cmp(&0.0) {
                _ if gain.abs() <= SAME_DEPTH => best.push(index),
                Some(Ordering::Greater) => best = vec![index],
                _ => {}
            }
        }
        best
    }
}
