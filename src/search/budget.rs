use std::time::Duration;

use shakmaty::Move;

use super::Control;

/// What pricing all moves of a position may cost. All limits that are given hold at once; depth 1 is always finished,
/// so that every move has a price.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes, for all moves together.
    pub nodes: Option<u64>,
    /// Time, for all moves together.
    pub time: Option<Duration>,
    /// Price only these moves; empty: all.
    pub moves: Vec<Move>,
    /// Only a move is wanted: prices may depend on the time and on what was searched before if that makes them better.
    pub quick: bool,
    /// Stops it early.
    pub control: Control,
}

/// From this time on, MultiPV prices are better than exact ones that take as long.
const QUICK_MIN_TIME: Duration = Duration::from_millis(100);
/// Depth where nothing is limited.
const DEFAULT_DEPTH: u32 = 8;

impl Budget {
    /// A depth in plies and no other limit.
    pub fn depth(depth: u32) -> Budget {
        Budget { depth: Some(depth), ..Budget::default() }
    }

    /// So many nodes and no other limit.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// Whether a move is to be priced.
    pub(super) fn wants(&self, m: &Move) -> bool {
        self.moves.is_empty() || self.moves.contains(m)
    }

    /// Whether MultiPV gives the better prices for it: always for a few moves.
    pub(super) fn suits_multi_pv(&self) -> bool {
        let few = !self.moves.is_empty();
        self.quick && (few || self.nodes.is_none() && self.time.is_none_or(|time| time >= QUICK_MIN_TIME))
    }

    /// The depth at which it ends at the latest; `most` where it is left to nodes or time.
    pub(super) fn max_depth(&self, most: u32) -> u32 {
        let unlimited = self.nodes.is_none() && self.time.is_none();
        self.depth.unwrap_or(if unlimited { DEFAULT_DEPTH } else { most })
    }
}
