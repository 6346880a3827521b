use std::collections::BTreeMap;

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use shakmaty::Position;

use super::AssessedPosition;

/// Which of the assessed positions are tuned on, and which are only judged by.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// How many are tuned on at most.
    pub size: usize,
    /// As many of each category and side to move (Gomboc 2004, §6.2).
    pub stratified: bool,
    /// Each category counts as much as any other, however few positions it has (§4.5).
    pub even: bool,
    /// The share of positions that are never tuned on (§8.1).
    pub control: f64,
    /// Of all that is left to chance.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { size: usize::MAX, stratified: false, even: false, control: 0.1, seed: 1 }
    }
}

/// Positions to tune on, and positions to judge by.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// To tune on.
    pub training: Vec<AssessedPosition>,
    /// To judge by: no player, or where they are not named no game, is in both.
    pub control: Vec<AssessedPosition>,
}

/// A category of assessments and the side to move.
type Stratum = (i64, bool);

fn stratum(one: &AssessedPosition) -> Stratum {
    (one.assessment.category(), one.position.turn().is_white())
}

impl Sampling {
    /// Draws a sample. The same positions and seed give the same one.
    pub fn draw(&self, mut positions: Vec<AssessedPosition>) -> Sample {
        let mut rng = Pcg64::seed_from_u64(self.seed);
        positions.shuffle(&mut rng);
        let (control, mut training): (Vec<_>, Vec<_>) =
            positions.into_iter().partition(|one| self.is_control(one.source));
        if self.stratified {
            training = self.stratify(training);
        }
        training.truncate(self.size);
        let mut sample = Sample { training, control };
        if self.even {
            [&mut sample.training, &mut sample.control].into_iter().for_each(even);
        }
        sample
    }

    /// Whether all positions of a player or a game are for judging only.
    fn is_control(&self, source: u32) -> bool {
        let mixed = (u64::from(source) ^ self.seed.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> 11) as f64) < self.control * (1_u64 << 53) as f64
    }

    /// As many of each stratum as there are of the rarest, or as are wanted in all.
    fn stratify(&self, positions: Vec<AssessedPosition>) -> Vec<AssessedPosition> {
        let mut counts: BTreeMap<Stratum, usize> = BTreeMap::new();
        positions.iter().for_each(|one| *counts.entry(stratum(one)).or_default() += 1);
        let rarest = counts.values().copied().min().unwrap_or(0);
        let each = rarest.min(self.size / counts.len().max(1)).max(1);
        let mut taken: BTreeMap<Stratum, usize> = BTreeMap::new();
        let mut take = |one: &AssessedPosition| {
            let count = taken.entry(stratum(one)).or_default();
            *count += 1;
            *count <= each
        };
        positions.into_iter().filter(|one| take(one)).collect()
    }
}

fn even(positions: &mut Vec<AssessedPosition>) {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    positions.iter().for_each(|one| *counts.entry(one.assessment.category()).or_default() += 1);
    let mean = positions.len() as f64 / counts.len().max(1) as f64;
    for one in positions {
        one.weight *= mean / counts[&one.assessment.category()] as f64;
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::tuning::Assessment;

    fn positions() -> Vec<AssessedPosition> {
        let one = |index: u32| AssessedPosition {
            position: Chess::default(),
            assessment: Assessment(if index.is_multiple_of(10) { 1.0 } else { 0.0 }),
            points: None,
            source: index / 2,
            weight: 1.0,
        };
        (0..2000).map(one).collect()
    }

    #[test]
    fn no_game_is_in_both_sets_and_the_seed_says_which() {
        let sampling = Sampling { control: 0.2, ..Sampling::default() };
        let sample = sampling.draw(positions());
        assert_eq!(sample.training.len() + sample.control.len(), 2000);
        assert!((300..500).contains(&sample.control.len()), "{}", sample.control.len());
        let control: Vec<u32> = sample.control.iter().map(|one| one.source).collect();
        assert!(sample.training.iter().all(|one| !control.contains(&one.source)));
        let again: Vec<u32> = sampling.draw(positions()).control.iter().map(|one| one.source).collect();
        assert_eq!(control, again);
    }

    #[test]
    fn strata_are_of_equal_size_or_of_equal_weight() {
        let count = |sample: &[AssessedPosition], category: i64| -> (usize, f64) {
            let of = sample.iter().filter(|one| one.assessment.category() == category);
            (of.clone().count(), of.map(|one| one.weight).sum())
        };
        let sampling = Sampling { stratified: true, control: 0.0, ..Sampling::default() };
        let sample = sampling.draw(positions()).training;
        assert_eq!((count(&sample, 0).0, count(&sample, 1).0), (200, 200));
        let sampling = Sampling { even: true, control: 0.0, ..Sampling::default() };
        let sample = sampling.draw(positions()).training;
        assert_eq!((count(&sample, 0).0, count(&sample, 1).0), (1800, 200));
        assert!((count(&sample, 0).1 - count(&sample, 1).1).abs() < 1e-6);
    }
}
