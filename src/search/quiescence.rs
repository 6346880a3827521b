//! Quiescence search: captures, queen promotions and check evasions, until the static evaluation can be trusted.

use shakmaty::{Chess, Position};

use super::{
    Bound,
    check_info::CheckInfo,
    move_picker::MovePicker,
    packed_move::PackedMove,
    see::{see_ge, see_value},
    transposition_table::{NO_EVAL, TtEntry},
    value::{DRAW, INFINITE, MAX_PLY, TB_WIN_IN_MAX_PLY, mated_in},
    worker::{FIFTY_MOVES, Worker},
};

/// Futility (delta pruning): what a capture may gain beyond the piece it takes, in centipawns.
const FUTILITY_MARGIN: i32 = 180;

impl Worker<'_> {
    /// The value of a position whose captures are still to be made, between `alpha` and `beta`, or a bound.
    pub fn quiescence(
        &mut self,
        position: &Chess,
        key: u64,
        in_check: bool,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count_node(ply);
        self.pv[ply].clear();
        if self.stopped {
            return DRAW;
        }
        if position.halfmoves() >= FIFTY_MOVES || self.is_repetition(position) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }

        let tt_entry = self.probe_tt(key, ply);
        if let Some(entry) = tt_entry
            && entry.bound.is_cutoff(i32::from(entry.value), alpha, beta)
            && beta - alpha == 1
        {
            return i32::from(entry.value);
        }

        let raw_eval = match tt_entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(position, ply) as i16,
        };
        let mut best = -INFINITE;
        let mut futility_base = best;
        if !in_check {
            // Stand pat: nobody has to capture.
            best = i32::from(raw_eval) + self.memory.histories.correction(position);
            if best >= beta {
                if tt_entry.is_none() {
                    let entry = TtEntry {
                        best: PackedMove::NONE,
                        value: best as i16,
                        eval: raw_eval,
                        depth: 0,
                        bound: Bound::Lower,
                        pv: false,
                    };
                    self.store_tt(key, ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = best + FUTILITY_MARGIN;
        }

        let tt_move = tt_entry.and_then(|entry| entry.best.unpack(position));
        let previous = self.previous_moves(ply);
        let mut picker = match in_check {
            true => MovePicker::all(position, true, tt_move, [None; 2]),
            false => MovePicker::captures(position, tt_move),
        };
        let mut check_info = None;
        let mut best_move = PackedMove::NONE;
        let mut bound = Bound::Upper;
        while let Some(picked) = picker.next(&self.memory.histories, &previous) {
            let m = picked.m;
            if best > -TB_WIN_IN_MAX_PLY {
                if !in_check {
                    // From here on, all are bad captures.
                    if !picked.is_promising() {
                        break;
                    }
                    // Futility pruning: even with the captured piece, alpha is out of reach.
                    let gain = m.capture().map_or(0, see_value) + m.promotion().map_or(0, see_value);
                    if futility_base + gain <= alpha
                        && !check_info
                            .get_or_insert_with(|| CheckInfo::new(position))
                            .gives_check(position, m)
                    {
                        best = best.max(futility_base + gain);
                        continue;
                    }
                } else if !m.is_capture() && !see_ge(position, m, 0) {
                    continue;
                }
            }
            let (after, after_key) = self.make_move(position, key, m, ply);
            let value = -self.quiescence(&after, after_key, after.is_check(), ply + 1, -beta, -alpha);
            self.undo_move();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = PackedMove::new(m);
                    bound = Bound::Exact;
                    alpha = value;
                    self.update_pv(ply, m);
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }
        if in_check && best == -INFINITE {
            return mated_in(ply);
        }
        let entry =
            TtEntry { best: best_move, value: best as i16, eval: raw_eval, depth: 0, bound, pv: false };
        self.store_tt(key, ply, entry);
        best
    }
}
