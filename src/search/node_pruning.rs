//! Pruning of a whole null-window (non-PV) node, before its moves are searched one by one.

use shakmaty::{Chess, Position};

use super::{
    history::PieceTo,
    move_picker::MovePicker,
    node::{Node, NodeInfo},
    see::see_ge,
    value::{MATE_IN_MAX_PLY, TB_WIN_IN_MAX_PLY, is_decided},
    worker::Worker,
};

/// Greatest depth for reverse futility pruning.
const REVERSE_FUTILITY_MAX_DEPTH: i32 = 8;
/// How far above beta the estimate has to be for each ply that remains, in centipawns.
const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Greatest depth for razoring.
const RAZORING_MAX_DEPTH: i32 = 4;
/// How far below beta the evaluation has to be, in centipawns: this ...
const RAZORING_BASE: i32 = 350;
/// ... and this times the square of the depth.
const RAZORING_PER_DEPTH_SQUARED: i32 = 220;

/// Least depth for null-move pruning.
const NULL_MOVE_MIN_DEPTH: i32 = 3;
/// How far above beta the evaluation has to be, in centipawns: this ...
const NULL_MOVE_EVAL_MARGIN: i32 = 60;
/// ... less this for each ply of depth.
const NULL_MOVE_EVAL_PER_DEPTH: i32 = 20;
/// Plies by which the search after a null move is reduced: these ...
const NULL_MOVE_REDUCTION: i32 = 3;
/// ... and one for each so many plies of depth ...
const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// ... and one for each so many centipawns above beta ...
const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
/// ... but at most so many for those.
const NULL_MOVE_EVAL_REDUCTION_MAX: i32 = 3;

/// Least depth for ProbCut.
const PROBCUT_MIN_DEPTH: i32 = 5;
/// How far above beta a capture has to come out, in centipawns: this ...
const PROBCUT_MARGIN: i32 = 190;
/// ... less this if the side to move is improving.
const PROBCUT_IMPROVING: i32 = 60;
/// How much less deeply ProbCut searches, its own move included, in plies.
const PROBCUT_REDUCTION: i32 = 4;

impl Worker<'_> {
    /// A value with which the node can be left, if there is one. The window is `beta - 1` to `beta`.
    pub fn prune_node(&mut self, node: Node<'_>, info: &NodeInfo, beta: i32) -> Option<i32> {
        let NodeInfo { eval, estimate, improving, .. } = *info;
        let depth = node.depth;
        // Reverse futility pruning (static null move): so far ahead that the remaining plies will hardly lose it.
        if depth <= REVERSE_FUTILITY_MAX_DEPTH
            && estimate < TB_WIN_IN_MAX_PLY
            && beta > -TB_WIN_IN_MAX_PLY
            && estimate - REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving)) >= beta
        {
            return Some((estimate + beta) / 2);
        }
        // Razoring: so far behind that only captures could help.
        if depth <= RAZORING_MAX_DEPTH
            && eval + RAZORING_BASE + RAZORING_PER_DEPTH_SQUARED * depth * depth < beta
        {
            let value = self.quiescence(node.position, node.key, false, node.ply, beta - 1, beta);
            if value < beta {
                return Some(value);
            }
        }
        if estimate >= beta
            && eval + NULL_MOVE_EVAL_PER_DEPTH * depth >= beta + NULL_MOVE_EVAL_MARGIN
            && beta > -TB_WIN_IN_MAX_PLY
        {
            let value = self.null_move_pruning(node, estimate, beta);
            if value.is_some() {
                return value;
            }
        }
        self.probcut(node, eval, beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * i32::from(improving))
    }

    /// If the node fails high even after giving up the move, some move will make it fail high.
    fn null_move_pruning(&mut self, node: Node<'_>, estimate: i32, beta: i32) -> Option<i32> {
        let Node { position, key, ply, depth, .. } = node;
        if depth < NULL_MOVE_MIN_DEPTH || self.is_after_null_move(ply) || !has_non_pawn_material(position) {
            return None;
        }
        let reduction = NULL_MOVE_REDUCTION
            + depth / NULL_MOVE_DEPTH_DIVISOR
            + ((estimate - beta) / NULL_MOVE_EVAL_DIVISOR).min(NULL_MOVE_EVAL_REDUCTION_MAX);
        let (after, after_key) = self.make_null_move(position, key, ply)?;
        let child = Node {
            position: &after,
            key: after_key,
            in_check: false,
            ply: ply + 1,
            depth: depth - reduction,
            cut_node: !node.cut_node,
        };
        let value = -self.search::<false>(child, -beta, -beta + 1);
        self.undo_move();
        // A mate after a null move is no proof of a mate.
        (!self.stopped && value >= beta).then_some(if value >= MATE_IN_MAX_PLY { beta } else { value })
    }

    /// ProbCut (Buro 1995): a capture that beats `probcut_beta`, somewhat above beta, in a shallow search will beat
    /// beta at full depth.
    fn probcut(&mut self, node: Node<'_>, eval: i32, probcut_beta: i32) -> Option<i32> {
        let Node { position, key, ply, depth, .. } = node;
        if depth < PROBCUT_MIN_DEPTH || is_decided(probcut_beta) || self.stopped {
            return None;
        }
        let mut picker = MovePicker::captures(position, None);
        while let Some(picked) = picker.next(&self.memory.histories, &[PieceTo::NONE; 3]) {
            // From here on, all are bad captures.
            if !picked.is_promising() {
                break;
            }
            if !see_ge(position, picked.m, probcut_beta - eval) {
                continue;
            }
            let (after, after_key) = self.make_move(position, key, picked.m, ply);
            let in_check = after.is_check();
            let (alpha, beta) = (-probcut_beta, -probcut_beta + 1);
            let mut value = -self.quiescence(&after, after_key, in_check, ply + 1, alpha, beta);
            if value >= probcut_beta {
                let child = Node {
                    position: &after,
                    key: after_key,
                    in_check,
                    ply: ply + 1,
                    depth: depth - PROBCUT_REDUCTION,
                    cut_node: !node.cut_node,
                };
                value = -self.search::<false>(child, alpha, beta);
            }
            self.undo_move();
            if self.stopped {
                return None;
            }
            if value >= probcut_beta {
                return Some(value);
            }
        }
        None
    }
}

/// Whether the side to move has a piece. With pawns alone zugzwang is common, and neither a null move nor pruning of
/// moves can be trusted.
pub(super) fn has_non_pawn_material(position: &Chess) -> bool {
    (position.us() & !position.board().pawns() & !position.board().kings()).any()
}
