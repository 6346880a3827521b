use std::time::Duration;

use crate::{
    agents,
    config::{Config, TableConfig},
    model::{Competence, Grid, Model, NoCompetence, NoPreference, Policy, Preference, Scale},
};

use super::{AgentName, UnknownAgent};

/// Everything that playing depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Who chooses the moves.
    pub agent: AgentName,
    /// Of Player and Emulator, on the scale of tables.
    pub competence: Competence,
    /// Of Player and Emulator, on the scale of evaluations.
    pub game_competence: Competence,
    /// How much better than the person Coach plays, in percent.
    pub coach_offset: i16,
    /// What the agent itself does.
    pub own: Side,
    /// What the opponent is believed to do.
    pub opponent: Side,
    /// Prices of depths.
    pub preference: Preference,
    /// Prices of evaluations.
    pub game_preference: Preference,
    /// Candidates on the scale of tables.
    pub grid: Grid,
    /// Candidates on the scale of evaluations.
    pub game_grid: Grid,
    /// Whether depth may be given up for a harder task.
    pub speculate: bool,
    /// What that must gain, in moves.
    pub speculation_margin: f64,
    /// How far the Predator looks.
    pub predator_plies: u32,
    /// Of everything left to chance; 0 for another one each time.
    pub seed: u32,
    /// Endgame tables.
    pub tables: TableConfig,
    /// Transposition table, in MiB.
    pub hash: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Best lines that are shown.
    pub multi_pv: usize,
    /// What a move loses on its way to the other side's clock.
    pub move_overhead: Duration,
    /// The truth is wanted, whoever plays.
    pub analyse: bool,
    /// Whether opponents are remembered.
    pub profiles: bool,
    /// Where; empty for the default place.
    pub profile_path: String,
    /// Who it is; empty if nobody has said.
    pub opponent_name: String,
}

/// What one side never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Never give up theoretical value.
    pub keeps_value: bool,
    /// Wins and losses in so many moves are seen.
    pub horizon: u16,
}

/// A setting of `engine.toml` that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// No competence.
    #[error("[play] in engine.toml: {0}")]
    Competence(#[from] NoCompetence),
    /// No preference.
    #[error("[play] in engine.toml: {0}")]
    Preference(#[from] NoPreference),
    /// No agent.
    #[error("[play] in engine.toml: {0}")]
    Agent(#[from] UnknownAgent),
}

/// A margin in moves is worth this many points: a whole game is drawn after 50 moves.
const POINTS_PER_MOVE: f64 = 1.0 / 50.0;

impl Side {
    fn policy(self) -> Policy {
        Policy { keep_value: self.keeps_value, ..Policy::FREE }.with_horizon(self.horizon)
    }
}

impl Settings {
    /// The settings at the start.
    pub fn new(config: &Config) -> Result<Settings, SettingsError> {
        let Config { tables, uci, search, play, profiles } = config;
        Ok(Settings {
            agent: play.agent.parse()?,
            competence: Competence::new(play.competence, Scale::Table)?,
            game_competence: Competence::new(play.game_competence, Scale::Evaluation)?,
            coach_offset: play.coach_offset,
            own: Side { keeps_value: play.keep_value, horizon: play.horizon },
            opponent: Side { keeps_value: play.opponent_keeps_value, horizon: play.opponent_horizon },
            preference: Preference::table(play.kappa)?,
            game_preference: Preference::evaluation(play.game_kappa)?,
            grid: play.analyser_grid,
            game_grid: play.game_grid,
            speculate: play.speculate,
            speculation_margin: play.speculation_margin,
            predator_plies: play.predator_plies.into(),
            seed: uci.seed,
            tables: tables.clone(),
            hash: search.hash.max(1) as usize,
            threads: search.threads.max(1).into(),
            multi_pv: search.multi_pv.max(1).into(),
            move_overhead: Duration::from_millis(uci.move_overhead.into()),
            analyse: false,
            profiles: profiles.enabled,
            profile_path: profiles.path.clone(),
            opponent_name: String::new(),
        })
    }

    fn preference(&self, scale: Scale) -> Preference {
        match scale {
            Scale::Table => self.preference,
            Scale::Evaluation => self.game_preference,
        }
    }

    /// How the agent itself sees positions.
    pub fn own_model(&self, scale: Scale) -> Model {
        Model { preference: self.preference(scale), policy: self.own.policy() }
    }

    /// How the opponent is believed to see positions.
    pub fn opponent_model(&self, scale: Scale) -> Model {
        Model { preference: self.preference(scale), policy: self.opponent.policy() }
    }

    /// Whether the same moves make the same opinion of the opponent.
    pub(super) fn judges_like(&self, other: &Settings) -> bool {
        self.tables.metric == other.tables.metric
            && [Scale::Table, Scale::Evaluation].into_iter().all(|scale| {
                self.opponent_model(scale) == other.opponent_model(scale)
                    && self.grid(scale) == other.grid(scale)
            })
    }

    /// The competence that was set.
    pub fn competence(&self, scale: Scale) -> Competence {
        match scale {
            Scale::Table => self.competence,
            Scale::Evaluation => self.game_competence,
        }
    }

    /// The candidates for the opponent's competence.
    pub fn grid(&self, scale: Scale) -> Grid {
        match scale {
            Scale::Table => self.grid,
            Scale::Evaluation => self.game_grid,
        }
    }

    /// How the Predator hunts.
    pub fn hunting(&self) -> agents::Settings {
        let speculation = agents::Speculation {
            most: f64::INFINITY,
            value_margin: self.speculation_margin * POINTS_PER_MOVE,
            depth_margin: self.speculation_margin,
            risk_value: false,
        };
        agents::Settings {
            plies: self.predator_plies,
            speculation: self.speculate.then_some(speculation),
            ..agents::Settings::default()
        }
    }
}
