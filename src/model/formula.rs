//! P(i | c) ∝ v_i · w_i^(−c) and its corners (Haworth 2003, §6).
//!
//! With κ = 0+ some prices are 0 or ∞, so that ln w is infinite; c is infinite for the infallible player and for its
//! opposite. 0 · ∞ must not arise.

use std::ops::Range;

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
    use super::*;

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
