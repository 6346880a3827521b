use shakmaty::Color;

use super::{ground::Ground, linear, play::ByCode};
use crate::model::Code;

/// The chain on depths that belongs to an exact one: the mean over positions of each depth.
pub(super) struct Coarse {
    /// How the winner moves from code to code, as it sees them; for codes that occur.
    attack: ByCode,
    /// How the other side does, as the winner sees the codes.
    defence: ByCode,
    /// How many positions with the other side to move have each code, as that side sees it.
    defended: Vec<f64>,
    /// The codes of positions with the winner to move.
    used: Vec<Code>,
    /// I − M on those.
    system: Vec<Vec<f64>>,
    /// The band of each code.
    bands: Vec<usize>,
}

impl Coarse {
    /// From how each side moves, as it sees it.
    pub fn new(ground: &Ground, winner: Color, attack: ByCode, defence: ByCode) -> Coarse {
        // Codes of the other side run the other way.
        let reversed = |row: &Vec<f64>| row.iter().rev().copied().collect();
        let defence: ByCode = defence.iter().rev().map(reversed).collect();
        let used: Vec<Code> = Code::all().filter(|code| !attack[code.place()].is_empty()).collect();
        let mut defended = vec![0.0; Code::COUNT];
        ground.codes(!winner).iter().for_each(|code| defended[code.place()] += 1.0);
        let bands = Code::all().map(|code| ground.band(code)).collect();
        let row = |from: &Code| {
            let mut sums = vec![0.0; Code::COUNT];
            for (entry, after) in attack[from.place()].iter().zip(&defence).filter(|(entry, _)| **entry > 0.0)
            {
                sums.iter_mut().zip(after).for_each(|(sum, after)| *sum += entry * after);
            }
            used.iter().map(|to| f64::from(u8::from(from == to)) - sums[to.place()]).collect()
        };
        let system = used.iter().map(row).collect();
        Coarse { attack, defence, defended, used, system, bands }
    }

    /// The expected length by code.
    pub fn lengths(&self) -> Option<Vec<f64>> {
        self.solve(vec![1.0; self.used.len()])
    }

    /// By how much lengths, by code, are still wrong on average after a round in which those of the other side's positions of each code
    /// have changed by so much in all: what was worked out before they changed is wrong by that.
    pub fn correction(&self, changes: &[f64]) -> Option<Vec<f64>> {
        let wrong = |from: &Code| {
            let later = |code: &Code| self.bands[code.place()] >= self.bands[from.place()];
            let mean = |code: Code| changes[(-code).place()] / self.defended[(-code).place()].max(1.0);
            Code::all().filter(later).map(|code| self.attack[from.place()][code.place()] * mean(code)).sum()
        };
        self.solve(self.used.iter().map(wrong).collect())
    }

    /// What numbers by code come to, on average, one move of the other side before, by the codes of that side.
    pub fn after_reply(&self, numbers: &[f64]) -> Vec<f64> {
        let mean = |row: &Vec<f64>| row.iter().zip(numbers).map(|(entry, number)| entry * number).sum();
        self.defence.iter().rev().map(mean).collect()
    }

    /// (I − M)·x = right, on the codes that occur.
    fn solve(&self, right: Vec<f64>) -> Option<Vec<f64>> {
        let solution = linear::solve(self.system.clone(), right)?;
        let mut values = vec![0.0; Code::COUNT];
        self.used.iter().zip(solution).for_each(|(code, value)| values[code.place()] = value);
        Some(values)
    }
}
