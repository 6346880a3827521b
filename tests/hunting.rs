//! Hunting to the end: endgames solved as decision processes, against other ways to the same numbers.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{
    fs,
    path::Path,
    sync::{Arc, LazyLock, atomic::AtomicBool},
};

use errare::{
    agents::{Agent, Foresight, HuntSettings, Player, Predator, Situation},
    config::Config,
    endgame::{Client, Material, Tables, Walk},
    game::Game,
    markov::{Candidates, Foreseer, HuntingGround, Plan, Plans, Predictor, Quarry, Rival, Way, knots},
    model::{Belief, Competence, Metric, Mixture, Model, Policy, Preference, Scale, State},
    notation,
    oracle::{Budget, Oracle, TableOracle},
    simulation::Trial,
};
use shakmaty::{Chess, Color, Position};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let mut config = Config::parse(Path::new("engine.toml"), "").unwrap().tables;
    config.path = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables").to_owned();
    Arc::new(Tables::new(&config).unwrap())
});

static NEVER: AtomicBool = AtomicBool::new(false);

/// White mates in 16, the longest there is.
const START: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

fn walk(name: &str) -> Walk {
    let material: Material = name.parse().unwrap();
    let table = TABLES.require(material, Metric::Dtc, Client::silent()).unwrap();
    for subgame in material.subgames() {
        TABLES.require(subgame, Metric::Dtc, Client::silent()).unwrap();
    }
    Walk::new(table, &TABLES).unwrap()
}

fn model(policy: Policy) -> Model {
    Model { preference: Preference::table(1.0).unwrap(), policy }
}

fn quarry(name: &str, hunter: Color, policy: Policy, c: f64) -> Quarry {
    Quarry::new(name.parse().unwrap(), Metric::Dtc, hunter, model(policy), c)
}

fn position(fen: &str) -> Chess {
    notation::position(&fen.parse().unwrap()).unwrap()
}

fn solved(quarry: &Quarry, ground: &HuntingGround) -> Plan {
    Plan::solve(quarry, ground, &NEVER, &|_, _| {}).unwrap().unwrap()
}

#[test]
fn the_best_hunter_does_as_well_as_the_exact_chain_says() {
    let walk = walk("KRK");
    for c in [4.0, 10.0] {
        let quarry = quarry("KRK", Color::Black, Policy::KEEP_VALUE, c);
        let ground = HuntingGround::new(&walk, &quarry).unwrap();
        let located = TABLES.locate(&position(START), Metric::Dtc).unwrap();
        let start = (located.to_move, located.index);
        let mut predictor = Predictor::new(&walk, start, Color::White, quarry.model).unwrap();
        for (rival, way) in [
            (Rival::Uniform, Way::Uniform(&walk)),
            (Rival::Predator, Way::Plies(&walk, 2)),
            (Rival::Best, Way::Best),
        ] {
            let known = Candidates::one(c);
            let within = predictor.forecast(&known, rival, 30, false, &NEVER).unwrap().within[30];
            let chances = ground.chances(&way, c, 30, &NEVER).unwrap();
            let ours = -chances.at(start.0, start.1);
            assert!((within - ours).abs() < 1e-9, "c = {c}: {within} {ours}");
        }
    }
}

/// The hunter's hope with the opponent to move, by playing all games out.
fn brute_force(game: &Game, left: u32, quarry: &Quarry) -> f64 {
    let Quarry { hunter, model: opponent, c, .. } = *quarry;
    let c = Competence::new(c, Scale::Table).unwrap();
    let oracle = TableOracle::new(TABLES.clone(), Metric::Dtc);
    let look = oracle.look(game, &Budget::default()).unwrap();
    let worth = |state: State, mover: Color| {
        let points = 2.0 * state.value().points() - 1.0;
        if mover == hunter { points } else { -points }
    };
    let is_decided = look.outcome().state().unwrap() != State::Draw;
    if look.moves().is_empty() || is_decided && !quarry.counts_moves {
        return worth(look.outcome().state().unwrap(), game.position().turn());
    }
    if game.position().turn() == hunter {
        let best = look.prospects().best().unwrap().state().unwrap().value();
        let keeps = look.moves().iter().filter(|p| p.outcome.state().unwrap().value() == best);
        let hopes = keeps.map(|prospect| match prospect.m.is_capture() {
            true => worth(prospect.outcome.state().unwrap(), hunter),
            false => brute_force(&game.after(prospect.m), left, quarry),
        });
        return if left == 0 { 0.0 } else { hopes.fold(f64::NEG_INFINITY, f64::max) };
    }
    let decision = opponent.decide(look.prospects()).unwrap();
    let probabilities = decision.probabilities(c).unwrap();
    let replies = decision.choices().iter().zip(probabilities);
    let hopes = replies.map(|(choice, probability)| {
        probability
            * match choice.m.is_capture() {
                true => worth(choice.outcome.state().unwrap(), !hunter),
                false => brute_force(&game.after(choice.m), left - 1, quarry),
            }
    });
    hopes.sum()
}

#[test]
fn a_plan_says_what_playing_all_games_out_says() {
    let walk = walk("KRK");
    for (hunter, fen) in [
        (Color::Black, "8/8/8/8/8/1K1k4/2R5/8 w - - 0 1"),
        (Color::Black, "7k/5K2/8/8/8/8/8/R7 w - - 0 1"),
        (Color::White, "7k/5K2/8/8/8/8/8/R7 b - - 0 1"),
        (Color::White, "8/8/8/8/8/2K5/8/k2R4 b - - 0 1"),
    ] {
        let quarry = quarry("KRK", hunter, Policy::FREE, 2.0);
        let plan = solved(&quarry, &HuntingGround::new(&walk, &quarry).unwrap());
        let index = TABLES.locate(&position(fen), Metric::Dtc).unwrap().index;
        for left in [1, 2] {
            let slow = brute_force(&Game::new(position(fen)), left, &quarry);
            let ours = plan.hope(index, left).unwrap();
            assert!((slow - ours).abs() < 0.01 * slow.abs().max(1e-3), "{fen} {left}: {slow} {ours}");
        }
    }
}

#[test]
fn where_moves_do_not_count_the_hope_is_that_the_opponent_lets_go_of_the_draw_in_time() {
    let walk = walk("KPK");
    let quarry = Quarry { counts_moves: false, ..quarry("KPK", Color::White, Policy::FREE, 2.0) };
    let ground = HuntingGround::new(&walk, &quarry).unwrap();
    // Black to move holds by going to d7 alone.
    let fen = "8/4k3/8/3KP3/8/8/8/8 b - - 0 1";
    let located = TABLES.locate(&position(fen), Metric::Dtc).unwrap();
    assert_eq!(walk.table().state(located.to_move, located.index).unwrap(), State::Draw);
    for left in [1, 2] {
        let chances = ground.chances(&Way::Best, quarry.c, left, &NEVER).unwrap();
        let ours = chances.at(located.to_move, located.index);
        let slow = brute_force(&Game::new(position(fen)), left, &quarry);
        assert!(slow > 0.0 && (slow - ours).abs() < 1e-9, "{left}: {slow} {ours}");
    }
}

#[test]
fn one_plan_for_all_times_is_nearly_as_good_as_one_that_counts_the_moves() {
    let walk = walk("KPK");
    let quarry = Quarry { counts_moves: false, ..quarry("KPK", Color::White, Policy::FREE, 10.0) };
    let ground = HuntingGround::new(&walk, &quarry).unwrap();
    let plan = solved(&quarry, &ground);
    let located = TABLES.locate(&position("8/4k3/8/3KP3/8/8/8/8 b - - 0 1"), Metric::Dtc).unwrap();
    let chance =
        |way: &Way<'_>| ground.chances(way, quarry.c, 50, &NEVER).unwrap().at(located.to_move, located.index);
    let (best, planned, two) = (chance(&Way::Best), chance(&Way::Plan(&plan)), chance(&Way::Plies(&walk, 2)));
    assert!(two < planned && 0.95 * best < planned && planned <= best, "{best} {planned} {two}");
}

#[test]
fn a_plan_loses_next_to_nothing_by_rounding() {
    let walk = walk("KRK");
    let quarry = quarry("KRK", Color::Black, Policy::KEEP_VALUE, 8.0);
    let ground = HuntingGround::new(&walk, &quarry).unwrap();
    let plan = solved(&quarry, &ground);
    let chance = |way: &Way<'_>| {
        let chances = ground.chances(way, quarry.c, 50, &NEVER).unwrap();
        let located = TABLES.locate(&position(START), Metric::Dtc).unwrap();
        -chances.at(located.to_move, located.index)
    };
    let (best, planned) = (chance(&Way::Best), chance(&Way::Plan(&plan)));
    let (two, uniform) = (chance(&Way::Plies(&walk, 2)), chance(&Way::Uniform(&walk)));
    assert!(best <= planned && planned < 1.02 * best, "{best} {planned}");
    assert!(planned < two && two < uniform, "{planned} {two} {uniform}");
}

#[test]
fn a_plan_that_is_read_back_says_the_same_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let walk = walk("KRK");
    let quarry = quarry("KRK", Color::Black, Policy::FREE, 3.0);
    let plan = solved(&quarry, &HuntingGround::new(&walk, &quarry).unwrap());
    assert!(Plan::open(&quarry, folder.path()).unwrap().is_none());
    plan.write(&quarry, folder.path()).unwrap();
    let read = Plan::open(&quarry, folder.path()).unwrap().unwrap();
    for index in (0..walk.indexer().size() as u32).step_by(97) {
        for left in [0, 1, 11, 50] {
            assert_eq!(plan.hope(index, left).unwrap(), read.hope(index, left).unwrap());
        }
    }
    assert!(Plan::open(&Quarry { c: 3.5, ..quarry.clone() }, folder.path()).unwrap().is_none());
    let path = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = Plan::open(&quarry, folder.path())
        .and_then(|plan| (1..=50).try_for_each(|left| plan.as_ref().unwrap().hope(0, left).map(|_| ())));
    assert!(damaged.is_err_and(|error| error.to_string().contains("damaged")));
}

#[test]
fn four_plies_by_the_chain_are_four_plies_by_the_agent() {
    let (walk, c) = (walk("KRK"), 16.0);
    let quarry = quarry("KRK", Color::Black, Policy::KEEP_VALUE, c);
    let ground = HuntingGround::new(&walk, &quarry).unwrap();
    let start = position(START);
    let located = TABLES.locate(&start, Metric::Dtc).unwrap();
    let chances = ground.chances(&Way::Plies(&walk, 4), c, 24, &NEVER).unwrap();
    let exact = -chances.at(located.to_move, located.index);
    let oracle = TableOracle::new(TABLES.clone(), Metric::Dtc);
    let trial = Trial {
        oracle: &oracle,
        start: &start,
        player: Player { competence: Competence::new(c, Scale::Table).unwrap(), model: quarry.model },
        fallible: Color::White,
        opponent: quarry.model,
        belief: Belief::uniform("16(1)16".parse().unwrap(), Scale::Table),
        hunting: HuntSettings { plies: 4, ..HuntSettings::default() },
        foresight: None,
        heeds_clock: false,
        moves: 24,
    };
    let won = trial.won_by(Color::White, 300, 11).unwrap();
    assert!(exact > 0.1 && exact < 0.9, "{exact}");
    assert!((won.part() - exact).abs() < 4.0 * won.standard_error(), "{} {exact}", won.part());
}

#[test]
fn the_predator_hunts_to_the_end_where_a_plan_is_there_and_by_plies_where_none_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::parse(Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.path().to_string_lossy().into_owned();
    let tables = Arc::new(Tables::new(&config).unwrap());
    tables.require("KRK".parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    let oracle = TableOracle::new(tables.clone(), Metric::Dtc);
    let plans = Arc::new(Plans::new(tables));
    let c = Competence::new(8.0, Scale::Table).unwrap();
    let foresight: Arc<dyn Foresight> = Arc::new(Foreseer { plans: plans.clone(), makes: false });
    let predator = Predator {
        settings: HuntSettings::default(),
        opponent: model(Policy::FREE),
        mixture: Mixture::from(c),
        foresight: Some(foresight),
    };
    let game = Game::new(position("8/8/8/4k3/8/8/1R6/K7 b - - 0 1"));
    let situation = Situation::new(&game, &oracle);
    assert!(!predator.advise(&situation).unwrap().to_the_end);
    plans.require(&quarry("KRK", Color::Black, Policy::FREE, 8.0), &mut None, &NEVER, &|_, _| {}).unwrap();
    let advice = predator.advise(&situation).unwrap();
    assert!(advice.to_the_end);
    assert_eq!(advice.candidates.len(), oracle.look(&game, &Budget::default()).unwrap().moves().len());
    let chosen = predator.consider(&situation).unwrap().probabilities()[0].0;
    let points = |m| advice.candidates.iter().find(|found| found.m == m).unwrap().expectation.value();
    assert!(advice.candidates.iter().all(|other| other.expectation.value() <= points(chosen)));
}

#[test]
fn a_belief_is_shared_out_among_the_competences_that_plans_are_for() {
    let belief = Belief::uniform("0(1)40".parse().unwrap(), Scale::Table);
    let shares = knots(&belief.mixture().candidates());
    let mean: f64 = shares.iter().map(|(c, share)| c * share).sum();
    assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!((mean - 20.0).abs() < 1e-9, "{mean}");
    assert_eq!(knots(&[(18.4, 1.0)]), [(18.4, 1.0)]);
}
