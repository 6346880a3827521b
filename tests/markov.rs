//! Endgames as Markov chains: published figures, the theorems about them, and exact chains against other ways to the same
//! numbers.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use errare::{
    agents::{HuntSettings, Player},
    config::Config,
    endgame::{Client, Material, Tables, Walk},
    game::Game,
    markov::{
        Candidates, Chain, Exact, Fallible, Ground, Kernel, Matrix, Pairing, Play, Predictor, Rival, Scope,
        difficulty, moves_in_time,
    },
    model::{Belief, Competence, Metric, Model, Policy, Preference, Scale, State},
    notation,
    oracle::{Budget, Oracle, TableOracle},
    simulation::Trial,
};
use proptest::prelude::*;
use shakmaty::{Chess, Color};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
    config.path = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables").to_owned();
    Arc::new(Tables::new(&config).unwrap())
});

fn walk(name: &str) -> Walk {
    let material: Material = name.parse().unwrap();
    let table = TABLES.require(material, Metric::Dtc, Client::silent()).unwrap();
    for subgame in material.subgames() {
        TABLES.require(subgame, Metric::Dtc, Client::silent()).unwrap();
    }
    Walk::new(table, &TABLES).unwrap()
}

fn model(kappa: f64, policy: Policy) -> Model {
    Model { preference: Preference::table(kappa).unwrap(), policy }
}

fn keeping() -> Model {
    model(1.0, Policy::KEEP_VALUE)
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn chains(walk: &Walk, model: &Model, pairings: &[(f64, f64)]) -> Vec<Chain> {
    let pairings: Vec<Pairing> = pairings.iter().map(|&(first, second)| Pairing { first, second }).collect();
    Chain::of(walk, Color::White, model, &pairings, &NEVER).unwrap().unwrap()
}

const INF: f64 = f64::INFINITY;

/// Haworth & Andrist, §6.2 and §6.3.
#[test]
fn the_papers_figures_of_kqkr_come_out_to_the_last_digit() {
    let published = [(20.0, 97.20), (21.0, 83.70), (22.0, 74.16)];
    let pairings: Vec<_> = published.iter().map(|&(c, _)| (c, INF)).collect();
    let chains = chains(&walk("KQKR"), &keeping(), &pairings);
    for (chain, (c, moves)) in chains.iter().zip(published) {
        assert_eq!(chain.space().len(), 37);
        let ours = chain.by_depth(&chain.expected_moves())[31];
        assert!((ours - moves).abs() < 0.005, "c = {c}: {ours}");
    }
    let within = chains[0].by_depth(&chains[0].won_within(50))[31];
    assert!((100.0 * within - 12.67).abs() < 0.005, "{within}");
}

static KRK: LazyLock<Walk> = LazyLock::new(|| walk("KRK"));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Haworth 2003, Theorem 6, for games R_c - R_c' in KRK; without the win the game need never end, so it is kept.
    #[test]
    fn lengths_steady_states_and_depths_are_as_theorem_6_says(white in 0.0..15.0, black in -5.0..15.0, kappa in 0.2..2.0) {
        let chain = &chains(&KRK, &model(kappa, Policy::KEEP_VALUE), &[(white, black)])[0];
        let lengths = chain.expected_moves();
        for (state, row) in chain.rows().iter().enumerate() {
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            if state > 0 && lengths[state].is_finite() && state + 1 < lengths.len() {
                let after: f64 = row.iter().zip(&lengths).map(|(p, l)| if *p > 0.0 { p * l } else { 0.0 }).sum();
                prop_assert!((lengths[state] - 1.0 - after).abs() < 1e-6 * lengths[state]);
            }
        }
        let won = chain.won_in(7).unwrap();
        let mut start = vec![0.0; chain.space().len()];
        start[won] = 1.0;
        let (two, three) = (chain.after(&start, 2), chain.after(&start, 3));
        let again = chain.after(&two, 1);
        prop_assert!(three.iter().zip(again).all(|(a, b)| (a - b).abs() < 1e-12));
        prop_assert!((chain.won_within(3)[won] - three[0]).abs() < 1e-12);
        let steady = &chain.steady()[won];
        let moved = chain.after(steady, 1);
        prop_assert!(steady.iter().zip(moved).all(|(a, b)| (a - b).abs() < 1e-9));
        // Who keeps the win wins in the end, and then there is no depth left.
        prop_assert!((steady[0] - 1.0).abs() < 1e-6);
        prop_assert!(chain.expected_depth(steady) < 1e-4);
    }
}

/// Haworth 2003, Theorem 7: one move of a more competent player leaves it no worse in state and value, from every state.
#[test]
fn a_more_competent_player_expects_a_better_state_after_a_move() {
    let competences = [f64::NEG_INFINITY, -3.0, 0.0, 0.5, 4.0, 20.0, INF];
    for (name, policy) in [("KQKR", Policy::FREE), ("KRK", Policy::KEEP_VALUE)] {
        let pairings: Vec<_> = competences.iter().map(|&c| (c, INF)).collect();
        let chains = chains(&walk(name), &model(1.0, policy), &pairings);
        let expected = |chain: &Chain, state: usize| {
            let row = chain.rows()[state].iter().enumerate();
            let number: f64 = row.clone().map(|(number, p)| p * number as f64).sum();
            let points: f64 = row.map(|(number, p)| p * chain.space().state(number).value().points()).sum();
            (number, points)
        };
        for state in 1..chains[0].space().len() - 1 {
            for pair in chains.windows(2) {
                let ((weak, fewer), (strong, more)) = (expected(&pair[0], state), expected(&pair[1], state));
                assert!(strong <= weak + 1e-9 && more >= fewer - 1e-9, "{state} {weak} {strong}");
            }
        }
    }
}

#[test]
fn the_infallible_player_need_not_be_averaged() {
    let walk = walk("KQKR");
    let space = Matrix::infallible(
        Color::White,
        errare::markov::Space::new(walk.table().deepest(Color::White), walk.table().deepest(Color::Black)),
    );
    let averaged = Matrix::collect(&walk, Color::White, &keeping(), &[INF], &NEVER).unwrap().unwrap();
    let black = Matrix::infallible(Color::Black, space.space());
    let (short, long) = (Chain::new(&space, &black), Chain::new(&averaged[0], &black));
    // States in which White is never to move are left alone by the one, not by the other.
    for depth in 1..=31 {
        let state = short.won_in(depth).unwrap();
        let differs = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-12;
        assert!(!short.rows()[state].iter().zip(&long.rows()[state]).any(differs), "{depth}");
        assert_eq!(short.expected_moves()[state], f64::from(depth));
    }
}

#[test]
fn infallible_play_takes_as_many_moves_as_the_depth_says() {
    let ground = Ground::new(&KRK, Scope::WonBy(Color::White)).unwrap();
    let play = |mover| Play::even(Arc::new(Kernel::optimal(&KRK, &ground, mover).unwrap()));
    let lengths =
        Exact::new(&ground, play(Color::White), play(Color::Black)).expected_moves(None, &NEVER).unwrap();
    let mut seen = 0;
    for index in 0..KRK.indexer().size() as u32 {
        if let (Some(_), State::Win(depth)) =
            (KRK.board(Color::White, index), KRK.table().state(Color::White, index).unwrap())
        {
            seen += 1;
            assert!((lengths.at(true, ground.spot(Color::White, index)) - f64::from(depth.0)).abs() < 1e-5);
        }
    }
    assert!(seen > 20_000);
}

fn position(fen: &str) -> Chess {
    notation::position(&fen.parse().unwrap()).unwrap()
}

/// L(position) = 1 + Σ P(move)·Σ P(reply)·L(position after both), with probabilities from decisions of the model and moves of
/// an independent chess library.
#[test]
fn exact_lengths_satisfy_their_equation_move_by_move() {
    let (c, model) = (3.0, keeping());
    let ground = Ground::new(&KRK, Scope::WonBy(Color::White)).unwrap();
    let attack = Fallible::new(&KRK, &ground, Color::White, &model, c).unwrap().play(c).unwrap();
    let defence = Play::even(Arc::new(Kernel::optimal(&KRK, &ground, Color::Black).unwrap()));
    let game = Exact::new(&ground, attack, defence);
    let lengths = game.expected_moves(None, &NEVER).unwrap();
    let oracle = TableOracle::new(TABLES.clone(), Metric::Dtc);
    let at = |position: &Chess| {
        let located = TABLES.locate(position, Metric::Dtc).unwrap();
        let spot = ground.spot(located.to_move, located.index);
        lengths.at(located.to_move == Color::White, spot)
    };
    for fen in
        ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "8/8/8/8/3k4/8/8/K6R w - - 0 1", "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]
    {
        let start = Game::new(position(fen));
        let look = |game: &Game| oracle.look(game, &Budget::default()).unwrap();
        let decision = model.decide(look(&start).prospects()).unwrap();
        let chances = decision.probabilities(Competence::new(c, Scale::Table).unwrap()).unwrap();
        let mut sum = 1.0;
        for (choice, chance) in decision.choices().iter().zip(chances) {
            let after = start.after(choice.m);
            let look = look(&after);
            let replies: Vec<_> = look.prospects().optimal().collect();
            for &reply in &replies {
                sum += chance * at(after.after(reply).position()) / replies.len() as f64;
            }
        }
        assert!((sum - at(start.position())).abs() < 1e-5, "{fen}: {sum} {}", at(start.position()));
    }
}

const START: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";

fn predictor<'a>(walk: &'a Walk, fen: &str, fallible: Color, model: Model) -> Predictor<'a> {
    let located = TABLES.locate(&position(fen), Metric::Dtc).unwrap();
    Predictor::new(walk, (located.to_move, located.index), fallible, model).unwrap()
}

#[test]
fn who_chooses_better_defends_longer() {
    let mut predictor = predictor(&KRK, START, Color::White, keeping());
    let subject = Candidates::one(3.0);
    let [uniform, predator, optimal, best] =
        [Rival::Uniform, Rival::Predator, Rival::BestOptimal, Rival::Best]
            .map(|rival| predictor.forecast(&subject, rival, 25, true, &NEVER).unwrap());
    for m in 0..=25 {
        assert!(optimal.within[m] <= uniform.within[m] + 1e-12);
        assert!(optimal.within[m] <= predator.within[m] + 1e-12);
        assert!(best.within[m] <= optimal.within[m] + 1e-12);
    }
    assert!(best.within[25] < uniform.within[25]);
    let moves = [uniform, predator, optimal, best].map(|forecast| forecast.expected_moves.unwrap());
    assert!(moves[2] >= moves[0].max(moves[1]) && moves[3] >= moves[2] - 1e-6, "{moves:?}");
}

#[test]
fn a_fallible_defender_loses_sooner_and_soonest_to_the_best_attacker() {
    let mut predictor = predictor(&KRK, START, Color::Black, keeping());
    let depth = 14.0_f64;
    let mut moves = |c, rival| {
        predictor.forecast(&Candidates::one(c), rival, 0, true, &NEVER).unwrap().expected_moves.unwrap()
    };
    assert!((moves(INF, Rival::Uniform) - depth).abs() < 1e-5);
    let (uniform, best) = (moves(2.0, Rival::Uniform), moves(2.0, Rival::Best));
    assert!(uniform < depth && best < uniform, "{uniform} {best}");
}

/// A mixture is one c for the whole game: its chances are the mixed chances.
#[test]
fn a_belief_mixes_games_not_moves() {
    let mut predictor = predictor(&KRK, START, Color::White, keeping());
    let belief = Belief::given("0(8)8".parse().unwrap(), Scale::Table, &[0.25, 0.75]).unwrap();
    let mut chance = |candidates: &Candidates| {
        predictor.forecast(candidates, Rival::Uniform, 20, false, &NEVER).unwrap().within[20]
    };
    let mixed = chance(&Candidates::believed(&belief));
    let parts = 0.25 * chance(&Candidates::one(0.0)) + 0.75 * chance(&Candidates::one(8.0));
    assert!((mixed - parts).abs() < 1e-12);
}

/// The Predator of the agents, in games, does what the chain expects of it.
#[test]
fn games_against_the_predator_come_out_as_the_chain_says() {
    let c = 16.0;
    let mut predictor = predictor(&KRK, START, Color::White, keeping());
    let exact =
        predictor.forecast(&Candidates::one(c), Rival::Predator, 24, false, &NEVER).unwrap().within[24];
    let oracle = TableOracle::new(TABLES.clone(), Metric::Dtc);
    let start = position(START);
    let trial = Trial {
        oracle: &oracle,
        start: &start,
        player: Player { competence: Competence::new(c, Scale::Table).unwrap(), model: keeping() },
        fallible: Color::White,
        opponent: keeping(),
        belief: Belief::uniform("16(1)16".parse().unwrap(), Scale::Table),
        hunting: HuntSettings::default(),
        foresight: None,
        heeds_clock: false,
        moves: 24,
    };
    let won = trial.won_by(Color::White, 600, 7).unwrap();
    assert!(exact > 0.1 && exact < 0.9, "{exact}");
    assert!(
        (won.part() - exact).abs() < 4.0 * won.standard_error(),
        "{} ± {}, {exact}",
        won.part(),
        won.standard_error()
    );
}

#[test]
fn a_fallible_defender_of_a_drawn_pawn_ending_may_lose_it() {
    let walk = walk("KPK");
    // Black draws by the opposition, if he keeps it.
    let fen = "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1";
    let free = model(1.0, Policy::FREE);
    let mut predictor = predictor(&walk, fen, Color::Black, free);
    assert!(!predictor.is_certain() && predictor.winner() == Color::White);
    let mut chance = |c, rival| {
        let forecast = predictor.forecast(&Candidates::one(c), rival, 60, true, &NEVER).unwrap();
        assert_eq!(forecast.expected_moves, None);
        forecast.within[60]
    };
    assert_eq!(chance(INF, Rival::Best), 0.0);
    let (weak, strong, best) =
        (chance(0.0, Rival::Uniform), chance(5.0, Rival::Uniform), chance(5.0, Rival::Best));
    assert!(weak > strong && strong > 0.0 && best > strong, "{weak} {strong} {best}");
}

#[test]
fn the_clock_leaves_as_many_moves_as_the_rule_does() {
    assert_eq!(moves_in_time(0, true), 50);
    assert_eq!(moves_in_time(1, true), 50);
    assert_eq!(moves_in_time(2, true), 49);
    assert_eq!(moves_in_time(0, false), 50);
    assert_eq!(moves_in_time(99, true), 1);
    assert_eq!(moves_in_time(99, false), 0);
}

#[test]
fn a_rook_is_harder_to_win_with_than_a_queen() {
    let of = |name: &str| difficulty(&walk(name), Color::White, &keeping(), &[5.0], true, &NEVER).unwrap()[0];
    let (queen, rook) = (of("KQK"), of("KRK"));
    assert!(rook.ratio() > queen.ratio() && queen.ratio() > 1.0, "{rook:?} {queen:?}");
    assert!(difficulty(&walk("KQK"), Color::Black, &keeping(), &[5.0], true, &NEVER).unwrap().is_empty());
}

/// The command line, with the tables of these tests.
fn errare(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let config = format!("{folder}/markov.toml");
    std::fs::write(&config, format!("[tables]\npath = '{folder}/tables'\n")).unwrap();
    assert_cmd::cargo::cargo_bin_cmd!("errare").args(["--config", &config]).args(arguments).assert()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_slice(&errare(arguments).success().get_output().stdout).unwrap()
}

#[test]
fn what_is_of_rankings_alone_is_refused_elsewhere() {
    for option in
        [&["--svg", "x.svg"][..], &["--aggregated"], &["--keep", "x"], &["--time", "1"], &["--men", "3"]]
    {
        let arguments = [&["markov", "KQK", "--competence", "5"], option].concat();
        errare(&arguments).code(2);
    }
}

#[test]
fn markov_prints_what_other_programs_read() {
    let answer =
        json(&["markov", "KRK", "--competence", "5,inf", "--kappa", "0.5", "--within", "20,50", "--json"]);
    assert_eq!(answer["material"], "KRK");
    assert_eq!(answer["metric"], "dtc");
    assert_eq!(answer["kappa"], 0.5);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!(runs[0]["c"], 5.0);
    // Mate in 16 at most: the infallible player needs the depth, and is sure to do it in 20.
    let infallible: Vec<f64> = (0..=16).map(f64::from).collect();
    assert_eq!(runs[1]["expected_moves"], serde_json::json!(infallible));
    assert_eq!(runs[1]["won_within"]["20"], serde_json::json!(vec![1.0; 17]));
    assert!(runs[0]["won_within"]["50"][16].as_f64().unwrap() < 1.0);
}

#[test]
fn a_ranking_puts_the_hardest_first() {
    let answer = json(&["markov", "--rank", "--men", "3", "--competence", "8", "--json"]);
    let ranking = answer["ranking"].as_array().unwrap();
    let names: Vec<&str> = ranking.iter().map(|row| row["material"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let ratios: Vec<f64> = ranking.iter().map(|row| row["ratio"].as_f64().unwrap()).collect();
    assert!(ratios.is_sorted_by(|a, b| a >= b), "{ratios:?}");
}

#[test]
fn predict_answers_for_either_colour() {
    let white = json(&["predict", START, "--competence", "8", "--within", "30", "--json"]);
    // The same position with colours exchanged.
    let black = "r3k3/8/8/8/4K3/8/8/8 b - - 0 1";
    let mirrored = json(&["predict", black, "--competence", "8", "--within", "30", "--json"]);
    assert_eq!(mirrored["winner"], "black");
    assert_eq!(white["moves_in_time"], 50);
    let close = |a: &serde_json::Value, b: &serde_json::Value| {
        (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-6 * a.as_f64().unwrap()
    };
    for (a, b) in white["forecasts"].as_array().unwrap().iter().zip(mirrored["forecasts"].as_array().unwrap())
    {
        assert!(close(&a["expected_moves"], &b["expected_moves"]), "{a} {b}");
        assert!(close(&a["won_within"][30], &b["won_within"][30]), "{a} {b}");
    }
}

#[test]
fn wrong_use_is_told_with_the_remedy() {
    let told = |arguments: &[&str]| {
        String::from_utf8(errare(arguments).code(2).get_output().stderr.clone()).unwrap()
    };
    assert!(told(&["predict", START]).contains("--competence"));
    assert!(told(&["markov", "KRK", "--competence", "strong"]).contains("no competence"));
    assert!(told(&["predict", "8/8/8/8/8/8/8/8 w - - 0 1", "--competence", "1"]).contains("legal"));
}
