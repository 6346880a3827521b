//! Everything that playing depends on, and how an agent's seat takes it over.

use std::{mem, sync::Arc, time::Duration};

use crate::{
    agents::{AgentError, AgentSpec, Analyser, Observation},
    config::Config,
    endgame::{TableConfig, Tables},
    evaluation::Evaluation,
    human::EloPrior,
    markov::Plans,
    oracle::TableProbe,
    profiles::{Profile, Shelf},
    search::{Probe, SearchSettings},
};

use super::{AgentSeat, Info, Say, agent_seat::generator, notes::Notes};

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
                evaluation: Evaluation::read(&search.weights).unwrap_or_default(),
            },
            analyse: false,
            profiles: profiles.enabled,
            profile_path: profiles.path.clone(),
            opponent_name: String::new(),
            opponent_prior: EloPrior::Unknown,
        }
    }
}

impl AgentSeat {
    /// Takes over settings; what depends on none that has changed stays.
    pub(super) fn take_over(&mut self, settings: &SeatSettings, say: &mut Say<'_>) {
        let before = mem::replace(&mut self.settings, settings.clone());
        let first = !mem::replace(&mut self.configured, true);
        self.search.searcher().set(settings.search.clone());
        for shortage in self.search.searcher().take_shortages() {
            say(Info::Text(shortage.to_string()));
        }
        if first || before.tables != settings.tables {
            self.open_tables(say);
        }
        if before.seed != settings.seed {
            self.rng = generator(settings.seed);
        }
        let another = before.opponent_name != settings.opponent_name;
        let remembered = first
            || another
            || before.profiles != settings.profiles
            || before.profile_path != settings.profile_path;
        if remembered {
            self.open_profile(say);
        }
        if before.profile_path != settings.profile_path {
            // The new folder knows nothing of this game yet.
            self.notes.kept = 0;
        }
        let otherwise_expected = before.opponent_prior != settings.opponent_prior;
        if remembered || otherwise_expected || !settings.agent.judges_like(&before.agent) {
            let kept = if self.profile.is_some() { self.notes.kept } else { 0 };
            let seen = if another { &[] } else { &self.notes.observed[kept..] };
            match self.believe(seen) {
                Ok(opponent) if another => self.notes = Notes::new(opponent),
                Ok(opponent) => self.notes.opponent = opponent,
                Err(error) => say(Info::Text(error.to_string())),
            }
        }
    }

    fn open_tables(&mut self, say: &mut Say<'_>) {
        let config = &self.settings.tables;
        let tables = Tables::new(config).or_else(|error| {
            say(Info::Text(error.to_string()));
            Tables::new(&TableConfig { syzygy: String::new(), ..config.clone() })
        });
        if let Ok(tables) = &tables {
            tables.complaints().iter().for_each(|complaint| say(Info::Text(complaint.to_string())));
        }
        self.use_tables(tables.map(Arc::new).inspect_err(|error| log::error!("{error}")).ok());
        self.opened_tables = true;
    }

    pub(super) fn use_tables(&mut self, tables: Option<Arc<Tables>>) {
        // What was being made for other settings is not wanted any more.
        if let Some(tables) = self.tables.take().filter(|_| self.opened_tables) {
            tables.abandon();
        }
        let fifty = self.settings.tables.fifty;
        let probe = tables.clone().map(|tables| {
            let probe: Arc<dyn Probe> = Arc::new(TableProbe::new(tables, fifty));
            probe
        });
        self.search.searcher().set_probe(probe);
        self.plans = tables.clone().map(|tables| Arc::new(Plans::new(tables)));
        self.tables = tables;
    }

    fn open_profile(&mut self, say: &mut Say<'_>) {
        self.profile = None;
        let SeatSettings { profiles, profile_path, opponent_name, .. } = &self.settings;
        if !profiles || opponent_name.is_empty() {
            return;
        }
        let shelf = Shelf::new(profile_path);
        match shelf.get_sound(opponent_name) {
            Ok((found, told)) => {
                told.map(Info::Text).into_iter().for_each(say);
                self.profile = Some((shelf, found.unwrap_or_else(|| Profile::new(opponent_name))));
            }
            Err(error) => say(Info::Text(error.to_string())),
        }
    }

    /// What is to be believed of the opponent by all that was seen, under the settings as they are now.
    pub(super) fn believe(&self, seen: &[Observation]) -> Result<Analyser, AgentError> {
        let known = self.profile.as_ref().map_or(&[][..], |(_, profile)| profile.observations());
        let prior = self.settings.opponent_prior.belief();
        let mut opponent = self.settings.agent.analyser()?.expecting(prior);
        for observation in known.iter().chain(seen) {
            self.learn_from(&mut opponent, observation);
        }
        Ok(opponent)
    }

    /// Nothing is learned from depths by another metric.
    fn learn_from(&self, opponent: &mut Analyser, observation: &Observation) {
        if observation.look.metric().is_none_or(|metric| metric == self.settings.agent.metric)
            && let Err(error) = opponent.observe(observation)
        {
            log::warn!("an observation could not be used: {error}");
        }
    }
}
