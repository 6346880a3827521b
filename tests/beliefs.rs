//! What a belief learns from moves, and what it must never do.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use errare::model::{
    Belief, BeliefError, Competence, Decision, Evidence, Grid, Model, Policy, Preference, Prospects, Scale,
    State,
};
use proptest::{collection::vec, prelude::*};
use shakmaty::{Move, Role, Square};

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

fn uniform(text: &str) -> Belief {
    Belief::uniform(grid(text), Scale::Table)
}

fn to(square: Square) -> Move {
    Move::Normal { role: Role::Queen, from: Square::H8, capture: None, to: square, promotion: None }
}

/// Move number i goes to square number i.
fn decide(kappa: f64, policy: Policy, states: &[State]) -> Decision {
    let look = Prospects::table(
        states.iter().copied().max().unwrap(),
        Square::ALL.into_iter().map(to).zip(states.iter().copied()),
        32,
        4,
    );
    Model { preference: Preference::table(kappa).unwrap(), policy }.decide(&look).unwrap()
}

fn played(number: u32) -> Move {
    to(Square::new(number))
}

#[test]
fn bayes_rule_is_applied() {
    let decision = decide(1.0, Policy::FREE, &[State::win(0), State::win(1)]);
    let mut belief = uniform("0(1)1");
    assert_eq!(belief.observe(&decision, &played(0)), Ok(Evidence::Counted));
    // P(best | 0) = 1/2, P(best | 1) = 2/3.
    let probabilities = belief.probabilities();
    assert!((probabilities[0] - 3.0 / 7.0).abs() < 1e-14);
    assert!((belief.mean() - 4.0 / 7.0).abs() < 1e-14);
    assert!((belief.deviation() - (12.0_f64 / 49.0).sqrt()).abs() < 1e-14);
}

#[test]
fn forced_and_indifferent_moves_teach_nothing() {
    let mut belief = uniform("0(1)50");
    for states in [&[State::win(7)][..], &[State::win(7), State::win(7)]] {
        assert_eq!(belief.observe(&decide(0.0, Policy::FREE, states), &played(0)), Ok(Evidence::Counted));
    }
    assert!((belief.mean() - 25.0).abs() < 1e-12);
    assert!(belief.all_optimal());
}

#[test]
fn a_move_outside_the_model_leaves_the_belief_as_it_was() {
    let missed_win_in_0 = decide(0.0, Policy::FREE, &[State::win(0), State::win(3)]);
    let conceded_value = decide(1.0, Policy::KEEP_VALUE, &[State::win(2), State::Draw]);
    let mut belief = uniform("0(1)50");
    belief.observe(&decide(0.0, Policy::FREE, &[State::win(4), State::win(9)]), &played(0)).unwrap();
    let before = belief.probabilities();
    assert!(belief.all_optimal());
    for decision in [missed_win_in_0, conceded_value] {
        assert_eq!(belief.observe(&decision, &played(1)), Ok(Evidence::Outside));
    }
    assert_eq!(belief.probabilities(), before);
    assert_eq!((belief.observed(), belief.outside(), belief.all_optimal()), (3, 2, false));
}

#[test]
fn foreign_scales_and_impossible_moves_are_refused() {
    let decision = decide(1.0, Policy::FREE, &[State::win(2), State::Draw]);
    let mut evaluations = Belief::uniform(grid("0(0.1)3"), Scale::Evaluation);
    assert!(matches!(evaluations.observe(&decision, &played(0)), Err(BeliefError::Scale(_))));
    assert!(matches!(evaluations.merge(&uniform("0(0.1)3")), Err(BeliefError::Scale(_))));
    assert!(evaluations.mixture().probabilities(&decision).is_err());
    let mut belief = uniform("0(1)50");
    assert!(matches!(belief.observe(&decision, &played(2)), Err(BeliefError::NotAChoice(_))));
    assert!(matches!(belief.merge(&uniform("0(2)50")), Err(BeliefError::Grid { .. })));
    assert_eq!(belief, uniform("0(1)50"));
}

#[test]
fn a_million_moves_neither_underflow_nor_lose_the_truth() {
    // R_2 plays the better of two moves, priced 1 and 2, four times out of five.
    let decision = decide(1.0, Policy::FREE, &[State::win(0), State::win(1)]);
    let mut belief = uniform("0(0.5)5");
    for number in 0..1_000_000 {
        belief.observe(&decision, &played(u32::from(number % 5 == 0))).unwrap();
    }
    assert!((belief.mean() - 2.0).abs() < 1e-9);
    assert!(belief.probabilities().iter().all(|p| p.is_finite()));
    // R_2.585 would six times out of seven: the evidence for 2 is not so strong that it can't be overcome.
    for _ in 0..400_000 {
        belief.observe(&decision, &played(0)).unwrap();
    }
    assert!((belief.mean() - 2.5).abs() < 1e-9);
}

#[test]
fn priors_can_be_normal_or_given_and_must_be_probabilities() {
    let normal = Belief::normal(grid("0(1)50"), Scale::Table, 25.0, 5.0).unwrap();
    assert!((normal.mean() - 25.0).abs() < 1e-9);
    assert!((normal.deviation() - 5.0).abs() < 1e-3);
    assert_eq!(normal.interval(0.95), (15.0, 35.0));
    let given = Belief::given(grid("0(1)2"), Scale::Table, &[1.0, 0.0, 3.0]).unwrap();
    assert_eq!(given.mean(), 1.5);
    for prior in [&[1.0, 1.0][..], &[0.0; 3], &[-1.0, 1.0, 1.0], &[f64::NAN, 1.0, 1.0]] {
        assert!(Belief::given(grid("0(1)2"), Scale::Table, prior).is_err());
    }
    assert!(Belief::normal(grid("0(1)2"), Scale::Table, 1.0, 0.0).is_err());
}

#[test]
fn the_density_integrates_to_one() {
    let sum: f64 = uniform("0(0.1)5").density().iter().map(|(_, density)| density * 0.1).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn a_belief_can_be_stored() {
    let mut belief = Belief::given(grid("0(1)3"), Scale::Table, &[0.0, 1.0, 2.0, 3.0]).unwrap();
    belief.observe(&decide(1.0, Policy::FREE, &[State::win(3), State::win(8)]), &played(1)).unwrap();
    let text = serde_json::to_string(&belief).unwrap();
    let again: Belief = serde_json::from_str(&text).unwrap();
    assert!((again.mean() - belief.mean()).abs() < 1e-12);
    assert_eq!((again.grid(), again.observed(), again.all_optimal()), (belief.grid(), 1, false));
    for damaged in [text.replace("0(1)3", "0(1)4"), text.replace("\"observed\":1", "\"observed\":0")] {
        assert!(serde_json::from_str::<Belief>(&damaged).is_err());
    }
}

fn states() -> impl Strategy<Value = Vec<State>> {
    vec(
        prop_oneof![(0_u16..32).prop_map(State::win), Just(State::Draw), (0_u16..4).prop_map(State::loss)],
        1..30,
    )
}

fn grids() -> impl Strategy<Value = Grid> {
    prop_oneof![Just("0(1)50"), Just("0(0.01)50"), Just("-20(0.5)20"), Just("-3(1)-1"), Just("0.3(0.07)9.4")]
        .prop_map(|text| text.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn many_candidates_at_once_get_what_each_gets_alone(
        kappa in prop_oneof![Just(0.0), Just(1.0), 0.01..2.0],
        states in states(), grid in grids(), number in any::<prop::sample::Index>()
    ) {
        let decision = decide(kappa, Policy::FREE, &states);
        let number = number.index(states.len());
        let alone: Vec<f64> = grid
            .candidates()
            .map(|c| decision.ln_probabilities(Competence::new(c, Scale::Table).unwrap()).unwrap()[number])
            .collect();
        let mut belief = Belief::uniform(grid, Scale::Table);
        let evidence = belief.observe(&decision, &played(number as u32)).unwrap();
        prop_assert_eq!(evidence == Evidence::Outside, alone.contains(&f64::NEG_INFINITY));
        if evidence == Evidence::Counted {
            let likeliest = alone.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = alone.iter().map(|ln| (ln - likeliest).exp()).sum();
            for (together, alone) in belief.probabilities().into_iter().zip(alone) {
                let expected = (alone - likeliest).exp() / sum;
                prop_assert!((together - expected).abs() <= 1e-12 * expected.max(1e-3), "{} {}", together, expected);
            }
            let mean = Belief::uniform(grid, Scale::Table).mean_after(&decision, number).unwrap().unwrap();
            prop_assert!((mean - belief.mean()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_mixture_is_the_average_of_its_players(
        kappa in prop_oneof![Just(0.0), Just(1.0)], states in states(), grid in grids()
    ) {
        let decision = decide(kappa, Policy::FREE, &states);
        let mut expected = vec![0.0; states.len()];
        for c in grid.candidates() {
            let c = Competence::new(c, Scale::Table).unwrap();
            for (sum, p) in expected.iter_mut().zip(decision.probabilities(c).unwrap()) {
                *sum += p / grid.len() as f64;
            }
        }
        let mixture = Belief::uniform(grid, Scale::Table).mixture();
        for (ours, expected) in mixture.probabilities(&decision).unwrap().into_iter().zip(expected) {
            prop_assert!((ours - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn evidence_of_two_sets_of_games_is_that_of_all(
        first in vec((states(), any::<prop::sample::Index>()), 1..6),
        second in vec((states(), any::<prop::sample::Index>()), 1..6),
    ) {
        let watch = |games: &[(Vec<State>, prop::sample::Index)], belief: &mut Belief| {
            for (states, number) in games {
                let decision = decide(1.0, Policy::FREE, states);
                belief.observe(&decision, &played(number.index(states.len()) as u32)).unwrap();
            }
        };
        let (mut one, mut two, mut all) = (uniform("0(1)50"), uniform("0(1)50"), uniform("0(1)50"));
        watch(&first, &mut one);
        watch(&second, &mut two);
        watch(&first, &mut all);
        watch(&second, &mut all);
        one.merge(&two).unwrap();
        prop_assert!((one.mean() - all.mean()).abs() < 1e-9);
        prop_assert_eq!((one.observed(), one.all_optimal()), (all.observed(), all.all_optimal()));
    }
}
