use std::time::{Duration, Instant};

use shakmaty::Move;

use super::{Agent, AgentError, AgentSpec, Intent, Knowledge, Situation, Why, lookahead::DrawRules};
use crate::{
    human::{EloBelief, HumanModel, Level},
    model::{Outcome, Scale, Value},
    oracle::{Bound, Budget, Limits, Look, Report},
};

/// Plays as a person of an Elo does: by chance, or (the Emulator's way) steadier than chance would.
#[derive(Clone, Debug)]
pub struct HumanPlayer {
    model: &'static HumanModel,
    /// How strong in endgames that tables know: people of so much Elo.
    elo: f64,
    /// Better than how many of them it knows such endgames; none where it is any of them.
    lot: Option<f64>,
    /// How strong elsewhere.
    level: Level,
    /// What one who watches believes of it, where it plays steadily.
    shown: Option<EloBelief>,
}

/// A steady player chooses among moves that are at least this share as likely as the likeliest.
const LIKELY: f64 = 0.2;

/// With less time than this it is not begun.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// Who plays steadily knows endgames as well as half of the people of his Elo.
const MIDDLE: f64 = 0.5;

/// How seldom a repetition that gives a win away is overlooked.
const BLIND: f64 = 1e-3;

impl HumanPlayer {
    /// One who chooses by chance, as strong as this.
    pub fn new(level: Level) -> HumanPlayer {
        let elo = level.chooses_like;
        HumanPlayer { model: HumanModel::built_in(), elo, lot: None, level, shown: None }
    }

    /// As a spec has it: at the Elo that is set or, for Coach, at the opponent's: who chooses like people of an Elo is to meet
    /// one who scores like them.
    pub(super) fn playing(
        spec: &AgentSpec,
        elo: f64,
        knowledge: &Knowledge<'_>,
    ) -> Result<HumanPlayer, AgentError> {
        let opponent = knowledge.opponent.elo();
        let elo = match spec.kind.comments && opponent.observed() > 0 {
            true => opponent.mean() + f64::from(spec.coach_offset) * COACH_ELO,
            false => elo,
        };
        let level = HumanModel::built_in().levels().level(elo);
        let player = HumanPlayer { elo, lot: knowledge.lot, ..HumanPlayer::new(level) };
        if !spec.kind.is_steady {
            return Ok(player);
        }
        Ok(HumanPlayer { lot: Some(MIDDLE), shown: Some(knowledge.own.shown()?), ..player })
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

    /// How likely each move is to people who are as strong as this, without what they calculate.
    fn chances(&self, look: &Look) -> Vec<f64> {
        if look.scale() == Scale::Evaluation {
            return self.model.probabilities(look, self.level.chooses_like);
        }
        let people = self.model.scoring(self.elo);
        let person = match self.lot {
            Some(lot) => people.knowing(lot),
            None => people,
        };
        self.model.probabilities_of(&person, look, self.elo)
    }

    /// One more member of the composite: who calculates finds what a search does. Where no time is left, what was seen already
    /// has to do.
    fn calculate(
        &self,
        moves: &mut [(Move, f64)],
        situation: &Situation<'_>,
        begun: Instant,
    ) -> Result<(), AgentError> {
        let Budget { nodes, time, control, .. } = &situation.budget;
        let movetime = time.map(|time| time.saturating_sub(begun.elapsed()));
        let look = situation.look()?;
        let (plies, deeper) = (self.level.plies.floor(), self.level.plies.fract());
        let mut found: Vec<(Move, f64)> = Vec::new();
        if movetime.is_none_or(|left| left >= LEAST_TIME) {
            let (depth, search_moves) =
                (self.level.plies.ceil() as u32, situation.limits.search_moves.clone());
            let limits =
                Limits { depth: Some(depth), nodes: *nodes, movetime, search_moves, ..Limits::default() };
            let mut at_plies = None;
            let mut hear = |report: &Report| {
                if f64::from(report.depth) <= plies && report.bound == Bound::Exact {
                    at_plies = report.pv.first().copied().or(at_plies);
                }
            };
            let best = situation.oracle.best(situation.game, &limits, control, &mut hear);
            if let Some(best) = best.and_then(|found| found.best) {
                found = vec![(at_plies.unwrap_or(best), 1.0 - deeper), (best, deeper)];
            }
        }
        if found.is_empty() {
            let best: Vec<Move> = look.prospects().optimal().collect();
            found.extend(best.iter().map(|&m| (m, 1.0 / best.len() as f64)));
        }
        if !found.is_empty() {
            for (m, probability) in moves {
                let share: f64 = found.iter().filter(|found| found.0 == *m).map(|found| found.1).sum();
                *probability += self.level.calculates * (share - *probability);
            }
        }
        Ok(())
    }

    /// Of moves that people of this Elo like to play, those after which it is taken for one of them most exactly.
    fn steady(
        &self,
        shown: &EloBelief,
        likely: &[(Move, f64)],
        situation: &Situation<'_>,
    ) -> Result<Intent, AgentError> {
        let (look, elo) = (situation.look()?, self.level.chooses_like);
        let most = likely.iter().map(|&(_, probability)| probability).fold(0.0, f64::max);
        let likely = likely.iter().filter(|(_, probability)| *probability >= LIKELY * most);
        let means = shown.means_after(self.model, look, likely.map(|&(m, _)| m))?;
        let closest = means.iter().min_by(|a, b| (a.1 - elo).abs().total_cmp(&(b.1 - elo).abs()));
        Ok(Intent::even(closest.map(|&(m, _)| m).into_iter().collect())?.because(Why::Shows(means)))
    }
}

/// A percent of Coach's offset, in Elo.
const COACH_ELO: f64 = 10.0;

impl Agent for HumanPlayer {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let begun = Instant::now();
        let look = situation.look()?;
        let mut moves: Vec<(Move, f64)> =
            look.moves().iter().map(|prospect| prospect.m).zip(self.chances(look)).collect();
        self.shun_draws(&mut moves, look, situation);
        // What people of every Elo do where tables know the truth was learned whole; elsewhere no choice of theirs scores enough.
        if self.level.calculates > 0.0 && look.scale() == Scale::Evaluation {
            self.calculate(&mut moves, situation, begun)?;
        }
        match &self.shown {
            // Who calculates shows no Elo of people's choices.
            Some(shown) if self.level.calculates == 0.0 => self.steady(shown, &moves, situation),
            _ => Intent::weighted(moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;
    use crate::{
        game::Game,
        oracle::SearchOracle,
        search::{SearchSettings, Searcher},
    };

    #[test]
    fn who_always_calculates_plays_what_a_search_finds_and_others_do_at_least_as_often_as_they_calculate() {
        // Mate by 1.Qxh7.
        let fen: Fen = "5rk1/5ppp/8/6N1/7Q/8/5PPP/6K1 w - - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let game = Game::new(position);
        let oracle = SearchOracle::new(Searcher::new(SearchSettings { hash_mb: 1, ..Default::default() }));
        let mut situation = Situation::new(&game, &oracle);
        situation.budget = Budget::depth(2);
        for calculates in [0.25, 0.75, 1.0] {
            let player = HumanPlayer::new(Level { chooses_like: 800.0, calculates, plies: 4.5 });
            let intent = player.consider(&situation).unwrap();
            let probabilities = intent.probabilities();
            let sum: f64 = probabilities.iter().map(|(_, probability)| probability).sum();
            assert!((sum - 1.0).abs() < 1e-9);
            let mates = probabilities.iter().find(|(m, _)| m.to_string() == "Qh4xh7");
            assert!(mates.is_some_and(|(_, probability)| *probability >= calculates), "{probabilities:?}");
        }
    }
}
