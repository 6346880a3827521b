use super::{Prospects, Scale, State};

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

#[cfg(test)]
mod tests {
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
}
