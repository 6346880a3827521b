use shakmaty::Move;

use super::Outcome;

/// A legal move as a fallible player sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// What it leads to, seen by the mover.
    pub outcome: Outcome,
    /// ln w of its price, in [−∞, +∞].
    pub ln_price: f64,
    /// Its weight v ≥ 0; 0 for a move that is never played.
    pub weight: f64,
}
