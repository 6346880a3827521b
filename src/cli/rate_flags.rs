use clap::Args;

use super::{Failure, oracle_flags::engine_command};
use crate::{
    directories,
    rating::{Analyst, Selection},
};

/// Who prices, and where prices are kept.
#[derive(Args)]
pub struct PricingFlags {
    /// Look so many plies deep (default: as deep as the model of people was fitted to, unless --nodes is given)
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Look with so many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Have this UCI engine look instead of our search; options as in path,option.Hash=64
    #[arg(long, value_name = "PATH")]
    engine: Option<String>,
    /// Have the engine tell only so many of the best moves apart, and take its values as they are, bounds too; all other moves
    /// count as the last of them, as in the paper: much faster with an engine that can't tell all moves at once
    #[arg(long, value_name = "N", requires = "engine", value_parser = clap::value_parser!(u32).range(1..))]
    lines: Option<u32>,
    /// Have our search price exactly: slower
    #[arg(long, conflicts_with = "engine")]
    exact: bool,
    /// Positions that are priced at a time (default: as many as there are processors)
    #[arg(long)]
    threads: Option<usize>,
    /// Where prices are kept: a file, or postgres://… (default: store.sqlite in the user's folder for data)
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Price nothing: rate by what is in the store
    #[arg(long)]
    pub only_stored: bool,
}

impl PricingFlags {
    /// Who prices.
    pub fn analyst(&self) -> Result<Analyst, Failure> {
        self.analyst_of(self.engine.as_deref())
    }

    /// Another engine, as deep.
    pub fn analyst_of(&self, engine: Option<&str>) -> Result<Analyst, Failure> {
        let usual = Analyst::usual();
        Ok(Analyst {
            engine: engine.map(engine_command).transpose()?,
            depth: self.depth.or(usual.depth.filter(|_| self.nodes.is_none())),
            nodes: self.nodes,
            exact: self.exact,
            lines: self.lines.filter(|_| engine.is_some()),
        })
    }

    /// How many look at a time.
    pub fn threads(&self) -> usize {
        let usual = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or_else(usual).max(1)
    }

    /// Where prices are kept.
    pub fn store(&self) -> Result<String, Failure> {
        store_location(self.store.as_deref())
    }
}

/// A store by name, or the usual one.
pub fn store_location(given: Option<&str>) -> Result<String, Failure> {
    let usual = || directories::data().map(|folder| folder.join("store.sqlite").display().to_string());
    given.map(str::to_owned).or_else(usual).ok_or_else(|| {
        Failure::usage("there is no folder for the user's data: say with --store where prices are kept")
    })
}

/// Which positions count.
#[derive(Args)]
pub struct SelectionFlags {
    /// From this move on
    #[arg(long, default_value_t = Selection::default().first_move, value_name = "N")]
    first_move: u32,
    /// Up to this move
    #[arg(long, value_name = "N")]
    last_move: Option<u32>,
    /// With at least so many legal moves
    #[arg(long, default_value_t = Selection::default().min_moves, value_name = "N")]
    min_moves: usize,
    /// Where the best move is worth no more than so many pawns, to either side (Guid and Bratko: 2)
    #[arg(long, default_value_t = Selection::default().max_value, value_name = "PAWNS")]
    max_value: f64,
    /// Draw so many decisions of each that is rated
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Of the draw
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl SelectionFlags {
    /// The selection.
    pub fn selection(&self) -> Selection {
        Selection {
            first_move: self.first_move,
            last_move: self.last_move.unwrap_or(u32::MAX),
            min_moves: self.min_moves.max(1),
            max_value: self.max_value,
        }
    }
}
