use errare::{
    agents::{Agent, Emulator, Infallible, Observation, Player, Situation, TieBreak},
    model::{Belief, Policy},
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{Color, Position};

use crate::support::{kqkr, look, model, position, table_c, uniform};

/// Mean distance of the apparent competence from 20, by the reference Analyser and by a neutral one, over the moves of
/// some games against the infallible defender.
fn unsteadiness(mut agent: impl FnMut(&[Observation]) -> Box<dyn Agent>, rng: &mut Pcg64) -> [f64; 2] {
    let model = model(1.0, Policy::KEEP_VALUE);
    let defender = Infallible::default();
    let mut sums = [0.0; 2];
    let mut moves = 0;
    for _ in 0..4 {
        let mut own: Vec<Observation> = Vec::new();
        let mut watchers: [Belief; 2] = [uniform("0(1)40"), uniform("0(1)50")];
        let mut game = position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1");
        for _ in 0..80 {
            let look = look(kqkr(), &game);
            let m = match game.position().turn() {
                Color::White => agent(&own).choose(&Situation::new(&game, kqkr()), rng).unwrap(),
                Color::Black => defender.choose(&Situation::new(&game, kqkr()), rng).unwrap(),
            };
            if game.position().turn() == Color::White {
                let decision = model.decide(look.prospects()).unwrap();
                own.push(Observation { ply: game.moves().len(), look, m });
                for (sum, watcher) in sums.iter_mut().zip(&mut watchers) {
                    watcher.observe(&decision, &m).unwrap();
                    *sum += (watcher.mean() - 20.0).abs();
                }
                moves += 1;
            }
            game.play(m);
            if m.is_capture() {
                break;
            }
        }
    }
    sums.map(|sum| sum / f64::from(moves))
}

#[test]
fn the_emulator_shows_a_steadier_competence_than_the_player() {
    let model = model(1.0, Policy::KEEP_VALUE);
    let mut rng = Pcg64::seed_from_u64(20);
    let emulator = |own: &[Observation]| -> Box<dyn Agent> {
        let mut emulator = Emulator::new(table_c(20.0), model, TieBreak::Chance).unwrap();
        own.iter().for_each(|observation| emulator.observe(observation).unwrap());
        Box::new(emulator)
    };
    let emulated = unsteadiness(emulator, &mut rng);
    let played = unsteadiness(|_| Box::new(Player { competence: table_c(20.0), model }), &mut rng);
    assert!(emulated[0] < played[0] && emulated[1] < played[1], "{emulated:?} {played:?}");
    assert!(emulated[0] < 1.0, "{emulated:?}");
}

#[test]
fn its_reference_analyser_spans_twice_its_competence() {
    let reference = |c: f64| {
        let emulator = Emulator::new(table_c(c), model(1.0, Policy::KEEP_VALUE), TieBreak::Chance).unwrap();
        emulator.reference().map(|belief| (belief.grid().len(), belief.grid().max()))
    };
    assert_eq!(reference(20.0), Some((41, 40.0)));
    assert_eq!(reference(2.5), Some((7, 5.0)));
    assert_eq!(reference(0.0), None);
    assert_eq!(reference(-3.0), None);
    assert_eq!(reference(f64::INFINITY), None);
}

#[test]
fn with_variety_it_prefers_moves_it_has_not_played() {
    let game = position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1");
    let mut emulator =
        Emulator::new(table_c(20.0), model(1.0, Policy::KEEP_VALUE), TieBreak::Variety).unwrap();
    let mut rng = Pcg64::seed_from_u64(1);
    // Both king moves are optimal, so the belief learns nothing from either.
    let first = emulator.choose(&Situation::new(&game, kqkr()), &mut rng).unwrap();
    emulator.observe(&Observation { ply: 0, look: look(kqkr(), &game), m: first }).unwrap();
    for _ in 0..10 {
        assert_ne!(emulator.choose(&Situation::new(&game, kqkr()), &mut rng).unwrap(), first);
    }
}
