//! Preferences for every state of an endgame.

use shakmaty::Color;

use crate::{
    endgame::Table,
    model::{Code, Model, Preference, State, side_by_side},
};

/// Logarithms of preferences may differ by so much: products of a game's probabilities stay within floating point.
const WIDEST: f64 = 400.0;

/// n1 and n2 of an endgame for one side: one more than the deepest win and the deepest loss.
pub fn bounds(table: &Table, side: Color) -> [f64; 2] {
    [side, !side].map(|winner| f64::from(table.deepest(winner).0) + 1.0)
}

/// w^(−c) of every state by its code, up to a common factor, if floating-point numbers can hold them side by side. States
/// deeper than n1 and n2 allow are taken for draws, which they lie next to.
pub(super) fn powers(model: &Model, c: f64, [n1, n2]: [f64; 2]) -> Option<Vec<f64>> {
    let allowed = |state: &State| Preference::raised((n1, n2), [*state]) == (n1, n2);
    let state = |code: Code| Some(code.state()).filter(allowed).unwrap_or(State::Draw);
    let ln_prices: Vec<f64> =
        Code::all().map(|code| model.preference.ln_price(state(code), n1, n2)).collect();
    side_by_side(&ln_prices, c, WIDEST)
}
