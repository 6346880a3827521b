//! A search whose value is a **pure function of position and depth**.
//!
//! Values of different moves can be compared only if each is what a search of that move alone would have found. The
//! search for the best move can't promise that: what it prunes depends on the window, on the histories and on the
//! transposition table. So prices come from this search, whose pruning rules are part of the game it solves:
//!
//! - reductions are fixed: with [`REDUCTION_MIN_DEPTH`] or more plies left, a quiet move costs two plies and one that
//!   loses material by SEE three; all other moves cost one, and check evasions none;
//! - the side to move may stand pat at the static evaluation less a margin for each ply left, or make a null move at
//!   a fixed price. These are moves like any other, so alpha-beta can use them for cutoffs (as reverse futility and
//!   null-move pruning do) without changing the value;
//! - at depth 0, quiescence follows all captures that lose nothing;
//! - positions of the game so far count as draws; repetitions inside the tree are left to its depth.
//!
//! Alpha-beta with any window and any move ordering finds the minimax value of that tree, and table entries (kept by
//! position and exact depth) hold for every path. Hence windows, hash contents and threads change the cost of
//! a price, never the price.

use shakmaty::{Chess, Move, MoveList, Position};

use super::{
    Bound,
    check_info::CheckInfo,
    history::PieceTo,
    move_picker::{MovePicker, is_tactical},
    node_pruning::has_non_pawn_material,
    packed_move::PackedMove,
    see::see_ge,
    transposition_table::{NO_EVAL, TtEntry},
    value::{DRAW, INFINITE, MAX_PLY, TB_WIN_IN_MAX_PLY, mated_in},
    worker::Worker,
};

/// With this many plies left, moves begin to cost more than one.
const REDUCTION_MIN_DEPTH: i32 = 3;
/// Plies that a quiet move costs then.
const QUIET_COST: i32 = 2;
/// Plies that a move costs then if it loses material by SEE.
const LOSING_COST: i32 = 3;
/// What standing pat costs for each ply left, in centipawns.
const STAND_PAT_MARGIN: i32 = 150;
/// Greatest depth for standing pat.
const STAND_PAT_MAX_DEPTH: i32 = 5;
/// What a null move costs, in centipawns.
const NULL_MOVE_PRICE: i32 = 30;
/// Least depth for a null move.
const NULL_MOVE_MIN_DEPTH: i32 = 3;
/// Plies that a null move costs: these ...
const NULL_MOVE_COST: i32 = 3;
/// ... and one for each so many plies of depth.
const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// Half-moves from which on a search could reach the fifty-move rule, so that the clock is part of the key.
const CLOCK_MATTERS: u32 = 40;
/// Stands for quiescence in a key: no other node has this depth.
const QUIESCENCE_DEPTH: u8 = u8::MAX;

/// A node of the pure search.
#[derive(Clone, Copy)]
pub(super) struct PureNode<'a> {
    pub position: &'a Chess,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    pub depth: i32,
    pub may_null_move: bool,
}

impl Worker<'_> {
    /// The value of a node if it lies between `alpha` and `beta`, else a bound on that side.
    pub fn pure_search(&mut self, node: PureNode<'_>, mut alpha: i32, beta: i32) -> i32 {
        let PureNode { position, in_check, ply, .. } = node;
        let depth = node.depth + i32::from(in_check);
        if depth <= 0 {
            return self.pure_quiescence(position, node.key, in_check, ply, alpha, beta);
        }
        self.count_node(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(value) = self.draw_by_rule(position, in_check, ply, self.occurred_in_game(position, ply))
        {
            return value;
        }
        if let Some(value) = self.probe_tablebases(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(position, ply) };
        }

        let tt_key = self.pure_key(node);
        let tt_entry = self.probe_tt(tt_key, ply);
        if let Some(entry) = tt_entry
            && entry.bound.is_cutoff(i32::from(entry.value), alpha, beta)
        {
            return i32::from(entry.value);
        }
        // A value holds for its own depth only, but the best move of a shallower search is a good guess.
        let hint = tt_entry.or_else(|| {
            (1..=2).find_map(|less| {
                self.probe_tt(self.pure_key(PureNode { depth: node.depth - less, ..node }), ply)
            })
        });
        let eval = match hint {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(position, ply) as i16,
        };
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = hint.map_or(PackedMove::NONE, |entry| entry.best);
        if !in_check {
            if depth <= STAND_PAT_MAX_DEPTH {
                best = i32::from(eval) - STAND_PAT_MARGIN * depth;
                alpha = alpha.max(best);
            }
            if best < beta
                && node.may_null_move
                && depth >= NULL_MOVE_MIN_DEPTH
                && has_non_pawn_material(position)
            {
                best = best.max(self.pure_null_move(node, depth, alpha, beta));
                alpha = alpha.max(best);
            }
        }
        if best < beta {
            let tt_move = best_move.unpack(position);
            best = self.pure_moves(PureNode { depth, ..node }, tt_move, alpha, beta, best, &mut best_move);
        }
        if self.stopped {
            return DRAW;
        }
        let bound = Bound::of(best, old_alpha, beta);
        let entry =
            TtEntry { best: best_move, value: best as i16, eval, depth: depth as u8, bound, pv: false };
        self.store_tt(tt_key, ply, entry);
        best
    }

    /// The move loop, with the check extension in the node's depth; `best` is what other choices are worth.
    fn pure_moves(
        &mut self,
        node: PureNode<'_>,
        tt_move: Option<Move>,
        mut alpha: i32,
        beta: i32,
        mut best: i32,
        best_move: &mut PackedMove,
    ) -> i32 {
        let PureNode { position, key, in_check, ply, depth, .. } = node;
        let previous = self.previous_moves(ply);
        let killers = self.frame(ply).killers;
        let mut picker = MovePicker::all(position, in_check, tt_move, killers);
        let check_info = CheckInfo::new(position);
        let mut quiets_tried = MoveList::new();
        let mut captures_tried = MoveList::new();
        let mut count = 0;
        while let Some(picked) = picker.next(&self.memory.histories, &previous) {
            let m = picked.m;
            count += 1;
            let mut cost = 1;
            if depth >= REDUCTION_MIN_DEPTH && !in_check && !check_info.gives_check(position, m) {
                cost = match see_ge(position, m, 0) {
                    false => LOSING_COST,
                    true if is_tactical(m) => 1,
                    true => QUIET_COST,
                };
            }
            let (after, after_key) = self.make_move(position, key, m, ply);
            let child = PureNode {
                position: &after,
                key: after_key,
                in_check: after.is_check(),
                ply: ply + 1,
                depth: depth - cost,
                may_null_move: true,
            };
            let mut value = INFINITE;
            if count > 1 {
                value = -self.pure_search(child, -alpha - 1, -alpha);
            }
            if value > alpha && (count == 1 || value < beta) {
                value = -self.pure_search(child, -beta, -alpha);
            }
            self.undo_move();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    *best_move = PackedMove::new(m);
                    if value >= beta {
                        self.update_histories(position, m, depth, ply, &quiets_tried, &captures_tried);
                        break;
                    }
                }
            }
            if is_tactical(m) {
                captures_tried.push(m);
            } else {
                quiets_tried.push(m);
            }
        }
        match (count, in_check) {
            (0, true) => mated_in(ply),
            (0, false) => DRAW,
            _ => best,
        }
    }

    /// The value of a null move, less its price.
    fn pure_null_move(&mut self, node: PureNode<'_>, depth: i32, alpha: i32, beta: i32) -> i32 {
        let Some((after, key)) = self.make_null_move(node.position, node.key, node.ply) else {
            return -INFINITE;
        };
        let child = PureNode {
            position: &after,
            key,
            in_check: false,
            ply: node.ply + 1,
            depth: depth - NULL_MOVE_COST - depth / NULL_MOVE_DEPTH_DIVISOR,
            may_null_move: false,
        };
        let value = -self.pure_search(child, -beta - NULL_MOVE_PRICE, -alpha - NULL_MOVE_PRICE);
        self.undo_move();
        // A win after a null move is no proof of a win.
        value.clamp(-TB_WIN_IN_MAX_PLY + NULL_MOVE_PRICE, TB_WIN_IN_MAX_PLY - 1) - NULL_MOVE_PRICE
    }

    /// Quiescence without futility: captures that lose nothing, and all check evasions.
    fn pure_quiescence(
        &mut self,
        position: &Chess,
        key: u64,
        in_check: bool,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count_node(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(value) = self.draw_by_rule(position, in_check, ply, false) {
            return value;
        }
        let tt_key = pure_quiescence_key(position, key);
        let tt_entry = self.probe_tt(tt_key, ply);
        if let Some(entry) = tt_entry
            && entry.bound.is_cutoff(i32::from(entry.value), alpha, beta)
        {
            return i32::from(entry.value);
        }
        let old_alpha = alpha;
        let (mut best, mut eval) = (-INFINITE, NO_EVAL);
        if !in_check || ply >= MAX_PLY {
            // Stand pat.
            eval = match tt_entry {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.evaluate(position, ply) as i16,
            };
            best = i32::from(eval);
            alpha = alpha.max(best);
        }
        let mut best_move = PackedMove::NONE;
        if best < beta && ply < MAX_PLY {
            let tt_move = tt_entry.and_then(|entry| entry.best.unpack(position));
            let mut picker = match in_check {
                true => MovePicker::all(position, true, tt_move, [None; 2]),
                false => MovePicker::captures(position, tt_move),
            };
            while let Some(picked) = picker.next(&self.memory.histories, &[PieceTo::NONE; 3]) {
                if !in_check && !picked.is_promising() {
                    break;
                }
                let (after, after_key) = self.make_move(position, key, picked.m, ply);
                let value =
                    -self.pure_quiescence(&after, after_key, after.is_check(), ply + 1, -beta, -alpha);
                self.undo_move();
                if self.stopped {
                    return DRAW;
                }
                if value > best {
                    best = value;
                    if value > alpha {
                        alpha = value;
                        best_move = PackedMove::new(picked.m);
                        if value >= beta {
                            break;
                        }
                    }
                }
            }
        }
        if best == -INFINITE {
            return mated_in(ply);
        }
        let bound = Bound::of(best, old_alpha, beta);
        let entry = TtEntry { best: best_move, value: best as i16, eval, depth: 0, bound, pv: false };
        self.store_tt(tt_key, ply, entry);
        best
    }

    /// Everything that a pure value depends on, in one key.
    fn pure_key(&self, node: PureNode<'_>) -> u64 {
        let clock = match node.position.halfmoves() {
            // Tablebases are probed right after captures and pawn moves only.
            0 if self.shared.probe.is_some() => 1,
            clock if clock > CLOCK_MATTERS => u64::from(clock),
            _ => 0,
        };
        // After a capture or a pawn move no position of the game can come back, and the value holds for other games.
        let game = match self.game_positions_in_reach(node.position, node.ply) {
            0 => 0,
            _ => self.game_hash(),
        };
        variant(node.key ^ game, node.depth as u8, u64::from(node.may_null_move) | clock << 1)
    }
}

/// The same for quiescence, which does not know of the game.
fn pure_quiescence_key(position: &Chess, key: u64) -> u64 {
    let clock = if position.halfmoves() > CLOCK_MATTERS { position.halfmoves() } else { 0 };
    variant(key, QUIESCENCE_DEPTH, u64::from(clock))
}

/// A key of its own for a depth and whatever else matters, in the same bucket of the table as its siblings: its high
/// bits stay.
fn variant(key: u64, depth: u8, rest: u64) -> u64 {
    key ^ (u64::from(depth) | (rest + 1) << 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}
