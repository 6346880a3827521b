use std::time::Duration;

use crate::{
    agents::AgentSpec, config::Config, endgame::TableConfig, evaluation::Weights, human::EloPrior,
    search::SearchSettings,
};

/// Everything that playing depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatSettings {
    /// Who chooses the moves.
    pub agent: AgentSpec,
    /// Seed of all random choices; 0: a new one each time.
    pub seed: u32,
    /// Endgame tables, and whether the 50-move rule holds.
    pub tables: TableConfig,
    /// Whether missing tables are made in the background.
    pub makes_tables: bool,
    /// Whether moves are told with the line of play expected after them.
    pub tells_lines: bool,
    /// Whether a draw may be claimed on the third occurrence of a position.
    pub repetition: bool,
    /// The search.
    pub search: SearchSettings,
    /// Analysis mode: best moves by tables or search, whatever the agent.
    pub analyse: bool,
    /// Whether opponents are remembered.
    pub profiles: bool,
    /// Where; empty for the default place.
    pub profile_path: String,
    /// Who it is; empty if nobody has said.
    pub opponent_name: String,
    /// What is known of the opponent's strength before the first move.
    pub opponent_prior: EloPrior,
}

impl SeatSettings {
    /// The settings at the start.
    pub fn new(config: &Config) -> SeatSettings {
        let Config { tables, uci, search, play, profiles, .. } = config;
        SeatSettings {
            agent: play.clone(),
            seed: uci.seed,
            tables: tables.clone(),
            makes_tables: true,
            tells_lines: true,
            repetition: true,
            search: SearchSettings {
                hash_mb: search.hash.max(1) as usize,
                threads: search.threads.max(1).into(),
                multi_pv: search.multi_pv.max(1).into(),
                move_overhead: Duration::from_millis(uci.move_overhead.into()),
                // That they can be read was seen when the settings were.
                weights: Weights::read(&search.weights).unwrap_or_else(|_| Weights::built_in()),
            },
            analyse: false,
            profiles: profiles.enabled,
            profile_path: profiles.path.clone(),
            opponent_name: String::new(),
            opponent_prior: EloPrior::Unknown,
        }
    }
}
