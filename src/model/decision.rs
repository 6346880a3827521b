use std::ops::Range;

use shakmaty::Move;

use super::{Choice, Competence, ForeignScale, Outcome, Scale, State};

/// A position whose legal moves are all priced on one scale and weighted.
///
/// A player of competence c chooses move i with probability proportional to v_i · w_i^(−c). Every
/// **move** counts: k moves to one state count k times.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    outcome: Outcome,
    choices: Vec<Choice>,
    /// Choices of one price are equally preferred at every c, so the work is done once for all.
    groups: Vec<Group>,
    /// For each choice, the number of its group.
    member: Vec<u16>,
    n1: f64,
    n2: f64,
}

/// All choices of one price that are ever played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    pub ln_price: f64,
    pub weight: f64,
}

/// The groups that players of one sign of c ever choose from, and the price of their favourites.
///
/// With κ = 0+ some prices are 0 or ∞: for c > 0 moves of price 0 get everything, and those of
/// price ∞ nothing while another is there; for c < 0 the reverse; for c = 0 all are equal.
pub(super) struct Face {
    pub groups: Range<usize>,
    pub favourite: f64,
}

const NEVER_PLAYED: u16 = u16::MAX;

impl Decision {
    /// `choices` must not be empty, and one weight at least positive.
    pub(super) fn new(outcome: Outcome, choices: Vec<Choice>, n1: f64, n2: f64) -> Decision {
        let mut order: Vec<u16> = (0..choices.len() as u16).collect();
        order.retain(|&index| choices[usize::from(index)].weight > 0.0);
        order.sort_unstable_by(|&a, &b| {
            choices[usize::from(a)].ln_price.total_cmp(&choices[usize::from(b)].ln_price)
        });
        let mut groups: Vec<Group> = Vec::new();
        let mut member = vec![NEVER_PLAYED; choices.len()];
        for index in order.into_iter().map(usize::from) {
            let Choice { ln_price, weight, .. } = choices[index];
            match groups.last_mut() {
                Some(last) if last.ln_price == ln_price => last.weight += weight,
                _ => groups.push(Group { ln_price, weight }),
            }
            member[index] = groups.len() as u16 - 1;
        }
        Decision { outcome, choices, groups, member, n1, n2 }
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every legal move, in the oracle's order.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The scale of its prices.
    pub fn scale(&self) -> Scale {
        self.outcome.scale()
    }

    /// The number of a move among the choices.
    pub fn find(&self, m: &Move) -> Option<usize> {
        self.choices.iter().position(|choice| choice.m == *m)
    }

    /// No legal move has a better price than choice number `index`.
    pub fn is_optimal(&self, index: usize) -> bool {
        self.choices.iter().all(|choice| choice.ln_price >= self.choices[index].ln_price)
    }

    /// All legal moves of the best price.
    pub fn optimal(&self) -> impl Iterator<Item = &Choice> {
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
                Some(ln_group) => ln_group + (choice.weight / self.groups[usize::from(group)].weight).ln(),
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

    /// The number of a state: 0 for a win in 0, rising as states get worse for the mover (Haworth 2003, §2).
    pub fn state_number(&self, state: State) -> f64 {
        match state {
            State::Win(depth) => f64::from(depth.0),
            State::Draw => self.n1,
            State::Loss(depth) => self.n1 + self.n2 - f64::from(depth.0),
        }
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

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
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
                Some(probability) => probability * choice.weight / self.groups[usize::from(group)].weight,
                None => 0.0,
            })
            .collect()
    }

    pub(super) fn face(&self, c: f64) -> Face {
        let all = 0..self.groups.len();
        if c == 0.0 {
            return Face { groups: all, favourite: 0.0 };
        }
        let free = usize::from(self.groups.first().is_some_and(|group| group.ln_price == f64::NEG_INFINITY));
        let ruinous = usize::from(self.groups.last().is_some_and(|group| group.ln_price == f64::INFINITY));
        let finite = free..all.end - ruinous;
        let groups = if c > 0.0 && free == 1 {
            0..1
        } else if c < 0.0 && ruinous == 1 {
            finite.end..all.end
        } else if finite.is_empty() {
            all
        } else {
            finite
        };
        let favourite = if c > 0.0 { groups.start } else { groups.end - 1 };
        Face { favourite: self.groups[favourite].ln_price, groups }
    }

    /// By how much ln w of a group in the face is worse than that of the favourites; c = 0 has no favourites.
    pub(super) fn disfavour(&self, group: usize, c: f64, face: &Face) -> f64 {
        let ln_price = self.groups[group].ln_price;
        if c == 0.0 || ln_price == face.favourite { 0.0 } else { (ln_price - face.favourite).abs() }
    }

    fn ln_group_probabilities(&self, c: f64) -> Vec<f64> {
        let face = self.face(c);
        let mut ln = vec![f64::NEG_INFINITY; self.groups.len()];
        let mut sum = 0.0;
        for group in face.groups.clone() {
            let disfavour = self.disfavour(group, c, &face);
            // 0 · ∞ must not arise: favourites share by weight at any c.
            let exponent = if disfavour == 0.0 { 0.0 } else { -c.abs() * disfavour };
            sum += self.groups[group].weight * exponent.exp();
            ln[group] = exponent + self.groups[group].weight.ln();
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
    fn states_are_numbered_as_in_the_paper() {
        let decision = decision(1.0, Policy::FREE, &[State::Draw]);
        let numbers = [State::win(0), State::win(31), State::Draw, State::loss(3), State::loss(0)];
        assert_eq!(numbers.map(|state| decision.state_number(state)), [0.0, 31.0, 32.0, 33.0, 36.0]);
    }
}
