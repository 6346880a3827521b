use std::fmt::Debug;

use shakmaty::Position;

use super::{Advice, AgentError, Candidate, Expectation, Predator, Situation, rules::DrawRules};
use crate::{
    game::Game,
    model::{Metric, Mixture, Model, NoDecision},
};

/// One who has solved endgames as decision processes against fallible players.
pub trait Foresight: Send + Sync + Debug {
    /// What the side that has just moved can hope for: the chance to win less that to lose. Its opponent has `left` moves
    /// before a draw can be claimed. Nothing if that is not known, or not yet.
    fn hope(&self, game: &Game, left: u32, opponent: &Opponent<'_>) -> Option<f64>;
}

/// The player who is hunted.
#[derive(Clone, Copy, Debug)]
pub struct Opponent<'a> {
    /// What its depths count.
    pub metric: Metric,
    /// How it sees positions.
    pub model: &'a Model,
    /// Its competence, known or believed.
    pub mixture: &'a Mixture,
}

/// Plies without capture or pawn move until a draw can be claimed.
const LIMIT: u32 = 100;
/// Points closer than this are ties: they differ by rounding.
const SAME: f64 = 1e-9;

impl Predator {
    /// Weighs the moves that keep the value by what they promise to the end of the endgame. Nothing if nobody knows.
    pub(super) fn foresee(&self, situation: &Situation<'_>) -> Result<Option<Advice>, AgentError> {
        let Some(foresight) = &self.foresight else { return Ok(None) };
        let look = situation.look()?;
        let best = look.prospects().best().ok_or(NoDecision::GameOver)?;
        let (Some(metric), Some(root)) = (look.metric(), best.state()) else { return Ok(None) };
        let opponent = Opponent { metric, model: &self.opponent, mixture: &self.mixture };
        let rules = DrawRules::new(situation, look);
        let mut candidates = Vec::new();
        for prospect in look.moves() {
            if prospect.outcome.state().is_none_or(|state| state.value() != root.value()) {
                continue;
            }
            let next = situation.game.after(prospect.m);
            let clock = if situation.fifty { next.position().halfmoves() } else { 0 };
            let points = if prospect.m.is_capture() || prospect.m.is_promotion() {
                prospect.outcome.worth()
            } else if rules.drawn(&next) {
                0.5
            } else {
                let left = LIMIT.saturating_sub(clock).div_ceil(2);
                let Some(hope) = foresight.hope(&next, left, &opponent) else { return Ok(None) };
                0.5 + 0.5 * hope
            };
            candidates.push(Candidate {
                m: prospect.m,
                outcome: prospect.outcome,
                speculative: prospect.outcome != best,
                expectation: Expectation::promised(points),
                depth: None,
            });
        }
        let points = |candidate: &Candidate| candidate.expectation.value();
        let greatest = candidates.iter().map(points).fold(f64::NEG_INFINITY, f64::max);
        let best = (0..candidates.len()).filter(|&number| points(&candidates[number]) >= greatest - SAME);
        Ok(Some(Advice { best: best.collect(), candidates, to_the_end: true }))
    }
}
