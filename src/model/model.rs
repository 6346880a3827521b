//! How a player sees a position: what its moves lead to, what they cost, which are never played.

use std::fmt::Display;

use shakmaty::Move;

use super::{Choice, Decision, Depth, ForeignScale, Outcome, Scale, Score, State, Value};

/// How one player, or one believed-in opponent, sees positions: prices and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// What moves cost.
    pub preference: Preference,
    /// What is never played.
    pub policy: Policy,
}

/// Why a look at a position makes no decision.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoDecision {
    /// The preference prices another scale.
    #[error(transparent)]
    Scale(#[from] ForeignScale),
    /// Mate or stalemate.
    #[error("there is no legal move: the game is over")]
    GameOver,
    /// Own weights have to be finite and not negative.
    #[error("weight {weight} of move {m} is no weight: use a number from 0 up")]
    Weight {
        /// The move, in UCI notation of standard chess.
        m: String,
        /// Its weight.
        weight: f64,
    },
    /// Own weights exclude every move.
    #[error("every move has weight 0: give at least one a positive weight")]
    NoWeight,
}

impl Model {
    /// Prices and weights what an oracle saw.
    pub fn decide<M>(&self, prospects: &Prospects<M>) -> Result<Decision<M>, NoDecision>
    where
        M: Clone + PartialEq + Display,
    {
        self.decide_weighted(prospects, |_| 1.0)
    }

    /// As [`Model::decide`], each move weighted by its own weight too (Haworth 2003, §4: an
    /// apparently strong move more than 1, an apparently weak one less).
    pub fn decide_weighted<M>(
        &self,
        prospects: &Prospects<M>,
        own: impl Fn(&M) -> f64,
    ) -> Result<Decision<M>, NoDecision>
    where
        M: Clone + PartialEq + Display,
    {
        self.preference.scale().require(prospects.scale())?;
        let moves = prospects.moves();
        if moves.is_empty() {
            return Err(NoDecision::GameOver);
        }
        let mut weights = Vec::with_capacity(moves.len());
        for prospect in moves {
            let weight = own(&prospect.m);
            if !weight.is_finite() || weight < 0.0 {
                return Err(NoDecision::Weight { m: prospect.m.to_string(), weight });
            }
            weights.push(weight);
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err(NoDecision::NoWeight);
        }
        self.policy.restrict(moves, &mut weights);
        let (n1, n2) = self.preference.bounds(prospects);
        let best = moves.iter().map(|prospect| prospect.outcome.worth()).fold(f64::NEG_INFINITY, f64::max);
        let choices = moves.iter().zip(weights).enumerate().map(|(place, (prospect, weight))| Choice {
            m: prospect.m.clone(),
            outcome: prospect.outcome,
            ln_price: match prospect.outcome {
                // Only a draw leans, and only its price depends on n1 alone.
                Outcome::Table(State::Draw) => {
                    self.preference.ln_price(State::Draw, n1 - prospects.lean(place), n2)
                }
                Outcome::Table(state) => self.preference.ln_price(state, n1, n2),
                Outcome::Evaluation(score) => self.preference.ln_price_of_evaluation(score.pawns(), best),
            },
            weight,
        });
        Ok(Decision::new(prospects.outcome(), choices.collect(), n1, n2))
    }
}

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect<M = Move> {
    /// The move.
    pub m: M,
    /// The outcome after the move, seen by the mover.
    pub outcome: Outcome,
}

/// The outcome of a position and of every legal move in it, all on one scale. The model applies to any domain: a move may
/// be anything that can be chosen.
///
/// It serves any number of settings: a [`Model`](super::Model) prices and weights it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects<M = Move> {
    outcome: Outcome,
    moves: Vec<Prospect<M>>,
    /// How much nearer to a win each draw is priced; empty where all draws are alike.
    leans: Vec<f64>,
    n1: u16,
    n2: u16,
}

impl<M: Clone + PartialEq> Prospects<M> {
    /// As endgame tables see it. `state` is that of the position for the side to move. A draw is
    /// by default priced as a win in `n1` or a loss in `n2` moves: one more than the mover's
    /// deepest win and loss in this material (Haworth 2003, §6).
    pub fn table(
        state: State,
        moves: impl IntoIterator<Item = (M, State)>,
        n1: u16,
        n2: u16,
    ) -> Prospects<M> {
        let moves = moves.into_iter().map(|(m, state)| Prospect { m, outcome: Outcome::Table(state) });
        Prospects { outcome: Outcome::Table(state), moves: moves.collect(), leans: Vec::new(), n1, n2 }
    }

    /// As a search or an engine sees it: the position is worth what its best move is.
    pub fn evaluation(moves: impl IntoIterator<Item = (M, Score)>) -> Prospects<M> {
        let moves = moves.into_iter().map(|(m, score)| Prospect { m, outcome: Outcome::Evaluation(score) });
        let moves: Vec<Prospect<M>> = moves.collect();
        let outcome = best(&moves).unwrap_or(Outcome::Evaluation(Score::Centipawns(0)));
        Prospects { outcome, moves, leans: Vec::new(), n1: 0, n2: 0 }
    }

    /// The same position with some of its moves only. With none of them left, all stay.
    pub fn only(&self, allowed: impl Fn(&M) -> bool) -> Prospects<M> {
        let kept: Vec<usize> = (0..self.moves.len()).filter(|&place| allowed(&self.moves[place].m)).collect();
        if kept.is_empty() {
            return self.clone();
        }
        let moves = kept.iter().map(|&place| self.moves[place].clone()).collect();
        let leans = kept.iter().filter_map(|&place| self.leans.get(place).copied()).collect();
        Prospects { moves, leans, ..*self }
    }

    /// With draws told apart: for each move a number from 0 to less than 1 by which its draw, if it leads to one, costs less than
    /// others. A draw stays between the deepest win and any loss, since n1 exceeds the former by 1 (p05).
    pub fn leaning(self, leans: Vec<f64>) -> Prospects<M> {
        Prospects { leans, ..self }
    }

    /// How much nearer to a win the draw that a move leads to is priced; 0 for every other outcome.
    pub fn lean(&self, place: usize) -> f64 {
        let drawn =
            self.moves.get(place).is_some_and(|prospect| prospect.outcome.state() == Some(State::Draw));
        self.leans.get(place).copied().filter(|_| drawn).unwrap_or(0.0)
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every legal move with its outcome. Empty where the game is over.
    pub fn moves(&self) -> &[Prospect<M>] {
        &self.moves
    }

    /// What a move leads to; nothing if it is not among the moves.
    pub fn of(&self, m: &M) -> Option<Outcome> {
        self.moves.iter().find(|prospect| prospect.m == *m).map(|prospect| prospect.outcome)
    }

    /// The outcome of the best moves; nothing where the game is over.
    pub fn best(&self) -> Option<Outcome> {
        best(&self.moves)
    }

    /// All moves that no other is better than.
    pub fn optimal(&self) -> impl Iterator<Item = M> {
        let best = self.best();
        let moves = (0..self.moves.len()).filter(move |&place| Some(self.moves[place].outcome) == best);
        let most = moves.clone().map(|place| self.lean(place)).fold(0.0, f64::max);
        moves.filter(move |&place| self.lean(place) == most).map(|place| self.moves[place].m.clone())
    }

    /// As [`Prospects::lean`], of a move.
    pub fn lean_of(&self, m: &M) -> f64 {
        self.moves.iter().position(|prospect| prospect.m == *m).map_or(0.0, |place| self.lean(place))
    }

    /// The scale of all outcomes.
    pub fn scale(&self) -> Scale {
        self.outcome.scale()
    }

    /// The default n1; 0 on the evaluation scale, where it plays no part.
    pub fn n1(&self) -> u16 {
        self.n1
    }

    /// The default n2; 0 on the evaluation scale, where it plays no part.
    pub fn n2(&self) -> u16 {
        self.n2
    }
}

fn best<M>(moves: &[Prospect<M>]) -> Option<Outcome> {
    let better = |one: Outcome, other: Outcome| if other.compare(one).is_gt() { other } else { one };
    moves.iter().map(|prospect| prospect.outcome).reduce(better)
}

/// How outcomes are priced: the preference function S_c = w^(−c) of Haworth 2003, §6, and
/// Haworth & Andrist, §2, as the price w of a move.
///
/// | outcome | price w |
/// |---|---|
/// | win in d | d + κ |
/// | draw | n1 + κ |
/// | loss in d | (n1 + κ)(n2 + κ) / (d + κ) |
/// | evaluation v where the best is v1 | κ + (v1 − v) |
///
/// Only ln w is kept. κ = 0 stands for 0+, the limit: a win in 0 then has ln w = −∞, a loss in
/// 0 has ln w = +∞.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preference {
    scale: Scale,
    kappa: f64,
    n1: Option<f64>,
    n2: Option<f64>,
}

/// A number that can't be part of a preference.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {given} makes no preference: it must be {remedy}")]
pub struct NoPreference {
    name: &'static str,
    given: f64,
    remedy: &'static str,
}

impl Preference {
    /// Prices of depths, with n1 and n2 by the material.
    pub fn table(kappa: f64) -> Result<Preference, NoPreference> {
        Preference::new(Scale::Table, kappa)
    }

    /// Prices of evaluations; the literature has κ = 0.1 pawn.
    pub fn evaluation(kappa: f64) -> Result<Preference, NoPreference> {
        Preference::new(Scale::Evaluation, kappa)
    }

    fn new(scale: Scale, kappa: f64) -> Result<Preference, NoPreference> {
        if !kappa.is_finite() || kappa < 0.0 {
            let remedy = "a number from 0 (meaning 0+) up";
            return Err(NoPreference { name: "kappa", given: kappa, remedy });
        }
        Ok(Preference { scale, kappa, n1: None, n2: None })
    }

    /// With given n1 and n2 instead of the material's; `None` leaves the material's.
    pub fn with_bounds(self, n1: Option<f64>, n2: Option<f64>) -> Result<Preference, NoPreference> {
        for (name, n) in [("n1", n1), ("n2", n2)] {
            if let Some(given) = n.filter(|n| !n.is_finite() || *n <= 0.0) {
                return Err(NoPreference { name, given, remedy: "positive" });
            }
        }
        Ok(Preference { n1, n2, ..self })
    }

    /// The scale it prices.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// κ, where 0 means 0+.
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// n1 and n2 for a decision. They are raised where a move leads deeper than they allow (a
    /// conversion may, by some metrics), since a draw must lie between wins and losses (p05).
    pub fn bounds<M: Clone + PartialEq>(&self, prospects: &Prospects<M>) -> (f64, f64) {
        let n1 = self.n1.unwrap_or(f64::from(prospects.n1()));
        let n2 = self.n2.unwrap_or(f64::from(prospects.n2()));
        let states = prospects.moves().iter().filter_map(|prospect| prospect.outcome.state());
        Preference::raised((n1, n2), states)
    }

    /// n1 and n2 such that they allow these states too.
    #[inline]
    pub(crate) fn raised(bounds: (f64, f64), states: impl IntoIterator<Item = State>) -> (f64, f64) {
        states.into_iter().fold(bounds, |(n1, n2), state| match state {
            State::Win(depth) => (n1.max(f64::from(depth.0) + 1.0), n2),
            State::Draw => (n1, n2),
            State::Loss(depth) => (n1, n2.max(f64::from(depth.0) + 1.0)),
        })
    }

    /// ln w of a move to `state`, seen by the mover.
    pub fn ln_price(&self, state: State, n1: f64, n2: f64) -> f64 {
        let ln = |depth: f64| (depth + self.kappa).ln();
        match state {
            State::Win(depth) => ln(f64::from(depth.0)),
            State::Draw => ln(n1),
            State::Loss(depth) => ln(n1) + ln(n2) - ln(f64::from(depth.0)),
        }
    }

    /// ln w of a move evaluated at `value` where the best move is worth `best`.
    pub fn ln_price_of_evaluation(&self, value: f64, best: f64) -> f64 {
        // Equal infinities (forced mates) have no difference to speak of.
        let loss = if value == best { 0.0 } else { best - value };
        (self.kappa + loss).ln()
    }
}

/// Which moves a player never plays, whatever its competence: their weight is 0 (Haworth 2003,
/// §4; Haworth & Andrist, §3). It speaks of states: of evaluated moves only the horizon sees something, the mates.
///
/// What an agent itself may do and what its opponent is believed to do are two policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Never concede the theoretical value of the position.
    pub keep_value: bool,
    /// Never move to a lost position if there is another move.
    pub avoid_losses: bool,
    /// A win in this many moves or fewer is seen, and only metric-optimal moves are played; 0 sees none.
    pub win_horizon: u16,
    /// A loss in this many of the opponent's moves or fewer is seen, and avoided while another
    /// move is there; 0 sees none.
    pub loss_horizon: u16,
}

impl Policy {
    /// Every move is allowed.
    pub const FREE: Policy =
        Policy { keep_value: false, avoid_losses: false, win_horizon: 0, loss_horizon: 0 };

    /// Only moves that keep the value, as in all published experiments.
    pub const KEEP_VALUE: Policy =
        Policy { keep_value: true, avoid_losses: false, win_horizon: 0, loss_horizon: 0 };

    /// The same horizon for wins and for losses.
    pub fn with_horizon(self, moves: u16) -> Policy {
        Policy { win_horizon: moves, loss_horizon: moves, ..self }
    }

    /// Sets to 0 the weight of each move that this policy forbids. A rule that would leave no move is not applied.
    pub fn restrict<M>(&self, moves: &[Prospect<M>], weights: &mut [f64]) {
        let evaluated = moves.iter().any(|prospect| prospect.outcome.scale() == Scale::Evaluation);
        let horizon = Policy { keep_value: false, avoid_losses: false, ..*self };
        let policy = if evaluated { &horizon } else { self };
        policy.restrict_states(|index| moves[index].outcome.forced(), weights);
    }

    /// As [`Policy::restrict`], by the state that each numbered weight belongs to, where one is known. What is forbidden is
    /// worse than anything that is allowed.
    pub fn restrict_states(&self, state: impl Fn(usize) -> Option<State>, weights: &mut [f64]) {
        let Some(best) = (0..weights.len()).filter_map(&state).max() else { return };
        let mut forbid = |rule: &dyn Fn(Option<State>) -> bool| {
            let forbidden = |index: usize| rule(state(index));
            if (0..weights.len()).any(|index| weights[index] > 0.0 && !forbidden(index)) {
                for (index, weight) in weights.iter_mut().enumerate() {
                    if forbidden(index) {
                        *weight = 0.0;
                    }
                }
            }
        };
        if self.keep_value {
            forbid(&|state| state.is_some_and(|state| state.value() < best.value()));
        }
        // The position is won in one move more than the best move leads to.
        if matches!(best, State::Win(Depth(after)) if after < self.win_horizon) {
            forbid(&|state| state != Some(best));
        }
        if self.loss_horizon > 0 {
            forbid(&|state| matches!(state, Some(State::Loss(Depth(depth))) if depth <= self.loss_horizon));
        }
        if self.avoid_losses {
            forbid(&|state| state.is_some_and(|state| state.value() == Value::Loss));
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    /// KQKR by DTC, White to move: n1 = 32, n2 = 4.
    fn price(kappa: f64, state: State) -> f64 {
        Preference::table(kappa).unwrap().ln_price(state, 32.0, 4.0).exp()
    }

    #[test]
    fn prices_are_those_of_the_table() {
        assert_eq!(price(1.0, State::win(0)).round(), 1.0);
        assert!((price(1.0, State::win(30)) - 31.0).abs() < 1e-12);
        assert!((price(1.0, State::Draw) - 33.0).abs() < 1e-12);
        assert!((price(1.0, State::loss(3)) - 33.0 * 5.0 / 4.0).abs() < 1e-12);
        assert!((price(1.0, State::loss(0)) - 33.0 * 5.0).abs() < 1e-12);
    }

    #[test]
    fn with_kappa_at_its_limit_a_win_in_0_costs_nothing_and_a_loss_in_0_everything() {
        assert_eq!(price(0.0, State::win(0)), 0.0);
        assert_eq!(price(0.0, State::loss(0)), f64::INFINITY);
        assert!((price(0.0, State::loss(2)) - 64.0).abs() < 1e-12);
    }

    #[test]
    fn evaluations_are_priced_by_what_they_give_up() {
        let preference = Preference::evaluation(0.1).unwrap();
        assert!((preference.ln_price_of_evaluation(0.5, 0.5).exp() - 0.1).abs() < 1e-15);
        assert!((preference.ln_price_of_evaluation(-1.0, 0.5).exp() - 1.6).abs() < 1e-15);
        assert!((preference.ln_price_of_evaluation(f64::INFINITY, f64::INFINITY).exp() - 0.1).abs() < 1e-15);
    }

    #[test]
    fn senseless_numbers_are_refused() {
        assert!(Preference::table(-1.0).is_err());
        assert!(Preference::table(f64::NAN).is_err());
        assert!(Preference::table(1.0).unwrap().with_bounds(Some(0.0), None).is_err());
    }

    fn allowed(policy: Policy, states: &[State]) -> Vec<usize> {
        allowed_of(policy, &states.iter().map(|&state| Outcome::Table(state)).collect::<Vec<_>>())
    }

    fn allowed_of(policy: Policy, outcomes: &[Outcome]) -> Vec<usize> {
        let moves: Vec<_> = outcomes
            .iter()
            .zip(Square::ALL)
            .map(|(&outcome, to)| Prospect {
                m: Move::Normal { role: Role::King, from: Square::E1, capture: None, to, promotion: None },
                outcome,
            })
            .collect();
        let mut weights = vec![1.0; moves.len()];
        policy.restrict(&moves, &mut weights);
        (0..weights.len()).filter(|&index| weights[index] > 0.0).collect()
    }

    #[test]
    fn who_keeps_value_concedes_neither_win_nor_draw() {
        let policy = Policy::KEEP_VALUE;
        assert_eq!(allowed(policy, &[State::win(3), State::Draw, State::win(9), State::loss(2)]), [0, 2]);
        assert_eq!(allowed(policy, &[State::loss(3), State::Draw]), [1]);
        assert_eq!(allowed(policy, &[State::loss(3), State::loss(1)]), [0, 1]);
    }

    #[test]
    fn who_avoids_losses_may_still_let_a_win_slip() {
        let policy = Policy { avoid_losses: true, ..Policy::FREE };
        assert_eq!(allowed(policy, &[State::win(3), State::Draw, State::loss(2)]), [0, 1]);
        assert_eq!(allowed(policy, &[State::loss(3), State::loss(1)]), [0, 1]);
    }

    #[test]
    fn inside_the_horizon_a_player_wins_if_it_can() {
        let policy = Policy::FREE.with_horizon(4);
        let won_in_four = [State::win(3), State::win(4), State::Draw, State::win(3)];
        assert_eq!(allowed(policy, &won_in_four), [0, 3]);
        let won_in_five = [State::win(4), State::win(5), State::Draw];
        assert_eq!(allowed(policy, &won_in_five), [0, 1, 2]);
    }

    #[test]
    fn inside_the_horizon_a_player_does_not_lose_if_it_can_help_it() {
        let policy = Policy::FREE.with_horizon(4);
        assert_eq!(allowed(policy, &[State::Draw, State::loss(4), State::loss(5)]), [0, 2]);
        assert_eq!(allowed(policy, &[State::loss(4), State::loss(7)]), [1]);
        assert_eq!(allowed(policy, &[State::loss(4), State::loss(2)]), [0, 1]);
    }

    #[test]
    fn the_horizon_sees_mates_that_a_search_has_found() {
        let policy = Policy::KEEP_VALUE.with_horizon(3);
        let of = |scores: &[Score]| {
            allowed_of(policy, &scores.iter().map(|&score| Outcome::Evaluation(score)).collect::<Vec<_>>())
        };
        let (small, mate, mated) = (Score::Centipawns, Score::Mate(3), Score::Mate(-3));
        assert_eq!(of(&[small(900), mate, Score::Mate(4), mate]), [1, 3]);
        assert_eq!(of(&[small(-900), mated, Score::Mate(-4)]), [0, 2]);
        assert_eq!(of(&[mated, Score::Mate(-1)]), [0, 1]);
        assert_eq!(of(&[small(0), Score::Mate(4)]), [0, 1], "a longer mate is not seen");
    }
}
