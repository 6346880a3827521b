//! What the options are set to.

use std::time::Duration;

use crate::config::UciConfig;

/// The values of all options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Where to log to; empty for standard error.
    pub log_file: String,
    /// Of everything left to chance; 0 for another one each time.
    pub seed: u32,
    /// What a move loses on its way to the other side's clock.
    pub move_overhead: Duration,
    /// Whether answers name the expected reply.
    pub ponder: bool,
    /// Whether castling is written as the king taking its rook.
    pub chess960: bool,
}

impl Settings {
    /// The settings at the start.
    pub fn new(config: &UciConfig) -> Settings {
        Settings {
            log_file: config.log_file.clone(),
            seed: config.seed,
            move_overhead: Duration::from_millis(config.move_overhead.into()),
            ponder: config.ponder,
            chess960: false,
        }
    }
}
