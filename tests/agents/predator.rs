use errare::{
    agents::{Advice, Agent, HuntSettings, Predator, Situation, Speculation},
    game::Game,
    model::{Belief, Mixture, Policy, Scale, State},
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{Chess, Color, Move, Position, Square, zobrist::Zobrist64};

use crate::support::{Toy, kqkr, model, position, san, table_c, uniform};

fn predator(settings: HuntSettings) -> Predator {
    Predator {
        settings,
        opponent: model(1.0, Policy::FREE),
        mixture: uniform("0(1)50").mixture(),
        foresight: None,
    }
}

/// The same against an opponent of whom this is known.
fn against(predator: Predator, mixture: Mixture) -> Predator {
    Predator { mixture, ..predator }
}

fn chosen(advice: &Advice) -> Vec<Move> {
    advice.best.iter().map(|&index| advice.candidates[index].m).collect()
}

fn kings(position: &Chess) -> [Option<Square>; 2] {
    [Color::White, Color::Black].map(|color| position.board().king_of(color))
}

/// Drawn but for White to move with the kings on two given squares.
fn trap(white: Square, black: Square) -> Toy<impl Fn(&Chess) -> State> {
    Toy(move |position: &Chess| {
        let sprung = position.turn().is_white() && kings(position) == [Some(white), Some(black)];
        if sprung { State::win(5) } else { State::Draw }
    })
}

#[test]
fn in_a_drawn_position_it_goes_where_the_opponent_can_err() {
    let game = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let oracle = trap(Square::E2, Square::D7);
    let advice = predator(HuntSettings::default()).advise(&Situation::new(&game, &oracle)).unwrap();
    assert_eq!(chosen(&advice), [san(&game, "Ke2")]);
    let best = &advice.candidates[advice.best[0]];
    assert!(best.expectation.value() > 0.5 && best.expectation.value() < 0.75);
    assert_eq!(best.depth, Some(5.0));
    // The infallible opponent does not fall for it.
    let infallible = Mixture::from(table_c(f64::INFINITY));
    let advice = against(predator(HuntSettings::default()), infallible)
        .advise(&Situation::new(&game, &oracle))
        .unwrap();
    assert!(advice.candidates.iter().all(|candidate| candidate.expectation.value() == 0.5));
}

#[test]
fn four_plies_see_a_trap_that_two_do_not() {
    let game = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let oracle = trap(Square::E3, Square::D6);
    let situation = Situation::new(&game, &oracle);
    let two = predator(HuntSettings::default()).advise(&situation).unwrap();
    assert_eq!(two.best.len(), two.candidates.len());
    let four = predator(HuntSettings { plies: 4, tolerance: 1e-6, ..HuntSettings::default() })
        .advise(&situation)
        .unwrap();
    let towards = ["Kd2", "Ke2", "Kf2"].map(|text| san(&game, text));
    assert!(chosen(&four).iter().all(|m| towards.contains(m)), "{:?}", chosen(&four));
}

#[test]
fn it_never_gives_up_depth_or_value_unless_told() {
    // White wins; after the slower move Black is likely to blunder into a quick loss.
    let oracle = Toy(|position: &Chess| match (position.turn(), kings(position)[0], kings(position)[1]) {
        (Color::White, Some(Square::E1), _) => State::win(21),
        (Color::Black, Some(Square::D2), _) => State::loss(20),
        (Color::Black, Some(Square::E2), _) => State::loss(22),
        (Color::White, Some(Square::D2), _) => State::win(20),
        (Color::White, Some(Square::E2), Some(Square::E7)) => State::win(22),
        (Color::White, Some(Square::E2), _) => State::win(2),
        _ => State::Draw,
    });
    let game = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let situation = Situation::new(&game, &oracle);
    let sober = predator(HuntSettings::default());
    assert_eq!(chosen(&sober.advise(&situation).unwrap()), [san(&game, "Kd2")]);
    let bold = |depth_margin| {
        let speculation = Speculation { most: 3.0, value_margin: 0.01, depth_margin, risk_value: false };
        predator(HuntSettings { speculation: Some(speculation), ..HuntSettings::default() })
    };
    let weak = Mixture::from(table_c(0.0));
    let advice = against(bold(1.0), weak.clone()).advise(&situation).unwrap();
    assert_eq!(chosen(&advice), [san(&game, "Ke2")]);
    assert_eq!(chosen(&against(bold(30.0), weak).advise(&situation).unwrap()), [san(&game, "Kd2")]);
    let strong = Mixture::from(table_c(50.0));
    assert_eq!(chosen(&against(bold(1.0), strong).advise(&situation).unwrap()), [san(&game, "Kd2")]);
}

#[test]
fn an_attacker_knows_that_a_win_may_come_too_late() {
    let value = |clock: u32, fifty: bool| {
        let game = position(&format!("K3r3/8/5k2/Q7/8/8/8/8 w - - {clock} 80"));
        let mut situation = Situation::new(&game, kqkr());
        situation.fifty = fifty;
        let infallible = Mixture::from(table_c(f64::INFINITY));
        let advice = against(predator(HuntSettings::default()), infallible).advise(&situation).unwrap();
        advice.candidates[advice.best[0]].expectation.value()
    };
    // Won in 31 moves, 61 plies.
    assert_eq!(value(39, true), 1.0);
    assert_eq!(value(40, true), 0.5);
    assert_eq!(value(99, false), 1.0);
}

#[test]
fn a_defender_may_run_the_clock() {
    let value = |clock: u32, c: f64| {
        let game = position(&format!("4r3/1K6/5k2/Q7/8/8/8/8 b - - {clock} 80"));
        let mut situation = Situation::new(&game, kqkr());
        situation.fifty = true;
        let opponent = Mixture::from(table_c(c));
        let advice = against(predator(HuntSettings::default()), opponent).advise(&situation).unwrap();
        advice.candidates[advice.best[0]].expectation.value()
    };
    // Lost in 30 moves, 60 plies.
    assert_eq!(value(40, f64::INFINITY), 0.0);
    assert_eq!(value(41, f64::INFINITY), 0.5);
    let hope = value(40, 10.0);
    assert!(hope > 0.0 && hope < 0.5, "{hope}");
}

/// The keys of a game in which the position after `text` has been on the board twice.
fn seen_twice(game: &Game, text: &str) -> Vec<Zobrist64> {
    let after = game.after(san(game, text));
    vec![after.key(), after.key(), game.key()]
}

#[test]
fn an_attacker_avoids_and_a_defender_seeks_the_third_repetition() {
    let game = position("4k3/8/8/8/8/8/8/4K2R w - - 10 20");
    let won = Toy(|position: &Chess| match position.turn() {
        Color::White => State::win(9),
        Color::Black if kings(position)[0] == Some(Square::E2) => State::loss(8),
        Color::Black => State::loss(9),
    });
    let history = seen_twice(&game, "Ke2");
    let best = predator(HuntSettings::default());
    let situation = Situation::new(&game, &won);
    assert_eq!(chosen(&best.advise(&situation).unwrap()), [san(&game, "Ke2")]);
    let mut repeating = Situation::new(&game, &won);
    repeating.history = &history;
    assert!(!chosen(&best.advise(&repeating).unwrap()).contains(&san(&game, "Ke2")));

    let lost = Toy(|position: &Chess| match position.turn() {
        Color::White => State::loss(9),
        Color::Black if kings(position)[0] == Some(Square::E2) => State::win(7),
        Color::Black => State::win(9),
    });
    let mut situation = Situation::new(&game, &lost);
    situation.history = &history;
    assert_eq!(chosen(&best.advise(&situation).unwrap()), [san(&game, "Ke2")]);
}

#[test]
fn it_refuses_a_belief_of_another_scale() {
    let game = position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1");
    let foreign = Belief::uniform("0(0.1)3".parse().unwrap(), Scale::Evaluation);
    let hunter = against(predator(HuntSettings::default()), foreign.mixture());
    assert!(hunter.advise(&Situation::new(&game, kqkr())).is_err());
}

#[test]
fn deeper_looks_stay_with_optimal_moves_and_choose_among_ties_by_chance() {
    let game = position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1");
    let optimal = ["Re4", "Rf4", "Rg4", "Rh4"].map(|text| san(&game, text));
    let mut rng = Pcg64::seed_from_u64(1);
    for plies in [2, 4] {
        let hunter = predator(HuntSettings { plies, ..HuntSettings::default() });
        assert!(optimal.contains(&hunter.choose(&Situation::new(&game, kqkr()), &mut rng).unwrap()));
        let advice = hunter.advise(&Situation::new(&game, kqkr())).unwrap();
        assert_eq!(advice.candidates.len(), 4);
        assert!(advice.candidates.iter().all(|candidate| candidate.depth.is_some()));
    }
}

#[test]
fn without_time_it_looks_two_plies_ahead_and_still_answers() {
    let game = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let oracle = trap(Square::E3, Square::D6);
    let six = predator(HuntSettings { plies: 6, ..HuntSettings::default() });
    let two = predator(HuntSettings::default()).advise(&Situation::new(&game, &oracle)).unwrap();
    let mut hurried = Situation::new(&game, &oracle);
    hurried.budget.time = Some(std::time::Duration::ZERO);
    assert_eq!(six.advise(&hurried).unwrap(), two);
    let stopped = Situation::new(&game, &oracle);
    stopped.budget.control.stop();
    assert_eq!(six.advise(&stopped).unwrap(), two);
    assert_ne!(six.advise(&Situation::new(&game, &oracle)).unwrap(), two, "with time it sees the trap");
}
