//! All that can be set of an agent.

use super::{
    AgentKind, Analyser, KINDS, Plies, Rule,
    fields::{Field, field},
};
use crate::model::{Competence, Grid, Metric, Model, NoPreference, PerScale, Policy, Preference, Scale};

/// All that can be set of an agent. `engine.toml`, the options of the protocol, flags and the notation of matches are four
/// spellings of it (see [`super::FIELDS`]).
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSpec {
    /// Who chooses the moves.
    pub kind: &'static AgentKind,
    /// Of Player and Emulator.
    pub competence: PerScale<Competence>,
    /// Whether the agent plays as a person of an Elo does, whatever competences say …
    pub limit_strength: bool,
    /// … and of which, by results.
    pub elo: u16,
    /// Whether such a person takes his time over hard decisions.
    pub human_pace: bool,
    /// How much better than the person Coach plays, in percent.
    pub coach_offset: i16,
    /// The agent never gives up theoretical value.
    pub keep_value: bool,
    /// Wins and losses in so many moves are seen by a fallible agent.
    pub horizon: u16,
    /// Whether the opponent is believed never to give up theoretical value.
    pub opponent_keeps_value: bool,
    /// The opponent is believed to see wins and losses in so many moves; 0: none.
    pub opponent_horizon: u16,
    /// The opponent's competence, where it is known.
    pub opponent_competence: Option<Competence>,
    /// The opponent's Elo by choices, where it is known.
    pub opponent_elo: Option<u16>,
    /// Candidates for the opponent's competence.
    pub grid: PerScale<Grid>,
    /// κ; 0 stands for 0+.
    pub kappa: PerScale<f64>,
    /// What a draw is worth as a win and as a loss; by the material if none.
    pub bounds: [Option<f64>; 2],
    /// Whether depth may be given up for a harder task …
    pub speculate: bool,
    /// … and what that must gain, in moves.
    pub speculation_margin: f64,
    /// What may be given up for a trap in whole games, in percent of winning chances.
    pub game_speculation_margin: f64,
    /// How far the Predator looks.
    pub predator_plies: Plies,
    /// How Infallible chooses among best moves.
    pub rule: Rule,
    /// Emulator breaks ties by what it has played least, not by chance.
    pub variety: bool,
    /// What depths count.
    pub metric: Metric,
    /// Whether draws are told apart by how soon they can be forced.
    pub draw_depth: bool,
}

/// As the built-in `engine.toml` says.
impl Default for AgentSpec {
    fn default() -> AgentSpec {
        AgentSpec {
            kind: KINDS[0],
            competence: PerScale::new_with(Competence::typical),
            limit_strength: false,
            elo: 1500,
            human_pace: false,
            coach_offset: 0,
            keep_value: true,
            horizon: 0,
            opponent_keeps_value: false,
            opponent_horizon: 0,
            opponent_competence: None,
            opponent_elo: None,
            grid: PerScale::new_with(Grid::usual),
            kappa: PerScale { table: 1.0, evaluation: 0.1 },
            bounds: [None; 2],
            speculate: false,
            speculation_margin: 1.0,
            game_speculation_margin: 2.0,
            predator_plies: Plies::Auto,
            rule: Rule::Uniform,
            variety: true,
            metric: Metric::Dtc,
            draw_depth: false,
        }
    }
}

impl AgentSpec {
    /// Sets the field of this key from text, or says why it can't be so.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let unknown = || format!("there is no setting '{key}'");
        let field: &Field = field(key).ok_or_else(unknown)?;
        field.setting.set(self, value)
    }

    /// Whether it takes its time as a person does.
    pub fn paces(&self) -> bool {
        self.limit_strength && self.human_pace
    }

    fn preference(&self, scale: Scale) -> Result<Preference, NoPreference> {
        match scale {
            Scale::Table => Preference::table(self.kappa.table)?.with_bounds(self.bounds[0], self.bounds[1]),
            Scale::Evaluation => Preference::evaluation(self.kappa.evaluation),
        }
    }

    /// How the agent itself sees positions.
    pub fn own_model(&self, scale: Scale) -> Result<Model, NoPreference> {
        let policy = Policy { keep_value: self.keep_value, ..Policy::FREE }.with_horizon(self.horizon);
        Ok(Model { preference: self.preference(scale)?, policy })
    }

    /// How the opponent is believed to see positions.
    pub fn opponent_model(&self, scale: Scale) -> Result<Model, NoPreference> {
        let policy = Policy { keep_value: self.opponent_keeps_value, ..Policy::FREE };
        Ok(Model { preference: self.preference(scale)?, policy: policy.with_horizon(self.opponent_horizon) })
    }

    /// One who watches the opponent and knows nothing yet.
    pub fn analyser(&self) -> Result<Analyser, NoPreference> {
        let models = PerScale {
            table: self.opponent_model(Scale::Table)?,
            evaluation: self.opponent_model(Scale::Evaluation)?,
        };
        Ok(Analyser::new(models, self.grid))
    }

    /// Whether the same moves make the same belief about the opponent.
    pub fn judges_like(&self, other: &AgentSpec) -> bool {
        self.metric == other.metric
            && self.draw_depth == other.draw_depth
            && self.grid == other.grid
            && Scale::ALL.iter().all(|&scale| self.opponent_model(scale) == other.opponent_model(scale))
    }
}
