use std::collections::HashMap;

use shakmaty::{Move, Position, zobrist::Zobrist64};

use super::{AgentError, Expectation, Situation, rules::DrawRules};
use crate::{
    game::Game,
    model::{Decision, Mixture, Model, Outcome, Prospect, Value},
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
