//! Many games from one position.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::Color;

use super::{
    chooser::Chooser,
    memory::Memory,
    spectrum::{GameEvidence, Spectrum},
};
use crate::{
    endgame::{BlockFileError, Index, Table, Walk},
    model::Value,
};

/// Two players, an endgame and a position of it where games begin. Games go on until the material changes or one side
/// can't move.
pub struct Contest<'a> {
    /// The table and those around it.
    pub walk: &'a Walk,
    /// The same endgame by depth to mate, for the rule that asks for it.
    pub mates: Option<&'a Table>,
    /// The position.
    pub start: Index,
    /// Who is to move there.
    pub first: Color,
    /// The player who moves first, and the other.
    pub choosers: [&'a Chooser; 2],
    /// Who watches them.
    pub watchers: [Option<&'a Spectrum>; 2],
    /// Games of more plies are drawn.
    pub longest: usize,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Moves by both sides.
    pub plies: usize,
    /// What it came to for the player who moved first.
    pub value: Value,
    /// Why it ended.
    pub end: End,
    /// What it says about the player who moved first and the other, as far as they are watched.
    pub evidence: [Option<GameEvidence>; 2],
}

/// Why a simulated game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The material changed.
    Conversion,
    /// Mate.
    Checkmate,
    /// No move and no check.
    Stalemate,
    /// It was too long.
    Length,
}

/// Why there are no games.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A table can't be read.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// The number stands for no position with that side to move.
    #[error("position {0} does not exist: begin with one that does")]
    NoPosition(Index),
    /// The rule needs depths to mate.
    #[error("the rule longest-dtm needs the table by depth to mate")]
    NoMates,
    /// Nobody wants them any more.
    #[error("interrupted")]
    Cancelled,
}

impl Played {
    /// Moves of the player who moved first.
    pub fn moves(&self) -> usize {
        self.plies.div_ceil(2)
    }
}

impl Contest<'_> {
    /// Plays so many games on the threads that there are. What game k leaves to chance follows from `seed(k)` alone, so
    /// the games are the same on any number of threads.
    pub fn play_all(
        &self,
        games: usize,
        seed: impl Fn(usize) -> u64 + Sync,
        cancel: &AtomicBool,
    ) -> Result<Vec<Played>, ContestError> {
        let next = AtomicUsize::new(0);
        let some_games = |_| {
            let mut memory = Memory::new();
            let mut played = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games {
                    return Ok(played);
                }
                if cancel.load(Ordering::Relaxed) {
                    return Err(ContestError::Cancelled);
                }
                played.push((number, self.play(&mut memory, Pcg64::seed_from_u64(seed(number)))?));
            }
        };
        let threads = rayon::current_num_threads().min(games);
        let mut all = (0..threads).into_par_iter().map(some_games).try_reduce(
            Vec::new,
            |mut some, more: Vec<(usize, Played)>| {
                some.extend(more);
                Ok(some)
            },
        )?;
        all.sort_unstable_by_key(|(number, _)| *number);
        Ok(all.into_iter().map(|(_, played)| played).collect())
    }

    /// Whether a side is the one that moves first (0) or the other (1).
    pub(super) fn turn(&self, side: Color) -> usize {
        usize::from(side != self.first)
    }

    fn play(&self, memory: &mut Memory, mut rng: Pcg64) -> Result<Played, ContestError> {
        let mut evidence = self.watchers.map(|watcher| watcher.map(Spectrum::nothing));
        let (mut index, mut mover, mut plies) = (self.start, self.first, 0);
        let (value_for_mover, end) = loop {
            let decision = memory.decision(self, index, mover)?;
            let Some((outcome, next)) = decision.choose(rng.random()) else {
                break if decision.check {
                    (Value::Loss, End::Checkmate)
                } else {
                    (Value::Draw, End::Stalemate)
                };
            };
            if plies >= self.longest {
                break (Value::Draw, End::Length);
            }
            let turn = self.turn(mover);
            if let (Some(watcher), Some(evidence)) = (self.watchers[turn], &mut evidence[turn]) {
                watcher.observe(evidence, decision.moves_to, outcome);
            }
            plies += 1;
            match next {
                Some(next) => (index, mover) = (next, !mover),
                None => break (outcome.state().value(), End::Conversion),
            }
        };
        let value = if mover == self.first { value_for_mover } else { -value_for_mover };
        Ok(Played { plies, value, end, evidence })
    }
}
