//! Whether to begin another iteration: the surer the search is of its move, the earlier it stops.

use super::{
    root::RootMove,
    value::{MATE, MATE_IN_MAX_PLY},
    worker::Worker,
};

/// Share of the usual time if the best move has just changed.
const UNSTABLE: f64 = 1.35;
/// How much less for each iteration that the best move has stayed the same ...
const STABILITY_STEP: f64 = 0.08;
/// ... up to so many iterations.
const STABILITY_MAX: i32 = 8;
/// A value that drops by so many centipawns doubles the time; greater drops do no more.
const DROP_MAX: i32 = 60;
/// Share of the usual time if the best move took no nodes; less by the share of nodes that it took.
const EFFORT_BASE: f64 = 1.6;
/// Least and greatest share by the effort spent on the best move.
const EFFORT_RANGE: (f64, f64) = (0.65, 1.5);
/// Share of the usual time if there is nothing to decide.
const NOTHING_TO_DECIDE: f64 = 0.1;
/// Greatest share of all factors together.
const SHARE_MAX: f64 = 2.5;
/// Depth that an only move is searched to, so that there is a value and a move to ponder on.
const ONLY_MOVE_DEPTH: i32 = 8;
/// Depth beyond twice a mate's length after which no shorter mate is expected, in plies.
const MATE_PROOF_PLIES: i32 = 4;

impl Worker<'_> {
    /// Whether iterative deepening can stop after this depth. The best move was the same in the last `stability`
    /// iterations.
    pub fn is_done(&self, moves: &[RootMove], depth: i32, stability: i32) -> bool {
        let shared = self.shared;
        if shared.control.is_stopped() || shared.timer.is_over(shared.control) {
            return true;
        }
        let best = &moves[0];
        if let Some(mate) = shared.limits.mate
            && best.value >= MATE_IN_MAX_PLY
            && (MATE - best.value + 1) / 2 <= mate as i32
        {
            return true;
        }
        let mate_is_proven =
            best.value.abs() >= MATE_IN_MAX_PLY && depth > 2 * (MATE - best.value.abs()) + MATE_PROOF_PLIES;
        let only_move = moves.len() == 1 && depth >= ONLY_MOVE_DEPTH;
        let drop = (best.previous_value - best.value).clamp(0, DROP_MAX);
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let share: f64 = (UNSTABLE - STABILITY_STEP * f64::from(stability.min(STABILITY_MAX)))
            * (1.0 + f64::from(drop) / f64::from(DROP_MAX))
            * (EFFORT_BASE - effort).clamp(EFFORT_RANGE.0, EFFORT_RANGE.1)
            * if mate_is_proven || only_move { NOTHING_TO_DECIDE } else { 1.0 };
        shared.timer.is_enough(shared.control, share.min(SHARE_MAX))
    }
}
