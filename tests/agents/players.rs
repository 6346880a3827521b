use errare::{
    agents::{Agent, AgentError, Infallible, Player, Rule, Situation, UnknownRule},
    game::Game,
    model::{Competence, Model, Policy, Preference, Scale, State},
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{Chess, Position, Role, Square};

use crate::support::{Toy, kqkr, look, model, position, san, table_c};

const BB1_1W: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";
/// Browne - BELLE, game 2, move 12: four rook moves are optimal.
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";

#[test]
fn a_player_chooses_as_often_as_its_competence_says() {
    let game = position(BB1_1W);
    let player = Player { competence: table_c(5.0), model: model(1.0, Policy::KEEP_VALUE) };
    let decision = player.model.decide(look(kqkr(), &game).prospects()).unwrap();
    let expected = decision.probabilities(player.competence).unwrap();
    let mut rng = Pcg64::seed_from_u64(5);
    let mut times = vec![0_u32; expected.len()];
    const GAMES: u32 = 4000;
    for _ in 0..GAMES {
        let m = player.choose(&Situation::new(&game, kqkr()), &mut rng).unwrap();
        times[decision.find(&m).unwrap()] += 1;
    }
    for (times, expected) in times.into_iter().zip(expected) {
        let error = (expected * (1.0 - expected) / f64::from(GAMES)).sqrt();
        assert!((f64::from(times) / f64::from(GAMES) - expected).abs() <= 4.5 * error + 1e-12);
    }
}

#[test]
fn a_player_of_a_foreign_scale_refuses() {
    let game = position(BB1_1W);
    let mut rng = Pcg64::seed_from_u64(1);
    let competence = Competence::new(1.0, Scale::Evaluation).unwrap();
    let player = Player { competence, model: model(1.0, Policy::KEEP_VALUE) };
    assert!(matches!(player.choose(&Situation::new(&game, kqkr()), &mut rng), Err(AgentError::Scale(_))));
    let evaluations = Model { preference: Preference::evaluation(0.1).unwrap(), policy: Policy::FREE };
    let player = Player { competence, model: evaluations };
    assert!(matches!(player.choose(&Situation::new(&game, kqkr()), &mut rng), Err(AgentError::Decision(_))));
}

#[test]
fn nobody_moves_where_the_oracle_is_silent_or_the_game_is_over() {
    let mut rng = Pcg64::seed_from_u64(1);
    let start = Game::new(Chess::default());
    let silent = Infallible::default().choose(&Situation::new(&start, kqkr()), &mut rng);
    assert_eq!(silent, Err(AgentError::NotServed));
    let mated = position("k7/1Q6/1K6/8/8/8/8/7r b - - 0 1");
    assert!(Infallible::default().choose(&Situation::new(&mated, kqkr()), &mut rng).is_err());
}

#[test]
fn the_infallible_player_keeps_to_optimal_moves_and_its_rule() {
    let game = position(BB2_12B);
    let situation = Situation::new(&game, kqkr());
    let mut rng = Pcg64::seed_from_u64(12);
    let optimal = ["Re4", "Rf4", "Rg4", "Rh4"].map(|text| san(&game, text));
    let mut seen = std::collections::HashSet::new();
    for _ in 0..100 {
        seen.insert(Infallible { rule: Rule::Uniform }.choose(&situation, &mut rng).unwrap());
    }
    assert_eq!(seen, optimal.into_iter().collect());
    for rule in [Rule::First, Rule::FirstRook] {
        assert_eq!(Infallible { rule }.choose(&situation, &mut rng), Ok(optimal[0]));
    }
}

#[test]
fn the_first_rook_move_goes_before_king_moves() {
    let game = position("8/8/8/8/2k5/8/4r3/K7 b - - 0 1");
    let all_alike = Toy(|_: &Chess| State::Draw);
    let situation = Situation::new(&game, &all_alike);
    let mut rng = Pcg64::seed_from_u64(1);
    let rook = Infallible { rule: Rule::FirstRook }.choose(&situation, &mut rng).unwrap();
    assert_eq!((rook.role(), rook.to()), (Role::Rook, Square::E1));
    let first = Infallible { rule: Rule::First }.choose(&situation, &mut rng).unwrap();
    assert_eq!((first.from(), first.to()), (Some(Square::E2), Square::E1));
}

#[test]
fn the_longest_mate_is_chosen_among_optimal_moves() {
    let game = position(BB2_12B);
    // The longest mate of all is not optimal by DTC; among optimal moves the rook on g4 holds out longest.
    let mates = Toy(|position: &Chess| match position.board().role_at(Square::A8) {
        Some(_) => State::win(90),
        None if position.board().role_at(Square::G4).is_some() => State::win(60),
        None => State::win(50),
    });
    let mut situation = Situation::new(&game, kqkr());
    let mut rng = Pcg64::seed_from_u64(1);
    let player = Infallible { rule: Rule::LongestDtm };
    assert_eq!(player.choose(&situation, &mut rng), Err(AgentError::NoMates));
    situation.mates = Some(&mates);
    assert_eq!(player.choose(&situation, &mut rng), Ok(san(&game, "Rg4")));
}

#[test]
fn rules_go_by_name() {
    for rule in Rule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert_eq!("best".parse::<Rule>(), Err(UnknownRule("best".to_owned())));
}
