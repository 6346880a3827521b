use rayon::prelude::*;

use super::{
    exact::Exact,
    play::{Play, PositionValues},
};
use crate::model::Code;

/// The positions of a game in the order of their depth. A round in that order uses what it has just found out of
/// shallower positions (Gauss and Seidel): since games go towards depth 0, that takes far fewer rounds than if all positions
/// wait for the next.
pub struct Sweep<'a> {
    attack: &'a Play,
    defence: &'a Play,
    /// By depth, those that have moves.
    attacking: Vec<Vec<u32>>,
    defending: Vec<Vec<u32>>,
    /// Before the opponent's move; kept to be written over.
    after_attack: Weighted,
    after_defence: Weighted,
}

/// Values as a side weighs them that moves there: sums over its moves need nothing else.
struct Weighted(PositionValues);

impl Weighted {
    fn set(&mut self, player: &Play, place: u32, value: f64) {
        self.0[place as usize] = value * player.weight_of(place);
    }
}

/// Rows that a thread takes at once.
const STRIP: usize = 1024;

impl<'a> Sweep<'a> {
    pub fn new(exact: &'a Exact<'_>) -> Sweep<'a> {
        let (attack, defence) = exact.plays();
        let by_depth = |play: &Play, reversed: bool| {
            let mut rows = vec![Vec::new(); Code::COUNT];
            for (index, &code) in exact.ground().codes(play.mover()).iter().enumerate() {
                if play.has_moves(index) {
                    let code = if reversed { -code } else { code };
                    rows[code.place()].push(index as u32);
                }
            }
            rows
        };
        let empty = || Weighted(vec![0.0; exact.ground().size() + Code::COUNT]);
        Sweep {
            attack,
            defence,
            attacking: by_depth(attack, false),
            defending: by_depth(defence, true),
            after_attack: empty(),
            after_defence: empty(),
        }
    }

    /// One round: `lengths`, of positions with the winner to move, become those after one more move of each side.
    pub fn round(&mut self, lengths: &mut PositionValues) {
        let (attack, defence) = (self.attack, self.defence);
        // What the attacker's opponent sees, and what the attacker sees behind him.
        self.after_defence
            .0
            .par_iter_mut()
            .zip(&*lengths)
            .enumerate()
            .with_min_len(STRIP)
            .for_each(|(place, (seen, length))| *seen = length * defence.weight_of(place as u32));
        for rows in &self.defending {
            let found = means(defence, rows, &self.after_defence);
            rows.iter().zip(found).for_each(|(&row, mean)| self.after_attack.set(attack, row, mean));
        }
        for (attacking, defending) in self.attacking.iter().zip(&self.defending) {
            let found = means(attack, attacking, &self.after_attack);
            for (&row, mean) in attacking.iter().zip(found) {
                lengths[row as usize] = mean + 1.0;
                self.after_defence.set(defence, row, mean + 1.0);
            }
            let found = means(defence, defending, &self.after_defence);
            defending.iter().zip(found).for_each(|(&row, mean)| self.after_attack.set(attack, row, mean));
        }
    }
}

fn means(play: &Play, rows: &[u32], after: &Weighted) -> Vec<f64> {
    rows.par_iter().with_min_len(STRIP).map(|&row| play.mean(row as usize, &after.0)).collect()
}
