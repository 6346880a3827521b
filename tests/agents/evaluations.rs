//! The same agents where moves are evaluated, not looked up (Haworth, Regan & Di Fatta 2010, §3).

use errare::{
    agents::{Agent, Emulator, HuntSettings, Infallible, Player, Predator, Situation, Speculation, TieBreak},
    game::Game,
    model::{Belief, Competence, Model, Policy, Preference, Scale, Score},
    oracle::{Budget, Look, Oracle, Source},
    search::{Priced, Pricing},
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{Chess, Position};

use crate::support::{look, san};

/// Evaluates by mobility: a tenth of a pawn for each move more than the other side has.
struct Mobility;

impl Oracle for Mobility {
    fn look(&self, game: &Game, _: &Budget) -> Option<Look> {
        let moves = game.position().legal_moves().into_iter().map(|m| {
            let mut after = game.position().clone();
            after.play_unchecked(m);
            let theirs = after.legal_moves().len() as i32;
            let mine = after.swap_turn().map_or(0, |mine| mine.legal_moves().len() as i32);
            Priced { m, scores: vec![Score::Centipawns(10 * (mine - theirs))] }
        });
        let pricing = Pricing { moves: moves.collect(), depth: 1, ..Pricing::default() };
        Look::by_search(game, pricing, Source::Search)
    }
}

fn model() -> Model {
    Model { preference: Preference::evaluation(0.1).unwrap(), policy: Policy::KEEP_VALUE }
}

fn evaluation_c(c: f64) -> Competence {
    Competence::new(c, Scale::Evaluation).unwrap()
}

#[test]
fn the_infallible_player_opens_as_mobility_bids() {
    let start = Game::new(Chess::default());
    let mut rng = Pcg64::seed_from_u64(1);
    let m = Infallible::default().choose(&Situation::new(&start, &Mobility), &mut rng).unwrap();
    assert!([san(&start, "e3"), san(&start, "e4")].contains(&m));
    let player = Player { competence: evaluation_c(f64::INFINITY), model: model() };
    let m = player.choose(&Situation::new(&start, &Mobility), &mut rng).unwrap();
    assert!([san(&start, "e3"), san(&start, "e4")].contains(&m));
}

#[test]
fn the_analyser_recovers_a_players_competence() {
    let player = Player { competence: evaluation_c(1.0), model: model() };
    let mut belief = Belief::uniform("0(0.1)3".parse().unwrap(), Scale::Evaluation);
    let start = Game::new(Chess::default());
    let look = look(&Mobility, &start);
    let decision = model().decide(look.prospects()).unwrap();
    let situation = Situation::new(&start, &Mobility).having(look);
    let mut rng = Pcg64::seed_from_u64(7);
    for _ in 0..3000 {
        belief.observe(&decision, &player.choose(&situation, &mut rng).unwrap()).unwrap();
    }
    assert!(
        (belief.mean() - 1.0).abs() < 4.0 * belief.deviation(),
        "{} ± {}",
        belief.mean(),
        belief.deviation()
    );
    assert!(belief.deviation() < 0.1);
}

#[test]
fn the_emulators_reference_has_41_candidates() {
    let emulator = Emulator::new(evaluation_c(1.4), model(), TieBreak::Chance).unwrap();
    let grid = *emulator.reference().unwrap().grid();
    assert_eq!((grid.len(), grid.min(), grid.max()), (41, 0.0, 2.8));
    let mut rng = Pcg64::seed_from_u64(1);
    assert!(emulator.choose(&Situation::new(&Game::new(Chess::default()), &Mobility), &mut rng).is_ok());
}

#[test]
fn the_predator_weighs_pawns_against_the_opponents_errors() {
    let start = Game::new(Chess::default());
    let belief = Belief::uniform("0(0.1)3".parse().unwrap(), Scale::Evaluation);
    let speculation = Speculation { most: 0.3, value_margin: 0.05, depth_margin: 0.0, risk_value: false };
    let settings = HuntSettings { speculation: Some(speculation), ..HuntSettings::default() };
    let predator = Predator { settings, opponent: model(), mixture: belief.mixture(), foresight: None };
    let advice = predator.advise(&Situation::new(&start, &Mobility)).unwrap();
    let best = infallible_value(&start);
    for candidate in &advice.candidates {
        assert!(candidate.outcome.worth() >= best - 0.3 - 1e-9);
        assert_eq!(candidate.depth, None);
    }
    let greatest =
        advice.candidates.iter().map(|candidate| candidate.expectation.value()).fold(f64::MIN, f64::max);
    let chosen = advice.candidates[advice.best[0]];
    assert!(chosen.expectation.value() >= greatest - 0.05 - 1e-9);
}

fn infallible_value(game: &Game) -> f64 {
    look(&Mobility, game).outcome().worth()
}
