//! Decisions that were worked out before.

use shakmaty::Color;

use super::contest::{Contest, ContestError};
use crate::{
    endgame::{Index, Step},
    model::Code,
};

/// How many decisions are remembered at most (a power of two).
const MOST_DECISIONS: usize = 1 << 17;

/// With so many choices remembered, everything is forgotten.
const MOST_CHOICES: usize = 1 << 21;

/// No position has this number.
const NOWHERE: Index = Index::MAX;

/// What may be played in one position.
pub(super) struct KnownDecision<'a> {
    /// The moves that have a chance.
    choices: &'a [KnownChoice],
    /// How many moves lead to each state, as far as the watcher of the side to move thinks them possible.
    pub moves_to: &'a [(Code, u16)],
    /// Whether a side that can't move is in check.
    pub check: bool,
}

#[derive(Clone, Copy)]
struct KnownChoice {
    /// The weights of this move and of those before it.
    up_to: f64,
    next: Index,
    outcome: Code,
}

impl KnownDecision<'_> {
    /// The move at the share `chance` of all weight: its outcome, and the position after it if the material stays. None if
    /// there is no move.
    pub fn choose(&self, chance: f64) -> Option<(Code, Option<Index>)> {
        let ticket = chance * self.choices.last()?.up_to;
        let number = self.choices.partition_point(|choice| choice.up_to <= ticket);
        // Rounding may put the ticket at the very end.
        let choice = self.choices[number.min(self.choices.len() - 1)];
        Some((choice.outcome, Some(choice.next).filter(|&next| next != NOWHERE)))
    }
}

/// Where a decision is kept: its choices and its states, from and to.
#[derive(Clone, Copy, Default)]
struct Remembered {
    /// The number of the position and the side to move.
    key: Option<(Index, Color)>,
    choices: (u32, u32),
    moves_to: (u32, u32),
    check: bool,
}

/// The decisions of one contest, as many as there is room for.
pub(super) struct Memory {
    decisions: Vec<Remembered>,
    choices: Vec<KnownChoice>,
    moves_to: Vec<(Code, u16)>,
    /// Used anew for each decision.
    steps: Vec<Step>,
    weights: Vec<f64>,
}

impl Memory {
    pub fn new() -> Memory {
        Memory {
            decisions: vec![Remembered::default(); MOST_DECISIONS],
            choices: Vec::new(),
            moves_to: Vec::new(),
            steps: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// What `mover` may play in the position `index`.
    pub fn decision(
        &mut self,
        contest: &Contest<'_>,
        index: Index,
        mover: Color,
    ) -> Result<KnownDecision<'_>, ContestError> {
        // Fibonacci hashing spreads neighbours.
        let key = u64::from(index) << 1 | u64::from(mover.is_white());
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - MOST_DECISIONS.trailing_zeros()))
            as usize;
        if self.decisions[place].key != Some((index, mover)) {
            if self.choices.len() > MOST_CHOICES {
                self.decisions.fill(Remembered::default());
                self.choices.clear();
                self.moves_to.clear();
            }
            self.decisions[place] = self.work_out(contest, index, mover)?;
        }
        let Remembered { choices, moves_to, check, .. } = self.decisions[place];
        Ok(KnownDecision {
            choices: &self.choices[choices.0 as usize..choices.1 as usize],
            moves_to: &self.moves_to[moves_to.0 as usize..moves_to.1 as usize],
            check,
        })
    }

    fn work_out(
        &mut self,
        contest: &Contest<'_>,
        index: Index,
        mover: Color,
    ) -> Result<Remembered, ContestError> {
        let Memory { choices, moves_to, steps, weights, .. } = self;
        let (first_choice, first_state) = (choices.len(), moves_to.len());
        steps.clear();
        let board = contest.walk.board(mover, index).ok_or(ContestError::NoPosition(index))?;
        contest.walk.each_step(&board, index, mover, |step| steps.push(step))?;
        let turn = contest.turn(mover);
        if let Some(best) = steps.iter().map(|step| step.outcome).max() {
            contest.choosers[turn].weigh(contest, mover, index, steps, best, weights)?;
            let mut up_to = 0.0;
            for (step, weight) in steps.iter().zip(&*weights).filter(|(_, weight)| **weight > 0.0) {
                up_to += weight;
                let next = step.next.unwrap_or(NOWHERE);
                choices.push(KnownChoice { up_to, next, outcome: Code::of(step.outcome) });
            }
        }
        if let Some(watcher) = contest.watchers[turn] {
            weights.clear();
            weights.resize(steps.len(), 1.0);
            watcher.policy().restrict_states(|number| Some(steps[number].outcome), weights);
            for (step, _) in steps.iter().zip(&*weights).filter(|(_, weight)| **weight > 0.0) {
                let code = Code::of(step.outcome);
                match moves_to[first_state..].iter_mut().find(|(known, _)| *known == code) {
                    Some((_, count)) => *count += 1,
                    None => moves_to.push((code, 1)),
                }
            }
        }
        Ok(Remembered {
            key: Some((index, mover)),
            choices: (first_choice as u32, choices.len() as u32),
            moves_to: (first_state as u32, moves_to.len() as u32),
            check: steps.is_empty() && board.in_check(mover),
        })
    }
}
