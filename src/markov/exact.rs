use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    anderson::Anderson,
    kernel::Ground,
    linear,
    play::{Play, PositionValues},
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

/// A number for each position: with the winner to move, and with the other side to move.
#[derive(Clone)]
pub struct SideValues {
    /// With the winner to move.
    pub attacking: PositionValues,
    /// With the other side to move.
    pub defending: PositionValues,
}

impl SideValues {
    /// The number of a position, `winner` being the side that attacks.
    pub fn at(&self, winner: Color, to_move: Color, index: u32) -> f64 {
        let field = if to_move == winner { &self.attacking } else { &self.defending };
        field[index as usize]
    }
}

/// One round changes lengths by no more than this when they have settled: no length is wrong by a greater part of the
/// greatest of them.
const EXACTNESS: f64 = 1e-7;
/// … and by this while it is still open how whoever chooses plays.
const ROUGHLY: f64 = 0.1;
/// … or by this part of the greatest, which is lost in rounding.
const ROUNDING: f64 = 1e-14;
/// A chain that has not settled after so many rounds has lengths beyond counting.
const ROUNDS: usize = 1000;

impl<'a> Exact<'a> {
    /// `attack` is how the side plays whose win is waited for, `defence` how the other one does.
    pub fn new(ground: &'a Ground, attack: Play, defence: Play) -> Exact<'a> {
        Exact { ground, winner: attack.mover(), attack, defence }
    }

    /// The side whose win is waited for.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// A field that says with which codes of the side that moves there the winner has won, and which positions are mates.
    fn won(&self, to_move: Color) -> PositionValues {
        let is_won = |loser: bool, code: Code| {
            let lost = code.state().value() == if loser { Value::Loss } else { Value::Win };
            f64::from(u8::from(lost))
        };
        let mover_is_loser = to_move != self.winner;
        let positions = self.ground.codes(to_move).iter().map(|code| {
            let mated = mover_is_loser && code.state() == State::loss(0);
            f64::from(u8::from(mated))
        });
        positions.chain(Code::all().map(|code| is_won(!mover_is_loser, code))).collect()
    }

    /// The probability that the winner has won after at most m of its moves, for m from 0 to `moves`: `hear(m, fields)` is
    /// told each, until `cancel` is raised. Where a side plays as well as possible, it does so for exactly m moves.
    pub fn won_within(&self, moves: u32, cancel: &AtomicBool, mut hear: impl FnMut(u32, &SideValues)) {
        let mut fields = SideValues { attacking: self.won(self.winner), defending: self.won(!self.winner) };
        for m in 0..=moves {
            if cancel.load(Relaxed) {
                return;
            }
            if m > 0 {
                self.attack.pass(&fields.defending, &mut fields.attacking);
            }
            self.defence.pass(&fields.attacking, &mut fields.defending);
            hear(m, &fields);
        }
    }

    /// The expected number of moves the winner needs from each position that it wins, provided that nobody concedes value.
    /// None if they are beyond counting, or `cancel` was raised. `guess` is a place to start from: lengths against a like opponent.
    pub fn expected_moves(&self, guess: Option<&SideValues>, cancel: &AtomicBool) -> Option<SideValues> {
        let mut best: Option<SideValues> = None;
        // While policies still change, lengths need not be exact.
        let mut exactness = if self.is_optimising() { ROUGHLY } else { EXACTNESS };
        loop {
            let last = best.as_ref().or(guess);
            let fixed = match last {
                None if self.is_optimising() => {
                    // A start that comes to an end: whoever chooses goes by depth.
                    self.fixed_by(&self.depths(self.winner), &self.depths(!self.winner))
                }
                None => self.clone(),
                Some(last) => self.fixed_by(&last.attacking, &last.defending),
            };
            let fields = fixed.solve(last, exactness, cancel)?;
            // Each policy is better than the last (Howard); it is the best when nothing changes any more.
            let change =
                best.as_ref().map_or(f64::INFINITY, |best| distance(&best.attacking, &fields.attacking));
            let settled = change < 10.0 * exactness;
            let done = !self.is_optimising() || settled && exactness <= EXACTNESS;
            if settled {
                exactness = (exactness * 1e-3).max(EXACTNESS);
            }
            best = Some(fields);
            if done {
                return best;
            }
        }
    }

    /// The depth of each position with this side to move; 0 where the endgame is left.
    fn depths(&self, to_move: Color) -> PositionValues {
        let depth = |code: &Code| f64::from(code.state().depth().unwrap_or_default().0);
        self.ground.codes(to_move).iter().map(depth).chain([0.0; Code::COUNT]).collect()
    }

    fn is_optimising(&self) -> bool {
        self.attack.is_optimising() || self.defence.is_optimising()
    }

    fn fixed_by(&self, attacking: &PositionValues, defending: &PositionValues) -> Exact<'a> {
        let (attack, defence) = (self.attack.fixed_by(defending), self.defence.fixed_by(attacking));
        Exact { attack, defence, ..*self }
    }

    /// L = 1 + P·L by iteration. What is common to all positions of a depth would settle slowly, so after each round it is
    /// settled at once by the chain on depths.
    fn solve(&self, guess: Option<&SideValues>, exactness: f64, cancel: &AtomicBool) -> Option<SideValues> {
        let coarse = Coarse::new(self)?;
        let size = self.ground.size() + Code::COUNT;
        let mut attacking = match guess {
            Some(guess) => guess.attacking.clone(),
            None => {
                let mut start = vec![0.0; size];
                coarse.add(&coarse.solve(vec![1.0; Code::COUNT])?, &mut start);
                start
            }
        };
        let mut defending = vec![0.0; size];
        let mut next = vec![0.0; size];
        let mut anderson = Anderson::default();
        for _ in 0..ROUNDS {
            if cancel.load(Relaxed) {
                return None;
            }
            self.defence.pass(&attacking, &mut defending);
            self.attack.pass(&defending, &mut next);
            let rows = self.ground.size();
            next[..rows].par_iter_mut().zip(&coarse.classes).for_each(|(length, class)| {
                *length = if class.is_some() { *length + 1.0 } else { 0.0 };
            });
            let residual = distance(&attacking, &next);
            let greatest = next.par_iter().copied().reduce(|| 0.0, f64::max);
            if !greatest.is_finite() {
                return None;
            }
            let settled = residual < exactness.max(ROUNDING * greatest);
            if !settled {
                let correction = coarse.solve(coarse.step(&coarse.means(&attacking, &next)))?;
                coarse.add(&correction, &mut next);
            }
            if settled {
                attacking = next;
                self.defence.pass(&attacking, &mut defending);
                return Some(SideValues { attacking, defending });
            }
            attacking = anderson.next(&attacking, next.clone());
        }
        None
    }
}

fn distance(a: &PositionValues, b: &PositionValues) -> f64 {
    a.par_iter().zip(b).map(|(a, b)| (a - b).abs()).reduce(|| 0.0, f64::max)
}

/// The chain on depths that belongs to an exact one: the mean over positions of each depth.
struct Coarse {
    /// For each position with the winner to move its depth, if it has moves that count.
    classes: Vec<Option<Code>>,
    counts: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Coarse {
    fn new(exact: &Exact<'_>) -> Option<Coarse> {
        let (attack, defence) = (exact.attack.by_code(exact.ground)?, exact.defence.by_code(exact.ground)?);
        let codes = exact.ground.codes(exact.winner);
        let classes: Vec<Option<Code>> = (codes.iter().enumerate())
            .map(|(index, &code)| exact.attack.has_moves(index).then_some(code))
            .collect();
        let mut counts = vec![0.0; Code::COUNT];
        classes.iter().flatten().for_each(|&class| counts[class.place()] += 1.0);
        // Codes of the other side run the other way.
        let rows = attack
            .iter()
            .map(|row| {
                let mut sums = vec![0.0; Code::COUNT];
                for (code, entry) in row.iter().enumerate().filter(|(_, entry)| **entry > 0.0) {
                    for (sum, after) in sums.iter_mut().zip(defence[Code::COUNT - 1 - code].iter().rev()) {
                        *sum += entry * after;
                    }
                }
                sums
            })
            .collect();
        Some(Coarse { classes, counts, rows })
    }

    /// The mean over each class of what one round has changed.
    fn means(&self, before: &PositionValues, after: &PositionValues) -> Vec<f64> {
        let mut sums = vec![0.0; Code::COUNT];
        for ((class, before), after) in self.classes.iter().zip(before).zip(after) {
            if let Some(class) = class {
                sums[class.place()] += after - before;
            }
        }
        sums.iter()
            .zip(&self.counts)
            .map(|(sum, count)| if *count > 0.0 { sum / count } else { 0.0 })
            .collect()
    }

    /// One round of the chain on depths.
    fn step(&self, values: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().zip(values).map(|(entry, value)| entry * value).sum()).collect()
    }

    /// (I − M)·x = right, on the depths that occur.
    fn solve(&self, right: Vec<f64>) -> Option<Vec<f64>> {
        let used: Vec<usize> = (0..Code::COUNT).filter(|&class| self.counts[class] > 0.0).collect();
        let system = used
            .iter()
            .map(|&i| used.iter().map(|&j| f64::from(u8::from(i == j)) - self.rows[i][j]).collect())
            .collect();
        let solution = linear::solve(system, used.iter().map(|&class| right[class]).collect())?;
        let mut values = vec![0.0; Code::COUNT];
        used.iter().zip(solution).for_each(|(&class, value)| values[class] = value);
        Some(values)
    }

    fn add(&self, correction: &[f64], field: &mut PositionValues) {
        field.par_iter_mut().zip(&self.classes).for_each(|(value, class)| {
            if let Some(class) = class {
                *value += correction[class.place()];
            }
        });
    }
}
