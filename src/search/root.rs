//! Iterative deepening at the root.

use std::sync::atomic::Ordering;

use shakmaty::{Chess, Move, Position};

use super::{
    Bound, Report,
    node::Node,
    reductions::reduction,
    value::{INFINITE, MATE, MATE_BOUND, MAX_PLY, score},
    worker::Worker,
};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub m: Move,
    pub value: i32,
    /// The value of the last iteration that was finished.
    pub previous: i32,
    pub line: Vec<Move>,
    pub seldepth: usize,
    nodes: u64,
}

impl RootMove {
    pub fn new(m: Move) -> RootMove {
        RootMove { m, value: -INFINITE, previous: -INFINITE, line: vec![m], seldepth: 0, nodes: 0 }
    }
}

/// The window around the last value, to begin with.
const ASPIRATION: i32 = 14;

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached. `moves` end sorted, the best first. Helper
    /// threads have no `report`.
    pub fn deepen(
        &mut self,
        position: &Chess,
        moves: &mut [RootMove],
        lines: usize,
        mut report: Option<&mut dyn FnMut(&Report)>,
    ) {
        let limits = self.shared.limits;
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1) as i32;
        let lines = lines.clamp(1, moves.len());
        let mut stable = 0;
        let mut best = moves[0].m;
        for depth in 1..=deepest {
            self.may_stop = depth > 1;
            for m in moves.iter_mut() {
                m.previous = m.value;
            }
            for line in 0..lines {
                self.seldepth = 0;
                self.aspirate(position, moves, line, depth, &mut report);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            // A later line may have come out better than an earlier one.
            moves[..lines].sort_by_key(|m| -m.value);
            if let Some(report) = &mut report {
                for (index, root) in moves[..lines].iter().enumerate() {
                    report(&self.describe(root, index, depth, Bound::Exact));
                }
            }
            let drop = moves[0].previous - moves[0].value;
            stable = if moves[0].m == best { stable + 1 } else { 0 };
            best = moves[0].m;
            if report.is_some() && self.is_done(moves, depth, stable, drop) {
                break;
            }
        }
        self.tell();
    }

    /// Whether the thread that reports has seen enough.
    fn is_done(&self, moves: &[RootMove], depth: i32, stable: i32, drop: i32) -> bool {
        let shared = self.shared;
        if shared.control.is_stopped() || shared.timer.is_over(shared.control) {
            return true;
        }
        let value = moves[0].value;
        if let Some(mate) = shared.limits.mate
            && value >= MATE_BOUND
            && (MATE - value + 1) / 2 <= mate as i32
        {
            return true;
        }
        // A mate that has been looked through to its end will not get shorter.
        let decided = value.abs() >= MATE_BOUND && depth > 2 * (MATE - value.abs()) + 4;
        let forced = moves.len() == 1 && depth >= 8;
        let effort = moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let unsure: f64 = (1.35 - 0.08 * f64::from(stable.min(8)))
            * (1.0 + f64::from(drop.clamp(0, 60)) / 60.0)
            * (1.6 - effort).clamp(0.65, 1.5)
            * if decided || forced { 0.1 } else { 1.0 };
        shared.timer.is_enough(shared.control, unsure.min(2.5))
    }

    /// Searches the moves from `line` on, first with a narrow window around what is expected.
    fn aspirate(
        &mut self,
        position: &Chess,
        moves: &mut [RootMove],
        line: usize,
        depth: i32,
        report: &mut Option<&mut dyn FnMut(&Report)>,
    ) {
        let expected = moves[line].previous;
        let mut width = ASPIRATION + expected.abs().min(2000) / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && expected.abs() < MATE_BOUND {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut failed_high = 0;
        loop {
            let value =
                self.search_root(position, &mut moves[line..], (depth - failed_high).max(1), alpha, beta);
            // Stable, so that moves without a value keep their order.
            moves[line..].sort_by_key(|m| (-m.value, -m.previous));
            if self.stopped {
                return;
            }
            let bound = if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                failed_high = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
                moves[line].previous = value;
                failed_high = (failed_high + 1).min(2);
                Bound::Lower
            } else {
                return;
            };
            width += width / 2;
            if let Some(report) = report
                && line == 0
                && self.shared.timer.elapsed().as_millis() > 3000
            {
                report(&self.describe(&moves[line], line, depth, bound));
            }
        }
    }

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
        self.count(0);
        self.frame(1).killers = [None; 2];
        self.frame(0).eval = if in_check { -INFINITE } else { self.evaluate(position) };
        let mut best = -INFINITE;
        for root in moves.iter_mut() {
            root.value = -INFINITE;
        }
        for (index, root) in moves.iter_mut().enumerate() {
            let before = self.nodes;
            let (after, after_key) = self.descend(position, key, root.m, 0);
            let gives_check = after.is_check();
            let child = Node {
                position: &after,
                key: after_key,
                in_check: gives_check,
                ply: 1,
                depth: depth - 1 + i32::from(in_check),
                cut: false,
            };
            let mut value = alpha + 1;
            if index > 0 {
                let late = depth >= 3 && index >= 3 && !root.m.is_capture() && !gives_check;
                let reduce = if late { reduction(depth, index as i32 + 1) / 2 } else { 0 };
                let shallow =
                    Node { depth: (child.depth - reduce).max(1).min(child.depth), cut: true, ..child };
                value = -self.search::<false>(shallow, -alpha - 1, -alpha);
                if value > alpha && shallow.depth < child.depth {
                    value = -self.search::<false>(Node { cut: true, ..child }, -alpha - 1, -alpha);
                }
            }
            if index == 0 || value > alpha {
                value = -self.search::<true>(child, -beta, -alpha);
            }
            self.ascend();
            if self.stopped {
                return best;
            }
            root.nodes += self.nodes - before;
            if index == 0 || value > alpha {
                root.value = value;
                root.seldepth = self.seldepth;
                root.line.clear();
                root.line.push(root.m);
                root.line.extend_from_slice(&self.lines[1]);
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

    fn describe(&self, root: &RootMove, index: usize, depth: i32, bound: Bound) -> Report {
        let shared = self.shared;
        let nodes = shared.nodes.load(Ordering::Relaxed) + self.untold();
        let time = shared.timer.elapsed();
        Report {
            depth: depth as u32,
            seldepth: root.seldepth.max(1) as u32,
            multipv: index + 1,
            score: score(root.value),
            bound,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: shared.table.permille(),
            tbhits: shared.table_hits.load(Ordering::Relaxed),
            time,
            pv: root.line.clone(),
        }
    }
}
