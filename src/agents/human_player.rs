use shakmaty::Move;

use super::{Agent, AgentError, AgentSpec, Intent, Knowledge, Situation, Why, lookahead::DrawRules};
use crate::{
    human::{EloBelief, HumanModel},
    model::{Outcome, Value},
    oracle::Look,
};

/// Plays as a person of an Elo does: by chance, or (the Emulator's way) steadier than chance would.
#[derive(Clone, Debug)]
pub struct HumanPlayer {
    model: &'static HumanModel,
    /// Elo by choices.
    elo: f64,
    /// What one who watches believes of it, where it plays steadily.
    shown: Option<EloBelief>,
}

/// A steady player chooses among moves that are at least this share as likely as the likeliest.
const LIKELY: f64 = 0.2;

/// How seldom a repetition that gives a win away is overlooked.
const BLIND: f64 = 1e-3;

impl HumanPlayer {
    /// One who chooses by chance as people of this Elo do.
    pub fn new(elo: f64) -> HumanPlayer {
        HumanPlayer { model: HumanModel::built_in(), elo, shown: None }
    }

    /// As a spec has it: at the Elo that is set or, for Coach, at the opponent's.
    pub(super) fn playing(
        spec: &AgentSpec,
        elo: f64,
        knowledge: &Knowledge<'_>,
    ) -> Result<HumanPlayer, AgentError> {
        let level = knowledge.opponent.elo();
        let coaches = spec.kind.comments && level.observed() > 0;
        let player = match coaches {
            true => HumanPlayer::new(level.mean() + f64::from(spec.coach_offset) * COACH_ELO),
            false => HumanPlayer::new(HumanModel::built_in().levels().chooses_like(elo)),
        };
        if !spec.kind.is_steady {
            return Ok(player);
        }
        Ok(HumanPlayer { shown: Some(knowledge.own.shown()?), ..player })
    }

    /// Whoever is winning does not let the position come about for the third time, if he can help it.
    fn shun_draws(&self, moves: &mut [(Move, f64)], look: &Look, situation: &Situation<'_>) {
        let rules = DrawRules::new(situation, look);
        let winning = |outcome: Outcome| outcome.state().is_some_and(|state| state.value() == Value::Win);
        if !winning(look.outcome()) || !rules.repetitions_matter() {
            return;
        }
        for (m, probability) in moves.iter_mut() {
            if rules.drawn(&situation.game.after(*m)) {
                *probability *= BLIND;
            }
        }
        let sum: f64 = moves.iter().map(|(_, probability)| probability).sum();
        moves.iter_mut().for_each(|(_, probability)| *probability /= sum);
    }

    /// Of moves that people of this Elo like to play, those after which it is taken for one of them most exactly.
    fn steady(
        &self,
        shown: &EloBelief,
        likely: &[(Move, f64)],
        situation: &Situation<'_>,
    ) -> Result<Intent, AgentError> {
        let look = situation.look()?;
        let most = likely.iter().map(|&(_, probability)| probability).fold(0.0, f64::max);
        let likely = likely.iter().filter(|(_, probability)| *probability >= LIKELY * most);
        let means = shown.means_after(self.model, look, likely.map(|&(m, _)| m))?;
        let closest = means.iter().min_by(|a, b| (a.1 - self.elo).abs().total_cmp(&(b.1 - self.elo).abs()));
        Ok(Intent::even(closest.map(|&(m, _)| m).into_iter().collect())?.because(Why::Shows(means)))
    }
}

/// A percent of Coach's offset, in Elo.
const COACH_ELO: f64 = 10.0;

impl Agent for HumanPlayer {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let look = situation.look()?;
        let probabilities = self.model.probabilities(look, self.elo);
        let mut moves: Vec<(Move, f64)> =
            look.moves().iter().map(|prospect| prospect.m).zip(probabilities).collect();
        self.shun_draws(&mut moves, look, situation);
        match &self.shown {
            Some(shown) => self.steady(shown, &moves, situation),
            None => Intent::weighted(moves),
        }
    }
}
