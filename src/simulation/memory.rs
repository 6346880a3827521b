//! Decisions that were worked out before.

use shakmaty::Color;

use super::{
    contest::{Contest, ContestError},
    powers::{Place, place},
};
use crate::endgame::{Index, Step};

/// How many decisions are remembered (a power of two).
const SLOTS: usize = 1 << 17;

/// No position has this number.
const NOWHERE: Index = Index::MAX;

/// What may be played in one position.
#[derive(Clone, Default)]
pub(super) struct Decision {
    /// Whose position it is: its number and the side to move.
    key: Option<(Index, Color)>,
    /// The moves that have a chance.
    choices: Vec<Choice>,
    /// How many moves lead to each place, as far as the watcher of the side to move thinks them possible.
    pub moves_to: Vec<(Place, u16)>,
    /// Whether the side to move is in check.
    pub check: bool,
}

#[derive(Clone, Copy)]
struct Choice {
    /// The weights of this move and of those before it.
    up_to: f64,
    next: Index,
    outcome: Place,
}

impl Decision {
    /// The move at the share `chance` of all weight: its outcome, and the position after it if the material stays. None if
    /// there is no move.
    pub fn choose(&self, chance: f64) -> Option<(Place, Option<Index>)> {
        let ticket = chance * self.choices.last()?.up_to;
        let number = self.choices.partition_point(|choice| choice.up_to <= ticket);
        // Rounding may put the ticket at the very end.
        let choice = self.choices[number.min(self.choices.len() - 1)];
        Some((choice.outcome, Some(choice.next).filter(|&next| next != NOWHERE)))
    }

    fn work_out(
        &mut self,
        contest: &Contest<'_>,
        steps: &mut Vec<Step>,
        index: Index,
        mover: Color,
    ) -> Result<(), ContestError> {
        self.key = None;
        self.choices.clear();
        self.moves_to.clear();
        steps.clear();
        let board = contest.walk.board(mover, index).ok_or(ContestError::NoPosition(index))?;
        contest.walk.each_step(&board, index, mover, |step| steps.push(step))?;
        self.check = steps.is_empty() && board.in_check(mover);
        let turn = contest.turn(mover);
        let weights = contest.choosers[turn].weights(contest.walk, contest.mates, mover, index, steps)?;
        let mut up_to = 0.0;
        for (step, weight) in steps.iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
            up_to += weight;
            let next = step.next.unwrap_or(NOWHERE);
            self.choices.push(Choice { up_to, next, outcome: place(step.outcome) });
        }
        if let (Some(watcher), Some(best)) =
            (&contest.watchers[turn], steps.iter().map(|step| step.outcome).max())
        {
            for step in steps.iter().filter(|step| watcher.allows(step.outcome, best)) {
                let place = place(step.outcome);
                match self.moves_to.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, count)) => *count += 1,
                    None => self.moves_to.push((place, 1)),
                }
            }
        }
        self.key = Some((index, mover));
        Ok(())
    }
}

/// The decisions of one contest, as many as there is room for.
pub(super) struct Memory {
    slots: Vec<Decision>,
    steps: Vec<Step>,
}

impl Memory {
    pub fn new() -> Memory {
        Memory { slots: vec![Decision::default(); SLOTS], steps: Vec::new() }
    }

    /// What `mover` may play in the position `index`.
    pub fn decision(
        &mut self,
        contest: &Contest<'_>,
        index: Index,
        mover: Color,
    ) -> Result<&Decision, ContestError> {
        // Fibonacci hashing spreads neighbours.
        let key = u64::from(index) << 1 | u64::from(mover.is_white());
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.trailing_zeros());
        let decision = &mut self.slots[slot as usize];
        if decision.key != Some((index, mover)) {
            decision.work_out(contest, &mut self.steps, index, mover)?;
        }
        Ok(decision)
    }
}
