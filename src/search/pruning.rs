//! Reasons to leave a null-window node without looking at its moves one by one.

use shakmaty::Position;

use super::{
    exchange::gains,
    node::Node,
    picker::Picker,
    value::{DECIDED, MATE_BOUND},
    worker::{Worker, has_pieces, pass},
    zobrist::key_after_pass,
};

/// What can be said of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// Static evaluation.
    pub eval: i32,
    /// The same, or what the table knows better.
    pub guess: i32,
    pub improving: bool,
}

impl Worker<'_> {
    /// A value with which the node can be left, if there is one. The window is `beta - 1` to `beta`.
    pub fn prune_node(&mut self, node: Node<'_>, outlook: Outlook, beta: i32) -> Option<i32> {
        let Outlook { eval, guess, improving } = outlook;
        let depth = node.depth;
        // So far ahead that the plies that remain will hardly lose it.
        if depth <= 8
            && guess < DECIDED
            && beta > -DECIDED
            && guess - 80 * (depth - i32::from(improving)) >= beta
        {
            return Some((guess + beta) / 2);
        }
        // So far behind that only a capture could help.
        if depth <= 4 && eval + 350 + 220 * depth * depth < beta {
            let value = self.quiesce(node.position, node.key, false, node.ply, beta - 1, beta);
            if value < beta {
                return Some(value);
            }
        }
        if guess >= beta && eval + 20 * depth >= beta + 60 && beta > -DECIDED {
            let value = self.prune_by_pass(node, guess, beta);
            if value.is_some() {
                return value;
            }
        }
        self.prune_by_capture(node, eval, beta + 190 - 60 * i32::from(improving))
    }

    /// If even passing fails high, a move will.
    fn prune_by_pass(&mut self, node: Node<'_>, guess: i32, beta: i32) -> Option<i32> {
        let Node { position, key, ply, depth, .. } = node;
        if depth < 3 || self.passed(ply) || !has_pieces(position) {
            return None;
        }
        let after = pass(position)?;
        let after_key = key_after_pass(position, key);
        let reduce = 3 + depth / 4 + ((guess - beta) / 200).min(3);
        self.descend_by_pass(after_key, ply);
        let child = Node {
            position: &after,
            key: after_key,
            in_check: false,
            ply: ply + 1,
            depth: depth - reduce,
            cut: !node.cut,
        };
        let value = -self.search::<false>(child, -beta, -beta + 1);
        self.ascend();
        // A mate after passing is no proof of a mate.
        (!self.stopped && value >= beta).then_some(if value >= MATE_BOUND { beta } else { value })
    }

    /// A capture that beats `margin`, somewhat above beta, at low depth will beat beta at full depth.
    fn prune_by_capture(&mut self, node: Node<'_>, eval: i32, margin: i32) -> Option<i32> {
        let Node { position, key, ply, depth, .. } = node;
        if depth < 5 || margin.abs() >= DECIDED || self.stopped {
            return None;
        }
        let mut picker = Picker::captures(position, None);
        while let Some(picked) = picker.next(&self.memory.histories, &[None; 3]) {
            if !picked.promising {
                break;
            }
            if !gains(position, picked.m, margin - eval) {
                continue;
            }
            let (after, after_key) = self.descend(position, key, picked.m, ply);
            let in_check = after.is_check();
            let mut value = -self.quiesce(&after, after_key, in_check, ply + 1, -margin, -margin + 1);
            if value >= margin {
                let child = Node {
                    position: &after,
                    key: after_key,
                    in_check,
                    ply: ply + 1,
                    depth: depth - 4,
                    cut: !node.cut,
                };
                value = -self.search::<false>(child, -margin, -margin + 1);
            }
            self.ascend();
            if self.stopped {
                return None;
            }
            if value >= margin {
                return Some(value);
            }
        }
        None
    }
}
