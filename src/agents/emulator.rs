use std::collections::HashMap;

use shakmaty::Move;

use super::{
    Agent, AgentError, AgentKind, AgentSpec, Intent, Knowledge, Observation, Player, Situation, Why,
};
use crate::model::{Belief, Competence, Decision, Grid, Model, NoGrid, Scale};

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

pub(super) const KIND: AgentKind = AgentKind {
    name: "Emulator",
    help: "at a steadier competence than Player",
    fields: &[
        "competence",
        "game_competence",
        "variety",
        "keep_value",
        "horizon",
        "kappa",
        "game_kappa",
        "n1",
        "n2",
        "elo",
        "human_pace",
    ],
    is_steady: true,
    build: |spec, scale, knowledge| {
        Ok(Box::new(Emulator::playing(*spec.competence.get(scale), spec, scale, knowledge)?))
    },
    ..AgentKind::BASE
};

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

    /// E_c as a spec has it, its reference Analyser having seen the moves it has played.
    pub(super) fn playing(
        competence: Competence,
        spec: &AgentSpec,
        scale: Scale,
        knowledge: &Knowledge<'_>,
    ) -> Result<Emulator, AgentError> {
        let ties = if spec.variety { TieBreak::Variety } else { TieBreak::Chance };
        let mut emulator = Emulator::new(competence, spec.own_model(scale)?, ties)?;
        for observation in
            knowledge.own.moves().iter().filter(|observation| observation.look.scale() == scale)
        {
            emulator.observe(observation)?;
        }
        Ok(emulator)
    }

    /// Learns of a move of its own.
    pub fn observe(&mut self, observation: &Observation) -> Result<(), AgentError> {
        *self.played.entry(observation.m).or_default() += 1;
        if let Some(reference) = &mut self.reference {
            observation.teach(&self.player.model, reference)?;
        }
        Ok(())
    }

    /// `E[c]` of the reference Analyser after each move that is ever played and is evidence.
    fn shown(&self, reference: &Belief, decision: &Decision) -> Result<Vec<(Move, f64)>, AgentError> {
        let mut known: Vec<(f64, Option<f64>)> = Vec::new();
        let mut shown = Vec::new();
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
            shown.extend(mean.map(|mean| (choice.m, mean)));
        }
        Ok(shown)
    }

    /// The moves that leave the reference Analyser closest to c.
    fn closest(&self, shown: &[(Move, f64)]) -> Vec<Move> {
        let distance = |mean: f64| (mean - self.player.competence.get()).abs();
        let least = shown.iter().map(|&(_, mean)| distance(mean)).fold(f64::INFINITY, f64::min);
        shown.iter().filter(|&&(_, mean)| distance(mean) <= least + TIE).map(|&(m, _)| m).collect()
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
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let Some(reference) = &self.reference else { return self.player.consider(situation) };
        let decision = self.player.model.decide(situation.look()?.prospects())?;
        let shown = self.shown(reference, &decision)?;
        let mut closest = self.closest(&shown);
        if self.ties == TieBreak::Variety {
            let times = |m: &Move| self.played.get(m).copied().unwrap_or(0);
            let least = closest.iter().map(times).min();
            closest.retain(|m| Some(times(m)) == least);
        }
        if closest.is_empty() {
            // No move is evidence, so none is closer to c than another.
            return self.player.consider(situation);
        }
        Ok(Intent::even(closest)?.because(Why::Shows(shown)))
    }
}
