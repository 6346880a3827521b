//! The principal variation search (PVS) of one node, up to its move loop: what may end it before a move is searched.

use shakmaty::{Chess, Move, Position};

use super::{
    Bound,
    packed_move::PackedMove,
    transposition_table::{NO_EVAL, TtEntry},
    value::{DRAW, INFINITE, MAX_PLY, TB_WIN_IN_MAX_PLY, mate_in, mated_in},
    worker::Worker,
};

/// From here on the fifty-move rule is so near that values of the transposition table are not trusted, in
/// half-moves.
const TT_CUTOFF_HALFMOVES: u32 = 90;
/// Least depth for internal iterative reductions.
const IIR_MIN_DEPTH: i32 = 4;

/// A node to search: everything but the window.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub position: &'a Chess,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    pub depth: i32,
    /// A node with a null window that is expected to fail high.
    pub cut_node: bool,
}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeInfo {
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<Move>,
    /// On a principal variation, now or when it was last stored.
    pub tt_pv: bool,
    /// Static evaluation as the evaluator gives it.
    pub raw_eval: i16,
    /// Static evaluation with the correction history.
    pub eval: i32,
    /// The same, or the value of the transposition table where that says more.
    pub estimate: i32,
    /// The static evaluation has risen since this side's last move.
    pub improving: bool,
    /// The move that a singular-extension search leaves out.
    pub excluded: Option<Move>,
}

impl Worker<'_> {
    /// The value of `node` if it lies between `alpha` and `beta`, else a bound on that side (fail-soft). `PV`
    /// nodes have an open window.
    pub fn search<const PV: bool>(&mut self, mut node: Node<'_>, mut alpha: i32, mut beta: i32) -> i32 {
        let Node { position, key, in_check, ply, .. } = node;
        // Check extension.
        node.depth += i32::from(in_check && ply < self.extended_plies);
        if node.depth <= 0 {
            return self.quiescence(position, key, in_check, ply, alpha, beta);
        }
        self.count_node(ply);
        self.pv[ply].clear();
        if self.stopped {
            return DRAW;
        }
        let excluded = self.frame(ply).excluded;
        if excluded.is_none() {
            if let Some(value) = self.draw_by_rule(position, in_check, ply, self.is_repetition(position)) {
                return value;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.evaluate(position, ply) };
            }
            // Mate distance pruning: no line from here is better than mate at once, nor worse than being mated at
            // once.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let tt_entry = self.probe_tt(key, ply).filter(|_| excluded.is_none());
        if let Some(entry) = tt_entry
            && !PV
            && i32::from(entry.depth) >= node.depth
            && position.halfmoves() < TT_CUTOFF_HALFMOVES
            && entry.bound.is_cutoff(i32::from(entry.value), alpha, beta)
        {
            return i32::from(entry.value);
        }
        let tablebase = self.tablebase_bound(node).filter(|_| excluded.is_none());
        if let Some((value, bound)) = tablebase
            && bound.is_cutoff(value, alpha, beta)
        {
            let depth = MAX_PLY as u8;
            let entry =
                TtEntry { best: PackedMove::NONE, value: value as i16, eval: NO_EVAL, depth, bound, pv: PV };
            self.store_tt(key, ply, entry);
            return value;
        }

        let info = self.node_info(node, tt_entry, excluded, PV);
        if !PV && !in_check && excluded.is_none() && self.may_prune::<PV>(ply) {
            if let Some(value) = self.prune_node(node, &info, beta) {
                return value;
            }
            if self.stopped {
                return DRAW;
            }
        }

        // Internal iterative reduction: without a TT move, a shallower search finds one for the next time.
        if node.depth >= IIR_MIN_DEPTH
            && info.tt_move.is_none()
            && excluded.is_none()
            && (PV || node.cut_node)
        {
            node.depth -= 1;
        }
        let value = self.search_moves::<PV>(node, &info, alpha, beta);
        tablebase.map_or(value, |(known, bound)| bound.tighten(value, known))
    }

    fn tablebase_bound(&self, node: Node<'_>) -> Option<(i32, Bound)> {
        let value = self.probe_tablebases(node.position, node.ply)?;
        // A tablebase win may still turn out to be a mate.
        let bound = match value {
            v if v >= TB_WIN_IN_MAX_PLY => Bound::Lower,
            v if v <= -TB_WIN_IN_MAX_PLY => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((value, bound))
    }

    /// Evaluates the node, and prepares its frame and that of its grandchildren.
    fn node_info(
        &mut self,
        node: Node<'_>,
        tt_entry: Option<TtEntry>,
        excluded: Option<Move>,
        pv: bool,
    ) -> NodeInfo {
        let Node { position, in_check, ply, .. } = node;
        let tt_move = tt_entry.and_then(|entry| entry.best.unpack(position));
        let raw_eval = match tt_entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => {
                let eval = self.evaluate(position, ply) as i16;
                if tt_entry.is_none() && excluded.is_none() {
                    // Many nodes are left at once and come again: the evaluation is kept with a bound that says nothing.
                    let (best, value) = (PackedMove::NONE, -INFINITE as i16);
                    let entry = TtEntry { best, value, eval, depth: 0, bound: Bound::Lower, pv };
                    self.store_tt(node.key, ply, entry);
                }
                eval
            }
        };
        let eval = match in_check {
            true => -INFINITE,
            false => (i32::from(raw_eval) + self.memory.histories.correction(position))
                .clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1),
        };
        self.frame(ply).eval = eval;
        self.frame(ply + 2).killers = [None; 2];
        let estimate = tt_entry
            .filter(|entry| !in_check && entry.bound.improves_on(eval, i32::from(entry.value)))
            .map_or(eval, |entry| i32::from(entry.value));
        NodeInfo {
            tt_entry,
            tt_move,
            tt_pv: pv || tt_entry.is_some_and(|entry| entry.pv),
            raw_eval,
            eval,
            estimate,
            improving: !in_check && self.improving(ply),
            excluded,
        }
    }
}
