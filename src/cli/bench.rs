//! `errare bench`: fixed searches, for a signature of what the search does and for its speed.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args;
use shakmaty::Chess;

use super::{Context, Failure, bench_engines, bench_prices, progress::Progress};
use crate::{
    console,
    evaluation::Evaluation,
    game::Game,
    notation::{fen, read_playable, split_epd},
    search::{Limits, SearchSettings, Searcher},
};

/// Depth of a search where nobody says otherwise.
const DEFAULT_DEPTH: u32 = 13;
/// Openings, middlegames and endgames, quiet and wild.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 0 12",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rq1rk1/pb2bppp/1pn1p3/3n4/3P4/P2B1N2/1B2QPPP/R2R2K1 b - - 3 16",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r2k1/p4pp1/1p2q2p/2p1P3/2P2Q2/1P4P1/P3RP1P/6K1 b - - 0 28",
    "2r3k1/5pp1/p3p2p/1p1bP3/3N3P/1P4P1/P2R1P2/6K1 b - - 1 30",
    "8/pp3p1p/3k2p1/3p4/3P1P2/2PK2P1/P6P/8 w - - 0 34",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/3pP1P1/1r1P1P2/4K3/R7/8 w - - 6 50",
    "6k1/5ppp/8/3B4/8/1b4P1/5P1P/6K1 w - - 0 40",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
];

/// Search fixed positions to a fixed depth and print nodes and nodes per second last; or compare with other engines.
#[derive(Args)]
pub(super) struct Arguments {
    /// Depth in plies (default: 13; 8 with --prices)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
    /// Time for each position in ms, instead of a depth
    #[arg(long, value_name = "MS", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub movetime: Option<u64>,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(i64).range(SearchSettings::HASH))]
    pub hash: i64,
    /// Threads; the nodes are a signature with one thread only
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(i64).range(SearchSettings::THREADS))]
    pub threads: i64,
    /// What evaluates: hand-crafted, or a file of weights or of a network (default: the built-in network)
    #[arg(long, value_name = "WEIGHTS", default_value = "", hide_default_value = true, value_parser = Evaluation::read)]
    weights: Evaluation,
    /// Positions to use instead of the built-in ones, a FEN or EPD a line
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Have this UCI engine do the same (may be repeated); options as in path,option.Hash=16
    #[arg(long = "engine", value_name = "PATH")]
    pub engines: Vec<String>,
    /// Price all moves of each position instead of searching for the best
    #[arg(long)]
    pub prices: bool,
    /// Compare all prices with those of the first engine at this depth
    #[arg(long, value_name = "PLIES", requires = "prices", requires = "engines")]
    pub truth: Option<u32>,
}

impl Arguments {
    pub fn settings(&self) -> SearchSettings {
        SearchSettings {
            hash_mb: self.hash as usize,
            threads: self.threads as usize,
            evaluation: self.weights.clone(),
            ..SearchSettings::default()
        }
    }

    /// Our search; what it could not have is told.
    pub fn searcher(&self) -> Searcher {
        let mut searcher = Searcher::new(self.settings());
        searcher.take_shortages().iter().for_each(console::tell);
        searcher
    }

    pub fn time(&self) -> Option<Duration> {
        self.movetime.map(Duration::from_millis)
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let positions = positions(arguments.positions.as_deref())?;
    match (arguments.prices, arguments.engines.is_empty()) {
        (true, _) => bench_prices::run(arguments, &positions, context),
        (false, true) => signature(arguments, &positions, context),
        (false, false) => bench_engines::run(arguments, &positions, context),
    }
}

fn positions(path: Option<&Path>) -> Result<Vec<Chess>, Failure> {
    let read = |line: &str| read_playable(&split_epd(line).0).map_err(Failure::failed);
    let Some(path) = path else { return POSITIONS.iter().map(|fen| read(fen)).collect() };
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::failed(format!("'{}' can't be read: {error}", path.display())))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let positions: Vec<Chess> = lines.map(read).collect::<Result<_, _>>()?;
    match positions.is_empty() {
        true => {
            Err(Failure::failed(format!("'{}' has no position: write a FEN or EPD a line", path.display())))
        }
        false => Ok(positions),
    }
}

fn signature(arguments: &Arguments, positions: &[Chess], context: &mut Context<'_>) -> Result<(), Failure> {
    let mut searcher = arguments.searcher();
    let time = arguments.time();
    let depth = arguments.depth.or(time.is_none().then_some(DEFAULT_DEPTH));
    let limits = Limits { depth, movetime: time, ..Limits::default() };
    let control = context.control();
    let progress = Progress::new(positions.len() as u64, 0, "positions");
    let start = Instant::now();
    let mut nodes = 0;
    for position in positions {
        searcher.new_game();
        let found = searcher.search(&Game::new(position.clone()), &limits, &control, &mut |_| {});
        context.check_interrupt()?;
        let fen = fen(position);
        progress.aside(|| writeln!(context.out, "{:>10} {:>7} {fen}", found.nodes, found.score))?;
        nodes += found.nodes;
        progress.step("");
    }
    progress.finish();
    let nps = (nodes as f64 / start.elapsed().as_secs_f64()) as u64;
    writeln!(context.out, "{nodes} nodes {nps} nps")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_position_can_be_searched() {
        assert_eq!(positions(None).unwrap().len(), POSITIONS.len());
    }
}
