use super::code::{CODES, Code, decode};
use crate::model::{Depth, Model, Policy, Preference, Prospects, State};

/// The moves of one position by the state they lead to, best first: all that R_c looks at (Haworth 2003, §3).
///
/// One is filled again for each position of a table, since a table has millions.
pub struct Outlook {
    counts: Box<[u16; CODES]>,
    codes: Vec<Code>,
    weights: Vec<f64>,
    ln_prices: Vec<f64>,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook {
            counts: Box::new([0; CODES]),
            codes: Vec::new(),
            weights: Vec::new(),
            ln_prices: Vec::new(),
        }
    }
}

impl Outlook {
    /// Forgets the last position.
    pub fn clear(&mut self) {
        for &code in &self.codes {
            self.counts[usize::from(code)] = 0;
        }
        self.codes.clear();
    }

    /// One more move.
    #[inline]
    pub fn add(&mut self, code: Code) {
        let count = &mut self.counts[usize::from(code)];
        if *count == 0 {
            self.codes.push(code);
        }
        *count += 1;
    }

    /// The states that moves lead to, each once; in order after [`Outlook::price`].
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Puts the states in order, weights and prices them.
    pub fn price(&mut self, prices: &Prices) {
        self.codes.sort_unstable();
        let (codes, counts) = (&self.codes, &self.counts);
        self.weights.clear();
        self.weights.extend(codes.iter().map(|&code| f64::from(counts[usize::from(code)])));
        prices.policy.restrict_states(|index| codes.get(index).map(|&code| decode(code)), &mut self.weights);
        self.ln_prices.clear();
        prices.append(codes, &mut self.ln_prices);
    }

    /// Which states a player of the sign of `c` ever chooses, by their place among the codes, and the price of its
    /// favourite. With κ = 0+ moves of price 0 take everything, and those of price ∞ nothing while another is there.
    fn face(&self, c: f64) -> (std::ops::Range<usize>, f64) {
        let played = |index: &usize| self.weights[*index] > 0.0;
        let first = (0..self.codes.len()).find(played).unwrap_or(0);
        let last = (0..self.codes.len()).rev().find(played).map_or(0, |last| last + 1);
        if c == 0.0 || first >= last {
            return (first..last, 0.0);
        }
        // Prices rise with the code, so those of 0 and of ∞ are at the ends.
        let price = |index: usize| self.ln_prices[index];
        let free = usize::from(price(first) == f64::NEG_INFINITY);
        let ruinous = usize::from(last - first > free && price(last - 1) == f64::INFINITY);
        let finite = first + free..last - ruinous;
        let has_finite = finite.clone().any(|index| played(&index));
        let range = match (c > 0.0, free, ruinous) {
            (true, 1, _) => first..first + 1,
            (false, _, 1) => last - 1..last,
            _ if has_finite => finite,
            _ => first..last,
        };
        let favourite = if c > 0.0 {
            range.clone().find(played).map_or(0.0, price)
        } else {
            range.clone().rev().find(played).map_or(0.0, price)
        };
        (range, favourite)
    }

    /// For each code whether a player of the sign of `c` ever chooses it, by its place among the codes.
    pub fn chosen(&self, c: f64) -> impl Iterator<Item = Code> + '_ {
        let (range, _) = self.face(c);
        range.filter(|&index| self.weights[index] > 0.0).map(|index| self.codes[index])
    }

    /// Adds to each code's place the probability that R_c moves to it, times `share` (T_j of Haworth 2003, §4).
    pub fn add_probabilities(&self, c: f64, share: f64, sums: &mut [f64], scratch: &mut Vec<f64>) {
        let (range, favourite) = self.face(c);
        scratch.clear();
        let mut sum = 0.0;
        for index in range.clone() {
            let ln_price = self.ln_prices[index];
            let preference = if ln_price == favourite || c == 0.0 {
                1.0
            } else if c.is_infinite() {
                0.0
            } else {
                (-c * (ln_price - favourite)).exp()
            };
            let part = self.weights[index] * preference;
            scratch.push(part);
            sum += part;
        }
        for (index, part) in range.zip(scratch.iter()) {
            sums[index] += share * part / sum;
        }
    }
}

/// Prices of all states for one side of a material, and its policy.
pub struct Prices {
    preference: Preference,
    policy: Policy,
    n1: f64,
    n2: f64,
    ln_prices: Vec<f64>,
}

impl Prices {
    /// As a model has them for a side whose deepest win and loss are given.
    pub fn new(model: &Model, deepest_win: Depth, deepest_loss: Depth) -> Prices {
        let empty = Prospects::table(State::Draw, [], deepest_win.0 + 1, deepest_loss.0 + 1);
        let (n1, n2) = model.preference.bounds(&empty);
        let preference = model.preference;
        let ln_prices = (0..CODES as Code).map(|code| preference.ln_price(decode(code), n1, n2)).collect();
        Prices { preference, policy: model.policy, n1, n2, ln_prices }
    }

    /// ln w of a state, where no move of the position leads deeper than n1 and n2 allow.
    pub fn ln_price(&self, code: Code) -> f64 {
        self.ln_prices[usize::from(code)]
    }

    fn append(&self, codes: &[Code], ln_prices: &mut Vec<f64>) {
        // As Preference::bounds has it: n1 and n2 rise where a conversion leads deeper.
        let (mut n1, mut n2) = (self.n1, self.n2);
        for &code in codes {
            match decode(code) {
                State::Win(depth) => n1 = n1.max(f64::from(depth.0) + 1.0),
                State::Draw => {}
                State::Loss(depth) => n2 = n2.max(f64::from(depth.0) + 1.0),
            }
        }
        if (n1, n2) == (self.n1, self.n2) {
            ln_prices.extend(codes.iter().map(|&code| self.ln_price(code)));
        } else {
            ln_prices.extend(codes.iter().map(|&code| self.preference.ln_price(decode(code), n1, n2)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::{
        markov::code::encode,
        model::{Competence, Scale},
    };

    fn kings(to: Square) -> Move {
        Move::Normal { role: Role::King, from: Square::A1, capture: None, to, promotion: None }
    }

    proptest! {
        /// The same probabilities as those of a decision, at any c, κ and policy, infinities and limits included.
        #[test]
        fn the_short_way_agrees_with_decisions(
            codes in vec(prop_oneof![0..5_u16, 30..36_u16, Just(128_u16), 250..257_u16], 1..20),
            c in prop_oneof![-30.0..30.0, Just(0.0), Just(f64::INFINITY), Just(f64::NEG_INFINITY)],
            kappa in prop_oneof![Just(0.0), Just(1.0)],
            keep_value: bool,
            horizon in 0..4_u16,
        ) {
            let policy = Policy { keep_value, ..Policy::FREE }.with_horizon(horizon);
            let model = Model { preference: Preference::table(kappa).unwrap(), policy };
            let moves = codes.iter().zip(Square::ALL).map(|(&code, to)| (kings(to), decode(code)));
            let decision = model.decide(&Prospects::table(State::Draw, moves, 32, 4)).unwrap();
            let expected = decision.state_probabilities(Competence::new(c, Scale::Table).unwrap()).unwrap();

            let mut outlook = Outlook::default();
            codes.iter().for_each(|&code| outlook.add(code));
            outlook.price(&Prices::new(&model, Depth(31), Depth(3)));
            let mut sums = vec![0.0; outlook.codes().len()];
            outlook.add_probabilities(c, 1.0, &mut sums, &mut Vec::new());
            for ((state, probability), (&code, ours)) in expected.iter().zip(outlook.codes().iter().zip(&sums)) {
                prop_assert_eq!(encode(*state), code);
                prop_assert!((probability - ours).abs() < 1e-12, "{} {} {}", state, probability, ours);
            }
            for code in outlook.chosen(c) {
                prop_assert!(outlook.codes().contains(&code));
            }
        }
    }
}
