use super::{Depth, Prospect, Scale, State, Value};

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
    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::model::{Outcome, Score};

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
