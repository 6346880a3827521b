//! Depth by the rule and depth to draw against a slow program that knows nothing of tables: all positions of three men,
//! their moves by another library, and the definitions applied to the whole board again and again.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails may stop")]

use std::{path::Path, sync::Arc};

use errare::{
    config::Config,
    endgame::{Client, DrawDepths, Tables, Verdict, Walk, verify},
    game::Game,
    model::{Depth, Metric, Model, Policy, Preference, State, Value},
    oracle::{Budget, Oracle, TableOracle},
};
use shakmaty::{Chess, Color, EnPassantMode, Position, Role, Setup, Square, fen::Fen};

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// With a knight or a bishop nobody wins: such positions are left out, which is as good as drawn.
const NAMES: [&str; 3] = ["KPK", "KRK", "KQK"];
/// The number of a position with two men: drawn.
const BARE: usize = usize::MAX;

/// A move: where it leads, and what it changes.
struct Edge {
    to: usize,
    conversion: bool,
    zeroing: bool,
}

/// Every position of White's king and one man against a king, White's king on the files a to d.
struct Board {
    positions: Vec<Option<Chess>>,
    edges: Vec<Vec<Edge>>,
}

fn number(position: &Chess) -> usize {
    let board = position.board();
    let Some(man) = (board.occupied() & !board.kings()).first() else { return BARE };
    let white = board.king_of(Color::White).unwrap();
    let mirror = if white.file() as u32 > 3 { 7 } else { 0 };
    let square = |square: Square| u32::from(square) as usize ^ mirror;
    let role = ROLES.iter().position(|&role| board.role_at(man) == Some(role)).unwrap();
    let kings = square(white) * 64 + square(board.king_of(Color::Black).unwrap());
    ((kings * 64 + square(man)) * 5 + role) * 2 + usize::from(position.turn() == Color::Black)
}

fn position(number: usize) -> Option<Chess> {
    let turn = if number.is_multiple_of(2) { Color::White } else { Color::Black };
    let role = ROLES[number / 2 % 5];
    let [man, black, white] = [10, 640, 40_960].map(|unit| Square::new((number / unit % 64) as u32));
    if white.file() as u32 > 3 || white == black || white == man || black == man {
        return None;
    }
    if matches!(role, Role::Knight | Role::Bishop) {
        return None;
    }
    if role == Role::Pawn && matches!(man.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth) {
        return None;
    }
    let mut setup = Setup { turn, ..Setup::empty() };
    setup.board.set_piece_at(white, Role::King.of(Color::White));
    setup.board.set_piece_at(black, Role::King.of(Color::Black));
    setup.board.set_piece_at(man, role.of(Color::White));
    errare::notation::position(&Fen::try_from_setup(setup).ok()?).ok()
}

impl Board {
    fn new() -> Board {
        let positions: Vec<Option<Chess>> = (0..64 * 40_960).map(position).collect();
        let edges = positions.iter().map(|position| {
            let Some(position) = position else { return Vec::new() };
            let moves = position.legal_moves().into_iter();
            let edges = moves.map(|m| {
                let mut after = position.clone();
                after.play_unchecked(m);
                Edge {
                    to: number(&after),
                    conversion: m.is_capture() || m.is_promotion(),
                    zeroing: m.is_zeroing(),
                }
            });
            edges.collect()
        });
        let edges = edges.collect();
        Board { positions, edges }
    }

    fn each(&self) -> impl Iterator<Item = (usize, &Chess)> {
        self.positions.iter().enumerate().filter_map(|(at, position)| Some((at, position.as_ref()?)))
    }

    /// The positions where White wins within a rule of `k` moves, `within` says of how many; White alone can win.
    ///
    /// `ends` says whether a move that ends the phase keeps the win; in each round White gets one move more.
    fn won(&self, rounds: Option<usize>, ends: impl Fn(&Edge) -> Option<bool>) -> Vec<bool> {
        let mut won = vec![false; self.positions.len()];
        let good = |won: &[bool], edge: &Edge| edge.to != BARE && ends(edge).unwrap_or_else(|| won[edge.to]);
        let mut round = 0;
        loop {
            let mut news = Vec::new();
            // First those lost for Black, then what White makes of them.
            for turn in [Color::Black, Color::White] {
                if turn == Color::White && rounds == Some(round) {
                    return won;
                }
                let before = news.len();
                for (at, position) in
                    self.each().filter(|(at, position)| position.turn() == turn && !won[*at])
                {
                    let edges = &self.edges[at];
                    let wins = match turn {
                        Color::White => edges.iter().any(|edge| good(&won, edge)),
                        Color::Black if edges.is_empty() => position.is_checkmate(),
                        Color::Black => edges.iter().all(|edge| good(&won, edge)),
                    };
                    if wins {
                        news.push(at);
                    }
                }
                news[before..].iter().for_each(|&at| won[at] = true);
            }
            if news.is_empty() {
                return won;
            }
            round += 1;
        }
    }
}

fn tables(folder: &Path) -> Tables {
    let mut config = Config::parse(Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.to_string_lossy().into_owned();
    Tables::new(&config).unwrap()
}

#[test]
fn three_men_agree_with_a_slow_program() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    for name in NAMES {
        for metric in [Metric::Dtr, Metric::Dtd] {
            tables.require(name.parse().unwrap(), metric, Client::silent()).unwrap();
        }
    }
    let board = Board::new();
    let fen = |at: usize| {
        Fen::from_position(board.positions[at].as_ref().unwrap(), EnPassantMode::Legal).to_string()
    };

    // Values: no rule at all.
    let won = board.won(None, |_| None);
    assert!(won.iter().filter(|won| **won).count() > 400_000);

    // The least k under which a win stands: rules are tried one after the other.
    let mut rule: Vec<Option<u16>> = vec![None; won.len()];
    let decided = |rule: &[Option<u16>]| rule.iter().zip(&won).all(|(rule, won)| rule.is_some() == *won);
    for k in 0..=50 {
        // Behind a pawn move the same rule holds: as many times as it takes to be settled.
        loop {
            let ends = |edge: &Edge| edge.zeroing.then(|| rule[edge.to].is_some());
            let stands = board.won(Some(usize::from(k)), ends);
            let news: Vec<usize> = (0..stands.len()).filter(|&at| stands[at] && rule[at].is_none()).collect();
            if news.is_empty() {
                break;
            }
            news.into_iter().for_each(|at| rule[at] = Some(k));
        }
        if decided(&rule) {
            break;
        }
    }
    let mut deepest = 0;
    for (at, position) in board.each() {
        let expected = match (rule[at], position.turn()) {
            (None, _) => State::Draw,
            (Some(k), Color::White) => State::win(k),
            (Some(k), Color::Black) => State::loss(k),
        };
        deepest = deepest.max(rule[at].unwrap_or_default());
        assert_eq!(tables.probe(position, Metric::Dtr), Some(expected), "{}", fen(at));
    }
    assert_eq!(deepest, 16, "the longest phase of three men is mate with the rook");

    // In how many moves each side can force a draw: nothing but drawn positions, and what ends them.
    let drawn = |at: usize| at == BARE || !won[at];
    let mut forced = 0;
    for presser in Color::ALL {
        let mut depth: Vec<Option<u16>> = vec![None; won.len()];
        // Stalemate of the presser is a draw that needs no move.
        for (at, position) in board.each() {
            if position.turn() == presser && position.is_stalemate() {
                depth[at] = Some(0);
            }
        }
        let mut moves = 0;
        loop {
            let mut news = Vec::new();
            for turn in [!presser, presser] {
                let counts = |edge: &Edge| edge.conversion || depth[edge.to].is_some();
                for (at, position) in board.each() {
                    if position.turn() != turn || !drawn(at) || depth[at].is_some() {
                        continue;
                    }
                    let keeping = || board.edges[at].iter().filter(|edge| drawn(edge.to));
                    if turn == presser {
                        let soon = |edge: &&Edge| {
                            edge.conversion || depth[edge.to].is_some_and(|known| known <= moves)
                        };
                        if keeping().any(|edge| soon(&edge)) {
                            news.push((at, moves + 1));
                        }
                    } else if keeping().all(counts) {
                        news.push((at, moves));
                    }
                }
                for &(at, known) in &news {
                    depth[at].get_or_insert(known);
                }
            }
            if news.is_empty() && moves > 0 {
                break;
            }
            moves += 1;
        }
        for (at, position) in board.each().filter(|&(at, _)| drawn(at)) {
            let DrawDepths { mover, other } = tables.draw_depths(position).expect("a drawn position");
            let found = if position.turn() == presser { mover } else { other };
            assert_eq!(found, depth[at].map(Depth), "{presser} presses in {}", fen(at));
            forced += usize::from(found.is_some());
        }
    }
    assert!(forced > 10_000);
}

#[test]
fn four_men_are_as_their_definitions_say() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    let never = std::sync::atomic::AtomicBool::new(false);
    for (name, metric) in
        [("KPKP", Metric::Dtd), ("KRKN", Metric::Dtr), ("KRKN", Metric::Dtd), ("KBBK", Metric::Dtd)]
    {
        let table = tables.require(name.parse().unwrap(), metric, Client::silent()).unwrap();
        let walk = Walk::new(table, &tables).unwrap();
        let verdict = verify(&walk, &never, &|| ()).unwrap();
        assert!(
            matches!(verdict, Verdict::Sound(positions) if positions > 10_000),
            "{name} {metric}: {verdict:?}"
        );
    }
}

/// Without pawns a phase ends with a conversion; a rule can't be shorter than the phase, nor is any longer needed
/// than the longest of the phases.
#[test]
fn a_rule_is_as_long_as_the_longest_phase() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    for name in ["KQKR", "KBNK"] {
        for metric in [Metric::Dtc, Metric::Dtr] {
            tables.require(name.parse().unwrap(), metric, Client::silent()).unwrap();
        }
        let [by_conversion, by_rule] =
            [Metric::Dtc, Metric::Dtr].map(|metric| tables.get(name.parse().unwrap(), metric).unwrap());
        let walk = Walk::new(by_rule.clone(), &tables).unwrap();
        for index in (0..walk.indexer().size() as u32).step_by(7) {
            for mover in Color::ALL {
                if walk.board(mover, index).is_none() {
                    continue;
                }
                let [dtc, dtr] = [by_conversion, by_rule].map(|table| table.state(mover, index).unwrap());
                assert_eq!(dtc.value(), dtr.value());
                if dtc.value() != Value::Draw {
                    assert!(dtr.depth() >= dtc.depth(), "{name} {index}: {dtc}, {dtr}");
                    assert!(dtr.depth() <= dtc.depth().max(Some(Depth(16))));
                }
            }
        }
    }
}

/// A bare king may take the pawn at once or wait: that is all the same to who knows one draw only.
#[test]
fn draws_are_told_apart_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Arc::new(tables(folder.path()));
    let kpk = "KPK".parse().unwrap();
    tables.require(kpk, Metric::Dtd, Client::silent()).unwrap();
    let game = Game::new(errare::notation::read_position("8/8/8/3k4/4P3/8/8/K7 b - - 0 1").unwrap());
    let look = |tells: bool| {
        let oracle = TableOracle::new(tables.clone(), Metric::Dtc).telling_draws(tells);
        oracle.look(&game, &Budget::default()).unwrap()
    };
    let best = |tells: bool| -> Vec<String> {
        let look = look(tells);
        look.prospects().optimal().map(|m| look.san(m)).collect()
    };
    assert!(best(false).len() > 1);
    assert_eq!(best(true), ["Kxe4"]);

    let model = Model { preference: Preference::table(1.0).unwrap(), policy: Policy::FREE };
    let price = |tells: bool, san: &str| {
        let look = look(tells);
        let decision = model.decide(look.prospects()).unwrap();
        decision.choices().iter().find(|choice| look.san(choice.m) == san).unwrap().ln_price
    };
    assert!(price(true, "Kxe4") < price(false, "Kxe4"));
    assert!(price(true, "Kxe4") < price(true, "Kd4"));
}
