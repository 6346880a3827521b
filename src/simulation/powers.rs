//! Preferences for every state of an endgame.

use shakmaty::Color;

use crate::{
    endgame::Table,
    model::{Model, State, Value},
};

/// Where a state has its place among all states: wins by depth, then losses by depth, then the draw.
pub(super) type Place = u16;

const LOSSES: Place = 256;
const DRAW: Place = 512;
const PLACES: usize = 513;

/// Logarithms of preferences may differ by so much before a floating-point number can't hold their ratio.
const WIDEST: f64 = 600.0;

/// So far above all others is the logarithm of a preference that is infinite (κ = 0+).
const SURE: f64 = 100.0;

pub(super) fn place(state: State) -> Place {
    match state {
        State::Win(depth) => depth.0.min(LOSSES - 1),
        State::Loss(depth) => LOSSES + depth.0.min(DRAW - LOSSES - 1),
        State::Draw => DRAW,
    }
}

fn state(place: Place) -> State {
    match place {
        DRAW => State::Draw,
        LOSSES.. => State::loss(place - LOSSES),
        _ => State::win(place),
    }
}

pub(super) fn value(place: Place) -> Value {
    match place {
        DRAW => Value::Draw,
        LOSSES.. => Value::Loss,
        _ => Value::Win,
    }
}

/// n1 and n2 of an endgame for one side: one more than the deepest win and the deepest loss.
pub fn bounds(table: &Table, side: Color) -> [f64; 2] {
    [side, !side].map(|winner| f64::from(table.deepest(winner).0) + 1.0)
}

/// w^(−c) of every state, up to a common factor.
#[derive(Clone, Debug)]
pub(super) struct Powers(Vec<f64>);

impl Powers {
    /// Those of states no deeper than n1 and n2 allow, if floating-point numbers can hold them side by side.
    pub fn new(model: &Model, c: f64, [n1, n2]: [f64; 2]) -> Option<Powers> {
        let occurs = |state| match state {
            State::Win(depth) => f64::from(depth.0) < n1,
            State::Loss(depth) => f64::from(depth.0) < n2,
            State::Draw => true,
        };
        let ln = |place| {
            let state = Some(state(place)).filter(|&state| occurs(state))?;
            let price = model.preference.ln_price(state, n1, n2);
            Some(if c == 0.0 { 0.0 } else { -c * price })
        };
        let mut logs: Vec<Option<f64>> = (0..PLACES as Place).map(ln).collect();
        let finite = || logs.iter().flatten().copied().filter(|ln| ln.is_finite());
        let least = finite().fold(f64::INFINITY, f64::min);
        let greatest = finite().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = (least - SURE, greatest + SURE);
        logs.iter_mut().flatten().for_each(|ln| *ln = ln.clamp(low, high));
        let powers = logs.into_iter().map(|ln| ln.map_or(0.0, |ln| (ln - greatest).exp())).collect();
        (greatest - least + 2.0 * SURE < WIDEST).then_some(Powers(powers))
    }

    pub fn of(&self, place: Place) -> f64 {
        self.0[usize::from(place)]
    }

    /// The preferences of all candidates, place by place.
    pub fn rows(all: &[Powers]) -> Vec<Box<[f64]>> {
        (0..PLACES).map(|place| all.iter().map(|powers| powers.0[place]).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Policy, Preference};

    fn powers(kappa: f64, c: f64) -> Powers {
        let model = Model { preference: Preference::table(kappa).unwrap(), policy: Policy::FREE };
        Powers::new(&model, c, [32.0, 4.0]).unwrap()
    }

    #[test]
    fn every_state_has_its_own_place() {
        for of in (0..PLACES as Place).map(state) {
            assert_eq!(state(place(of)), of);
            assert_eq!(value(place(of)), of.value());
        }
    }

    #[test]
    fn ratios_are_those_of_the_prices() {
        let powers = powers(1.0, 3.0);
        let ratio = powers.of(place(State::win(1))) / powers.of(place(State::win(5)));
        assert!((ratio - 27.0).abs() < 1e-9);
        let ratio = powers.of(place(State::Draw)) / powers.of(place(State::loss(0)));
        assert!((ratio - 125.0).abs() < 1e-9);
    }

    #[test]
    fn with_kappa_at_its_limit_a_win_in_0_is_sure_and_a_loss_in_0_never_chosen() {
        let ratio = |a, b| powers(0.0, 2.0).of(place(a)) / powers(0.0, 2.0).of(place(b));
        assert!(ratio(State::win(0), State::win(1)) > 1e40);
        assert!(ratio(State::loss(0), State::loss(1)) < 1e-40);
        assert_eq!(powers(0.0, 0.0).of(place(State::win(0))), 1.0, "c = 0 prefers nothing");
    }
}
