//! The principal-variation search of one node.

use shakmaty::{Chess, Move, MoveList, Position};

use super::{
    Bound,
    checks::Checks,
    exchange::gains,
    history::LIMIT,
    packed::Packed,
    picker::{Picker, is_tactical},
    pruning::Outlook,
    reductions::reduction,
    table::{Entry, NO_EVAL},
    value::{DECIDED, DRAW, INFINITE, MATE, MAX_PLY, from_node, mated, to_node},
    worker::{Worker, has_pieces},
};

/// A node to search: everything but the window.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub position: &'a Chess,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    pub depth: i32,
    /// A null-window node that is expected to fail high.
    pub cut: bool,
}

impl Worker<'_> {
    /// The value of `node` if it lies between `alpha` and `beta`, else a bound on that side. `PV` nodes
    /// have an open window.
    pub fn search<const PV: bool>(&mut self, node: Node<'_>, mut alpha: i32, mut beta: i32) -> i32 {
        let Node { position, key, in_check, ply, .. } = node;
        let mut depth = node.depth + i32::from(in_check);
        if depth <= 0 {
            return self.quiesce(position, key, in_check, ply, alpha, beta);
        }
        self.count(ply);
        self.lines[ply].clear();
        if self.stopped {
            return DRAW;
        }
        let excluded = self.frame(ply).excluded;
        if excluded.is_none() {
            if let Some(value) = self.drawn(position, in_check, ply, self.is_repeated(position)) {
                return value;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.evaluate(position) };
            }
            // No line from here can be better than mate at once, nor worse than being mated at once.
            alpha = alpha.max(mated(ply));
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let entry = self.shared.table.get(key).filter(|_| excluded.is_none());
        let table_value = entry.map(|entry| from_node(i32::from(entry.value), ply));
        if let (Some(entry), Some(value)) = (entry, table_value)
            && !PV
            && i32::from(entry.depth) >= depth
            && position.halfmoves() < 90
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            }
        {
            return value;
        }
        if excluded.is_none()
            && let Some(value) = self.probe(position, ply)
        {
            let bound = match value {
                v if v >= DECIDED => Bound::Lower,
                v if v <= -DECIDED => Bound::Upper,
                _ => Bound::Exact,
            };
            if bound == Bound::Exact
                || (bound == Bound::Lower && value >= beta)
                || (bound == Bound::Upper && value <= alpha)
            {
                let stored = to_node(value, ply) as i16;
                let entry = Entry {
                    best: Packed::NONE,
                    value: stored,
                    eval: NO_EVAL,
                    depth: MAX_PLY as u8,
                    bound,
                    pv: PV,
                };
                self.shared.table.put(key, entry);
                return value;
            }
        }

        let was_pv = PV || entry.is_some_and(|entry| entry.pv);
        let table_move = entry.and_then(|entry| entry.best.unpack(position));
        let raw = match entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(position) as i16,
        };
        let eval = match in_check {
            true => -INFINITE,
            false => {
                (i32::from(raw) + self.memory.histories.correction(position)).clamp(1 - DECIDED, DECIDED - 1)
            }
        };
        self.frame(ply).eval = eval;
        self.frame(ply + 2).killers = [None; 2];
        let improving = !in_check && self.improving(ply);

        // What the table knows may be nearer to the truth than the static evaluation.
        let guess = match (entry, table_value) {
            (Some(entry), Some(value))
                if !in_check
                    && match entry.bound {
                        Bound::Exact => true,
                        Bound::Lower => value > eval,
                        Bound::Upper => value < eval,
                    } =>
            {
                value
            }
            _ => eval,
        };

        if !PV && !in_check && excluded.is_none() {
            if let Some(value) =
                self.prune_node(Node { depth, ..node }, Outlook { eval, guess, improving }, beta)
            {
                return value;
            }
            if self.stopped {
                return DRAW;
            }
        }

        // Without a move from the table, a shallower search finds one for the next time.
        if depth >= 4 && table_move.is_none() && excluded.is_none() && (PV || node.cut) {
            depth -= 1;
        }

        let turn = position.turn();
        let context = self.context(ply);
        let killers = self.frame(ply).killers;
        let mut picker = Picker::all(position, table_move, killers);
        let checks = Checks::new(position);
        let mut tried_quiets = MoveList::new();
        let mut tried_captures = MoveList::new();
        let (mut best, mut best_move, mut bound) = (-INFINITE, None, Bound::Upper);
        let mut count = 0;
        let old_alpha = alpha;

        while let Some(picked) = picker.next(&self.memory.histories, &context) {
            let m = picked.m;
            if Some(m) == excluded {
                continue;
            }
            count += 1;
            let tactical = is_tactical(m);
            let history = match tactical {
                true => self.memory.histories.capture(turn, m),
                false => self.memory.histories.quiet(turn, m, &context),
            };
            let mut reduce = reduction(depth, count);
            let gives_check = checks.given_by(position, m);

            if ply > 0 && best > -DECIDED && has_pieces(position) {
                let left = (depth - reduce).max(1);
                if !tactical && !gives_check {
                    // Late quiet moves at low depth hardly ever turn out best.
                    if depth <= 8 && count > (3 + depth * depth) / (2 - i32::from(improving)) {
                        continue;
                    }
                    if !in_check && left <= 7 && eval + 110 + 95 * left + history / 256 <= alpha {
                        continue;
                    }
                    if left <= 4 && history < -3500 * left && !picked.promising {
                        continue;
                    }
                    if left <= 8 && !picked.promising && !gains(position, m, -25 * left * left) {
                        continue;
                    }
                } else if depth <= 7 && !picked.promising && !gains(position, m, -95 * depth) {
                    continue;
                }
            }

            let mut extension = 0;
            if let (Some(entry), Some(value)) = (entry, table_value)
                && Some(m) == table_move
                && ply > 0
                && depth >= 7
                && ply < 2 * MAX_PLY / 3
                && i32::from(entry.depth) >= depth - 3
                && entry.bound != Bound::Upper
                && value.abs() < DECIDED
            {
                // Is this move much better than all others? Then the line hangs on it.
                let margin = value - 2 * depth;
                self.frame(ply).excluded = Some(m);
                let others =
                    self.search::<false>(Node { depth: (depth - 1) / 2, ..node }, margin - 1, margin);
                self.frame(ply).excluded = None;
                if self.stopped {
                    return DRAW;
                }
                if others < margin {
                    extension = 1 + i32::from(!PV && others < margin - 20);
                } else if margin >= beta {
                    // Even without this move the node fails high.
                    return margin;
                } else if value >= beta {
                    extension = -1;
                }
            }

            let (after, after_key) = self.descend(position, key, m, ply);
            let child = Node {
                position: &after,
                key: after_key,
                in_check: after.is_check(),
                ply: ply + 1,
                depth: depth - 1 + extension,
                cut: false,
            };

            let mut value = -INFINITE;
            if depth >= 3 && count > 1 + i32::from(PV) && !(tactical && picked.promising) {
                reduce += i32::from(!was_pv) + i32::from(node.cut)
                    - i32::from(PV)
                    - i32::from(gives_check)
                    - i32::from(improving)
                    - i32::from(picked.promising)
                    - history / (LIMIT * 3 / 4);
                if tactical {
                    reduce -= 1;
                }
                let shallow = (child.depth - reduce.max(0)).clamp(1, child.depth.max(1));
                value =
                    -self.search::<false>(Node { depth: shallow, cut: true, ..child }, -alpha - 1, -alpha);
                if value > alpha && shallow < child.depth {
                    value = -self.search::<false>(Node { cut: !node.cut, ..child }, -alpha - 1, -alpha);
                }
            } else if !PV || count > 1 {
                value = -self.search::<false>(Node { cut: !node.cut, ..child }, -alpha - 1, -alpha);
            }
            if PV && (count == 1 || value > alpha) {
                value = -self.search::<true>(child, -beta, -alpha);
            }
            self.ascend();
            if self.stopped {
                return DRAW;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if PV {
                        self.extend_line(ply, m);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        self.remember_cutoff(position, m, depth, ply, &tried_quiets, &tried_captures);
                        break;
                    }
                    bound = Bound::Exact;
                    alpha = value;
                }
            }
            if tactical {
                tried_captures.push(m);
            } else {
                tried_quiets.push(m);
            }
        }

        if count == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => old_alpha,
                (None, true) => mated(ply),
                (None, false) => DRAW,
            };
        }
        if excluded.is_none() {
            // A bound on the far side of the evaluation says nothing about its error, nor does a capture.
            let telling = match bound {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if telling && !in_check && best.abs() < DECIDED && best_move.is_none_or(|m| !is_tactical(m)) {
                self.memory.histories.correct(position, best - i32::from(raw), depth);
            }
            let value = to_node(best, ply) as i16;
            let best = best_move.map_or(Packed::NONE, Packed::new);
            self.shared.table.put(
                key,
                Entry { best, value, eval: raw, depth: depth.clamp(0, 255) as u8, bound, pv: was_pv },
            );
        }
        best
    }

    /// The move that refuted the position gets credit, those tried before it lose some.
    pub fn remember_cutoff(
        &mut self,
        position: &Chess,
        m: Move,
        depth: i32,
        ply: usize,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let turn = position.turn();
        let context = self.context(ply);
        let bonus = (150 * depth - 60).clamp(0, 1600);
        if is_tactical(m) {
            self.memory.histories.reward_capture(turn, m, bonus);
        } else {
            let killers = &mut self.frame(ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            self.memory.histories.reward_quiet(turn, m, &context, bonus);
            for &other in quiets {
                self.memory.histories.reward_quiet(turn, other, &context, -bonus);
            }
        }
        for &other in captures {
            self.memory.histories.reward_capture(turn, other, -bonus);
        }
    }
}
