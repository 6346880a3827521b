//! Every reader of what comes from outside, over a corpus and mutations of it. The same inputs in every run; with
//! `ERRARE_FUZZ_SECONDS=30`, as many as there is time for; with `ERRARE_FUZZ_FROM=1000000`, others than before.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_macros,
    reason = "a test that fails may stop, and says what it did"
)]

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use errare::fuzz::{TARGETS, Target};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;

/// Inputs of each reader where no time is given.
const INPUTS: u64 = 300;

/// What readers look for.
const WORDS: &[&str] = &[
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "%",
    "$",
    "-",
    "0",
    "-1",
    "1e308",
    "NaN",
    "inf",
    "255",
    "65535",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "\u{feff}",
    "ü",
    "name",
    "value",
    "moves",
    "startpos",
    "fen",
    "infinite",
    "e2e4",
    "e7e8q",
    "O-O",
    "exd6",
    "Nf3",
    "Zb3",
    "1-0",
    "1/2-1/2",
    "KQkq",
    "HAha",
    "w",
    "b",
    "99999",
    "[tables]",
    "[play]",
    "hash",
    "=",
    "true",
    "\"\"\"",
    "win 3",
    "draw",
    "#-3",
    "GET /",
    "POST /api/",
    " HTTP/1.1\r\n",
    "Content-Length: ",
    "Transfer-Encoding: chunked\r\n",
    "/@game",
    "%2e%2e/",
    "null",
];

/// One to eight changes, each of a kind that readers are known to stumble over.
fn mutate(input: &mut Vec<u8>, corpus: &[Vec<u8>], rng: &mut Pcg64) {
    for _ in 0..rng.random_range(1..=8) {
        let place = rng.random_range(0..=input.len());
        let rest = input.len() - place;
        let length = rng.random_range(0..=rest.min(64));
        match rng.random_range(0..8) {
            0 if rest > 0 => input[place] ^= 1 << rng.random_range(0..8),
            1 if rest > 0 => input[place] = rng.random(),
            2 => drop(input.drain(place..place + length)),
            3 => {
                let copy: Vec<u8> = input[place..place + length].to_vec();
                let to = rng.random_range(0..=input.len());
                drop(input.splice(to..to, copy));
            }
            4 => {
                drop(input.splice(place..place, (0..length).map(|_| rng.random::<u8>()).collect::<Vec<_>>()))
            }
            5 => input.truncate(place),
            6 => {
                let other = corpus.choose(rng).unwrap();
                let from = rng.random_range(0..=other.len());
                drop(input.splice(place.., other[from..].iter().copied()));
            }
            _ => drop(input.splice(place..place, WORDS.choose(rng).unwrap().bytes())),
        }
    }
    input.truncate(1 << 16);
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn run(name: &str) {
    let &(_, body): &Target = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let corpus = corpus(name);
    corpus.iter().for_each(|input| body(input));
    body(b"");
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let end = number("ERRARE_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let first = number("ERRARE_FUZZ_FROM").unwrap_or(0);
    let mut count = first;
    while end.map_or(count < first + INPUTS, |end| Instant::now() < end) {
        // Each input follows from its number, so that one that fails can be had again.
        let mut rng = Pcg64::seed_from_u64(count);
        let mut input = corpus.choose(&mut rng).unwrap().clone();
        mutate(&mut input, &corpus, &mut rng);
        if let Err(panic) = std::panic::catch_unwind(|| body(&input)) {
            let file = std::env::temp_dir().join(format!("errare-fuzz-{name}-{count}"));
            fs::write(&file, &input).unwrap();
            println!("{name}: input {count} fails and is kept in {}", file.display());
            std::panic::resume_unwind(panic);
        }
        count += 1;
    }
    println!("{name}: {} inputs", count - first);
}

#[test]
fn no_line_of_the_protocol_ends_the_engine() {
    run("uci");
}

#[test]
fn no_position_ends_the_program() {
    run("fen");
}

#[test]
fn no_game_ends_the_program() {
    run("pgn");
}

#[test]
fn no_assessed_position_ends_the_program() {
    run("epd");
}

#[test]
fn no_settings_end_the_program() {
    run("toml");
}

#[test]
fn no_profile_ends_the_program() {
    run("profile");
}

#[test]
fn no_table_ends_the_program() {
    run("table");
}

#[test]
fn no_syzygy_file_ends_the_program() {
    run("syzygy");
}

#[cfg(feature = "web")]
#[test]
fn no_request_ends_the_server() {
    run("http");
}

#[test]
fn every_reader_is_tested_here_and_has_a_target_and_a_corpus() {
    let here = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz.rs")).unwrap();
    for (name, _) in TARGETS {
        assert!(here.contains(&format!("run(\"{name}\");")), "{name}");
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(target.exists(), "{name}");
        assert!(!corpus(name).is_empty(), "{name}");
    }
}
