use shakmaty::Move;

use super::{Choice, Competence, Face, ForeignScale, Outcome, Scale, State};

/// A position whose legal moves are all priced on one scale and weighted.
///
/// A player of competence c chooses move i with probability proportional to v_i · w_i^(−c). Every
/// **move** counts: k moves to one state count k times.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M = Move> {
    outcome: Outcome,
    choices: Vec<Choice<M>>,
    /// ln w of each group: choices of one price are equally preferred at every c, so the work is done once for all.
    ln_prices: Vec<f64>,
    /// The weights of each group's choices, added up: those that are never played are in none.
    weights: Vec<f64>,
    /// For each choice, the number of its group.
    member: Vec<u16>,
    n1: f64,
    n2: f64,
}

const NEVER_PLAYED: u16 = u16::MAX;

impl<M> Decision<M> {
    /// `choices` must not be empty, and one weight at least positive.
    pub(super) fn new(outcome: Outcome, choices: Vec<Choice<M>>, n1: f64, n2: f64) -> Decision<M> {
        let mut order: Vec<u16> = (0..choices.len() as u16).collect();
        order.retain(|&index| choices[usize::from(index)].weight > 0.0);
        order.sort_unstable_by(|&a, &b| {
            choices[usize::from(a)].ln_price.total_cmp(&choices[usize::from(b)].ln_price)
        });
        let mut ln_prices: Vec<f64> = Vec::with_capacity(order.len());
        let mut weights: Vec<f64> = Vec::with_capacity(order.len());
        let mut member = vec![NEVER_PLAYED; choices.len()];
        for index in order.into_iter().map(usize::from) {
            let Choice { ln_price, weight, .. } = choices[index];
            match weights.last_mut() {
                Some(last) if ln_prices.last() == Some(&ln_price) => *last += weight,
                _ => {
                    ln_prices.push(ln_price);
                    weights.push(weight);
                }
            }
            member[index] = weights.len() as u16 - 1;
        }
        Decision { outcome, choices, ln_prices, weights, member, n1, n2 }
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every legal move, in the oracle's order.
    pub fn choices(&self) -> &[Choice<M>] {
        &self.choices
    }

    /// The scale of its prices.
    pub fn scale(&self) -> Scale {
        self.outcome.scale()
    }

    /// The number of a move among the choices.
    pub fn find(&self, m: &M) -> Option<usize>
    where
        M: PartialEq,
    {
        self.choices.iter().position(|choice| choice.m == *m)
    }

    /// No legal move has a better price than choice number `index`.
    pub fn is_optimal(&self, index: usize) -> bool {
        self.choices.iter().all(|choice| choice.ln_price >= self.choices[index].ln_price)
    }

    /// All legal moves of the best price.
    pub fn optimal(&self) -> impl Iterator<Item = &Choice<M>> {
        let best = self.choices.iter().map(|choice| choice.ln_price).fold(f64::INFINITY, f64::min);
        self.choices.iter().filter(move |choice| choice.ln_price == best)
    }

    /// ln of the probability that a player of competence `c` plays each choice.
    pub fn ln_probabilities(&self, c: Competence) -> Result<Vec<f64>, ForeignScale> {
        self.scale().require(c.scale())?;
        let by_group = self.ln_group_probabilities(c.get());
        Ok(self
            .choices
            .iter()
            .zip(&self.member)
            .map(|(choice, &group)| match by_group.get(usize::from(group)) {
                Some(ln_group) => ln_group + (choice.weight / self.weights[usize::from(group)]).ln(),
                None => f64::NEG_INFINITY,
            })
            .collect())
    }

    /// The probability that a player of competence `c` plays each choice.
    pub fn probabilities(&self, c: Competence) -> Result<Vec<f64>, ForeignScale> {
        self.scale().require(c.scale())?;
        let by_group: Vec<f64> = self.ln_group_probabilities(c.get()).into_iter().map(f64::exp).collect();
        Ok(self.spread(&by_group))
    }

    /// The probability of each successor state, best first (T_j of Haworth 2003, §4). Empty on
    /// the evaluation scale.
    pub fn state_probabilities(&self, c: Competence) -> Result<Vec<(State, f64)>, ForeignScale> {
        let probabilities = self.probabilities(c)?;
        let mut states: Vec<(State, f64)> = self
            .choices
            .iter()
            .zip(probabilities)
            .filter_map(|(choice, probability)| Some((choice.outcome.state()?, probability)))
            .collect();
        states.sort_by_key(|&(state, _)| std::cmp::Reverse(state));
        states.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Ok(states)
    }

    /// The number of a state, as this decision has n1 and n2: see [`State::number`].
    pub fn state_number(&self, state: State) -> f64 {
        state.number(self.n1, self.n2)
    }

    /// The expected number of the successor state, `E[s]`; nothing on the evaluation scale.
    pub fn expected_state(&self, c: Competence) -> Result<Option<f64>, ForeignScale> {
        if self.scale() == Scale::Evaluation {
            return Ok(None);
        }
        let states = self.state_probabilities(c)?;
        Ok(Some(states.into_iter().map(|(state, probability)| probability * self.state_number(state)).sum()))
    }

    /// The expected value after the move, for the mover: points (win 1, draw ½, loss 0) or pawns.
    pub fn expected_value(&self, c: Competence) -> Result<f64, ForeignScale> {
        let probabilities = self.probabilities(c)?;
        let played = self.choices.iter().zip(probabilities).filter(|&(_, probability)| probability > 0.0);
        Ok(played.map(|(choice, probability)| probability * choice.outcome.worth()).sum())
    }

    /// ln w of each group; prices rise.
    pub(super) fn ln_prices(&self) -> &[f64] {
        &self.ln_prices
    }

    /// The weight of each group.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The group of a choice; nothing if it is never played.
    pub(super) fn group_of(&self, index: usize) -> Option<usize> {
        self.member.get(index).filter(|&&group| group != NEVER_PLAYED).map(|&group| usize::from(group))
    }

    /// Hands each group's probability on to its choices, by weight.
    pub(super) fn spread(&self, by_group: &[f64]) -> Vec<f64> {
        self.choices
            .iter()
            .zip(&self.member)
            .map(|(choice, &group)| match by_group.get(usize::from(group)) {
                Some(probability) => probability * choice.weight / self.weights[usize::from(group)],
                None => 0.0,
            })
            .collect()
    }

    /// Which groups players like R_c ever choose.
    pub(super) fn face(&self, c: f64) -> Face {
        Face::new(&self.ln_prices, c)
    }

    fn ln_group_probabilities(&self, c: f64) -> Vec<f64> {
        let face = self.face(c);
        let mut ln = vec![f64::NEG_INFINITY; self.weights.len()];
        let mut sum = 0.0;
        for group in face.chosen.clone() {
            let ln_preference = face.ln_preference(self.ln_prices[group]);
            sum += self.weights[group] * ln_preference.exp();
            ln[group] = ln_preference + self.weights[group].ln();
        }
        let ln_sum = f64::ln(sum);
        ln.iter_mut().for_each(|value| *value -= ln_sum);
        ln
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::model::{Model, Policy, Preference, Prospects};

    fn decision(kappa: f64, policy: Policy, states: &[State]) -> Decision {
        let moves = states.iter().zip(Square::ALL).map(|(&state, to)| {
            (Move::Normal { role: Role::Queen, from: Square::H8, capture: None, to, promotion: None }, state)
        });
        let best = states.iter().copied().max().unwrap();
        let model = Model { preference: Preference::table(kappa).unwrap(), policy };
        model.decide(&Prospects::table(best, moves, 32, 4)).unwrap()
    }

    fn probabilities(kappa: f64, states: &[State], c: f64) -> Vec<f64> {
        let c = Competence::new(c, Scale::Table).unwrap();
        decision(kappa, Policy::FREE, states).probabilities(c).unwrap()
    }

    fn assert_close(ours: &[f64], expected: &[f64]) {
        assert_eq!(ours.len(), expected.len());
        for (ours, expected) in ours.iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
        }
    }

    #[test]
    fn every_move_counts_even_where_several_lead_to_one_state() {
        let states = [State::win(1), State::win(3), State::win(3)];
        assert_close(&probabilities(1.0, &states, 1.0), &[0.5, 0.25, 0.25]);
        assert_close(&probabilities(1.0, &states, 2.0), &[2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]);
    }

    #[test]
    fn with_kappa_at_its_limit_wins_in_0_share_everything() {
        let states = [State::win(0), State::win(1), State::win(0), State::Draw, State::loss(0)];
        assert_close(&probabilities(0.0, &states, 3.0), &[0.5, 0.0, 0.5, 0.0, 0.0]);
        assert_close(&probabilities(0.0, &states, f64::INFINITY), &[0.5, 0.0, 0.5, 0.0, 0.0]);
        assert_close(&probabilities(0.0, &states, 0.0), &[0.2; 5]);
        assert_close(&probabilities(0.0, &states, -3.0), &[0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn with_kappa_at_its_limit_losses_in_0_get_nothing_while_another_move_is_there() {
        assert_close(
            &probabilities(0.0, &[State::loss(0), State::loss(1), State::loss(3)], 1.0),
            &[0.0, 0.25, 0.75],
        );
        assert_close(&probabilities(0.0, &[State::loss(0), State::loss(0)], 5.0), &[0.5, 0.5]);
        assert_close(&probabilities(0.0, &[State::win(0), State::win(2)], -1.0), &[0.0, 1.0]);
        assert_close(&probabilities(0.0, &[State::win(0), State::win(0)], -1.0), &[0.5, 0.5]);
    }

    #[test]
    fn the_infallible_and_the_anti_infallible_player_choose_among_the_best_and_the_worst() {
        let states = [State::win(5), State::win(2), State::Draw, State::win(2), State::loss(3)];
        assert_close(&probabilities(1.0, &states, f64::INFINITY), &[0.0, 0.5, 0.0, 0.5, 0.0]);
        assert_close(&probabilities(1.0, &states, f64::NEG_INFINITY), &[0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_foreign_scale_is_refused() {
        let c = Competence::new(1.0, Scale::Evaluation).unwrap();
        let refused = ForeignScale { mine: Scale::Table, given: Scale::Evaluation };
        assert_eq!(decision(1.0, Policy::FREE, &[State::Draw]).probabilities(c), Err(refused));
    }

    #[test]
    fn own_weights_favour_moves_at_any_competence() {
        let queen =
            |to| Move::Normal { role: Role::Queen, from: Square::H8, capture: None, to, promotion: None };
        let look = Prospects::table(
            State::Draw,
            [(queen(Square::A1), State::Draw), (queen(Square::B2), State::Draw)],
            32,
            4,
        );
        let model = Model { preference: Preference::table(1.0).unwrap(), policy: Policy::FREE };
        let decision =
            model.decide_weighted(&look, |m| if m.to() == Square::A1 { 3.0 } else { 1.0 }).unwrap();
        for c in [f64::NEG_INFINITY, -1.0, 0.0, 7.0, f64::INFINITY] {
            let c = Competence::new(c, Scale::Table).unwrap();
            assert_close(&decision.probabilities(c).unwrap(), &[0.75, 0.25]);
        }
        assert!(model.decide_weighted(&look, |_| 0.0).is_err());
        assert!(model.decide_weighted(&look, |_| -1.0).is_err());
    }

    #[test]
    fn a_decision_need_not_be_one_of_chess() {
        use crate::model::{Belief, Score};
        let worth = [("buy", 40), ("hold", 35), ("sell", -60)];
        let moves = worth.map(|(name, value)| (name.to_owned(), Score::Centipawns(value)));
        let model = Model { preference: Preference::evaluation(0.1).unwrap(), policy: Policy::FREE };
        let decision = model.decide(&Prospects::evaluation(moves)).unwrap();
        let mut belief = Belief::uniform("0(0.1)3".parse().unwrap(), Scale::Evaluation);
        belief.observe(&decision, &"buy".to_owned()).unwrap();
        assert!(belief.mean() > 1.5);
        assert!(belief.observe(&decision, &"dream".to_owned()).is_err());
    }
}
