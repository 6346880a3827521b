use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    ground::Ground,
    kernel::{Kernel, PART},
};
use crate::model::Code;

/// A number for each position of one side, then one for each code with which the other side, as it sees it, can leave the
/// endgame instead of moving there.
pub type PositionValues = Vec<f64>;

/// How a side plays in every position of an endgame.
#[derive(Clone)]
pub struct Play {
    kernel: Arc<Kernel>,
    choice: PlayKind,
    by_code: Arc<OnceLock<ByCode>>,
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

/// By the code of a position and that of the position after a move, both as the mover sees them: how often that move is made.
/// Codes that do not occur have no row.
pub(super) type ByCode = Vec<Vec<f64>>;

/// Numbers of positions, and what they count for with whoever moves there: times the weights of its moves.
pub(super) struct Seen {
    values: PositionValues,
    weighed: Option<(Arc<Vec<f64>>, PositionValues)>,
}

impl Seen {
    pub fn values(&self) -> &PositionValues {
        &self.values
    }

    pub fn into_values(self) -> PositionValues {
        self.values
    }

    /// The numbers of the positions, without those of codes.
    pub fn positions(&self) -> &[f64] {
        &self.values[..self.values.len() - Code::COUNT]
    }

    /// Changes the numbers of these positions.
    pub fn change(&mut self, spots: Range<usize>, change: impl FnOnce(&mut [f64])) {
        change(&mut self.values[spots.clone()]);
        self.weigh(spots);
    }

    fn weigh(&mut self, spots: Range<usize>) {
        if let Some((weights, weighed)) = &mut self.weighed {
            let pairs = weights[spots.clone()].par_iter().zip(&self.values[spots.clone()]);
            let all = weighed[spots].par_iter_mut().zip(pairs).with_min_len(PART);
            all.for_each(|(weighed, (weight, value))| *weighed = weight * value);
        }
    }

    fn seen(&self) -> &PositionValues {
        self.weighed.as_ref().map_or(&self.values, |(_, weighed)| weighed)
    }
}

/// By how much numbers of positions have changed.
pub(super) struct Change {
    /// All those of a code together, by code.
    pub sums: Vec<f64>,
    /// The one that has changed most.
    pub greatest: f64,
}

impl Default for Change {
    fn default() -> Change {
        Change { sums: vec![0.0; Code::COUNT], greatest: 0.0 }
    }
}

impl Change {
    pub fn add(&mut self, other: &Change) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        self.greatest = self.greatest.max(other.greatest);
    }
}

impl Play {
    fn new(kernel: Arc<Kernel>, choice: PlayKind) -> Play {
        Play { kernel, choice, by_code: Arc::default() }
    }

    /// Every move that may be played is as likely as another.
    pub fn even(kernel: Arc<Kernel>) -> Play {
        let shares = Arc::new(shares(&kernel, |_| 1.0));
        Play::new(kernel, PlayKind::Chance { weights: None, shares })
    }

    /// Moves are as likely as the weights of their targets.
    pub(super) fn weighted(kernel: Arc<Kernel>, codes: &[Code], weights: &[f64]) -> Play {
        let weights: Vec<f64> = codes.iter().map(|&code| weights[code.place()]).collect();
        let shares = Arc::new(shares(&kernel, |target| weights[target as usize]));
        Play::new(kernel, PlayKind::Chance { weights: Some(Arc::new(weights)), shares })
    }

    /// Of the moves that may be played always the one to the least number.
    pub fn least(kernel: Arc<Kernel>) -> Play {
        Play::new(kernel, PlayKind::Least)
    }

    /// Of the moves that may be played always the one to the greatest number.
    pub fn greatest(kernel: Arc<Kernel>) -> Play {
        Play::new(kernel, PlayKind::Greatest)
    }

    /// The side that plays.
    pub fn mover(&self) -> Color {
        self.kernel.mover()
    }

    /// Whether it has a move in a position.
    pub fn has_moves(&self, spot: usize) -> bool {
        !self.kernel.row(spot).is_empty()
    }

    /// Whether it chooses by the numbers given to it.
    pub fn is_optimising(&self) -> bool {
        !matches!(self.choice, PlayKind::Chance { .. })
    }

    /// Its present choices where it chooses by the numbers given to it.
    pub fn fixed_by(&self, after: &PositionValues) -> Play {
        match self.choice {
            PlayKind::Chance { .. } => self.clone(),
            _ => Play::even(Arc::new(self.kernel.narrowed(|row| self.best(row, after)))),
        }
    }

    /// The move to the least or greatest number, the first of several.
    fn best(&self, row: &[u32], after: &PositionValues) -> u32 {
        let order = |a: &&u32, b: &&u32| after[**a as usize].total_cmp(&after[**b as usize]);
        let best = match self.choice {
            PlayKind::Least => row.iter().min_by(order),
            _ => row.iter().rev().max_by(order),
        };
        best.copied().unwrap_or(0)
    }

    /// Numbers of the positions after its moves, as it sees them.
    pub(super) fn sees(&self, values: PositionValues) -> Seen {
        let weighed = match &self.choice {
            PlayKind::Chance { weights: Some(weights), .. } => Some((weights.clone(), values.clone())),
            _ => None,
        };
        let mut seen = Seen { values, weighed };
        seen.weigh(0..seen.values.len());
        seen
    }

    /// The number of each of these positions with this side to move, from those after its move: their mean, or the best for it, and
    /// what `counts` makes of that. Positions without a move are left as they are.
    pub(super) fn pass(
        &self,
        ground: &Ground,
        spots: Range<usize>,
        after: &Seen,
        before: &mut Seen,
        counts: impl Fn(f64) -> f64 + Sync,
    ) -> Change {
        let after = after.seen();
        let codes = ground.codes(self.mover());
        let first = spots.start;
        let parts: Vec<Change> = before.values[spots.clone()]
            .par_chunks_mut(PART)
            .enumerate()
            .map(|(part, values)| {
                let mut change = Change::default();
                for (spot, value) in (first + part * PART..).zip(values) {
                    let row = self.kernel.row(spot);
                    if row.is_empty() {
                        continue;
                    }
                    let numbers = row.iter().map(|&target| after[target as usize]);
                    let now = counts(match &self.choice {
                        PlayKind::Chance { shares, .. } => numbers.sum::<f64>() * shares[spot],
                        PlayKind::Least => numbers.fold(f64::INFINITY, f64::min),
                        PlayKind::Greatest => numbers.fold(f64::NEG_INFINITY, f64::max),
                    });
                    change.sums[codes[spot].place()] += now - *value;
                    change.greatest = change.greatest.max((now - *value).abs());
                    *value = now;
                }
                change
            })
            .collect();
        before.weigh(spots);
        // In order, so that it does not depend on which core was first.
        let mut all = Change::default();
        parts.iter().for_each(|part| all.add(part));
        all
    }

    /// Adds to the numbers of positions that it has a move in, by their codes.
    pub(super) fn shift(&self, ground: &Ground, by: &[f64], before: &mut Seen) {
        let codes = ground.codes(self.mover());
        before.change(0..codes.len(), |values| {
            let values = values.par_iter_mut().enumerate().with_min_len(PART);
            values
                .filter(|(spot, _)| self.has_moves(*spot))
                .for_each(|(spot, value)| *value += by[codes[spot].place()]);
        });
    }

    /// How it moves from code to code, averaged over positions; moves that leave the endgame are left out. If it chooses by
    /// numbers, by these.
    pub(super) fn by_code(&self, ground: &Ground, after: &Seen) -> ByCode {
        let after = &after.values;
        if self.is_optimising() {
            return self.count_by_code(ground, after);
        }
        self.by_code.get_or_init(|| self.count_by_code(ground, after)).clone()
    }

    fn count_by_code(&self, ground: &Ground, after: &PositionValues) -> ByCode {
        let (own, codes) = (ground.codes(self.mover()), self.kernel.target_codes(ground));
        let inside = ground.size(!self.mover());
        let count = |spots: Range<usize>| {
            let mut rows: ByCode = vec![Vec::new(); Code::COUNT];
            let mut counts = vec![0.0; Code::COUNT];
            for spot in spots.filter(|&spot| self.has_moves(spot)) {
                counts[own[spot].place()] += 1.0;
                let sums = &mut rows[own[spot].place()];
                sums.resize(Code::COUNT, 0.0);
                let mut add = |target: u32, chance: f64| {
                    if (target as usize) < inside {
                        sums[codes[target as usize].place()] += chance;
                    }
                };
                let row = self.kernel.row(spot);
                match &self.choice {
                    PlayKind::Chance { weights: None, shares } => {
                        row.iter().for_each(|&target| add(target, shares[spot]));
                    }
                    PlayKind::Chance { weights: Some(weights), shares } => {
                        row.iter().for_each(|&target| add(target, weights[target as usize] * shares[spot]));
                    }
                    _ => add(self.best(row, after), 1.0),
                }
            }
            (rows, counts)
        };
        // The same few parts on any machine, so that sums are the same.
        let part = own.len().div_ceil(8).max(1);
        let parts: Vec<(ByCode, Vec<f64>)> = (0..own.len().div_ceil(part))
            .into_par_iter()
            .map(|number| count(number * part..own.len().min((number + 1) * part)))
            .collect();
        let mut rows: ByCode = vec![Vec::new(); Code::COUNT];
        for (place, row) in rows.iter_mut().enumerate() {
            let count: f64 = parts.iter().map(|(_, counts)| counts[place]).sum();
            for (rows, _) in parts.iter().filter(|(rows, _)| !rows[place].is_empty()) {
                row.resize(Code::COUNT, 0.0);
                row.iter_mut().zip(&rows[place]).for_each(|(sum, part)| *sum += part / count);
            }
        }
        rows
    }
}

/// 1 / the sum of the weights of each position's moves.
fn shares(kernel: &Kernel, weight: impl Fn(u32) -> f64 + Sync) -> Vec<f64> {
    let share = |spot| {
        let row = kernel.row(spot);
        if row.is_empty() { 0.0 } else { 1.0 / row.iter().map(|&target| weight(target)).sum::<f64>() }
    };
    (0..kernel.rows()).into_par_iter().with_min_len(PART).map(share).collect()
}
