use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    blocks::BlockFileError,
    index::Index,
    table::{self, side},
    walk::Walk,
};
use crate::model::{Depth, Metric, State, Value};

/// What there is to know of an endgame as a whole.
#[derive(Default)]
pub struct Statistics {
    by_state: [HashMap<State, u64>; 2],
    deepest: [Extremes; 2],
    zugzwangs: (u64, Vec<String>),
}

/// The deepest wins of a side that is to move: how many classes of mirror images, and some of them.
#[derive(Default)]
struct Extremes {
    depth: Depth,
    classes: u64,
    examples: Vec<String>,
}

impl Statistics {
    /// Visits the whole table; `show` positions of each kind are kept as examples. None if `cancel` was raised.
    pub fn collect(
        walk: &Walk,
        show: usize,
        cancel: &AtomicBool,
    ) -> Result<Option<Statistics>, BlockFileError> {
        let per_pair = walk.indexer().per_king_pair();
        let pairs: Vec<Statistics> = (0..walk.indexer().king_pairs())
            .into_par_iter()
            .map(|pair| {
                let mut statistics = Statistics::default();
                if !cancel.load(Relaxed) {
                    for index in pair * per_pair..(pair + 1) * per_pair {
                        statistics.add(walk, index as Index, show)?;
                    }
                }
                Ok(statistics)
            })
            .collect::<Result<_, BlockFileError>>()?;
        let whole = pairs.into_iter().fold(Statistics::default(), |whole, part| whole.merge(part, show));
        Ok((!cancel.load(Relaxed)).then_some(whole))
    }

    fn add(&mut self, walk: &Walk, index: Index, show: usize) -> Result<(), BlockFileError> {
        for mover in [Color::White, Color::Black] {
            let Some(board) = walk.board(mover, index) else { continue };
            if !walk.is_told(mover, index)? {
                continue;
            }
            let state = walk.table().state(mover, index)?;
            let images = walk.indexer().images(board.squares());
            *self.by_state[side(mover)].entry(state).or_default() += u64::from(images);
            let fen = || table::fen(board.men(), board.squares(), mover).to_string();
            match (state, walk.table().metric()) {
                (State::Win(depth), _) => self.deepest[side(mover)].add(depth, fen, show),
                // Who forces a draw is not to move.
                (State::Loss(depth), Metric::Dtd) => self.deepest[side(!mover)].add(depth, fen, show),
                _ => {}
            }
            if mover == Color::White && walk.is_mutual_zugzwang(index)? {
                self.zugzwangs.0 += 1;
                if self.zugzwangs.1.len() < show {
                    self.zugzwangs.1.push(table::fen(board.men(), board.squares(), mover).to_string());
                }
            }
        }
        Ok(())
    }

    fn merge(mut self, other: Statistics, show: usize) -> Statistics {
        for (mine, theirs) in self.by_state.iter_mut().zip(other.by_state) {
            for (state, count) in theirs {
                *mine.entry(state).or_default() += count;
            }
        }
        for (mine, theirs) in self.deepest.iter_mut().zip(other.deepest) {
            if theirs.depth > mine.depth {
                *mine = theirs;
            } else if theirs.depth == mine.depth {
                mine.classes += theirs.classes;
                mine.examples.extend(theirs.examples);
                mine.examples.truncate(show);
            }
        }
        self.zugzwangs.0 += other.zugzwangs.0;
        self.zugzwangs.1.extend(other.zugzwangs.1);
        self.zugzwangs.1.truncate(show);
        self
    }

    /// Positions of the full board, mirror images counted apart, by state of the side to move.
    pub fn by_state(&self, mover: Color) -> &HashMap<State, u64> {
        &self.by_state[side(mover)]
    }

    /// Positions of the full board with a value for the side to move.
    pub fn total(&self, mover: Color, value: Value) -> u64 {
        self.by_state(mover).iter().filter(|(state, _)| state.value() == value).map(|(_, count)| count).sum()
    }

    /// Depth of the deepest wins of a side that is to move (by depth to draw, of the deepest draws that a side forces with the other to
    /// move), how many there are up to symmetry, and some of them.
    pub fn deepest(&self, winner: Color) -> (Depth, u64, &[String]) {
        let Extremes { depth, classes, examples } = &self.deepest[side(winner)];
        (*depth, *classes, examples)
    }

    /// How many positions up to symmetry are worse for whoever is to move, and some of them.
    pub fn zugzwangs(&self) -> (u64, &[String]) {
        (self.zugzwangs.0, &self.zugzwangs.1)
    }
}

impl Extremes {
    fn add(&mut self, depth: Depth, fen: impl FnOnce() -> String, show: usize) {
        if depth > self.depth {
            *self = Extremes { depth, ..Extremes::default() };
        }
        if depth == self.depth {
            self.classes += 1;
            if self.examples.len() < show {
                self.examples.push(fen());
            }
        }
    }
}
