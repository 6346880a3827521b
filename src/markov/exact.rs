use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    anderson::Anderson,
    coarse::Coarse,
    ground::{Ground, Scope},
    play::{Change, Play, PositionValues, Seen},
};
use crate::model::{Code, State, Value};

/// A game between two ways to play, position by position: exact where [`super::Chain`] averages.
///
/// It is over when the endgame is left or nobody can move. Moves are counted as the winner's.
#[derive(Clone)]
pub struct Exact<'a> {
    ground: &'a Ground,
    winner: Color,
    attack: Play,
    defence: Play,
}

/// A number for each position by its spot: with the winner to move, and with the other side to move.
#[derive(Clone)]
pub struct SideValues {
    /// With the winner to move.
    pub attacking: PositionValues,
    /// With the other side to move.
    pub defending: PositionValues,
}

impl SideValues {
    /// The number of a position with the winner to move, or the other side; nothing where it is not played from.
    pub fn at(&self, winner_moves: bool, spot: Option<usize>) -> f64 {
        let values = if winner_moves { &self.attacking } else { &self.defending };
        spot.map_or(0.0, |spot| values[spot])
    }
}

/// One round changes lengths by no more than this when they have settled: no length is wrong by a greater part of the
/// greatest of them.
const EXACTNESS: f64 = 1e-7;
/// … or by this part of the greatest, which is lost in rounding.
const ROUNDING: f64 = 1e-14;
/// A chain that has not settled after so many rounds has lengths beyond counting.
const ROUNDS: u32 = 1000;

impl<'a> Exact<'a> {
    /// `attack` is how the side plays whose win is waited for, `defence` how the other one does.
    pub fn new(ground: &'a Ground, attack: Play, defence: Play) -> Exact<'a> {
        Exact { ground, winner: attack.mover(), attack, defence }
    }

    /// The side whose win is waited for.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// Numbers that say with which codes of the side that moves there the winner has won, and which positions are mates.
    fn won(&self, to_move: Color) -> PositionValues {
        let loses = to_move != self.winner;
        let is_won = |code: Code| code.state().value() == if loses { Value::Win } else { Value::Loss };
        let positions = self.ground.codes(to_move).iter().map(|code| loses && code.state() == State::loss(0));
        positions.chain(Code::all().map(is_won)).map(|won| f64::from(u8::from(won))).collect()
    }

    /// The probability that the winner has won after at most m of its moves, for m from 0 to `moves`: `hear(m, attacking,
    /// defending)` is told each, by spot, until `cancel` is raised. Where a side plays as well as possible, it does so for exactly m
    /// moves.
    pub fn won_within(
        &self,
        moves: u32,
        cancel: &AtomicBool,
        mut hear: impl FnMut(u32, &PositionValues, &PositionValues),
    ) {
        let mut attacking = self.defence.sees(self.won(self.winner));
        let mut defending = self.attack.sees(self.won(!self.winner));
        let (ours, theirs) = (0..self.ground.size(self.winner), 0..self.ground.size(!self.winner));
        for m in 0..=moves {
            if cancel.load(Relaxed) {
                return;
            }
            if m > 0 {
                self.attack.pass(self.ground, ours.clone(), &defending, &mut attacking, |chance| chance);
            }
            self.defence.pass(self.ground, theirs.clone(), &attacking, &mut defending, |chance| chance);
            hear(m, attacking.values(), defending.values());
        }
    }

    /// The expected number of moves the winner needs from each position that it wins, provided that nobody concedes value.
    /// None if they are beyond counting, other positions count too, or `cancel` was raised. `guess` is a place to start from: lengths of like games.
    ///
    /// L = 1 + P·L is solved by rounds from shallow positions to deep ones, each being worked out from what is newest (Gauss and Seidel);
    /// whoever chooses does so anew in each round. What is common to all positions of a depth would settle slowly, so after
    /// each round it is settled at once by the chain on depths, and the last rounds together show where they tend to.
    pub fn expected_moves(&self, guess: Option<&SideValues>, cancel: &AtomicBool) -> Option<SideValues> {
        let (winner, loser) = (self.winner, !self.winner);
        if self.ground.scope() != Scope::WonBy(winner) {
            return None;
        }
        let start = guess.cloned();
        // Whoever chooses goes by depth at first: that comes to an end.
        let start = start
            .unwrap_or_else(|| SideValues { attacking: self.depths(winner), defending: self.depths(loser) });
        let (mut attacking, mut defending) =
            (self.defence.sees(start.attacking), self.attack.sees(start.defending));
        let mut coarse = self.coarse(&attacking, &defending);
        if guess.is_none() {
            attacking.change(0..self.ground.size(winner), |values| values.fill(0.0));
            defending.change(0..self.ground.size(loser), |values| values.fill(0.0));
            self.shift(&coarse, &coarse.lengths()?, &mut attacking, &mut defending);
        }
        let mut anderson = Anderson::default();
        for round in 0..ROUNDS {
            if cancel.load(Relaxed) {
                return None;
            }
            anderson.begin(defending.positions());
            let mut change = Change::default();
            // With the winner to move first: its moves lead to losses that are a move less deep.
            for (ours, theirs) in self.ground.bands(winner).iter().zip(self.ground.bands(loser)) {
                self.attack.pass(self.ground, ours.clone(), &defending, &mut attacking, |moves| moves + 1.0);
                let pass =
                    self.defence.pass(self.ground, theirs.clone(), &attacking, &mut defending, |moves| moves);
                change.add(&pass);
            }
            let greatest = attacking.positions().par_iter().copied().reduce(|| 0.0, f64::max);
            if !greatest.is_finite() || change.sums.iter().any(|sum| sum.is_nan()) {
                return None;
            }
            // Whatever was worked out from numbers that have changed since is wrong by no more than that.
            if change.greatest < EXACTNESS.max(ROUNDING * greatest) {
                let (attacking, defending) = (attacking.into_values(), defending.into_values());
                return Some(SideValues { attacking, defending });
            }
            // Choices change less and less.
            if round.is_power_of_two() && self.is_optimising() {
                coarse = self.coarse(&attacking, &defending);
            }
            self.shift(&coarse, &coarse.correction(&change.sums)?, &mut attacking, &mut defending);
            defending.change(0..self.ground.size(loser), |values| anderson.end(values));
        }
        None
    }

    fn is_optimising(&self) -> bool {
        self.attack.is_optimising() || self.defence.is_optimising()
    }

    /// The depth of each position with this side to move; 0 where the endgame is left.
    fn depths(&self, to_move: Color) -> PositionValues {
        let depth = |code: &Code| f64::from(code.state().depth().unwrap_or_default().0);
        let depths = self.ground.codes(to_move).iter().map(depth);
        depths.chain([0.0; Code::COUNT]).collect()
    }

    /// The chain on depths, whoever chooses choosing by these numbers.
    fn coarse(&self, attacking: &Seen, defending: &Seen) -> Coarse {
        let attack = self.attack.by_code(self.ground, defending);
        let defence = self.defence.by_code(self.ground, attacking);
        Coarse::new(self.ground, self.winner, attack, defence)
    }

    /// Adds to the numbers of positions with the winner to move, by code, and to the others what follows from that.
    fn shift(&self, coarse: &Coarse, by: &[f64], attacking: &mut Seen, defending: &mut Seen) {
        self.attack.shift(self.ground, by, attacking);
        self.defence.shift(self.ground, &coarse.after_reply(by), defending);
    }
}
