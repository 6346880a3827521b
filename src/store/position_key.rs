use std::fmt;

use shakmaty::Chess;

use crate::notation::{self, FenError};

/// What tells positions apart in a store: the first four fields of the FEN. A position is priced by itself, as if the game
/// began there, so that its prices are the same in whatever game it came up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(String);

impl PositionKey {
    /// That of a position.
    pub fn of(position: &Chess) -> PositionKey {
        let fen = notation::fen(position);
        PositionKey(fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
    }

    /// As it is written in a store.
    pub fn read(text: &str) -> PositionKey {
        PositionKey(text.to_owned())
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The position, no move having been played.
    pub fn position(&self) -> Result<Chess, FenError> {
        notation::read_playable(&format!("{} 0 1", self.0))
    }
}

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
