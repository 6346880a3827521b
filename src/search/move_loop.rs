//! The move loop of a node: each move is pruned, extended or reduced, then searched.

use shakmaty::{MoveList, Position};

use super::{
    Bound,
    check_info::CheckInfo,
    history::HISTORY_MAX,
    move_picker::{MovePicker, is_tactical},
    move_pruning::{TriedMove, is_late, is_prunable},
    node::{Node, NodeInfo},
    node_pruning::has_non_pawn_material,
    packed_move::PackedMove,
    reductions::reduction,
    singular::Singularity,
    transposition_table::TtEntry,
    value::{DRAW, INFINITE, TB_WIN_IN_MAX_PLY, is_decided, mated_in},
    worker::Worker,
};

/// Least depth for late move reductions.
const LMR_MIN_DEPTH: i32 = 3;
/// One ply of reduction less for each so much history, and one more for so much negative history.
const LMR_HISTORY_DIVISOR: i32 = HISTORY_MAX * 3 / 4;

impl Worker<'_> {
    pub fn search_moves<const PV: bool>(
        &mut self,
        node: Node<'_>,
        info: &NodeInfo,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let Node { position, key, in_check, ply, depth, .. } = node;
        let turn = position.turn();
        let previous = self.previous_moves(ply);
        let mut picker = MovePicker::all(position, in_check, info.tt_move, self.frame(ply).killers);
        let check_info = CheckInfo::new(position);
        let mut quiets_tried = MoveList::new();
        let mut captures_tried = MoveList::new();
        let (mut best, mut best_move, mut bound) = (-INFINITE, None, Bound::Upper);
        let mut count = 0;
        let old_alpha = alpha;

        while let Some(picked) = picker.next(&self.memory.histories, &previous) {
            let m = picked.m;
            if Some(m) == info.excluded {
                continue;
            }
            count += 1;
            let is_tactical = is_tactical(m);
            let history = match is_tactical {
                true => self.memory.histories.capture(turn, m),
                false => picked.history.unwrap_or_else(|| self.memory.histories.quiet(turn, m, &previous)),
            };
            let candidate = TriedMove {
                picked,
                count,
                is_tactical,
                gives_check: check_info.gives_check(position, m),
                history,
                reduction: reduction(depth, count),
            };
            // Nothing is pruned until a move is known that does not lose by force.
            let may_prune = best > -TB_WIN_IN_MAX_PLY && self.may_prune::<PV>(ply);
            if may_prune && has_non_pawn_material(position) {
                if is_late(node, info, candidate) {
                    picker.skip_quiets_but(|m| check_info.gives_check(position, m));
                    continue;
                }
                if is_prunable(node, info, candidate, alpha) {
                    continue;
                }
            }

            let singularity = self.singularity::<PV>(node, info, m, beta);
            if self.stopped {
                return DRAW; // nobody uses the value of a stopped search
            }
            let extension = match singularity {
                Singularity::Extend(plies) => plies,
                Singularity::MultiCut(value) => return value,
            };

            let (after, after_key) = self.make_move(position, key, m, ply);
            let child = Node {
                position: &after,
                key: after_key,
                in_check: after.is_check(),
                ply: ply + 1,
                depth: depth - 1 + extension,
                cut_node: false,
            };
            let mut value = -INFINITE;
            let is_good_capture = is_tactical && picked.is_promising();
            if depth >= LMR_MIN_DEPTH && count > 1 + i32::from(PV) && !is_good_capture {
                let reduction = late_move_reduction::<PV>(node, info, candidate);
                let reduced = (child.depth - reduction).clamp(1, child.depth.max(1));
                let scout = Node { depth: reduced, cut_node: true, ..child };
                value = -self.search::<false>(scout, -alpha - 1, -alpha);
                if value > alpha && reduced < child.depth {
                    let scout = Node { cut_node: !node.cut_node, ..child };
                    value = -self.search::<false>(scout, -alpha - 1, -alpha);
                }
            } else if !PV || count > 1 {
                let scout = Node { cut_node: !node.cut_node, ..child };
                value = -self.search::<false>(scout, -alpha - 1, -alpha);
            }
            if PV && (count == 1 || value > alpha) {
                value = -self.search::<true>(child, -beta, -alpha);
            }
            self.undo_move();
            if self.stopped {
                return DRAW;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        self.update_histories(position, m, depth, ply, &quiets_tried, &captures_tried);
                        break;
                    }
                    bound = Bound::Exact;
                    alpha = value;
                }
            }
            if is_tactical {
                captures_tried.push(m);
            } else {
                quiets_tried.push(m);
            }
        }

        if count == 0 {
            return match (info.excluded, in_check) {
                (Some(_), _) => old_alpha,
                (None, true) => mated_in(ply),
                (None, false) => DRAW,
            };
        }
        if info.excluded.is_none() {
            // A capture says nothing about how well a quiet position was evaluated.
            let is_quiet = !in_check && best_move.is_none_or(|m| !self::is_tactical(m));
            if is_quiet && bound.improves_on(info.eval, best) && !is_decided(best) {
                let difference = best - i32::from(info.raw_eval);
                self.memory.histories.update_correction(position, difference, depth);
            }
            let entry = TtEntry {
                best: best_move.map_or(PackedMove::NONE, PackedMove::new),
                value: best as i16,
                eval: info.raw_eval,
                depth: depth.clamp(0, i32::from(u8::MAX)) as u8,
                bound,
                pv: info.tt_pv,
            };
            self.store_tt(key, ply, entry);
        }
        best
    }
}

/// Plies by which a late move is searched less deeply: more where a cutoff is expected, less where the move may be
/// good.
fn late_move_reduction<const PV: bool>(node: Node<'_>, info: &NodeInfo, candidate: TriedMove) -> i32 {
    let more = i32::from(!info.tt_pv) + i32::from(node.cut_node);
    let less = i32::from(PV)
        + i32::from(candidate.gives_check)
        + i32::from(info.improving)
        + i32::from(candidate.picked.is_promising())
        + i32::from(candidate.is_tactical)
        + candidate.history / LMR_HISTORY_DIVISOR;
    (candidate.reduction + more - less).max(0)
}
