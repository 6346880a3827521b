//! The games that the papers study. Moves are facts; Browne - BELLE are as in P1's Appendix B.

use super::ReproduceError;
use crate::notation::{GameScore, Games};

pub const BROWNE_BELLE_1: &str = include_str!("games/browne-belle-1.pgn");
pub const BROWNE_BELLE_2: &str = include_str!("games/browne-belle-2.pgn");
pub const GELFAND_SVIDLER: &str = include_str!("games/gelfand-svidler.pgn");
pub const PINTER_BRONSTEIN: &str = include_str!("games/pinter-bronstein.pgn");
pub const POPOVIC_KORCHNOI: &str = include_str!("games/popovic-korchnoi.pgn");
pub const TIMMAN_SPEELMAN: &str = include_str!("games/timman-speelman.pgn");

/// Reads an embedded game.
pub fn score(pgn: &str) -> Result<GameScore, ReproduceError> {
    match Games::new(pgn.as_bytes()).next() {
        Some(game) => game.map_err(|bad| ReproduceError::BuiltIn(bad.to_string())),
        None => Err(ReproduceError::BuiltIn("game".to_owned())),
    }
}

/// Both games Browne - BELLE.
pub fn browne_belle() -> Result<[GameScore; 2], ReproduceError> {
    Ok([score(BROWNE_BELLE_1)?, score(BROWNE_BELLE_2)?])
}
