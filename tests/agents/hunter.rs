//! The Predator in whole games: traps for this opponent, at a bounded price.

use errare::{
    agents::{Agent, Hunter, Prey, Situation, Why},
    game::Game,
    human::EloBelief,
    model::Score,
    oracle::{Budget, Limits, Look, Oracle, SearchOracle, Source},
    search::{Priced, Pricing, SearchSettings, Searcher},
};
use shakmaty::{Chess, Move, Position};

use crate::support::{position, san};

/// The start of a game, as made up for a test: 1.e4 is best by a hair, 1.d4 sets a trap, all else loses a pawn.
struct MadeUp;

/// Values of a look by depth, in centipawns.
const DEPTHS: usize = 8;

impl Oracle for MadeUp {
    fn look(&self, game: &Game, _: &Budget) -> Option<Look> {
        let after_d4 = game.moves().first().is_some_and(|&m| m == san(&Game::new(Chess::default()), "d4"));
        let scores = |m: Move| -> Vec<Score> {
            let by_depth = |depth: usize| match (game.moves().len(), m) {
                (0, m) if m == san(game, "e4") => 2,
                (0, m) if m == san(game, "d4") => 0,
                (0, _) => -100,
                // Looks best to whoever does not look six plies deep.
                (1, m) if after_d4 && m == san(game, "d5") => {
                    if depth < 6 {
                        100
                    } else {
                        -400
                    }
                }
                _ => 0,
            };
            (0..DEPTHS).map(|depth| Score::Centipawns(by_depth(depth))).collect()
        };
        let moves = game.position().legal_moves().into_iter().map(|m| Priced { m, scores: scores(m) });
        let pricing = Pricing { moves: moves.collect(), depth: DEPTHS as u32, ..Pricing::default() };
        Look::by_search(game, pricing, Source::Search)
    }
}

fn hunter(elo: f64, margin: f64) -> Hunter {
    Hunter { prey: Prey::new(&EloBelief::certain(elo)), margin }
}

/// What it plays at the start of the made-up game, and whether it spoke of a trap.
fn plays(hunter: &Hunter) -> (Move, bool) {
    let game = Game::new(Chess::default());
    let look = MadeUp.look(&game, &Budget::default()).unwrap();
    let intent = hunter.consider(&Situation::new(&game, &MadeUp).having(look)).unwrap();
    let hunted = match &intent.why {
        Why::Traps(hunt) => hunt.bait(intent.probabilities()[0].0).unwrap().trap().is_some(),
        _ => false,
    };
    (intent.probabilities()[0].0, hunted)
}

#[test]
fn a_trap_is_set_for_one_who_falls_for_it_if_it_costs_next_to_nothing() {
    let game = Game::new(Chess::default());
    assert_eq!(plays(&hunter(1200.0, 0.02)), (san(&game, "d4"), true));
}

#[test]
fn whoever_is_strong_or_unknown_gets_the_best_move() {
    let game = Game::new(Chess::default());
    assert_eq!(plays(&hunter(2700.0, 0.02)), (san(&game, "e4"), false));
    let unknown = Hunter { prey: Prey::new(&EloBelief::unknown()), margin: 0.02 };
    assert_eq!(plays(&unknown), (san(&game, "e4"), false));
}

#[test]
fn without_a_margin_nothing_is_given_up() {
    let game = Game::new(Chess::default());
    assert_eq!(plays(&hunter(1200.0, 0.0)).0, san(&game, "e4"));
}

#[test]
fn the_trap_is_told_in_words() {
    let game = Game::new(Chess::default());
    let look = MadeUp.look(&game, &Budget::default()).unwrap();
    let intent = hunter(1200.0, 0.02).consider(&Situation::new(&game, &MadeUp).having(look.clone())).unwrap();
    let Why::Traps(hunt) = &intent.why else { panic!("{:?}", intent.why) };
    let words = hunt.words(&|m| look.san(m), san(&game, "d4")).unwrap();
    assert!(
        words.starts_with("d4 costs 0.02 pawns against best play (e4); Elo 1200 falls for 1...d5? in "),
        "{words}"
    );
}

fn search() -> SearchOracle {
    SearchOracle::new(Searcher::new(SearchSettings { hash_mb: 1, ..SearchSettings::default() }))
}

/// What it plays by search, to a fixed depth.
fn hunts(game: &Game, elo: f64) -> Move {
    let oracle = search();
    let mut situation = Situation::new(game, &oracle);
    situation.limits = Limits { depth: Some(6), ..Limits::default() };
    hunter(elo, 0.02).consider(&situation).unwrap().probabilities()[0].0
}

#[test]
fn a_mate_is_not_gambled_with() {
    let game = position("6k1/5ppp/8/8/8/8/5PPP/1Q4K1 w - - 0 1");
    assert_eq!(hunts(&game, 1000.0), san(&game, "Qb8"));
}

#[test]
fn a_draw_by_repetition_is_no_aim_against_a_weaker_player() {
    // Level, and White has just been offered to repeat.
    let mut game = position("4k3/pp3ppp/2n5/3p4/3P4/2N5/PP3PPP/4K3 w - - 0 1");
    for text in ["Ke2", "Ke7", "Ke1", "Ke8", "Ke2", "Ke7", "Ke1", "Ke8"] {
        let m = san(&game, text);
        game.play(m);
    }
    assert!(game.after(hunts(&game, 1000.0)).repetitions() < 3);
}

#[test]
fn what_is_played_is_within_the_margin_of_the_best_move() {
    for fen in [
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P3KP1/2r5/R7 b - - 0 40",
    ] {
        let game = position(fen);
        let oracle = search();
        let mut situation = Situation::new(&game, &oracle);
        situation.limits = Limits { depth: Some(6), ..Limits::default() };
        let hunter = hunter(1200.0, 0.02);
        let intent = hunter.consider(&situation).unwrap();
        if let Why::Traps(hunt) = &intent.why {
            let fair = |m: Move| {
                let score = hunt.bait(m).unwrap().score;
                hunter.prey.fair_points(score.pawns())
            };
            assert!(fair(hunt.best) - fair(intent.probabilities()[0].0) <= 0.02 + 1e-9, "{fen}");
        }
    }
}
