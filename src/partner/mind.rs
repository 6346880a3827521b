use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::Position;

use crate::{
    config::TableConfig,
    endgame::{Material, Tables},
    game::Game,
    model::{Oracle, Prospects},
    oracle::{SearchOracle, TableOracle, TableProbe},
    profiles::{Profile, Shelf},
    search::{self, Control, Effort, Limits, Searcher},
};

use super::{Answer, Info, Say, Settings, notes::Notes, opinion::Opinions};

/// The state of the one who plays.
pub struct Mind {
    pub(super) settings: Settings,
    pub(super) tables: Option<Arc<Tables>>,
    pub(super) oracle: SearchOracle,
    pub(super) rng: Pcg64,
    pub(super) notes: Notes,
    profile: Option<(Shelf, Profile)>,
    configured: bool,
}

impl Mind {
    /// One that has to be [configured](Mind::configure) before it thinks: that may take time, this does not.
    pub fn new(settings: Settings) -> Mind {
        let searcher = Searcher::new(search::Settings { hash_mb: 1, ..search::Settings::default() });
        Mind {
            tables: None,
            oracle: SearchOracle::new(searcher, Effort::Depth(1)),
            rng: generator(settings.seed),
            notes: Notes::new(Opinions::new(&settings, [].iter())),
            profile: None,
            configured: false,
            settings,
        }
    }

    /// Takes over settings.
    pub fn configure(&mut self, settings: &Settings, say: &mut Say<'_>) {
        let before = mem::replace(&mut self.settings, settings.clone());
        let first = !mem::replace(&mut self.configured, true);
        self.oracle.searcher().set(search::Settings {
            hash_mb: settings.hash,
            threads: settings.threads,
            multi_pv: settings.multi_pv,
            move_overhead: settings.move_overhead,
        });
        if first || before.tables != settings.tables {
            self.open_tables(say);
        }
        if before.seed != settings.seed {
            self.rng = generator(settings.seed);
        }
        let remembered = first
            || before.profiles != settings.profiles
            || before.profile_path != settings.profile_path
            || before.opponent_name != settings.opponent_name;
        if remembered {
            self.open_profile(say);
        }
        if before.profile_path != settings.profile_path {
            // The new folder knows nothing of this game yet.
            self.notes.kept = 0;
        }
        if before.opponent_name != settings.opponent_name {
            self.notes = Notes::new(Opinions::new(settings, [].iter()));
        }
        if remembered || !settings.judges_like(&before) {
            self.notes.opinions = self.opinions();
        }
    }

    fn open_tables(&mut self, say: &mut Say<'_>) {
        let config = &self.settings.tables;
        let tables = Tables::new(config).or_else(|error| {
            say(Info::Text(error.to_string()));
            Tables::new(&TableConfig { syzygy: String::new(), ..config.clone() })
        });
        self.tables = tables.map(Arc::new).inspect_err(|error| log::error!("{error}")).ok();
        let probe = self.tables.clone().map(|tables| {
            let probe: Arc<dyn search::Probe> = Arc::new(TableProbe::new(tables, config.fifty));
            probe
        });
        self.oracle.searcher().set_probe(probe);
    }

    fn open_profile(&mut self, say: &mut Say<'_>) {
        self.profile = None;
        let Settings { profiles, profile_path, opponent_name, .. } = &self.settings;
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

    /// What is to be believed by all that was seen, under the settings as they are now.
    fn opinions(&self) -> Opinions {
        let (known, kept) = match &self.profile {
            Some((_, profile)) => (profile.observations(), self.notes.kept),
            None => (&[][..], 0),
        };
        Opinions::new(&self.settings, known.iter().chain(&self.notes.observed[kept..]))
    }

    /// Begins a new game. What was learned of the opponent is forgotten unless it is kept in a profile.
    pub fn forget(&mut self) {
        self.clear_hash();
        self.rng = generator(self.settings.seed);
        let observed = Opinions::new(
            &self.settings,
            self.profile.iter().flat_map(|(_, profile)| profile.observations()),
        );
        self.notes = Notes::new(observed);
    }

    /// Forgets what was learned in searches.
    pub fn clear_hash(&mut self) {
        self.oracle.searcher().new_game();
    }

    /// Writes down what was learned of the opponent. Called when an answer is out: the opponent's clock runs.
    pub fn rest(&mut self, say: &mut Say<'_>) {
        let Some((shelf, profile)) = &mut self.profile else { return };
        if !self.notes.is_certain() || self.notes.kept == self.notes.observed.len() {
            return;
        }
        profile.extend(self.notes.observed[self.notes.kept..].iter().cloned());
        self.notes.kept = self.notes.observed.len();
        if let Err(error) = shelf.put(profile) {
            say(Info::Text(error.to_string()));
        }
    }

    /// Finds a move in a position that has one, and says at least one [`Info::Search`] on the way. It may answer early,
    /// also in analysis.
    pub fn think(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
        let begun = Instant::now();
        // Whoever plays: people who analyse want the truth.
        let analysis = limits.infinite || self.settings.analyse || self.settings.multi_pv > 1;
        if !analysis {
            self.watch(game, limits, control, say);
        }
        if let Some(look) = self.look(game) {
            return self.by_table(game, &allowed(look, limits), analysis, say);
        }
        let spent = if limits.ponder { Duration::ZERO } else { begun.elapsed() };
        self.by_search(game, &limits.after(spent), control, analysis, say)
    }

    /// What the tables know of the position. A table that is missing is made in the background.
    fn look(&self, game: &Game) -> Option<Prospects> {
        let position = game.position();
        let look = self.table_oracle()?.look(position);
        if look.is_none()
            && let Some(tables) = &self.tables
            && let Some((material, _)) = Material::of(position.board()).filter(|(m, _)| m.men() > 2)
        {
            tables.request(material, self.settings.tables.metric);
        }
        look
    }

    pub(super) fn table_oracle(&self) -> Option<TableOracle> {
        Some(TableOracle::new(self.tables.clone()?, self.settings.tables.metric))
    }
}

/// A look into tables at those moves alone that may be played.
fn allowed(look: Prospects, limits: &Limits) -> Prospects {
    let moves = look.moves().iter().filter(|prospect| limits.search_moves.contains(&prospect.m));
    let moves: Vec<_> = moves.filter_map(|prospect| Some((prospect.m, prospect.outcome.state()?))).collect();
    match look.outcome().state() {
        Some(state) if !moves.is_empty() => Prospects::table(state, moves, look.n1(), look.n2()),
        _ => look,
    }
}

fn generator(seed: u32) -> Pcg64 {
    Pcg64::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}
