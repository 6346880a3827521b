//! P(i | c) ∝ v_i · w_i^(−c) and its corners (Haworth 2003, §6): a position whose moves are priced, and what a player of
//! competence c plays in it.
//!
//! With κ = 0+ some prices are 0 or ∞, so that ln w is infinite; c is infinite for the infallible player and for its
//! opposite. 0 · ∞ must not arise.

use std::ops::Range;

use shakmaty::Move;

use super::{Competence, ForeignScale, Outcome, Scale, State};

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

/// A move as a fallible player sees it: a legal move of chess, or anything else that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<M = Move> {
    /// The move.
    pub m: M,
    /// What it leads to, seen by the mover.
    pub outcome: Outcome,
    /// ln w of its price, in [−∞, +∞].
    pub ln_price: f64,
    /// Its weight v ≥ 0; 0 for a move that is never played.
    pub weight: f64,
}

/// ln of (w / w')^(−c): how much one price is preferred to another.
fn ln_preference(c: f64, ln_price: f64, other: f64) -> f64 {
    if c == 0.0 || ln_price == other { 0.0 } else { -c * (ln_price - other) }
}

/// Which moves players of one kind ever choose, and how they prefer them to their favourites.
///
/// For c > 0 moves of price 0 get everything, and those of price ∞ nothing while another is there; for c < 0 the
/// reverse; for c = 0 all are equal. An infinite c leaves none but the favourites.
pub(crate) struct Face {
    /// By their places in the order of price.
    pub chosen: Range<usize>,
    favourite: f64,
    c: f64,
}

impl Face {
    /// Of moves that have a weight, by ln w of each; prices rise, moves of one price being put together.
    pub fn new(ln_prices: &[f64], c: f64) -> Face {
        let all = 0..ln_prices.len();
        let (Some(&cheapest), Some(&dearest)) = (ln_prices.first(), ln_prices.last()) else {
            return Face { chosen: all, favourite: 0.0, c };
        };
        let favourite = if c > 0.0 { cheapest } else { dearest };
        let alone = favourite.is_infinite() || c.is_infinite();
        let chosen = match (alone, c > 0.0) {
            _ if c == 0.0 => all,
            (true, true) => 0..1,
            (true, false) => all.end - 1..all.end,
            (false, true) => 0..all.end - usize::from(dearest == f64::INFINITY),
            (false, false) => usize::from(cheapest == f64::NEG_INFINITY)..all.end,
        };
        Face { chosen, favourite, c }
    }

    /// ln of how much a chosen price is preferred to the favourite: 0 for the favourite itself, at any c.
    pub fn ln_preference(&self, ln_price: f64) -> f64 {
        ln_preference(self.c, ln_price, self.favourite)
    }

    /// By how much ln w of a chosen price is worse than that of the favourite: what each step of |c| takes from the
    /// logarithm of the preference. c = 0 has no favourites.
    pub fn disfavour(&self, ln_price: f64) -> f64 {
        let sign = if self.c == 0.0 { 0.0 } else { self.c.signum() };
        ln_preference(sign, ln_price, self.favourite).abs()
    }
}

/// Whether players of two competences choose from the same moves everywhere.
pub(crate) fn choose_alike(c: f64, other: f64) -> bool {
    let kind = |c: f64| (c.partial_cmp(&0.0), c.is_infinite());
    kind(c) == kind(other)
}

/// So far from all others is the logarithm of a preference that is infinite or nothing: sums don't feel it.
const SURE: f64 = 100.0;

/// Preferences that differ by more, by their logarithms, don't fit into floating-point numbers if none is above 1.
const ONE_SIDED: f64 = 600.0;

/// w^(−c) of many prices, up to a common factor: one list for all moves of all positions. Nothing if the logarithms of
/// those that are finite differ by more than `widest`, as they do if c is infinite.
pub(crate) fn side_by_side(ln_prices: &[f64], c: f64, widest: f64) -> Option<Vec<f64>> {
    let finite = ln_prices.iter().copied().filter(|ln_price| ln_price.is_finite());
    let (low, high) = finite
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), price| (low.min(price), high.max(price)));
    let (favourite, worst) = if c > 0.0 { (low, high) } else { (high, low) };
    let least = ln_preference(c, worst, favourite);
    let unit = if least < -ONE_SIDED { least / 2.0 } else { 0.0 };
    let preference = |&ln_price: &f64| {
        let ln = ln_preference(c, ln_price, favourite).clamp(least - SURE, SURE);
        (ln - unit).exp()
    };
    (least.abs() <= widest).then(|| ln_prices.iter().map(preference).collect())
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

    const FREE: f64 = f64::NEG_INFINITY;
    const RUINOUS: f64 = f64::INFINITY;

    fn chosen(ln_prices: &[f64], c: f64) -> Range<usize> {
        Face::new(ln_prices, c).chosen
    }

    #[test]
    fn what_costs_nothing_is_always_chosen_and_what_costs_everything_never() {
        let ln_prices = [FREE, 0.0, 1.0, RUINOUS];
        assert_eq!(chosen(&ln_prices, 2.0), 0..1);
        assert_eq!(chosen(&ln_prices[1..], 2.0), 0..2);
        assert_eq!(chosen(&ln_prices[3..], 2.0), 0..1, "there is no other");
        assert_eq!(chosen(&ln_prices, 0.0), 0..4);
    }

    #[test]
    fn who_errs_on_purpose_sees_it_the_other_way_round() {
        let ln_prices = [FREE, 0.0, 1.0, RUINOUS];
        assert_eq!(chosen(&ln_prices, -2.0), 3..4);
        assert_eq!(chosen(&ln_prices[..3], -2.0), 1..3);
        assert_eq!(chosen(&ln_prices[..1], -2.0), 0..1, "there is no other");
    }

    #[test]
    fn an_infinite_competence_chooses_its_favourites() {
        assert_eq!(chosen(&[0.0, 1.0, 2.0], f64::INFINITY), 0..1);
        assert_eq!(chosen(&[0.0, 1.0, 2.0], f64::NEG_INFINITY), 2..3);
        for c in [f64::NEG_INFINITY, -1.0, 0.0, 1.0, f64::INFINITY] {
            assert_eq!(Face::new(&[RUINOUS], c).ln_preference(RUINOUS), 0.0, "c = {c}");
        }
    }

    #[test]
    fn players_of_one_sign_choose_alike_unless_one_is_infallible() {
        assert!(choose_alike(1.0, 30.0) && choose_alike(-1.0, -0.1) && choose_alike(0.0, -0.0));
        for (c, other) in [(0.0, 1.0), (-1.0, 1.0), (30.0, f64::INFINITY)] {
            assert!(!choose_alike(c, other), "{c} {other}");
        }
    }

    #[test]
    fn side_by_side_an_infinite_preference_outweighs_all_others() {
        let ln_prices = [FREE, 0.0, 5f64.ln(), RUINOUS];
        let by = |c| side_by_side(&ln_prices, c, 400.0).unwrap();
        assert!((by(3.0)[1] / by(3.0)[2] - 125.0).abs() < 1e-9);
        assert!(by(2.0)[0] / by(2.0)[1] > 1e40 && by(2.0)[3] / by(2.0)[2] < 1e-40);
        assert!(by(-2.0)[0] / by(-2.0)[1] < 1e-40 && by(-2.0)[3] / by(-2.0)[2] > 1e40);
        assert_eq!(by(0.0), [1.0; 4], "c = 0 prefers nothing");
    }

    #[test]
    fn side_by_side_preferences_must_fit_into_floating_point_numbers() {
        assert_eq!(side_by_side(&[0.0, 5.0], 100.0, 400.0), None);
        assert_eq!(side_by_side(&[0.0, 5.0], f64::INFINITY, 400.0), None);
        assert_eq!(side_by_side(&[FREE, RUINOUS], 1.0, 400.0), None, "nothing to compare with");
        for c in [-1200.0, 1200.0] {
            let preferences = side_by_side(&[FREE, 0.0, 1.0, RUINOUS], c, 1200.0).unwrap();
            assert!(preferences.iter().all(|preference| preference.is_normal()), "c = {c}");
        }
    }
}
