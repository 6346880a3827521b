//! How the Predator looks ahead in positions that tables know: what moves promise against this opponent, and what the rules
//! on draws make of that.

use std::{cmp::Ordering, collections::HashMap};

use shakmaty::{Chess, Move, Position, zobrist::Zobrist64};

use super::{AgentError, Situation};
use crate::{
    game::Game,
    model::{Decision, Depth, Metric, Mixture, Model, Outcome, Prospect, State, Value},
    oracle::{Budget, Look, Oracle},
};

/// Looks ahead: the best of the theoretically optimal moves at the Predator's own nodes, the expectation over modelled replies at
/// the opponent's. The opponent's mixture is not updated along a line.
pub(super) struct Lookahead<'a> {
    oracle: &'a dyn Oracle,
    budget: &'a Budget,
    opponent: &'a Model,
    mixture: &'a Mixture,
    rules: DrawRules,
    tolerance: f64,
    /// Whether there is still time; nothing if it does not matter.
    in_time: Option<&'a dyn Fn() -> bool>,
    known: HashMap<(Zobrist64, u32, u32), Expectation>,
}

/// A reply less likely than this is not looked beyond.
const UNLIKELY: f64 = 1e-6;

impl<'a> Lookahead<'a> {
    pub fn new(
        situation: &'a Situation<'a>,
        opponent: &'a Model,
        mixture: &'a Mixture,
        rules: DrawRules,
        tolerance: f64,
    ) -> Lookahead<'a> {
        let Situation { oracle, budget, .. } = situation;
        Lookahead {
            oracle: *oracle,
            budget,
            opponent,
            mixture,
            rules,
            tolerance,
            in_time: None,
            known: HashMap::new(),
        }
    }

    /// The same, ending with [`AgentError::OutOfTime`] as soon as this is no more so.
    pub fn while_true(self, in_time: Option<&'a dyn Fn() -> bool>) -> Lookahead<'a> {
        Lookahead { in_time, ..self }
    }

    fn look(&self, game: &Game) -> Option<Look> {
        self.oracle.look(game, self.budget)
    }

    /// What an own move promises, `plies` being looked at with it.
    pub fn after(&mut self, game: &Game, prospect: &Prospect, plies: u32) -> Result<Expectation, AgentError> {
        let next = game.after(prospect.m);
        if self.rules.drawn(&next) {
            return Ok(Expectation::certain(prospect.outcome).drawn_by_rule());
        }
        if is_reached(prospect.outcome) {
            return Ok(Expectation::certain(prospect.outcome));
        }
        let key = (next.key(), next.position().halfmoves(), plies);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        if self.in_time.is_some_and(|in_time| !in_time()) {
            return Err(AgentError::OutOfTime);
        }
        let expectation = self.replies(&next, prospect.outcome, plies)?.preceded_by(prospect.m);
        self.known.insert(key, expectation);
        Ok(expectation)
    }

    /// The expectation over the opponent's replies; `outcome` is that of the move that led here, if no reply is known.
    fn replies(&mut self, game: &Game, outcome: Outcome, plies: u32) -> Result<Expectation, AgentError> {
        let Some(look) = self.look(game).filter(|look| !look.moves().is_empty()) else {
            return Ok(Expectation::certain(outcome));
        };
        let decision: Decision = self.opponent.decide(look.prospects())?;
        let probabilities = self.mixture.probabilities(&decision)?;
        let mut sum = Expectation::default();
        for (choice, probability) in decision.choices().iter().zip(probabilities) {
            if probability > 0.0 {
                let further = if probability < UNLIKELY { 0 } else { plies.saturating_sub(2) };
                sum.add(probability, self.reply(game, choice.m, -choice.outcome, further)?);
            }
        }
        Ok(sum)
    }

    /// What one reply leaves; `outcome` is the Predator's. With no plies left the position is set up only if it
    /// could be a repetition.
    fn reply(
        &mut self,
        game: &Game,
        m: Move,
        outcome: Outcome,
        plies: u32,
    ) -> Result<Expectation, AgentError> {
        let clock = if m.is_zeroing() { 0 } else { game.position().halfmoves() + 1 };
        let leaf = self.rules.judge(outcome, clock).preceded_by(m);
        let further = plies >= 2 && !is_reached(outcome);
        if !further && !self.rules.repetitions_matter() {
            return Ok(leaf);
        }
        let next = game.after(m);
        if self.rules.drawn(&next) {
            return Ok(leaf.drawn_by_rule());
        }
        let own = if further { self.own(&next, plies)? } else { None };
        Ok(own.map_or(leaf, |expectation| expectation.preceded_by(m)))
    }

    /// The best that the Predator can expect on its move; nothing if the oracle can't serve the position or the game is over.
    fn own(&mut self, game: &Game, plies: u32) -> Result<Option<Expectation>, AgentError> {
        let Some(look) = self.look(game) else { return Ok(None) };
        let Some(best) = look.prospects().best() else { return Ok(None) };
        let mut expectations = Vec::new();
        for prospect in look.moves().iter().filter(|prospect| prospect.outcome == best) {
            expectations.push(self.after(game, prospect, plies)?);
        }
        let chosen = self.rules.aim(best, game.position(), self.tolerance).best(&expectations);
        Ok(chosen.first().map(|&index| expectations[index]))
    }
}

/// The goal of the metric is reached: what comes after it is another count.
fn is_reached(outcome: Outcome) -> bool {
    outcome.state().and_then(|state| state.depth()).is_some_and(|depth| depth.0 == 0)
}

/// The theoretical value of a side's position. An evaluation counts as a draw: ties are then broken by men
/// kept on the board.
pub(super) fn root_value(outcome: Outcome) -> Value {
    outcome.state().map_or(Value::Draw, |state| state.value())
}

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

/// Half-moves without capture or pawn move after which a draw may be claimed.
pub(super) const LIMIT: u32 = 100;

/// Where the 50-move rule counts in a decided position, smaller differences in expected value are ties: the errors still to
/// come will decide whether there is time enough, and depth is what tells how many are needed.
pub(super) const RULE_MARGIN: f64 = 0.05;

/// What the rules on repetition and on 50 moves make of an outcome.
pub(super) struct DrawRules {
    /// The 50-move rule holds, and depths say how long the clock will run.
    fifty: bool,
    /// Positions that were on the board twice: a third time is a draw.
    twice: Vec<Zobrist64>,
}

impl DrawRules {
    pub fn new(situation: &Situation<'_>, look: &Look) -> DrawRules {
        // A depth tells how long the clock will run only if it counts to the next zeroing move: DTZ
        // always, DTC where there is no pawn.
        let counts_to_zeroing = match look.metric() {
            Some(Metric::Dtz) => true,
            Some(Metric::Dtc) => look.position().board().pawns().is_empty(),
            Some(Metric::Dtm | Metric::Dtr | Metric::Dtd) | None => false,
        };
        let mut times: HashMap<Zobrist64, u32> = HashMap::new();
        for &key in situation.history {
            *times.entry(key).or_default() += 1;
        }
        let twice = times.into_iter().filter(|&(_, times)| times >= 2).map(|(key, _)| key).collect();
        DrawRules { fifty: situation.fifty && counts_to_zeroing, twice }
    }

    /// What the side to move plays for if its best move has this outcome.
    pub fn aim(&self, best: Outcome, position: &Chess, tolerance: f64) -> Aim {
        let clock = if self.fifty { position.halfmoves().min(LIMIT) } else { 0 };
        let tries = if best.state().is_some() { f64::from(LIMIT - clock) / 2.0 } else { 0.0 };
        let root = root_value(best);
        let by_clock = self.fifty && root != Value::Draw;
        Aim { root, tolerance: if by_clock { tolerance.max(RULE_MARGIN) } else { tolerance }, tries }
    }

    /// Whether a rule can decide anything within a look of `plies` at a position whose depths go up to `depth`.
    pub fn matter(&self, position: &Chess, plies: u32, depth: u16) -> bool {
        !self.twice.is_empty() || self.fifty && position.halfmoves() + plies + 2 * u32::from(depth) > LIMIT
    }

    /// Whether the rules that count here make a draw of a position that has just come about.
    pub fn drawn(&self, game: &Game) -> bool {
        let position = game.position();
        self.fifty && position.halfmoves() >= LIMIT && !position.is_checkmate()
            || self.twice.contains(&game.key())
    }

    /// Whether a position can be on the board for the third time after one more move: only then is it worth playing it out.
    pub fn repetitions_matter(&self) -> bool {
        !self.twice.is_empty()
    }

    /// What an outcome is worth to the side to move when the halfmove clock stands at `clock`: a win that
    /// can't be reached in time is a draw, for either side.
    pub fn judge(&self, outcome: Outcome, clock: u32) -> Expectation {
        let certain = Expectation::certain(outcome);
        let plies = match outcome {
            Outcome::Table(State::Win(Depth(depth))) => (2 * u32::from(depth)).saturating_sub(1),
            Outcome::Table(State::Loss(Depth(depth))) => 2 * u32::from(depth),
            Outcome::Table(State::Draw) | Outcome::Evaluation(_) => return certain,
        };
        if self.fifty && clock + plies > LIMIT { certain.drawn_by_rule() } else { certain }
    }
}
