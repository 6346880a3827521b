use serde::Serialize;
use shakmaty::Move;

use super::ExactSum;
use crate::{
    model::{Belief, Grid, Model, Prospects, Scale},
    oracle::Look,
};

/// The space of agents E_k(d, c), engine by depth by competence, and what moves say about which of them played
/// (Haworth, Regan & Di Fatta 2010, §3).
pub struct AgentSpace {
    grid: Grid,
    model: Model,
    engines: Vec<(String, Vec<Vec<ExactSum>>)>,
    decisions: u64,
}

/// What moves say: a composite agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// Decisions.
    pub decisions: u64,
    /// Each engine at each depth.
    pub agents: Vec<ProfileDepth>,
    /// `E[c]` over the whole space, each agent as likely as the moves make it.
    pub c: f64,
    /// Σ we_k Σ wd_d E[c | k, d]: the paper's absolute rating, by the weights that were given.
    pub weighted_c: f64,
}

/// One engine at one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProfileDepth {
    /// The engine.
    pub engine: String,
    /// The depth, in plies.
    pub depth: usize,
    /// The posterior probability that it played, at whatever competence.
    pub probability: f64,
    /// `E[c]` if it did.
    pub c: f64,
    /// The standard deviation of c if it did.
    pub deviation: f64,
}

impl AgentSpace {
    /// The engines by name; all candidates c of a grid.
    pub fn new(engines: &[String], grid: Grid, model: Model) -> AgentSpace {
        let engines = engines.iter().map(|name| (name.clone(), Vec::new())).collect();
        AgentSpace { grid, model, engines, decisions: 0 }
    }

    /// A decision that every engine has looked at, in their order. Only depths that all looks have count.
    pub fn add(&mut self, looks: &[Look], m: &Move) -> Option<()> {
        let by_engine: Option<Vec<Vec<Vec<f64>>>> = looks.iter().map(|look| self.by_depth(look, m)).collect();
        for ((_, depths), found) in self.engines.iter_mut().zip(by_engine?) {
            let fresh = depths.is_empty();
            if fresh {
                depths.resize(found.len(), vec![ExactSum::default(); self.grid.len()]);
            }
            // A look that ended early, at a mate, has seen at its last depth what deeper ones would have.
            for (number, sums) in depths.iter_mut().enumerate() {
                let ln = &found[number.min(found.len() - 1)];
                sums.iter_mut().zip(ln).for_each(|(sum, &ln)| sum.add(ln));
            }
        }
        self.decisions += 1;
        Some(())
    }

    fn by_depth(&self, look: &Look, m: &Move) -> Option<Vec<Vec<f64>>> {
        let depths = look.moves().iter().map(|prospect| look.scores(&prospect.m).len()).min()?;
        let at = |depth: usize| {
            let moves = look.moves().iter().map(|prospect| (prospect.m, look.scores(&prospect.m)[depth]));
            let decision = self.model.decide(&Prospects::evaluation(moves)).ok()?;
            Belief::ln_likelihoods(&self.grid, &decision, m)
        };
        let found: Option<Vec<Vec<f64>>> = (0..depths).map(at).collect();
        found.filter(|found| !found.is_empty())
    }

    /// The profile. `depth_weights` (wd, from depth 1) and `engine_weights` (we) are taken in proportion; missing ones are 1.
    pub fn profile(&self, depth_weights: &[f64], engine_weights: &[f64]) -> Profile {
        let total = |sums: &[ExactSum]| sums.iter().map(|sum| sum.value()).collect::<Vec<f64>>();
        let all: Vec<(usize, usize, Vec<f64>)> = self
            .engines
            .iter()
            .enumerate()
            .flat_map(|(k, (_, depths))| {
                depths.iter().enumerate().map(move |(depth, sums)| (k, depth, total(sums)))
            })
            .collect();
        let greatest = all.iter().flat_map(|(_, _, ln)| ln).copied().fold(f64::NEG_INFINITY, f64::max);
        let mass = |ln: &[f64]| ln.iter().map(|ln| (ln - greatest).exp()).sum::<f64>();
        let whole: f64 = all.iter().map(|(_, _, ln)| mass(ln)).sum();
        let weight = |weights: &[f64], number: usize| weights.get(number).copied().unwrap_or(1.0);
        let (mut weighted, mut weights) = (0.0, 0.0);
        let mut agents = Vec::new();
        for (k, depth, ln) in &all {
            let mut belief = Belief::uniform(self.grid, Scale::Evaluation);
            // The sums are as many as the candidates, and finite.
            let _ = belief.learn(ln, self.decisions);
            let share = weight(engine_weights, *k) * weight(depth_weights, *depth);
            weighted += share * belief.mean();
            weights += share;
            agents.push(ProfileDepth {
                engine: self.engines[*k].0.clone(),
                depth: depth + 1,
                probability: mass(ln) / whole,
                c: belief.mean(),
                deviation: belief.deviation(),
            });
        }
        let c = agents.iter().map(|agent| agent.probability * agent.c).sum();
        Profile { decisions: self.decisions, agents, c, weighted_c: weighted / weights }
    }
}
