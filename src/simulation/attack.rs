use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::{Color, Role};

use super::evidence::{Evidence, Spectrum};
use crate::{
    agents::Rule,
    endgame::{Index, Step, StoreError, Table, Walk},
    model::{Depth, State},
};

/// R_c, who keeps the win, against R_∞ in one endgame, from a won position to the goal of the metric.
pub struct Attack<'a> {
    /// The table and those around it.
    pub walk: &'a Walk,
    /// The same endgame by depth to mate, for the rule that asks for it.
    pub mates: Option<&'a Table>,
    /// The attacker's competence, from 0 up.
    pub competence: f64,
    /// κ of the attacker's preferences, 0 for 0+.
    pub kappa: f64,
    /// How the defender chooses among optimal moves. Squares are counted in the orientation in which the table
    /// numbers the position.
    pub rule: Rule,
    /// Who watches the attacker.
    pub watcher: &'a Spectrum,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The attacker's moves, the last one included.
    pub moves: u32,
    /// What they say about his competence.
    pub evidence: Evidence,
}

/// Why a game can't be played.
#[derive(Debug, thiserror::Error)]
pub enum AttackError {
    /// A table can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The number stands for no position that the attacker wins.
    #[error("position {0} is not won for the side to move: begin with one that is")]
    NotWon(Index),
    /// The rule needs depths to mate.
    #[error("the rule longest-dtm needs the table by depth to mate")]
    NoMates,
}

impl Attack<'_> {
    /// Plays `games` games from the position with this number, `attacker` to move. Game k depends on the seed and on k
    /// alone, so the result does not depend on how many run at once.
    pub fn play_all(
        &self,
        start: Index,
        attacker: Color,
        games: u64,
        seed: u64,
    ) -> Result<Vec<Played>, AttackError> {
        let preferences = self.preferences();
        (0..games)
            .into_par_iter()
            .map(|game| {
                // Streams of one seed differ by the number of the game.
                let mut rng = Pcg64::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game);
                self.play(start, attacker, &preferences, &mut rng)
            })
            .collect()
    }

    /// w^(−c) by depth.
    fn preferences(&self) -> Vec<f64> {
        let deepest = Color::ALL.map(|side| self.walk.table().deepest(side).0).into_iter().max().unwrap_or(0);
        (0..=deepest).map(|depth| (f64::from(depth) + self.kappa).powf(-self.competence)).collect()
    }

    fn play(
        &self,
        start: Index,
        attacker: Color,
        preferences: &[f64],
        rng: &mut impl Rng,
    ) -> Result<Played, AttackError> {
        let mut index = start;
        let mut evidence = self.watcher.nothing();
        let mut steps: Vec<Step> = Vec::with_capacity(32);
        let mut moves_to: Vec<(u16, u32)> = Vec::with_capacity(32);
        for moves in 1.. {
            self.steps(index, attacker, &mut steps)?;
            moves_to.clear();
            let mut sum = 0.0;
            for depth in steps.iter().filter_map(win) {
                match moves_to.iter_mut().find(|(known, _)| *known == depth) {
                    Some((_, count)) => *count += 1,
                    None => moves_to.push((depth, 1)),
                }
                sum += preferences[usize::from(depth)];
            }
            if moves_to.is_empty() {
                return Err(AttackError::NotWon(start));
            }
            let chosen = choose(&steps, preferences, sum, rng);
            let Some((step, depth)) = chosen else { return Err(AttackError::NotWon(start)) };
            self.watcher.observe(&mut evidence, &moves_to, depth);
            let next = step.next.filter(|_| depth > 0);
            let Some(next) = next else { return Ok(Played { moves, evidence }) };
            index = self.reply(next, !attacker, &mut steps, rng)?;
        }
        Err(AttackError::NotWon(start))
    }

    fn steps(&self, index: Index, mover: Color, steps: &mut Vec<Step>) -> Result<(), AttackError> {
        steps.clear();
        let board = self.walk.board(mover, index).ok_or(AttackError::NotWon(index))?;
        Ok(self.walk.each_step(&board, index, mover, |step| steps.push(step))?)
    }

    /// The position after the defender's move.
    fn reply(
        &self,
        index: Index,
        defender: Color,
        steps: &mut Vec<Step>,
        rng: &mut impl Rng,
    ) -> Result<Index, AttackError> {
        self.steps(index, defender, steps)?;
        let best = steps.iter().map(|step| step.outcome).max();
        steps.retain(|step| Some(step.outcome) == best);
        let men = self.walk.indexer().men();
        match self.rule {
            Rule::Uniform => {}
            Rule::LongestDtm => {
                let mates = self.mates.ok_or(AttackError::NoMates)?;
                let mut longest = None;
                let mut kept = Vec::new();
                for step in steps.iter() {
                    let Some(next) = step.next else { continue };
                    let state = -mates.state(!defender, next)?;
                    if longest < Some(state) {
                        longest = Some(state);
                        kept.clear();
                    }
                    if longest == Some(state) {
                        kept.push(*step);
                    }
                }
                *steps = kept;
            }
            Rule::FirstRook | Rule::First => {
                let squares = self.walk.indexer().squares(index);
                let rook = |step: &Step| self.rule == Rule::First || men[step.place].role == Role::Rook;
                steps.sort_by_key(|step| (!rook(step), squares[step.place], step.to));
                steps.truncate(1);
            }
        }
        if steps.is_empty() {
            return Err(AttackError::NotWon(index));
        }
        steps[rng.random_range(0..steps.len())].next.ok_or(AttackError::NotWon(index))
    }
}

fn win(step: &Step) -> Option<u16> {
    match step.outcome {
        State::Win(Depth(depth)) => Some(depth),
        _ => None,
    }
}

/// Draws a winning move; `sum` is that of all preferences. With κ = 0+ a win in 0 has an infinite preference.
fn choose(steps: &[Step], preferences: &[f64], sum: f64, rng: &mut impl Rng) -> Option<(Step, u16)> {
    let winning = steps.iter().filter_map(|step| Some((*step, win(step)?)));
    if sum.is_infinite() {
        let sure: Vec<_> = winning.filter(|(_, depth)| *depth == 0).collect();
        return sure.get(rng.random_range(0..sure.len().max(1))).copied();
    }
    let mut left = rng.random::<f64>() * sum;
    let mut last = None;
    for (step, depth) in winning {
        last = Some((step, depth));
        left -= preferences[usize::from(depth)];
        if left < 0.0 {
            break;
        }
    }
    last
}
