use shakmaty::Chess;

use crate::model::Value;

/// Exact knowledge of some positions that the search may use inside its tree.
pub trait Probe: Send + Sync {
    /// Positions with more men than this are not worth asking about.
    fn max_men(&self) -> usize;

    /// The theoretical value for the side to move, if it is known.
    fn value(&self, position: &Chess) -> Option<Value>;
}
