use std::sync::atomic::AtomicBool;

use shakmaty::Color;

use super::{linear, matrix::Matrix, space::Space};
use crate::{
    endgame::{BlockFileError, Walk},
    model::{Code, Model, State},
};

/// A game between two players as a Markov chain on states: one step is a move of each side (Haworth 2003, Theorem 6).
///
/// Positions in it have the first side to move.
#[derive(Clone, Debug)]
pub struct Chain {
    space: Space,
    first: Color,
    rows: Vec<Vec<f64>>,
}

/// The competences of two players, that of the side that moves first, then that of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// Of the side that moves first.
    pub first: f64,
    /// Of the other.
    pub second: f64,
}

impl Chain {
    /// The chains of several pairings, in one visit of the table for each side that is not infallible throughout. None if
    /// `cancel` was raised.
    pub fn of(
        walk: &Walk,
        first: Color,
        model: &Model,
        pairings: &[Pairing],
        cancel: &AtomicBool,
    ) -> Result<Option<Vec<Chain>>, BlockFileError> {
        let collect = |mover: Color, of: &dyn Fn(&Pairing) -> f64| {
            let mut competences: Vec<f64> = pairings.iter().map(of).collect();
            competences.sort_by(f64::total_cmp);
            competences.dedup();
            let fallible: Vec<f64> = competences.into_iter().filter(|&c| c != f64::INFINITY).collect();
            let matrices = if fallible.is_empty() {
                Some(Vec::new())
            } else {
                Matrix::collect(walk, mover, model, &fallible, cancel)?
            };
            Ok::<_, BlockFileError>(matrices.map(|matrices| (fallible, matrices)))
        };
        let Some(ours) = collect(first, &|pairing| pairing.first)? else { return Ok(None) };
        let Some(theirs) = collect(!first, &|pairing| pairing.second)? else { return Ok(None) };
        let space = Space::new(walk.table().deepest(Color::White), walk.table().deepest(Color::Black));
        let find = |(fallible, matrices): &(Vec<f64>, Vec<Matrix>), mover: Color, c: f64| {
            let known = fallible.iter().zip(matrices).find(|(other, _)| **other == c);
            known.map_or_else(|| Matrix::infallible(mover, space), |(_, matrix)| matrix.clone())
        };
        let chain = |&Pairing { first: c, second: other }: &Pairing| {
            Chain::new(&find(&ours, first, c), &find(&theirs, !first, other))
        };
        Ok(Some(pairings.iter().map(chain).collect()))
    }

    /// The chain in which the side of `first` moves, then that of `second`: M = M_first · M_second.
    pub fn new(first: &Matrix, second: &Matrix) -> Chain {
        let space = first.space().union(second.space());
        let one = stochastic(first, space);
        let two = stochastic(second, space);
        Chain { space, first: first.mover(), rows: product(&one, &two) }
    }

    /// Its states.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The side to move.
    pub fn first(&self) -> Color {
        self.first
    }

    /// The probabilities of the states after one move of each side, by the number of the state before.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The number of the state 'won in `depth`' by the side that moves first.
    pub fn won_in(&self, depth: u16) -> Option<usize> {
        let won = State::win(depth);
        self.space.number(if self.first == Color::White { won } else { -won })
    }

    /// What belongs to the wins of the side that moves first, by their depth from 0.
    pub fn by_depth(&self, by_state: &[f64]) -> Vec<f64> {
        (0..=self.space.deepest(self.first)).filter_map(|depth| Some(by_state[self.won_in(depth)?])).collect()
    }

    /// Expected length of the game from each state, in moves of either side: (I − M)·L = U with L = 0 in both absorbing
    /// states (Theorem 6). Infinite where the game may never end.
    pub fn expected_moves(&self) -> Vec<f64> {
        let size = self.rows.len();
        let ends = |state: usize| state == 0 || state == size - 1;
        let leads = |from: usize, to: usize| self.rows[from][to] > 0.0;
        let reach = |mut reached: Vec<bool>| {
            while let Some(from) = (0..size).find(|&from| {
                !reached[from] && !ends(from) && (0..size).any(|to| reached[to] && leads(from, to))
            }) {
                reached[from] = true;
            }
            reached
        };
        let ending = reach((0..size).map(ends).collect());
        let endless = reach(ending.iter().map(|&ending| !ending).collect());
        let open: Vec<usize> = (0..size).filter(|&state| !ends(state) && !endless[state]).collect();
        let system = open
            .iter()
            .map(|&i| open.iter().map(|&j| f64::from(u8::from(i == j)) - self.rows[i][j]).collect())
            .collect();
        let mut lengths: Vec<f64> =
            endless.iter().map(|&endless| if endless { f64::INFINITY } else { 0.0 }).collect();
        match linear::solve(system, vec![1.0; open.len()]) {
            Some(solution) => open.iter().zip(solution).for_each(|(&state, length)| lengths[state] = length),
            // So little probability of an end that it is lost in rounding.
            None => open.iter().for_each(|&state| lengths[state] = f64::INFINITY),
        }
        lengths
    }

    /// The probabilities of the states after `moves` moves of each side, from those before: p_n = p_0 · Mⁿ.
    pub fn after(&self, start: &[f64], moves: u32) -> Vec<f64> {
        (0..moves).fold(start.to_vec(), |now, _| {
            let mut next = vec![0.0; now.len()];
            for (probability, row) in now.iter().zip(&self.rows) {
                if *probability > 0.0 {
                    next.iter_mut().zip(row).for_each(|(next, entry)| *next += probability * entry);
                }
            }
            next
        })
    }

    /// The probability that the side that moves first has won after at most so many of its moves, from each state:
    /// Mⁿ\[i, 0\] (Haworth & Andrist, §6.3).
    pub fn won_within(&self, moves: u32) -> Vec<f64> {
        let goal = self.won_in(0).unwrap_or(0);
        let mut won: Vec<f64> =
            (0..self.rows.len()).map(|state| f64::from(u8::from(state == goal))).collect();
        for _ in 0..moves {
            won = self.rows.iter().map(|row| row.iter().zip(&won).map(|(p, won)| p * won).sum()).collect();
        }
        won
    }

    /// The steady state that the probabilities tend to from each state: the rows of lim Mⁿ, each a left eigenvector of M.
    pub fn steady(&self) -> Vec<Vec<f64>> {
        let mut power = self.rows.clone();
        for _ in 0..64 {
            let square = product(&power, &power);
            let change = |(a, b): (&Vec<f64>, &Vec<f64>)| {
                a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            };
            let greatest = power.iter().zip(&square).map(change).fold(0.0, f64::max);
            power = square;
            if greatest < 1e-14 {
                break;
            }
        }
        power
    }

    /// The expected depth where the states have these probabilities, a draw counting as depth 0.
    pub fn expected_depth(&self, probabilities: &[f64]) -> f64 {
        let depth = |number: usize| self.space.state(number).depth().map_or(0.0, |depth| f64::from(depth.0));
        probabilities.iter().enumerate().map(|(number, probability)| probability * depth(number)).sum()
    }
}

fn stochastic(matrix: &Matrix, space: Space) -> Vec<Vec<f64>> {
    let size = space.len();
    let row = |number: usize| {
        let mut row = vec![0.0; size];
        let ends = number == 0 || number == size - 1;
        match matrix.row(Code::of(space.state(number))).filter(|_| !ends) {
            Some(entries) => {
                for (after, entry) in row.iter_mut().enumerate() {
                    *entry = entries[Code::of(space.state(after)).place()];
                }
            }
            None => row[number] = 1.0,
        }
        row
    };
    (0..size).map(row).collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter()
        .map(|row| {
            let mut sums = vec![0.0; row.len()];
            for (entry, other) in row.iter().zip(b).filter(|(entry, _)| **entry > 0.0) {
                sums.iter_mut().zip(other).for_each(|(sum, value)| *sum += entry * value);
            }
            sums
        })
        .collect()
}
