//! Pruning of single moves at low depth, before they are made.

use super::{
    move_picker::PickedMove,
    node::{Node, NodeInfo},
    see::see_ge,
};

/// Greatest depth for late move pruning.
const LMP_MAX_DEPTH: i32 = 8;
/// Moves that are tried before any is too late: this and the square of the depth, halved if not improving.
const LMP_BASE: i32 = 3;

/// Greatest depth, after reductions, for futility pruning.
const FUTILITY_MAX_DEPTH: i32 = 7;
/// How far a quiet move may raise the evaluation, in centipawns: this ...
const FUTILITY_BASE: i32 = 110;
/// ... and this for each ply that remains after reductions ...
const FUTILITY_PER_DEPTH: i32 = 95;
/// ... and one for so much of its history.
const FUTILITY_HISTORY_DIVISOR: i32 = 256;

/// Greatest depth, after reductions, for history pruning.
const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
/// A history below minus this for each ply prunes a quiet move.
const HISTORY_PRUNING_MARGIN: i32 = 3500;

/// Greatest depth, after reductions, for pruning quiet moves by SEE.
const SEE_QUIET_MAX_DEPTH: i32 = 8;
/// Centipawns that a quiet move may lose by SEE, times the square of the depth after reductions.
const SEE_QUIET_MARGIN: i32 = 25;
/// Greatest depth for pruning captures and checks by SEE.
const SEE_TACTICAL_MAX_DEPTH: i32 = 7;
/// Centipawns that a capture or check may lose by SEE for each ply of depth.
const SEE_TACTICAL_MARGIN: i32 = 95;

/// A move whose turn has come.
#[derive(Clone, Copy)]
pub(super) struct TriedMove {
    pub picked: PickedMove,
    /// Its place in the order of moves, from 1.
    pub count: i32,
    /// A capture or a promotion to a queen.
    pub is_tactical: bool,
    pub gives_check: bool,
    pub history: i32,
    /// By how much its depth would be reduced, before finer adjustments.
    pub reduction: i32,
}

/// Late move pruning: late quiet moves at low depth hardly ever turn out best.
pub(super) fn is_late(node: Node<'_>, info: &NodeInfo, candidate: TriedMove) -> bool {
    let depth = node.depth;
    !candidate.is_tactical
        && !candidate.gives_check
        && depth <= LMP_MAX_DEPTH
        && candidate.count > (LMP_BASE + depth * depth) / (2 - i32::from(info.improving))
}

/// Whether a move can be skipped unsearched.
pub(super) fn is_prunable(node: Node<'_>, info: &NodeInfo, candidate: TriedMove, alpha: i32) -> bool {
    let TriedMove { picked, is_tactical, gives_check, history, reduction, .. } = candidate;
    let Node { position, depth, .. } = node;
    if is_tactical || gives_check {
        return depth <= SEE_TACTICAL_MAX_DEPTH
            && !picked.is_promising()
            && !see_ge(position, picked.m, -SEE_TACTICAL_MARGIN * depth);
    }
    let lmr_depth = (depth - reduction).max(1);
    // Futility pruning: a quiet move will not make up for that much.
    if !node.in_check
        && lmr_depth <= FUTILITY_MAX_DEPTH
        && info.eval + FUTILITY_BASE + FUTILITY_PER_DEPTH * lmr_depth + history / FUTILITY_HISTORY_DIVISOR
            <= alpha
    {
        return true;
    }
    !picked.is_promising()
        && (lmr_depth <= HISTORY_PRUNING_MAX_DEPTH && history < -HISTORY_PRUNING_MARGIN * lmr_depth
            || lmr_depth <= SEE_QUIET_MAX_DEPTH
                && !see_ge(position, picked.m, -SEE_QUIET_MARGIN * lmr_depth * lmr_depth))
}
