//! Properties p01-p08 and theorems 1-5 and 7 of Haworth 2003 on random decisions.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use errare::model::{Competence, Decision, Model, Policy, Preference, Prospects, Scale, State};
use proptest::{collection::vec, prelude::*};
use shakmaty::{Move, Role, Square};

/// KQKR by DTC with White to move has wins in 0 to 31, draws and losses in 0 to 3.
const DEEPEST_WIN: u16 = 31;
const DEEPEST_LOSS: u16 = 3;

fn competence(c: f64) -> Competence {
    Competence::new(c, Scale::Table).unwrap()
}

/// State number `j`, as the paper counts: the best first.
fn state(j: u16) -> State {
    let draw = DEEPEST_WIN + 1;
    match j {
        j if j < draw => State::win(j),
        j if j == draw => State::Draw,
        j => State::loss(draw + DEEPEST_LOSS + 1 - j),
    }
}

const STATES: u16 = DEEPEST_WIN + DEEPEST_LOSS + 3;

/// ln S_c of every state, the best first.
fn ln_preferences(kappa: f64, c: f64) -> Vec<f64> {
    let preference = Preference::table(kappa).unwrap();
    let (n1, n2) = (f64::from(DEEPEST_WIN + 1), f64::from(DEEPEST_LOSS + 1));
    (0..STATES).map(|j| -c * preference.ln_price(state(j), n1, n2)).collect()
}

fn decide(kappa: f64, moves: &[(u16, f64)]) -> Decision {
    let squares = Square::ALL.into_iter();
    let normal =
        |to| Move::Normal { role: Role::Queen, from: Square::A1, capture: None, to, promotion: None };
    let best = moves.iter().map(|&(j, _)| state(j)).max().unwrap();
    let look = Prospects::table(
        best,
        squares.zip(moves).map(|(to, &(j, _))| (normal(to), state(j))),
        DEEPEST_WIN + 1,
        DEEPEST_LOSS + 1,
    );
    let model = Model { preference: Preference::table(kappa).unwrap(), policy: Policy::FREE };
    model.decide_weighted(&look, |m| moves[m.to() as usize].1).unwrap()
}

fn kappas() -> impl Strategy<Value = f64> {
    0.01..3.0
}

/// A pair of competences in order.
fn competences() -> impl Strategy<Value = (f64, f64)> {
    (-30.0..30.0, 0.01..20.0).prop_map(|(c, more)| (c, c + more))
}

/// Moves by the number of their state and their weight.
fn moves() -> impl Strategy<Value = Vec<(u16, f64)>> {
    vec((0..STATES, 0.1..3.0), 1..30)
}

fn unweighted_moves() -> impl Strategy<Value = Vec<(u16, f64)>> {
    vec((0..STATES, Just(1.0)), 1..30)
}

fn expected_state(decision: &Decision, c: f64) -> f64 {
    decision.expected_state(competence(c)).unwrap().unwrap()
}

fn expected_value(decision: &Decision, c: f64) -> f64 {
    decision.expected_value(competence(c)).unwrap()
}

proptest! {
    #[test]
    fn p01_r0_finds_all_moves_equally_likely(kappa in kappas(), moves in unweighted_moves()) {
        for p in decide(kappa, &moves).probabilities(competence(0.0)).unwrap() {
            prop_assert!((p - 1.0 / moves.len() as f64).abs() < 1e-12);
        }
    }

    #[test]
    fn p01_the_infallible_and_the_anti_infallible_player_are_limits(kappa in kappas(), moves in moves()) {
        let decision = decide(kappa, &moves);
        for end in [f64::INFINITY, f64::NEG_INFINITY] {
            let limit = decision.probabilities(competence(end)).unwrap();
            let near = decision.probabilities(competence(1e6_f64.copysign(end))).unwrap();
            for (limit, near) in limit.iter().zip(near) {
                prop_assert!((limit - near).abs() < 1e-9);
            }
        }
        let best = decision.probabilities(competence(f64::INFINITY)).unwrap();
        for (index, p) in best.into_iter().enumerate() {
            prop_assert_eq!(p > 0.0, decision.is_optimal(index));
        }
    }

    #[test]
    fn p02_and_theorem_3_more_competent_players_expect_no_worse(
        kappa in kappas(), moves in moves(), (c1, c2) in competences()
    ) {
        let decision = decide(kappa, &moves);
        prop_assert!(expected_state(&decision, c2) <= expected_state(&decision, c1) + 1e-9);
        prop_assert!(expected_value(&decision, c2) >= expected_value(&decision, c1) - 1e-9);
    }

    #[test]
    fn p03_no_move_has_zero_or_infinite_preference(kappa in kappas(), c in -30.0..30.0) {
        for ln in ln_preferences(kappa, c) {
            prop_assert!(ln.is_finite());
        }
    }

    #[test]
    fn p04_r0_prefers_no_state(kappa in kappas()) {
        prop_assert!(ln_preferences(kappa, 0.0).into_iter().all(|ln| ln == 0.0));
    }

    #[test]
    fn p05_a_draw_is_as_good_as_a_win_or_loss_deeper_than_there_is(
        kappa in kappas(), n1 in 32_u16..200, n2 in 4_u16..200
    ) {
        let preference = Preference::table(kappa).unwrap();
        let price = |state| preference.ln_price(state, f64::from(n1), f64::from(n2));
        prop_assert!((price(State::Draw) - price(State::win(n1))).abs() < 1e-12);
        prop_assert!((price(State::Draw) - price(State::loss(n2))).abs() < 1e-12);
    }

    // Theorem 1: q06-q09, which speak of wins and of losses, are p06 and p07, which speak of all states.
    #[test]
    fn p06_theorem_1_competence_sharpens_the_preference_for_each_better_state(
        kappa in kappas(), (c1, c2) in competences()
    ) {
        let ln_ratios = |c| -> Vec<f64> { ln_preferences(kappa, c).windows(2).map(|s| s[1] - s[0]).collect() };
        for (at_c1, at_c2) in ln_ratios(c1).into_iter().zip(ln_ratios(c2)) {
            prop_assert!(at_c2 < at_c1);
        }
        // F_j(∞) = 0 and F_j(−∞) = ∞.
        prop_assert!(ln_ratios(1e9).into_iter().all(|ln| ln < -1e6));
        prop_assert!(ln_ratios(-1e9).into_iter().all(|ln| ln > 1e6));
    }

    #[test]
    fn p07_theorem_1_players_with_skill_prefer_better_states(kappa in kappas(), c in 0.01..30.0) {
        prop_assert!(ln_preferences(kappa, c).is_sorted_by(|better, worse| better > worse));
        prop_assert!(ln_preferences(kappa, -c).is_sorted_by(|better, worse| better < worse));
    }

    #[test]
    fn p08_deeper_states_are_less_differentiable(kappa in kappas(), c in 0.01..30.0) {
        let preference = Preference::table(kappa).unwrap();
        for of in [State::win as fn(u16) -> State, State::loss] {
            let ln_ratio = |c: f64, d: u16| {
                let ln = |d| -c * preference.ln_price(of(d), 2000.0, 2000.0);
                if of(0) == State::win(0) { ln(d) - ln(d + 1) } else { ln(d + 1) - ln(d) }
            };
            let depths = [0, 1, 2, 5, 10, 31, 100, 1000];
            prop_assert!(depths.is_sorted_by(|&d, &deeper| ln_ratio(c, d) > ln_ratio(c, deeper)));
            prop_assert!(depths.is_sorted_by(|&d, &deeper| ln_ratio(-c, d) < ln_ratio(-c, deeper)));
            prop_assert!(ln_ratio(c, 60_000) < c * 2e-5);
        }
    }

    #[test]
    fn theorem_2_worse_states_lose_ground_to_better_ones(
        kappa in kappas(), moves in moves(), (c1, c2) in competences()
    ) {
        let decision = decide(kappa, &moves);
        let at = |c| -> Vec<f64> {
            let states = decision.state_probabilities(competence(c)).unwrap();
            states.into_iter().map(|(_, p)| p.ln()).collect()
        };
        for (before, after) in at(c1).windows(2).zip(at(c2).windows(2)) {
            prop_assert!(after[1] - after[0] < before[1] - before[0]);
        }
        let far = decision.state_probabilities(competence(1e6)).unwrap();
        prop_assert!(far[1..].iter().all(|&(_, p)| p < 1e-12));
    }

    #[test]
    fn theorem_4_as_competence_grows_the_best_state_is_certain(kappa in kappas(), moves in moves()) {
        let decision = decide(kappa, &moves);
        let best = *moves.iter().map(|(j, _)| j).min().unwrap();
        for c in [1e6, f64::INFINITY] {
            let states = decision.state_probabilities(competence(c)).unwrap();
            prop_assert_eq!(states[0].0, state(best));
            prop_assert!((states[0].1 - 1.0).abs() < 1e-9);
            prop_assert!((expected_state(&decision, c) - f64::from(best)).abs() < 1e-6);
            prop_assert!((expected_value(&decision, c) - state(best).value().points()).abs() < 1e-9);
        }
    }

    // Theorem 5 is p03-p08 for the preference function in use: the tests above.

    #[test]
    fn theorem_7_holds_for_a_mixture_of_positions(
        kappa in kappas(), positions in vec((moves(), 0.01..1.0), 1..6), (c1, c2) in competences()
    ) {
        let decisions: Vec<_> = positions.iter().map(|(moves, share)| (decide(kappa, moves), share)).collect();
        let mean = |of: fn(&Decision, f64) -> f64, c| -> f64 {
            decisions.iter().map(|(decision, share)| *share * of(decision, c)).sum()
        };
        prop_assert!(mean(expected_state, c2) <= mean(expected_state, c1) + 1e-9);
        prop_assert!(mean(expected_value, c2) >= mean(expected_value, c1) - 1e-9);
    }

    #[test]
    fn probabilities_add_up_to_one_at_any_competence_and_kappa(
        kappa in prop_oneof![Just(0.0), kappas()],
        moves in moves(),
        c in prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(0.0), -1e300..1e300, -50.0..50.0],
    ) {
        let probabilities = decide(kappa, &moves).probabilities(competence(c)).unwrap();
        prop_assert!(probabilities.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
        prop_assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn kappa_at_its_limit_is_a_limit(moves in moves(), c in -5.0..5.0_f64) {
        // Near c = 0 the limit is approached too slowly to be seen at a finite κ.
        prop_assume!(c.abs() > 0.5);
        let limit = decide(0.0, &moves).probabilities(competence(c)).unwrap();
        let near = decide(1e-100, &moves).probabilities(competence(c)).unwrap();
        for (limit, near) in limit.into_iter().zip(near) {
            prop_assert!((limit - near).abs() < 1e-9);
        }
    }
}
