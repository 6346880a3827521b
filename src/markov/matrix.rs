use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    outlook::{Outlook, Prices},
    space::Space,
};
use crate::{
    endgame::{BlockFileError, Index, Walk},
    model::{Code, Model, State},
};

/// How one side moves from state to state: m_ij is the mean, over all legal positions of the full board with that side to
/// move in state i, of the probability that its move leads to state j (Haworth & Andrist, §5).
///
/// States are White's, whoever moves: a step of White's and one of Black's can be multiplied. Both absorbing states,
/// and states that no position with this side to move is in, stay as they are.
#[derive(Clone, Debug)]
pub struct Matrix {
    mover: Color,
    space: Space,
    /// By the code of the state before, for White, then by that after.
    rows: Vec<Option<Vec<f64>>>,
}

impl Matrix {
    /// R_∞ keeps a draw, holds the depth of a loss and shortens a win by one: no position need be looked at.
    pub fn infallible(mover: Color, space: Space) -> Matrix {
        let rows = Code::all().map(|code| {
            let after = match code.seen_by(mover).state() {
                State::Win(depth) => State::win(depth.0.saturating_sub(1)),
                other => other,
            };
            let mut row = vec![0.0; Code::COUNT];
            row[Code::of(after).seen_by(mover).place()] = 1.0;
            Some(row)
        });
        Matrix { mover, space, rows: rows.collect() }
    }

    /// The matrices of players of several competences, in one visit of the whole table, on all cores. None if `cancel`
    /// was raised.
    pub fn collect(
        walk: &Walk,
        mover: Color,
        model: &Model,
        competences: &[f64],
        cancel: &AtomicBool,
    ) -> Result<Option<Vec<Matrix>>, BlockFileError> {
        let table = walk.table();
        let prices = Prices::new(model, table.deepest(mover), table.deepest(!mover));
        let (pairs, per_pair) = (walk.indexer().king_pairs(), walk.indexer().per_king_pair());
        // Sums are large: few parts, a little more than cores.
        let part = pairs.div_ceil(2 * rayon::current_num_threads());
        let sums = (0..pairs)
            .into_par_iter()
            .with_min_len(part)
            .try_fold(
                || Sums::new(competences.len()),
                |mut sums, pair| {
                    if !cancel.load(Relaxed) {
                        for index in pair * per_pair..(pair + 1) * per_pair {
                            sums.visit(walk, index as Index, mover, &prices, competences)?;
                        }
                    }
                    Ok::<_, BlockFileError>(sums)
                },
            )
            .try_reduce(
                || Sums::new(competences.len()),
                |mut a, b| {
                    a.merge(b);
                    Ok(a)
                },
            )?;
        if cancel.load(Relaxed) {
            return Ok(None);
        }
        let space = Space::new(table.deepest(Color::White), table.deepest(Color::Black));
        let matrix = |sums: Vec<Option<Vec<f64>>>| {
            let rows: Vec<_> = sums.into_iter().map(normalised).collect();
            // By depth to mate a conversion may lead deeper than any position of the endgame itself.
            let moved_to =
                rows.iter().flatten().flat_map(|row| Code::all().zip(row)).filter(|&(_, &entry)| entry > 0.0);
            let space = moved_to.fold(space, |space, (code, _)| space.including(code.state()));
            Matrix { mover, space, rows }
        };
        Ok(Some(sums.by_competence.into_iter().map(matrix).collect()))
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The states it speaks of.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The probabilities of the codes after, for White; nothing where no position with this side to move is in that state.
    pub(super) fn row(&self, code: Code) -> Option<&[f64]> {
        self.rows[code.place()].as_deref()
    }
}

fn normalised(row: Option<Vec<f64>>) -> Option<Vec<f64>> {
    let mut row = row?;
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|entry| *entry /= sum);
    Some(row)
}

/// Probabilities added up over positions.
struct Sums {
    by_competence: Vec<Vec<Option<Vec<f64>>>>,
    outlook: Outlook,
    probabilities: Vec<f64>,
    scratch: Vec<f64>,
}

impl Sums {
    fn new(competences: usize) -> Sums {
        Sums {
            by_competence: vec![vec![None; Code::COUNT]; competences],
            outlook: Outlook::default(),
            probabilities: Vec::new(),
            scratch: Vec::new(),
        }
    }

    #[inline]
    fn visit(
        &mut self,
        walk: &Walk,
        index: Index,
        mover: Color,
        prices: &Prices,
        competences: &[f64],
    ) -> Result<(), BlockFileError> {
        let Some(board) = walk.board(mover, index) else { return Ok(()) };
        let before = Code::of(walk.table().state(mover, index)?).seen_by(mover).place();
        let outlook = &mut self.outlook;
        outlook.clear();
        walk.each_step(&board, index, mover, |step| outlook.add(Code::of(step.outcome)))?;
        if outlook.codes().is_empty() {
            return Ok(());
        }
        outlook.price(prices);
        let images = f64::from(walk.indexer().images(board.squares()));
        for (sums, &c) in self.by_competence.iter_mut().zip(competences) {
            self.probabilities.clear();
            self.probabilities.resize(outlook.codes().len(), 0.0);
            outlook.add_probabilities(c, images, &mut self.probabilities, &mut self.scratch);
            let row = sums[before].get_or_insert_with(|| vec![0.0; Code::COUNT]);
            for (code, probability) in outlook.codes().iter().zip(&self.probabilities) {
                row[code.seen_by(mover).place()] += probability;
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Sums) {
        for (mine, theirs) in self.by_competence.iter_mut().zip(other.by_competence) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                match (mine.as_mut(), theirs) {
                    (Some(mine), Some(theirs)) => {
                        mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
                    }
                    (None, theirs) => *mine = theirs,
                    (Some(_), None) => {}
                }
            }
        }
    }
}
