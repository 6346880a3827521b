//! The search at the root: iterative deepening, aspiration windows, and the root's own move loop.

use shakmaty::{Chess, Move, Position};

use super::{
    Bound, Report,
    node::Node,
    reductions::reduction,
    value::{INFINITE, MATE_IN_MAX_PLY, MAX_PLY, to_score},
    worker::Worker,
};

/// Least depth at which the window is narrowed around the last iteration's value.
const ASPIRATION_MIN_DEPTH: i32 = 5;
/// Half the width of the first aspiration window, in centipawns: this ...
const ASPIRATION_WINDOW: i32 = 14;
/// ... and one for each so many centipawns of the expected value ...
const ASPIRATION_VALUE_DIVISOR: i32 = 100;
/// ... up to this value.
const ASPIRATION_VALUE_MAX: i32 = 2000;
/// Most plies by which the search is made shallower after failing high.
const FAIL_HIGH_REDUCTION_MAX: i32 = 2;
/// A search that fails high or low is reported only after this time, so as not to flood the reader.
const REPORT_BOUNDS_AFTER_MS: u128 = 3000;
/// Least depth for late move reductions at the root.
const LMR_MIN_DEPTH: i32 = 3;
/// The first moves at the root, which are never reduced.
const LMR_FIRST_MOVES: usize = 3;
/// Reductions at the root are so many times smaller than elsewhere.
const LMR_DIVISOR: i32 = 2;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub m: Move,
    pub value: i32,
    /// The value of the last iteration that was finished.
    pub previous_value: i32,
    pub pv: Vec<Move>,
    pub seldepth: usize,
    /// Nodes spent on it so far.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(m: Move) -> RootMove {
        RootMove { m, value: -INFINITE, previous_value: -INFINITE, pv: vec![m], seldepth: 0, nodes: 0 }
    }
}

impl Worker<'_> {
    /// Iterative deepening until a limit is reached. `moves` end sorted, the best first. Helper threads have
    /// no `report`.
    pub fn iterative_deepening(
        &mut self,
        position: &Chess,
        moves: &mut [RootMove],
        multi_pv: usize,
        mut report: Option<&mut dyn FnMut(&Report)>,
    ) {
        let max_depth = self.shared.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1) as i32;
        let multi_pv = multi_pv.clamp(1, moves.len());
        let mut stability = 0;
        let mut best = moves[0].m;
        for depth in 1..=max_depth {
            self.may_stop = depth > 1;
            for root in moves.iter_mut() {
                root.previous_value = root.value;
            }
            for pv_index in 0..multi_pv {
                self.seldepth = 0;
                self.aspiration_search(position, moves, pv_index, depth, &mut report);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            // A later line may have come out better than an earlier one.
            moves[..multi_pv].sort_by_key(|root| -root.value);
            if let Some(report) = &mut report {
                for (pv_index, root) in moves[..multi_pv].iter().enumerate() {
                    report(&self.report(root, pv_index, depth, Bound::Exact));
                }
            }
            stability = if moves[0].m == best { stability + 1 } else { 0 };
            best = moves[0].m;
            if report.is_some() && self.is_done(moves, depth, stability) {
                break;
            }
        }
        self.publish_nodes();
    }

    /// Searches the moves from `pv_index` on, first with a narrow window around the expected value.
    fn aspiration_search(
        &mut self,
        position: &Chess,
        moves: &mut [RootMove],
        pv_index: usize,
        depth: i32,
        report: &mut Option<&mut dyn FnMut(&Report)>,
    ) {
        let expected = moves[pv_index].previous_value;
        let mut delta =
            ASPIRATION_WINDOW + expected.abs().min(ASPIRATION_VALUE_MAX) / ASPIRATION_VALUE_DIVISOR;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_MIN_DEPTH && expected.abs() < MATE_IN_MAX_PLY {
            (alpha, beta) = (expected - delta, expected + delta);
        }
        let mut failed_high = 0;
        loop {
            let reduced = (depth - failed_high).max(1);
            let value = self.search_root(position, &mut moves[pv_index..], reduced, alpha, beta);
            // Stable, so that moves without a value keep their order.
            moves[pv_index..].sort_by_key(|root| (-root.value, -root.previous_value));
            if self.stopped {
                return;
            }
            let bound = if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                failed_high = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                moves[pv_index].previous_value = value;
                failed_high = (failed_high + 1).min(FAIL_HIGH_REDUCTION_MAX);
                Bound::Lower
            } else {
                return;
            };
            delta += delta / 2;
            if let Some(report) = report
                && pv_index == 0
                && self.shared.timer.elapsed().as_millis() > REPORT_BOUNDS_AFTER_MS
            {
                report(&self.report(&moves[pv_index], pv_index, depth, bound));
            }
        }
    }

    /// Searches the root's moves in the given order. Moves that don't beat alpha get no value.
    fn search_root(
        &mut self,
        position: &Chess,
        moves: &mut [RootMove],
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let key = super::zobrist::key(position);
        let in_check = position.is_check();
        self.count_node(0);
        self.prepare_root(position);
        let mut best = -INFINITE;
        for root in moves.iter_mut() {
            root.value = -INFINITE;
        }
        for (index, root) in moves.iter_mut().enumerate() {
            let nodes_before = self.nodes;
            let (after, after_key) = self.make_move(position, key, root.m, 0);
            let gives_check = after.is_check();
            let child = Node {
                position: &after,
                key: after_key,
                in_check: gives_check,
                ply: 1,
                depth: depth - 1 + i32::from(in_check),
                cut_node: false,
            };
            let mut value = alpha + 1;
            if index > 0 {
                let is_late = depth >= LMR_MIN_DEPTH && index >= LMR_FIRST_MOVES;
                let reduction = match is_late && !root.m.is_capture() && !gives_check {
                    true => reduction(depth, index as i32 + 1) / LMR_DIVISOR,
                    false => 0,
                };
                let reduced = (child.depth - reduction).max(1).min(child.depth);
                let scout = Node { depth: reduced, cut_node: true, ..child };
                value = -self.search::<false>(scout, -alpha - 1, -alpha);
                if value > alpha && reduced < child.depth {
                    value = -self.search::<false>(Node { cut_node: true, ..child }, -alpha - 1, -alpha);
                }
            }
            if index == 0 || value > alpha {
                value = -self.search::<true>(child, -beta, -alpha);
            }
            self.undo_move();
            if self.stopped {
                return best;
            }
            root.nodes += self.nodes - nodes_before;
            if index == 0 || value > alpha {
                root.value = value;
                root.seldepth = self.seldepth;
                root.pv.clear();
                root.pv.push(root.m);
                root.pv.extend_from_slice(&self.pv[1]);
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// What nodes below look back to.
    pub fn prepare_root(&mut self, position: &Chess) {
        self.frame(1).killers = [None; 2];
        self.frame(0).eval = if position.is_check() { -INFINITE } else { self.evaluate(position, 0) };
    }

    fn report(&self, root: &RootMove, pv_index: usize, depth: i32, bound: Bound) -> Report {
        let shared = self.shared;
        let nodes = self.nodes_of_all();
        let time = shared.timer.elapsed();
        Report {
            depth: depth as u32,
            seldepth: root.seldepth.max(1) as u32,
            multipv: pv_index + 1,
            score: to_score(root.value),
            bound,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: shared.tt.hashfull(),
            tbhits: shared.tb_hits.load(std::sync::atomic::Ordering::Relaxed),
            time,
            pv: root.pv.clone(),
        }
    }
}
