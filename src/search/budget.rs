use std::time::Duration;

use super::Control;

/// What one look at all moves of a position may cost. All limits that are given hold at once; depth 1 is finished in any
/// case, so that every move has a price.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes, for all moves together.
    pub nodes: Option<u64>,
    /// Time, for all moves together.
    pub time: Option<Duration>,
    /// Ends it before its time.
    pub control: Control,
}

/// As deep as a look goes where nothing limits it.
const USUAL_DEPTH: u32 = 8;

impl Budget {
    /// To a depth in plies.
    pub fn depth(depth: u32) -> Budget {
        Budget { depth: Some(depth), ..Budget::default() }
    }

    /// With so many nodes.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// The depth at which it ends at the latest; `most` where other limits end it.
    pub(super) fn deepest(&self, most: u32) -> u32 {
        let unlimited = self.nodes.is_none() && self.time.is_none();
        self.depth.unwrap_or(if unlimited { USUAL_DEPTH } else { most })
    }
}
