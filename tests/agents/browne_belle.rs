//! The two games Browne - BELLE, 1978 (Haworth 2003, §8 and Appendix B).

use errare::{
    agents::{HuntSettings, Predator, Situation, Speculation, Watcher},
    game::Game,
    model::{Evidence, Mixture, Outcome, Policy, State},
    oracle::Budget,
};
use shakmaty::{Color, Position, san::San};

use crate::support::{kqkr, look, model, position, san, table_c, uniform};

const GAME_1: (&str, &str) = (
    "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
    "Kb7 Re7+ Kc6 Re6+ Kd7 Re7+ Kd8 Re4 Qc5 Re5 Qd4 Kf5 Kd7 Re4 Qd3 Kf4 Kd6 Re3 Qd4+ Re4 Qf2+ Kg4 Kd5 Re8 Qf6 Re3 \
     Kd4 Rf3 Qg6+ Kf4 Qg2 Ra3 Qc6 Ra1 Qc7+ Kf5 Qc2+ Ke6 Qd2 Ra7 Qb4 Re7 Ke4 Kf6+ Kf4 Ke6 Qd4 Rf7+ Ke4 Rf6 Qd5+ Ke7 \
     Ke5 Rh6 Qb7+ Kd8 Qf7 Rc6 Kd5 Rb6 Kc5 Ra6 Qc4 Rf6 Qh4 Ke7 Kd5 Kf7 Ke5 Re6+ Kf5 Rd6 Qc4+ Ke7 Ke5 Rh6 Qc7+ Kf8 Kf5 \
     Ke8 Qc1 Rd6 Qc8+ Ke7 Qc7+ Rd7 Qc5+ Kd8 Ke6 Rb7",
);

const GAME_2: (&str, &str) = (
    "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
    "Kb7 Rb4+ Kc6 Rc4+ Kb5 Rb4+ Ka5 Re4 Qd6 Rd4 Qe5 Kd3 Kb5 Re4 Qf6 Ke3 Kc5 Rf4 Qg6 Ra4 Qg3+ Ke2 Qc3 Rf4 Kd5 Rh4 \
     Qc2+ Ke3 Qd1 Kf2 Qd2+ Kf3 Qe1 Rg4 Qd1+ Kf4 Qe2 Rg5+ Kd4 Rf5 Qe3+ Kg4 Ke4 Rf7 Qg1+ Kh5 Qg3 Rf8 Ke5 Rf7 Ke6 Rf8 \
     Qa3 Rf4 Qh3+ Kg5 Qg3+ Rg4 Qe5+ Kh4 Qh2+ Kg5 Ke5 Kg6 Qh8 Rg5+ Ke6 Rg4 Qg8+ Kh5 Qh7+ Kg5 Ke5 Rg3 Qg7+ Kh4 Qh6+ \
     Kg4 Ke4 Rg2 Qg6+ Kh3 Qh5+ Kg3 Ke3 Rg1 Qg5+ Kh2 Qh4+ Kg2 Ke2 Ra1 Qe4+ Kh3 Qh7+ Kg3 Qg7+ Kh3 Qxa1",
);

/// Calls `visit` with the number of the move, the position and the move played.
fn replay((fen, moves): (&str, &str), mut visit: impl FnMut(usize, &Game, shakmaty::Move)) {
    let mut game = position(fen);
    for (ply, text) in moves.split_whitespace().enumerate() {
        let m = san(&game, text);
        visit(ply / 2 + 1, &game, m);
        game.play(m);
    }
}

fn depth(outcome: Outcome) -> u16 {
    outcome.state().and_then(State::depth).unwrap().0
}

#[test]
fn depth_conceded_is_as_annotated() {
    let annotated = [
        (
            GAME_1,
            vec![
                (6, 1),
                (17, 3),
                (18, 2),
                (19, 1),
                (20, 1),
                (21, 2),
                (22, 1),
                (26, 2),
                (31, 1),
                (32, 4),
                (33, 2),
                (40, 3),
                (41, 2),
                (42, 2),
            ],
        ),
        (
            GAME_2,
            vec![
                (6, 1),
                (16, 1),
                (17, 3),
                (19, 3),
                (26, 1),
                (27, 2),
                (28, 2),
                (30, 1),
                (32, 1),
                (33, 1),
                (35, 2),
                (44, 1),
            ],
        ),
    ];
    for (game, expected) in annotated {
        let mut conceded = Vec::new();
        replay(game, |number, game, m| {
            let look = look(kqkr(), game);
            let (before, after) = (depth(look.outcome()), depth(look.prospects().of(&m).unwrap()));
            match game.position().turn() {
                Color::White if after + 1 > before => conceded.push((number, after + 1 - before)),
                Color::White => {}
                Color::Black => assert_eq!(after, before, "BELLE was infallible"),
            }
        });
        assert_eq!(conceded, expected);
    }
}

/// The whole game.
fn whole((fen, moves): (&str, &str)) -> Game {
    let mut game = position(fen);
    moves.split_whitespace().for_each(|text| game.play(san(&game, text)));
    game
}

#[test]
fn brownes_apparent_competence_is_as_published() {
    let model = model(0.0, Policy::KEEP_VALUE);
    for game in [GAME_1, GAME_2] {
        let [mut browne, mut belle] = [uniform("0(1)50"), uniform("0(1)50")];
        for observation in Watcher::new(&whole(game), kqkr(), &Budget::default()) {
            let player = if observation.side() == Color::White { &mut browne } else { &mut belle };
            assert_eq!(observation.teach(&model, player), Ok(Evidence::Counted));
            match observation.ply {
                0 => assert!((browne.mean() - 25.0).abs() < 1e-9 && !browne.is_informed()),
                _ => assert!(browne.mean() > 17.0),
            }
        }
        assert!(belle.all_optimal() && !browne.all_optimal());
    }
}

#[test]
fn final_competences_of_table_2_come_out() {
    // Haworth & Andrist, Table 2, and what game 1 gives after the moves that were played.
    for (game, c) in [(GAME_1, 18.0), (GAME_2, 18.4)] {
        let mut browne = uniform("0(0.01)50");
        for observation in Watcher::new(&whole(game), kqkr(), &Budget::default()).of(Color::White) {
            observation.teach(&model(0.0, Policy::KEEP_VALUE), &mut browne).unwrap();
        }
        assert!((browne.mean() - c).abs() < 0.05, "{}", browne.mean());
    }
}

#[test]
fn the_predator_finds_the_twelve_preferred_moves_and_no_better_speculation() {
    let preferred = [
        (
            GAME_1,
            vec![
                (8, "Kf4"),
                (9, "Re1"),
                (12, "Re7"),
                (13, "Re1"),
                (20, "Ra7"),
                (27, "Rg6"),
                (29, "Rc6"),
                (38, "Rh6"),
            ],
        ),
        (GAME_2, vec![(10, "Re4"), (12, "Rg4"), (22, "Rf7"), (24, "Rb7")]),
    ];
    let speculation =
        Speculation { most: f64::INFINITY, value_margin: 0.0, depth_margin: 1e-9, risk_value: false };
    for (game, preferred) in preferred {
        let opponent = model(0.0, Policy::KEEP_VALUE);
        let settings = HuntSettings { speculation: Some(speculation), ..HuntSettings::default() };
        let mut belief = uniform("0(1)50");
        let mut found = 0;
        replay(game, |number, position, m| match position.position().turn() {
            Color::White => {
                let decision = opponent.decide(look(kqkr(), position).prospects()).unwrap();
                belief.observe(&decision, &m).unwrap();
            }
            Color::Black => {
                let predator = Predator { settings, opponent, mixture: belief.mixture(), foresight: None };
                let advice = predator.advise(&Situation::new(position, kqkr())).unwrap();
                let best: Vec<_> = advice.best.iter().map(|&index| advice.candidates[index]).collect();
                assert!(best.iter().all(|candidate| !candidate.speculative), "move {number}");
                if let Some((_, text)) = preferred.iter().find(|(preferred, _)| *preferred == number) {
                    assert_eq!(best.len(), 1, "move {number}");
                    assert_eq!(best[0].m, san(position, text), "move {number}");
                    found += 1;
                }
            }
        });
        assert_eq!(found, preferred.len());
    }
}

#[test]
fn theorem_3_holds_in_the_positions_of_the_games() {
    for game in [GAME_1, GAME_2] {
        replay(game, |_, game, _| {
            let decision = model(1.0, Policy::FREE).decide(look(kqkr(), game).prospects()).unwrap();
            let competences =
                [f64::NEG_INFINITY, -20.0, -1.0, 0.0, 1.0, 20.0, 50.0, f64::INFINITY].map(table_c);
            let states = competences.map(|c| decision.expected_state(c).unwrap().unwrap());
            let values = competences.map(|c| decision.expected_value(c).unwrap());
            assert!(states.is_sorted_by(|low, high| *high <= low + 1e-9));
            assert!(values.is_sorted_by(|low, high| *high >= low - 1e-9));
        });
    }
}

/// The hardest moves for R_c among equi-optimal ones, or among all that keep the value.
fn hardest(fen: &str, c: f64, speculate: bool) -> Vec<String> {
    let all = Speculation { most: f64::INFINITY, value_margin: 0.0, depth_margin: 1e-9, risk_value: false };
    let settings = HuntSettings { speculation: speculate.then_some(all), ..HuntSettings::default() };
    let (opponent, mixture) = (model(0.0, Policy::KEEP_VALUE), Mixture::from(table_c(c)));
    let game = position(fen);
    let advice = Predator { settings, opponent, mixture, foresight: None }
        .advise(&Situation::new(&game, kqkr()))
        .unwrap();
    let san = |m| San::from_move(game.position(), m).to_string();
    advice.best.iter().map(|&index| san(advice.candidates[index].m)).collect()
}

/// Figures 4 to 6, at competences well away from the crossovers.
#[test]
fn the_hardest_move_depends_on_the_opponents_competence() {
    let bb2_10b = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";
    let bb2_12b = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";
    let bb2_22b = "8/8/8/5r2/4K1k1/4Q3/8/8 b - - 0 1";
    let bb2_24b = "8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1";
    for (fen, c, expected) in [
        (bb2_22b, 1.0, "Rf7"),
        (bb2_22b, 20.0, "Rf7"),
        (bb2_22b, 50.0, "Rf7"),
        (bb2_10b, 3.0, "Ra4"),
        (bb2_10b, 10.0, "Re4"),
        (bb2_12b, 10.0, "Rf4"),
        (bb2_12b, 25.0, "Re4"),
        (bb2_12b, 45.0, "Rg4"),
        (bb2_24b, 1.0, "Rb7"),
        (bb2_24b, 15.0, "Rf6"),
        (bb2_24b, 40.0, "Rb7"),
    ] {
        assert_eq!(hardest(fen, c, false), [expected], "{fen} at c = {c}");
    }
}

/// Figure 7: Jansen's position, where a speculative move is better only against weak players.
#[test]
fn speculation_is_for_weak_opponents() {
    let j1_1b = "8/8/r7/2Q2k2/8/4K3/8/8 b - - 0 1";
    assert_eq!(hardest(j1_1b, 1.5, true), ["Kf6"]);
    assert!(!hardest(j1_1b, 1.5, false).contains(&"Kf6".to_owned()));
    assert_eq!(hardest(j1_1b, 4.0, true), hardest(j1_1b, 4.0, false));
}
