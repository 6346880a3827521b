use shakmaty::Chess;

use crate::model::Value;

/// Tablebases, as the search probes them inside its tree.
pub trait Probe: Send + Sync {
    /// Positions with more pieces than this, kings and pawns included, are not in the tablebases.
    fn max_men(&self) -> usize;

    /// The game-theoretical value for the side to move, if it is known.
    fn value(&self, position: &Chess) -> Option<Value>;
}
