use std::io::Write;

use serde_json::{Value, json};
use shakmaty::{Chess, Move, san::SanPlus, uci::UciMove};

use super::Failure;
use crate::{
    agents::{Advice, Emulator, Predator, Settings, Situation, TieBreak},
    model::{Belief, Competence, Decision, Grid, Mixture, Model, Oracle, Scale},
};

/// What the model makes of a position, at one competence.
pub struct Explanation {
    position: Chess,
    c: f64,
    decision: Decision,
    probabilities: Vec<f64>,
    /// `E[c]` of the Emulator's reference Analyser after each move; nothing where it plays as R_c.
    shown: Vec<Option<f64>>,
    advice: Advice,
}

/// Expectations closer than this are equal.
const TIE: f64 = 1e-9;

impl Explanation {
    /// The mover as R_c and as E_c, and as Predator against R_c. None if the oracle does not know the position, or the
    /// game is over.
    pub fn new(
        position: &Chess,
        oracle: &dyn Oracle,
        model: Model,
        c: f64,
        plies: u32,
    ) -> Result<Option<Explanation>, Failure> {
        let Some(look) = oracle.look(position).filter(|look| !look.moves().is_empty()) else {
            return Ok(None);
        };
        let competence = Competence::new(c, Scale::Table).map_err(Failure::usage)?;
        let decision = model.decide(&look).map_err(Failure::failed)?;
        let probabilities = decision.probabilities(competence).map_err(Failure::failed)?;
        let emulator = Emulator::new(competence, model, TieBreak::Chance).map_err(Failure::failed)?;
        let mut shown = vec![None; decision.choices().len()];
        if let Some(reference) = emulator.reference() {
            for (index, shown) in shown.iter_mut().enumerate() {
                *shown = reference.mean_after(&decision, index).map_err(Failure::failed)?;
            }
        }
        let settings = Settings { plies, ..Settings::default() };
        let grid = Grid::evenly(0.0, 0.0, 1).map_err(Failure::failed)?;
        let predator = Predator { settings, opponent: model, belief: Belief::uniform(grid, Scale::Table) };
        let situation = Situation { seen: Some(&look), ..Situation::new(position, oracle) };
        let advice =
            predator.consider_against(&situation, &Mixture::from(competence)).map_err(Failure::failed)?;
        Ok(Some(Explanation { position: position.clone(), c, decision, probabilities, shown, advice }))
    }

    /// The competence that is explained.
    pub fn competence(&self) -> f64 {
        self.c
    }

    /// Price and probability of a move.
    pub fn of(&self, m: &Move) -> Option<(f64, f64)> {
        let index = self.decision.find(m)?;
        Some((self.decision.choices()[index].ln_price.exp(), self.probabilities[index]))
    }

    fn likeliest(&self) -> Option<usize> {
        (0..self.probabilities.len()).max_by(|&a, &b| self.probabilities[a].total_cmp(&self.probabilities[b]))
    }

    /// The moves that show a competence closest to c, and what they show.
    fn closest(&self) -> Vec<(Move, f64)> {
        let distance = |shown: f64| (shown - self.c).abs();
        let moves = self.decision.choices().iter().zip(&self.shown);
        let known: Vec<(Move, f64)> =
            moves.filter_map(|(choice, shown)| Some((choice.m, (*shown)?))).collect();
        let least = known.iter().map(|&(_, shown)| distance(shown)).fold(f64::INFINITY, f64::min);
        known.into_iter().filter(|&(_, shown)| distance(shown) <= least + TIE).collect()
    }

    /// For programs: what each agent would play, and why.
    pub fn agents(&self) -> Value {
        let choices = self.decision.choices();
        let optimal: Vec<String> = self.decision.optimal().map(|choice| uci(choice.m)).collect();
        let mut agents = json!({
            "infallible": {"uci": optimal.first(), "optimal": optimal},
            "player": self.likeliest().map(|index| json!({
                "uci": uci(choices[index].m), "probability": self.probabilities[index],
            })),
            "predator": {
                "uci": self.preferred().first().map(|m| uci(*m)),
                "expected": self.advice.candidates.iter().map(|candidate| json!({
                    "uci": uci(candidate.m), "depth": candidate.depth, "value": candidate.expectation.value(),
                })).collect::<Vec<_>>(),
            },
        });
        let closest = self.closest();
        if let Some((first, shown)) = closest.first() {
            agents["emulator"] = json!({
                "uci": uci(*first), "c": shown,
                "expected": choices.iter().zip(&self.shown).filter_map(|(choice, shown)| {
                    Some(json!({"uci": uci(choice.m), "c": (*shown)?}))
                }).collect::<Vec<_>>(),
            });
        }
        agents
    }

    fn preferred(&self) -> Vec<Move> {
        self.advice.best.iter().map(|&index| self.advice.candidates[index].m).collect()
    }

    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.position.clone(), m).to_string()
    }

    /// For people.
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let list = |moves: &[Move]| moves.iter().map(|&m| self.san(m)).collect::<Vec<_>>().join(" or ");
        let optimal: Vec<Move> = self.decision.optimal().map(|choice| choice.m).collect();
        writeln!(out, "\n  Infallible    {}", list(&optimal))?;
        if let Some(index) = self.likeliest() {
            let best: f64 = (0..self.probabilities.len())
                .filter(|&index| self.decision.is_optimal(index))
                .map(|index| self.probabilities[index])
                .sum();
            let san = self.san(self.decision.choices()[index].m);
            writeln!(
                out,
                "  Player R_{}   {san} is likeliest ({:.1} %); an optimal move in {:.1} % of all cases",
                self.c,
                100.0 * self.probabilities[index],
                100.0 * best
            )?;
        }
        let closest = self.closest();
        if let Some((_, shown)) = closest.first() {
            let moves: Vec<Move> = closest.iter().map(|&(m, _)| m).collect();
            writeln!(
                out,
                "  Emulator E_{} {}: its reference Analyser then has E[c] = {shown:.2}",
                self.c,
                list(&moves)
            )?;
        }
        writeln!(
            out,
            "  Predator      {}, against R_{}; expected after the reply:",
            list(&self.preferred()),
            self.c
        )?;
        for candidate in &self.advice.candidates {
            let depth = candidate.depth.map_or(String::new(), |depth| format!(", depth {depth:.3}"));
            writeln!(
                out,
                "                  {:<8} value {:.3}{depth}",
                self.san(candidate.m),
                candidate.expectation.value()
            )?;
        }
        Ok(())
    }
}

fn uci(m: Move) -> String {
    UciMove::from_standard(m).to_string()
}
