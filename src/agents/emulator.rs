use std::collections::HashMap;

use rand::Rng;
use shakmaty::Move;

use super::{Agent, AgentError, Mover, Player, Situation, chance};
use crate::model::{Belief, Competence, Decision, Grid, Model, NoGrid, Prospects, Scale};

/// How the Emulator chooses among moves that serve it equally well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// Each is as likely as another.
    #[default]
    Chance,
    /// The one it has played least often in this game, by chance among those.
    Variety,
}

/// E_c: plays the move after which a reference Analyser's `E[c]` is closest to c, so that it shows a steadier
/// competence than R_c does (Haworth & Andrist, §3.4).
#[derive(Clone, Debug)]
pub struct Emulator {
    player: Player,
    /// None where E_c plays as R_c: c ≤ 0 and the infinities.
    reference: Option<Belief>,
    ties: TieBreak,
    played: HashMap<Move, u32>,
}

/// Means closer than this are equally close to c.
const TIE: f64 = 1e-9;

impl Emulator {
    /// E_c with its reference Analyser at the start.
    pub fn new(competence: Competence, model: Model, ties: TieBreak) -> Result<Emulator, NoGrid> {
        let reference = reference_grid(competence)?.map(|grid| Belief::uniform(grid, competence.scale()));
        Ok(Emulator { player: Player { competence, model }, reference, ties, played: HashMap::new() })
    }

    /// What its reference Analyser believes; nothing where E_c plays as R_c.
    pub fn reference(&self) -> Option<&Belief> {
        self.reference.as_ref()
    }

    /// The moves that leave the reference Analyser closest to c.
    fn closest(&self, reference: &Belief, decision: &Decision) -> Result<Vec<Move>, AgentError> {
        let target = self.player.competence.get();
        let mut known: Vec<(f64, Option<f64>)> = Vec::new();
        let mut distances = Vec::new();
        for (index, choice) in decision.choices().iter().enumerate() {
            if choice.weight == 0.0 {
                continue;
            }
            let mean = match known.iter().find(|(ln_price, _)| *ln_price == choice.ln_price) {
                Some(&(_, mean)) => mean,
                None => {
                    let mean = reference.mean_after(decision, index)?;
                    known.push((choice.ln_price, mean));
                    mean
                }
            };
            if let Some(mean) = mean {
                distances.push(((mean - target).abs(), choice.m));
            }
        }
        let least = distances.iter().map(|&(distance, _)| distance).fold(f64::INFINITY, f64::min);
        Ok(distances.into_iter().filter(|&(distance, _)| distance <= least + TIE).map(|(_, m)| m).collect())
    }
}

/// 0(1)2c, or for other than whole numbers as many candidates evenly spaced; 41 candidates on the evaluation scale.
fn reference_grid(competence: Competence) -> Result<Option<Grid>, NoGrid> {
    let c = competence.get();
    if c <= 0.0 || c.is_infinite() {
        return Ok(None);
    }
    let count = match competence.scale() {
        Scale::Table => 2 * c.ceil() as usize + 1,
        Scale::Evaluation => 41,
    };
    Grid::evenly(0.0, 2.0 * c, count).map(Some)
}

impl Agent for Emulator {
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError> {
        let Some(reference) = &self.reference else { return self.player.choose(situation, rng) };
        let decision = self.player.model.decide(situation.look()?.as_ref())?;
        let mut closest = self.closest(reference, &decision)?;
        if self.ties == TieBreak::Variety {
            let times = |m: &Move| self.played.get(m).copied().unwrap_or(0);
            let least = closest.iter().map(times).min();
            closest.retain(|m| Some(times(m)) == least);
        }
        match chance::pick(&closest, rng) {
            Some(m) => Ok(*m),
            // No move is evidence, so none is closer to c than another.
            None => self.player.choose(situation, rng),
        }
    }

    fn observe(&mut self, mover: Mover, prospects: &Prospects, m: &Move) -> Result<(), AgentError> {
        if mover == Mover::Own {
            *self.played.entry(*m).or_default() += 1;
            if let Some(reference) = &mut self.reference {
                reference.observe(&self.player.model.decide(prospects)?, m)?;
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.played.clear();
        if let Some(reference) = &mut self.reference {
            reference.restart();
        }
    }
}
