use std::sync::Arc;

use rayon::prelude::*;
use shakmaty::Color;

use super::kernel::{Ground, Kernel};
use crate::model::Code;

/// A number for each position of one side, then one for each code with which the other side, as it sees it, can leave the
/// endgame instead of moving there.
pub type PositionValues = Vec<f64>;

/// How a side plays in every position of an endgame.
#[derive(Clone)]
pub struct Play {
    kernel: Arc<Kernel>,
    choice: PlayKind,
}

#[derive(Clone)]
enum PlayKind {
    /// By chance, a move to a code being as likely as its weight says; all are alike if there are no weights.
    Chance { weights: Option<Arc<Vec<f64>>>, shares: Arc<Vec<f64>> },
    /// The move to the least number.
    Least,
    /// The move to the greatest number.
    Greatest,
}

impl Play {
    /// Every move that may be played is as likely as another.
    pub fn even(kernel: Arc<Kernel>) -> Play {
        let shares = Arc::new(shares(&kernel, |_| 1.0));
        Play { kernel, choice: PlayKind::Chance { weights: None, shares } }
    }

    /// Moves are as likely as the weights of their targets.
    pub(super) fn weighted(kernel: Arc<Kernel>, codes: &[Code], weights: &[f64]) -> Play {
        let weights: Vec<f64> = codes.iter().map(|&code| weights[code.place()]).collect();
        let shares = Arc::new(shares(&kernel, |target| weights[target as usize]));
        Play { kernel, choice: PlayKind::Chance { weights: Some(Arc::new(weights)), shares } }
    }

    /// Of the moves that may be played always the one to the least number.
    pub fn least(kernel: Arc<Kernel>) -> Play {
        Play { kernel, choice: PlayKind::Least }
    }

    /// Of the moves that may be played always the one to the greatest number.
    pub fn greatest(kernel: Arc<Kernel>) -> Play {
        Play { kernel, choice: PlayKind::Greatest }
    }

    /// The side that plays.
    pub fn mover(&self) -> Color {
        self.kernel.mover()
    }

    /// Whether it has a move in a position.
    pub fn has_moves(&self, index: usize) -> bool {
        !self.kernel.row(index).is_empty()
    }

    /// Whether it chooses by the numbers given to it.
    pub fn is_optimising(&self) -> bool {
        !matches!(self.choice, PlayKind::Chance { .. })
    }

    /// Its present choices where it chooses by the numbers given to it.
    pub fn fixed_by(&self, after: &PositionValues) -> Play {
        let least = match self.choice {
            PlayKind::Chance { .. } => return self.clone(),
            PlayKind::Least => true,
            PlayKind::Greatest => false,
        };
        let pick = |row: &[u32]| {
            let number = |&place: &usize| after[row[place] as usize];
            let order = |a: &usize, b: &usize| number(a).total_cmp(&number(b));
            let best = if least { (0..row.len()).min_by(order) } else { (0..row.len()).rev().max_by(order) };
            best.unwrap_or(0)
        };
        Play::even(Arc::new(self.kernel.narrowed(pick)))
    }

    /// The number of each position with this side to move, from those after its move: their mean, or the best for it.
    /// Positions without a move are left as they are.
    pub fn pass(&self, after: &PositionValues, before: &mut PositionValues) {
        let rows = before.len() - Code::COUNT;
        let weighted: Option<PositionValues> = match &self.choice {
            PlayKind::Chance { weights: Some(weights), .. } => {
                Some(after.par_iter().zip(weights.par_iter()).map(|(value, weight)| value * weight).collect())
            }
            _ => None,
        };
        let after = weighted.as_ref().unwrap_or(after);
        before[..rows].par_iter_mut().with_min_len(4096).enumerate().for_each(|(index, value)| {
            let row = self.kernel.row(index);
            if row.is_empty() {
                return;
            }
            let numbers = row.iter().map(|&target| after[target as usize]);
            *value = match &self.choice {
                PlayKind::Chance { shares, .. } => numbers.sum::<f64>() * shares[index],
                PlayKind::Least => numbers.fold(f64::INFINITY, f64::min),
                PlayKind::Greatest => numbers.fold(f64::NEG_INFINITY, f64::max),
            };
        });
    }

    /// How it moves from code to code, averaged over positions; both as the mover sees them; moves that leave the
    /// endgame are left out. None if it does not choose by chance.
    pub(super) fn by_code(&self, ground: &Ground) -> Option<Vec<Vec<f64>>> {
        let PlayKind::Chance { weights, shares } = &self.choice else { return None };
        let codes = self.kernel.target_codes(ground);
        let mut rows = vec![vec![0.0; Code::COUNT]; Code::COUNT];
        let mut counts = vec![0.0; Code::COUNT];
        for (index, &code) in ground.codes(self.mover()).iter().enumerate() {
            let row = self.kernel.row(index);
            if row.is_empty() {
                continue;
            }
            counts[code.place()] += 1.0;
            let sums = &mut rows[code.place()];
            for &target in row.iter().filter(|&&target| (target as usize) < ground.size()) {
                let weight = weights.as_ref().map_or(1.0, |weights| weights[target as usize]);
                sums[codes[target as usize].place()] += weight * shares[index];
            }
        }
        for (row, count) in rows.iter_mut().zip(counts).filter(|(_, count)| *count > 0.0) {
            row.iter_mut().for_each(|entry| *entry /= count);
        }
        Some(rows)
    }
}

/// 1 / the sum of the weights of each position's moves.
fn shares(kernel: &Kernel, weight: impl Fn(u32) -> f64 + Sync) -> Vec<f64> {
    (0..kernel.rows())
        .into_par_iter()
        .with_min_len(4096)
        .map(|index| {
            let row = kernel.row(index);
            if row.is_empty() { 0.0 } else { 1.0 / row.iter().map(|&target| weight(target)).sum::<f64>() }
        })
        .collect()
}
