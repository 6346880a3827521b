//! Singular extensions (Anantharaman, Campbell & Hsu 1988): a move that is much better than all others is searched
//! deeper, for the line hangs on it.

use shakmaty::Move;

use super::{
    Bound,
    node::{Node, NodeInfo},
    value::{MAX_PLY, is_decided},
    worker::Worker,
};

/// Least depth for singular extensions.
const MIN_DEPTH: i32 = 7;
/// The TT entry may be shallower than the node by so many plies.
const TT_DEPTH_TOLERANCE: i32 = 3;
/// All other moves have to fall short of the TT value by so many centipawns for each ply of depth.
const MARGIN_PER_DEPTH: i32 = 2;
/// If they fall short by so many centipawns more, the extension is two plies.
const DOUBLE_MARGIN: i32 = 20;
/// No extension from this ply on, so that lines don't grow without end.
const MAX_EXTENSION_PLY: usize = 2 * MAX_PLY / 3;

pub(super) enum Singularity {
    /// Change the depth of the move by so many plies (−1 to 2).
    Extend(i32),
    /// Multi-cut: other moves fail high as well, so the node can be left with this value.
    MultiCut(i32),
}

impl Worker<'_> {
    /// How much deeper to search `m`. Only the TT move can be singular, and only if the table knows it deeply enough:
    /// then all other moves are searched at half the depth, to see whether any comes near its value.
    pub fn singularity<const PV: bool>(
        &mut self,
        node: Node<'_>,
        info: &NodeInfo,
        m: Move,
        beta: i32,
    ) -> Singularity {
        let Node { ply, depth, .. } = node;
        let Some(entry) = info.tt_entry.filter(|_| Some(m) == info.tt_move) else {
            return Singularity::Extend(0);
        };
        let tt_value = i32::from(entry.value);
        if depth < MIN_DEPTH
            || ply >= MAX_EXTENSION_PLY
            || i32::from(entry.depth) < depth - TT_DEPTH_TOLERANCE
            || entry.bound == Bound::Upper
            || is_decided(tt_value)
        {
            return Singularity::Extend(0);
        }
        let singular_beta = tt_value - MARGIN_PER_DEPTH * depth;
        self.frame(ply).excluded = Some(m);
        let others =
            self.search::<false>(Node { depth: (depth - 1) / 2, ..node }, singular_beta - 1, singular_beta);
        self.frame(ply).excluded = None;
        if others < singular_beta {
            Singularity::Extend(1 + i32::from(!PV && others < singular_beta - DOUBLE_MARGIN))
        } else if singular_beta >= beta {
            Singularity::MultiCut(singular_beta)
        } else if tt_value >= beta {
            // Several moves seem to fail high: this one need not be searched to full depth.
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }
}
