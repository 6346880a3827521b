use crate::model::{Code, Depth, Face, Model, Policy, Preference, Prospects, State};

/// The moves of one position by the state they lead to, best first: all that R_c looks at (Haworth 2003, §3).
///
/// One is filled again for each position of a table, since a table has millions.
pub struct Outlook {
    counts: Box<[u16; Code::COUNT]>,
    codes: Vec<Code>,
    weights: Vec<f64>,
    ln_prices: Vec<f64>,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook {
            counts: Box::new([0; Code::COUNT]),
            codes: Vec::new(),
            weights: Vec::new(),
            ln_prices: Vec::new(),
        }
    }
}

impl Outlook {
    /// Forgets the last position.
    pub fn clear(&mut self) {
        self.codes.drain(..).for_each(|code| self.counts[code.place()] = 0);
    }

    /// One more move.
    #[inline]
    pub fn add(&mut self, code: Code) {
        let count = &mut self.counts[code.place()];
        if *count == 0 {
            self.codes.push(code);
        }
        *count += 1;
    }

    /// The states that moves lead to, each once; after [`Outlook::price`] those that may be played, in order.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Puts the states in order, prices and weights them, and leaves out those that are never played.
    pub fn price(&mut self, prices: &Prices) {
        let Outlook { counts, codes, weights, ln_prices } = self;
        codes.sort_unstable();
        ln_prices.clear();
        prices.append(codes, ln_prices);
        weights.clear();
        weights.extend(codes.iter().map(|code| f64::from(counts[code.place()])));
        prices.policy.restrict_states(|place| codes.get(place).map(|code| code.state()), weights);
        // A policy forbids the worst.
        let played = weights.partition_point(|&weight| weight > 0.0);
        weights.truncate(played);
        ln_prices.truncate(played);
        codes.drain(played..).for_each(|code| counts[code.place()] = 0);
    }

    /// How many moves lead to the state at this place, times what the policy makes of them.
    pub fn weight(&self, place: usize) -> f64 {
        self.weights[place]
    }

    /// The states that R_c and its like ever choose.
    pub fn chosen(&self, c: f64) -> &[Code] {
        &self.codes[Face::new(&self.ln_prices, c).chosen]
    }

    /// Adds to each code's place the probability that R_c moves to it, times `share` (T_j of Haworth 2003, §4).
    pub fn add_probabilities(&self, c: f64, share: f64, sums: &mut [f64], scratch: &mut Vec<f64>) {
        let face = Face::new(&self.ln_prices, c);
        let chosen = face.chosen.clone();
        scratch.clear();
        let mut sum = 0.0;
        for (weight, &ln_price) in self.weights[chosen.clone()].iter().zip(&self.ln_prices[chosen.clone()]) {
            let part = weight * face.ln_preference(ln_price).exp();
            scratch.push(part);
            sum += part;
        }
        for (total, part) in sums[chosen].iter_mut().zip(scratch.iter()) {
            *total += share * part / sum;
        }
    }
}

/// Prices of all states for one side of a material, and its policy.
pub struct Prices {
    preference: Preference,
    policy: Policy,
    bounds: (f64, f64),
    ln_prices: Vec<f64>,
}

impl Prices {
    /// As a model has them for a side whose deepest win and loss are given.
    pub fn new(model: &Model, deepest_win: Depth, deepest_loss: Depth) -> Prices {
        let empty: Prospects = Prospects::table(State::Draw, [], deepest_win.0 + 1, deepest_loss.0 + 1);
        let preference = model.preference;
        let bounds = preference.bounds(&empty);
        let ln_price = |code: Code| preference.ln_price(code.state(), bounds.0, bounds.1);
        Prices { preference, policy: model.policy, bounds, ln_prices: Code::all().map(ln_price).collect() }
    }

    /// ln w of every state by its code, where no move of the position leads deeper than n1 and n2 allow.
    pub fn ln_prices(&self) -> &[f64] {
        &self.ln_prices
    }

    fn append(&self, codes: &[Code], ln_prices: &mut Vec<f64>) {
        // A conversion may lead deeper.
        let (n1, n2) = Preference::raised(self.bounds, codes.iter().map(|code| code.state()));
        if (n1, n2) == self.bounds {
            ln_prices.extend(codes.iter().map(|code| self.ln_prices[code.place()]));
        } else {
            ln_prices.extend(codes.iter().map(|code| self.preference.ln_price(code.state(), n1, n2)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::model::{Competence, Scale};

    fn kings(to: Square) -> Move {
        Move::Normal { role: Role::King, from: Square::A1, capture: None, to, promotion: None }
    }

    proptest! {
        /// The same probabilities as those of a decision, at any c, κ and policy, infinities and limits included.
        #[test]
        fn the_short_way_agrees_with_decisions(
            codes in vec(prop_oneof![0..5_usize, 30..36_usize, Just(128_usize), 250..257_usize], 1..20),
            c in prop_oneof![-30.0..30.0, Just(0.0), Just(f64::INFINITY), Just(f64::NEG_INFINITY)],
            kappa in prop_oneof![Just(0.0), Just(1.0)],
            keep_value: bool,
            horizon in 0..4_u16,
        ) {
            let codes: Vec<Code> = codes.into_iter().filter_map(|place| Code::all().nth(place)).collect();
            let policy = Policy { keep_value, ..Policy::FREE }.with_horizon(horizon);
            let model = Model { preference: Preference::table(kappa).unwrap(), policy };
            let moves = codes.iter().zip(Square::ALL).map(|(&code, to)| (kings(to), code.state()));
            let decision = model.decide(&Prospects::table(State::Draw, moves, 32, 4)).unwrap();
            let expected = decision.state_probabilities(Competence::new(c, Scale::Table).unwrap()).unwrap();

            let mut outlook = Outlook::default();
            codes.iter().for_each(|&code| outlook.add(code));
            outlook.price(&Prices::new(&model, Depth(31), Depth(3)));
            let mut sums = vec![0.0; outlook.codes().len()];
            outlook.add_probabilities(c, 1.0, &mut sums, &mut Vec::new());
            for (state, probability) in expected {
                let place = outlook.codes().iter().position(|&code| code == Code::of(state));
                let ours = place.map_or(0.0, |place| sums[place]);
                prop_assert!((probability - ours).abs() < 1e-12, "{} {} {}", state, probability, ours);
                let chosen = outlook.chosen(c).contains(&Code::of(state));
                prop_assert!(chosen || probability == 0.0, "{} {}", state, probability);
            }
        }
    }
}
