//! Quiescence: captures, promotions and answers to checks, until the static evaluation can be trusted.

use shakmaty::{Chess, Position};

use super::{
    Bound,
    checks::Checks,
    exchange::{gains, worth},
    packed::Packed,
    picker::Picker,
    table::{Entry, NO_EVAL},
    value::{DECIDED, DRAW, INFINITE, MAX_PLY, from_node, mated, to_node},
    worker::Worker,
};

/// What a capture may gain beyond the man it takes.
const POSITIONAL_GAIN: i32 = 180;

impl Worker<'_> {
    /// The value of a position whose captures are still to be made.
    pub fn quiesce(
        &mut self,
        position: &Chess,
        key: u64,
        in_check: bool,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count(ply);
        self.lines[ply].clear();
        if self.stopped {
            return DRAW;
        }
        if position.halfmoves() >= 100 || self.is_repeated(position) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }

        let entry = self.shared.table.get(key);
        if let Some(entry) = entry {
            let value = from_node(i32::from(entry.value), ply);
            let settled = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if settled && beta - alpha == 1 {
                return value;
            }
        }

        let raw = match entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(position) as i16,
        };
        let mut best = -INFINITE;
        let mut futile = best;
        if !in_check {
            best = i32::from(raw) + self.memory.histories.correction(position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            futile = best + POSITIONAL_GAIN;
        }

        let table_move = entry.and_then(|entry| entry.best.unpack(position));
        let context = self.context(ply);
        let mut picker = match in_check {
            true => Picker::all(position, table_move, [None; 2]),
            false => Picker::captures(position, table_move),
        };
        let mut checks = None;
        let mut best_move = Packed::NONE;
        let mut bound = Bound::Upper;
        while let Some(picked) = picker.next(&self.memory.histories, &context) {
            let m = picked.m;
            if best > -DECIDED {
                if !in_check {
                    // Bad captures come last: so do all others from here on.
                    if !picked.promising {
                        break;
                    }
                    let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
                    if futile + gain <= alpha
                        && !checks.get_or_insert_with(|| Checks::new(position)).given_by(position, m)
                    {
                        best = best.max(futile + gain);
                        continue;
                    }
                } else if !m.is_capture() && !gains(position, m, 0) {
                    continue;
                }
            }
            let (after, after_key) = self.descend(position, key, m, ply);
            let value = -self.quiesce(&after, after_key, after.is_check(), ply + 1, -beta, -alpha);
            self.ascend();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Packed::new(m);
                    bound = Bound::Exact;
                    alpha = value;
                    self.extend_line(ply, m);
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }
        if in_check && best == -INFINITE {
            return mated(ply);
        }
        let value = to_node(best, ply) as i16;
        self.shared.table.put(key, Entry { best: best_move, value, eval: raw, depth: 0, bound, pv: false });
        best
    }
}
