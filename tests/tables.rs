//! Tables: published figures, an independent chess library, and damage.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails may stop")]

use std::{
    fs,
    path::Path,
    sync::{Arc, OnceLock},
};

use errare::{
    config::Config,
    endgame::{self, Client, Making, Material, Tables, TablesError, Verdict, Walk},
    model::{Depth, Metric, State},
    notation,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Chess, Color, EnPassantMode, Position, Setup, Square, fen::Fen};

fn tables_in(folder: &Path) -> Tables {
    let mut config = Config::parse(Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.to_string_lossy().into_owned();
    Tables::new(&config).unwrap()
}

/// One library of tables for all tests that only read.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<(Tables, tempfile::TempDir)> = OnceLock::new();
    let (tables, _folder) = TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        (tables_in(folder.path()), folder)
    });
    tables
}

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// The table and those around it.
fn walk(name: &str, metric: Metric) -> Walk {
    let table = tables().require(material(name), metric, Client::silent()).unwrap();
    Walk::new(table, tables()).unwrap()
}

/// Depths of the deepest wins, in the winner's moves.
#[test]
fn deepest_wins_are_the_published_ones() {
    for (name, metric, white, black) in [
        // Haworth 2003, §2.
        ("KQKR", Metric::Dtc, 31, 3),
        // Nalimov's tables.
        ("KQK", Metric::Dtm, 10, 0),
        ("KRK", Metric::Dtm, 16, 0),
        ("KBBK", Metric::Dtm, 19, 0),
        ("KBNK", Metric::Dtm, 33, 0),
        ("KPK", Metric::Dtm, 28, 0),
        ("KQKR", Metric::Dtm, 35, 19),
    ] {
        let table = tables().require(material(name), metric, Client::silent()).unwrap();
        let deepest = [Color::White, Color::Black].map(|winner| table.deepest(winner));
        assert_eq!(deepest, [Depth(white), Depth(black)], "{name} by {metric}");
    }
}

#[test]
fn the_deepest_positions_of_queen_against_rook_are_those_of_browne_and_belle() {
    let walk = walk("KQKR", Metric::Dtc);
    let never = std::sync::atomic::AtomicBool::new(false);
    let statistics = endgame::Statistics::collect(&walk, 10, &never).unwrap().unwrap();
    let (depth, classes, _) = statistics.deepest(Color::White);
    assert_eq!((depth, classes), (Depth(31), 2));
    for fen in ["K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1"] {
        let position = notation::position(&fen.parse().unwrap()).unwrap();
        assert_eq!(tables().probe(&position, Metric::Dtc), Some(State::win(31)), "{fen}");
    }
}

#[test]
fn every_position_follows_from_its_successors() {
    let never = std::sync::atomic::AtomicBool::new(false);
    for (name, metric) in [
        ("KRKN", Metric::Dtc),
        // Like men may be mirror images of each other.
        ("KRRK", Metric::Dtc),
        ("KPKP", Metric::Dtc),
        ("KPKP", Metric::Dtz),
        ("KPK", Metric::Dtm),
        ("KBNK", Metric::Dtm),
    ] {
        let verdict = endgame::verify(&walk(name, metric), &never, &|| ()).unwrap();
        assert!(matches!(verdict, Verdict::Sound(positions) if positions > 100_000), "{name}: {verdict:?}");
    }
}

/// A random legal position; pawns that could just have gone two squares may be taken in passing.
fn random_position(material: Material, rng: &mut Pcg64) -> Option<Chess> {
    let mut board = shakmaty::Board::empty();
    let exchanged = rng.random();
    for piece in material.pieces() {
        let square = Square::new(rng.random_range(0..64));
        if board.piece_at(square).is_some() {
            return None;
        }
        let color = if exchanged { !piece.color } else { piece.color };
        board.set_piece_at(square, piece.role.of(color));
    }
    let turn = if rng.random() { Color::White } else { Color::Black };
    let mut setup = Setup { board, turn, ..Setup::empty() };
    let passed =
        setup.board.pawns() & setup.board.by_color(!turn) & turn.fold_wb(0x0000_00ff_0000_0000, 0xff00_0000);
    setup.ep_square =
        passed.first().map(|pawn| turn.fold_wb(pawn.offset(8), pawn.offset(-8))).unwrap_or_default();
    notation::position(&Fen::try_from_setup(setup).ok()?).ok()
}

/// The definition of each metric, written out over another library's moves.
#[test]
fn tables_agree_with_the_moves_of_shakmaty() {
    let mut rng = Pcg64::seed_from_u64(1978);
    for name in ["KQKR", "KPKP", "KQKP", "KBNK", "KNKP"] {
        let material = material(name);
        for metric in Metric::AIMS {
            tables().require(material, metric, Client::silent()).unwrap();
            for subgame in material.closure() {
                tables().require(subgame, metric, Client::silent()).unwrap();
            }
        }
        let (mut seen, mut in_passing) = (0, 0);
        while seen < 3_000 {
            let Some(position) = random_position(material, &mut rng) else { continue };
            seen += 1;
            in_passing += usize::from(position.legal_ep_square().is_some());
            for metric in Metric::AIMS {
                let outcomes = position.legal_moves().into_iter().map(|m| {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    let state = -tables().probe(&after, metric).unwrap();
                    let goal = match metric {
                        Metric::Dtc => m.is_capture() || m.is_promotion(),
                        Metric::Dtm => false,
                        Metric::Dtz => m.is_zeroing(),
                        Metric::Dtr | Metric::Dtd => unreachable!("not aimed at"),
                    };
                    match state {
                        State::Win(depth) => State::Win(Depth(if goal { 1 } else { depth.0 + 1 })),
                        State::Loss(depth) => State::Loss(if goal { Depth(0) } else { depth }),
                        State::Draw => State::Draw,
                    }
                });
                let nothing = if position.is_checkmate() { State::loss(0) } else { State::Draw };
                let expected = outcomes.max().unwrap_or(nothing);
                let fen = Fen::from_position(&position, EnPassantMode::Legal);
                assert_eq!(tables().probe(&position, metric), Some(expected), "{fen} by {metric}");
            }
        }
        assert_eq!(in_passing > 10, name == "KPKP", "{name}: {in_passing}");
    }
}

#[test]
fn a_table_read_from_disk_is_the_one_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let written = tables_in(folder.path()).build(material("KRK"), Metric::Dtm, Client::silent()).unwrap();
    let read = endgame::open(folder.path(), material("KRK"), Metric::Dtm).unwrap().unwrap();
    for color in Color::ALL {
        for block in 0..written.blocks() {
            assert_eq!(written.block(color, block).unwrap(), read.block(color, block).unwrap());
        }
        assert_eq!(written.deepest(color), read.deepest(color));
    }
}

/// What is said of a file of KRK after `damage` has been done to it.
fn said_of(damage: impl FnOnce(&mut Vec<u8>)) -> String {
    let folder = tempfile::tempdir().unwrap();
    tables_in(folder.path()).build(material("KRK"), Metric::Dtc, Client::silent()).unwrap();
    let path = folder.path().join("KRK.dtc");
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, &bytes).unwrap();
    let opened = endgame::open(folder.path(), material("KRK"), Metric::Dtc);
    let error = match opened {
        Err(error) => error,
        Ok(table) => table.unwrap().load().expect_err("damage must be found"),
    };
    // The damaged file is kept, and a new one made beside it.
    tables_in(folder.path()).require(material("KRK"), Metric::Dtc, Client::silent()).unwrap();
    assert_eq!(fs::read(folder.path().join("KRK.dtc.damaged-1")).unwrap(), bytes);
    error.to_string()
}

#[test]
fn a_truncated_file_is_found() {
    assert!(said_of(|bytes| bytes.truncate(bytes.len() - 1)).contains("bytes, and should have"));
    assert!(said_of(|bytes| bytes.truncate(10)).contains("too short"));
    assert!(said_of(Vec::clear).contains("too short"));
}

#[test]
fn a_file_of_another_version_is_found() {
    assert!(said_of(|bytes| bytes[8] = 99).contains("format version 99"));
}

#[test]
fn a_flipped_byte_is_found_wherever_it_is() {
    for place in (0..2000).step_by(97).chain([5000, 9000]) {
        if place != 8 && place != 9 {
            said_of(|bytes| bytes[place] ^= 0x10);
        }
    }
}

#[test]
fn a_table_that_cannot_be_stored_serves_from_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("taken");
    fs::write(&file, "").unwrap();
    let tables = tables_in(&file);
    tables.build(material("KRK"), Metric::Dtm, Client::silent()).unwrap();
    let mate_in_one = notation::read_position("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    assert_eq!(tables.probe(&mate_in_one, Metric::Dtm), Some(State::win(1)));
}

#[test]
fn damage_inside_a_block_is_met_once_and_the_table_made_again() {
    let folder = tempfile::tempdir().unwrap();
    tables_in(folder.path()).build(material("KRK"), Metric::Dtm, Client::silent()).unwrap();
    let path = folder.path().join("KRK.dtm");
    let mut bytes = fs::read(&path).unwrap();
    // The middle of White's block, which begins behind a header of 72 bytes.
    bytes[200] ^= 0x10;
    fs::write(&path, &bytes).unwrap();
    let tables = tables_in(folder.path());
    let mate_in_one = notation::read_position("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    assert!(tables.get(material("KRK"), Metric::Dtm).is_some(), "the header is in order");
    assert_eq!(tables.probe(&mate_in_one, Metric::Dtm), None);
    assert!(tables.get(material("KRK"), Metric::Dtm).is_none(), "nothing of it is trusted any more");
    assert_eq!(fs::read(folder.path().join("KRK.dtm.damaged-1")).unwrap(), bytes);
    tables.require(material("KRK"), Metric::Dtm, Client::silent()).unwrap();
    assert_eq!(tables.probe(&mate_in_one, Metric::Dtm), Some(State::win(1)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the damaged one, and the one made again");
}

#[test]
fn what_nobody_wants_any_more_is_not_made() {
    let [unwanted, wanted] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let abandoned: Vec<Arc<Tables>> = (0..20)
        .map(|_| {
            let tables = Arc::new(tables_in(unwanted.path()));
            assert!(tables.request(material("KQKR"), Metric::Dtm).is_some());
            tables.abandon();
            tables
        })
        .collect();
    let tables = Arc::new(tables_in(wanted.path()));
    assert!(matches!(tables.request(material("KQK"), Metric::Dtc), Some(Making::Begun(_))));
    assert_eq!(tables.request(material("KQK"), Metric::Dtc), Some(Making::UnderWay));
    // They are made one after the other: when this one is there, nothing before it is under way.
    while tables.get(material("KQK"), Metric::Dtc).is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
        assert!(
            tables.request(material("KQK"), Metric::Dtc).is_some() || wanted.path().join("KQK.dtc").exists()
        );
    }
    drop(abandoned);
    assert!(!unwanted.path().join("KQKR.dtm").exists());
}

#[test]
fn five_men_are_not_generated_unasked() {
    let error = tables().require(material("KQRKQ"), Metric::Dtc, Client::silent()).map(|_| ()).unwrap_err();
    assert!(matches!(error, TablesError::Missing(..)));
    assert!(error.to_string().contains("errare tables build KQRKQ --metric dtc"));
}

#[test]
fn interrupted_work_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let client = Client { cancel: &cancel, hear: &|_| {} };
    tables_in(folder.path()).build(material("KRK"), Metric::Dtc, client).map(|_| ()).unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
