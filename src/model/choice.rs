use shakmaty::Move;

use super::Outcome;

/// A move as a fallible player sees it: a legal move of chess, or anything else that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<M = Move> {
    /// The move.
    pub m: M,
    /// What it leads to, seen by the mover.
    pub outcome: Outcome,
    /// ln w of its price, in [−∞, +∞].
    pub ln_price: f64,
    /// Its weight v ≥ 0; 0 for a move that is never played.
    pub weight: f64,
}
