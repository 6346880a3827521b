//! How long games lasted.

use std::iter::repeat_n;

use serde::Serialize;

use super::Moments;

/// The lengths of games, in moves of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// How many games had each length: the place is the length.
    counts: Vec<u64>,
}

/// Some neighbouring lengths and how many games had one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The least length.
    pub from: usize,
    /// The greatest length.
    pub to: usize,
    /// Games.
    pub games: u64,
}

impl Lengths {
    /// Adds a game of this length.
    pub fn add(&mut self, length: usize) {
        if self.counts.len() <= length {
            self.counts.resize(length + 1, 0);
        }
        self.counts[length] += 1;
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their mean and spread, if there was a game.
    pub fn moments(&self) -> Option<Moments> {
        let lengths = self.counts.iter().enumerate();
        Moments::of(lengths.flat_map(|(length, &games)| repeat_n(length as f64, games as usize)))
    }

    /// The shortest length.
    pub fn min(&self) -> Option<usize> {
        self.counts.iter().position(|&games| games > 0)
    }

    /// The greatest length.
    pub fn max(&self) -> Option<usize> {
        self.counts.iter().rposition(|&games| games > 0)
    }

    /// How many games were over within so many moves.
    pub fn within(&self, moves: usize) -> u64 {
        self.counts.iter().take(moves.saturating_add(1)).sum()
    }

    /// All games in at most `bins` bins of the same round width (1, 2 or 5 times a power of ten).
    pub fn histogram(&self, bins: usize) -> Vec<Bin> {
        let (Some(min), Some(max)) = (self.min(), self.max()) else { return Vec::new() };
        let fits = |width: usize| max / width - min / width < bins.max(1);
        let powers = std::iter::successors(Some(1usize), |power| power.checked_mul(10));
        let width =
            powers.flat_map(|power| [1, 2, 5].map(|n| power.saturating_mul(n))).find(|&width| fits(width));
        let width = width.unwrap_or(max + 1);
        (min / width..=max / width)
            .map(|number| {
                let (from, to) = (number * width, (number + 1) * width - 1);
                let games = self.counts.iter().take(to + 1).skip(from).sum();
                Bin { from, to, games }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(of: &[usize]) -> Lengths {
        let mut lengths = Lengths::default();
        for &length in of {
            lengths.add(length);
        }
        lengths
    }

    #[test]
    fn moments_agree_with_an_independent_computation() {
        // numpy: a = [31, 45, 45, 60, 112]; a.mean() = 58.6, a.std(ddof=1) = 31.5642202502
        let lengths = lengths(&[31, 45, 112, 45, 60]);
        let moments = lengths.moments().unwrap();
        assert!((moments.mean - 58.6).abs() < 1e-12);
        assert!((moments.sd.unwrap() - 31.564_220_250_2).abs() < 1e-9);
        assert_eq!((lengths.min(), lengths.max()), (Some(31), Some(112)));
        assert_eq!(lengths.within(45), 3);
    }

    #[test]
    fn a_histogram_holds_every_game_once_in_few_round_bins() {
        let lengths = lengths(&[31, 45, 112, 45, 60]);
        let bins = lengths.histogram(10);
        assert_eq!(bins.iter().map(|bin| bin.games).sum::<u64>(), 5);
        assert_eq!(bins.first(), Some(&Bin { from: 30, to: 39, games: 1 }));
        assert!(bins.len() <= 10);
    }

    #[test]
    fn no_game_has_no_length() {
        let none = Lengths::default();
        assert_eq!((none.moments(), none.min(), none.max()), (None, None, None));
        assert!(none.histogram(10).is_empty());
    }
}
