//! Depth by the rule: the least k such that a win stands under a rule of k moves.
//!
//! A *phase* lasts until the next capture, pawn move or mate. Under a rule of k moves a win stands if the winner can end
//! the phase within k of his moves, whatever the other does, where the rest stands under that rule too. What leaves the
//! phase has a depth of its own, its *toll*. With D_t the length of a phase that may only end where the toll is t at
//! most,
//!
//! > DTR = min over t of max(t, D_t).
//!
//! Each D_t is a run of the ordinary retrograde analysis. It falls as t rises, and changes only at tolls that occur: a run
//! of one of them has to go no deeper than the next, which gives no worse.
//!
//! A pawn move stays in the endgame, so positions are worked off in slices by how far their pawns have gone, the furthest
//! first: the tolls of a slice are then known.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use shakmaty::{Color, Role};

use super::{
    generate::{GenerateError, Generator, Goal},
    table::{Cell, DEEPEST, DRAW, Table, loss, side},
};
use crate::model::Metric;

/// Squares that a pawn can go before it promotes.
const LONGEST_WAY: u32 = 5;

impl Generator<'_> {
    /// The table by this metric.
    pub(super) fn by_rule(mut self) -> Result<Table, GenerateError> {
        let pawns = self.indexer.men().iter().filter(|man| man.role == Role::Pawn).count() as u32;
        let mut seen = vec![0_u64; self.legal.iter().map(Vec::len).sum()];
        for advancement in (0..=LONGEST_WAY * pawns).rev() {
            self.slice = (pawns > 0).then_some(advancement);
            self.slice_by_rule()?;
            for (bits, seen) in self.legal.iter().flatten().zip(&mut seen) {
                *seen |= bits.load(Relaxed);
            }
        }
        // All slices together are what takes part.
        for (bits, seen) in self.legal.iter().flatten().zip(seen) {
            bits.store(seen, Relaxed);
        }
        let finished = [Color::White, Color::Black]
            .map(|mover| self.finished(mover, |index| self.results[side(mover)][index].load(Relaxed)));
        Ok(Table::new(self.material, Metric::Dtr, self.indexer, finished))
    }

    fn slice_by_rule(&mut self) -> Result<(), GenerateError> {
        self.tolls.iter().for_each(|toll| toll.store(false, Relaxed));
        self.goal = Goal::Rule(DEEPEST);
        self.run(DEEPEST)?;
        let met = (0..=DEEPEST).filter(|&toll| self.tolls[usize::from(toll)].load(Relaxed));
        let tolls: Vec<u16> = met.collect();
        self.note(tolls.last().copied().unwrap_or_default());
        for pair in tolls.windows(2) {
            self.goal = Goal::Rule(pair[0]);
            self.run(pair[1])?;
            self.note(pair[0]);
        }
        Ok(())
    }

    /// Keeps what a run with this toll has found where it is better than what is known.
    fn note(&self, toll: u16) {
        for mover in Color::ALL {
            self.results[side(mover)].par_iter().enumerate().for_each(|(index, known)| {
                let found = self.found(mover, index);
                if found == DRAW || !self.is_legal(mover, index as u32) {
                    return;
                }
                let decided = (found & loss(0)) | (found & 127).max(toll as Cell);
                let before = known.load(Relaxed);
                if before == DRAW || decided < before {
                    known.store(decided, Relaxed);
                }
            });
        }
    }
}
