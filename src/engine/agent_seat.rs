use std::{
    cell::RefCell,
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{Move, Position, san::SanPlus};

use crate::{
    agents::{AgentError, Analyser, Foresight, Knowledge, Observation, Plies, Prey, Situation, Why},
    endgame::{Material, TableConfig, Tables},
    game::Game,
    human::HumanModel,
    markov::{Foreseer, Plans},
    model::{Metric, Scale, State},
    oracle::{
        Bound, Budget, Control, Limits, Look, Metered, Oracle, Report, SearchOracle, TableOracle, TableProbe,
    },
    profiles::{Profile, Shelf},
    search::{Probe, SearchSettings, Searcher},
};

use super::{Answer, Info, Say, Seat, SeatSettings, Trouble, notes::Notes, pace, remarks, telling::Telling};

/// One of our agents at the board: first the opponent's new moves are judged, then the position goes to the tables, else to
/// the search, and the agent decides.
pub struct AgentSeat {
    pub(super) settings: SeatSettings,
    pub(super) tables: Option<Arc<Tables>>,
    plans: Option<Arc<Plans>>,
    /// They are this seat's alone.
    opened_tables: bool,
    pub(super) search: SearchOracle,
    rng: Pcg64,
    pub(super) notes: Notes,
    profile: Option<(Shelf, Profile)>,
    configured: bool,
}

/// Pricing for a fallible player takes no longer.
const MAX_PRICING_TIME: Duration = Duration::from_secs(2);
/// In the opponent's time, before it is known how much there will be.
const PONDERING_TIME: Duration = Duration::from_millis(300);
/// Deeper is not necessary for one who errs.
const MAX_PRICING_DEPTH: u32 = 12;
/// Where the limits name no depth, nodes or time.
const DEFAULT_PRICING_DEPTH: u32 = 8;

impl AgentSeat {
    /// One that has to be [configured](Seat::configure) before it plays: that may take time, this does not.
    pub fn new(settings: SeatSettings) -> Result<AgentSeat, AgentError> {
        let searcher = Searcher::new(SearchSettings { hash_mb: 1, ..settings.search.clone() });
        Ok(AgentSeat {
            tables: None,
            plans: None,
            opened_tables: false,
            search: SearchOracle::new(searcher),
            rng: generator(settings.seed),
            notes: Notes::new(settings.agent.analyser()?),
            profile: None,
            configured: false,
            settings,
        })
    }

    /// One that plays by tables that are open already.
    pub fn with_tables(settings: SeatSettings, tables: Arc<Tables>) -> Result<AgentSeat, AgentError> {
        let mut seat = AgentSeat::new(settings)?;
        seat.search.searcher().set(seat.settings.search.clone());
        seat.use_tables(Some(tables));
        seat.configured = true;
        Ok(seat)
    }

    /// The same, hunting by plans that are open already.
    pub fn sharing(self, plans: Arc<Plans>) -> AgentSeat {
        AgentSeat { plans: Some(plans), ..self }
    }

    /// What is believed of the opponent.
    pub fn opponent(&self) -> &Analyser {
        &self.notes.opponent
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

    fn use_tables(&mut self, tables: Option<Arc<Tables>>) {
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
    fn believe(&self, seen: &[Observation]) -> Result<Analyser, AgentError> {
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

    pub(super) fn table_oracle(&self, metric: Metric) -> Option<TableOracle> {
        Some(TableOracle::new(self.tables.clone()?, metric).telling_draws(self.settings.agent.draw_depth))
    }

    /// What the tables know of the position. A table that is missing is made in the background, which is told.
    fn look_up(&self, game: &Game, say: &mut Say<'_>) -> Option<Look> {
        let metric = self.settings.agent.metric;
        let look = self.table_oracle(metric)?.look(game, &Budget::default());
        if look.is_none()
            && self.settings.makes_tables
            && let Some(tables) = &self.tables
            && let Some((material, _)) = Material::of(game.position().board()).filter(|(m, _)| m.men() > 2)
            && !game.position().castles().any()
            && let Some(making) = tables.request(material, metric)
        {
            say(Info::Text(remarks::making(material, metric, making)));
        }
        self.request_draws(game, look.as_ref());
        look
    }

    /// Has the table made, where it is missing, by which draws are told apart.
    fn request_draws(&self, game: &Game, look: Option<&Look>) {
        if self.settings.agent.draw_depth
            && self.settings.makes_tables
            && look.is_some_and(|look| look.outcome().state() == Some(State::Draw))
            && let Some(tables) = &self.tables
            && let Some((material, _)) = Material::of(game.position().board()).filter(|(m, _)| m.men() > 2)
        {
            tables.request(material, Metric::Dtd);
        }
    }

    /// Has the agent decide, tells what it plays and why.
    fn decide(
        &mut self,
        game: &Game,
        scale: Scale,
        seen: Option<Look>,
        limits: &Limits,
        control: &Control,
        say: &mut Say<'_>,
    ) -> Result<Answer, AgentError> {
        let begun = Instant::now();
        let (tables, mates) = (self.table_oracle(self.settings.agent.metric), self.table_oracle(Metric::Dtm));
        let oracle: &dyn Oracle = match (scale, &tables) {
            (Scale::Table, Some(tables)) => tables,
            _ => &self.search,
        };
        let oracle = Metered::new(oracle);
        let foresight: Option<Arc<dyn Foresight>> = self.plans.clone().map(|plans| {
            let foreseer: Arc<dyn Foresight> =
                Arc::new(Foreseer { plans, makes: self.settings.makes_tables });
            foreseer
        });
        let knowledge =
            Knowledge { opponent: &self.notes.opponent, own: &self.notes.own, foresight: foresight.as_ref() };
        let agent = self.settings.agent.agent(scale, &knowledge)?;
        let hear = RefCell::new(&mut *say);
        let report = |report: &Report| {
            // Chess programs drop bounds.
            if report.bound == Bound::Exact {
                (hear.borrow_mut())(Info::Search(report.clone()));
            }
        };
        let mut situation = Situation::new(game, &oracle);
        situation.budget = self.budget(limits, control);
        situation.limits = limits.clone();
        situation.report = Some(&report);
        situation.mates = mates.as_ref().map(|mates| mates as &dyn Oracle);
        situation.fifty = self.settings.tables.fifty;
        situation.history = if self.settings.repetition { game.keys() } else { &[] };
        if let Some(look) = seen {
            situation = situation.having(look);
        }
        let intent = agent.consider(&situation)?;
        let look = situation.seen().cloned();
        let m = intent.draw(&mut self.rng);
        if self.settings.agent.paces()
            && !limits.ponder
            && let Some(share) = limits.clock.and_then(|_| limits.share(self.settings.search.move_overhead))
        {
            pace::wait(begun, share, &intent, control);
        }
        if let Why::Traps(hunt) = &intent.why {
            hunt.words(&|m| san_of(game, m), m).map(Info::Text).into_iter().for_each(&mut *say);
            // The look at the opponent's replies is needed again when one of them is judged.
            self.notes.prepared = hunt.bait(m).map(|bait| bait.look.clone());
        }
        let (Some(look), None) = (&look, &intent.found) else {
            return Ok(Answer {
                best: Some(m),
                reply: intent.found.and_then(|found| found.ponder),
                elapsed: None,
            });
        };
        if let Why::Hunt(advice) = &intent.why {
            let wanted = self.settings.agent.predator_plies == Plies::Exact && self.settings.makes_tables;
            if let Some((material, _)) = Material::of(game.position().board())
                && wanted
                && !advice.to_the_end
                && Plans::may_solve(material)
            {
                say(Info::Text(remarks::solving(material)));
            }
            remarks::hunt(look, advice, m).map(Info::Text).into_iter().for_each(&mut *say);
        }
        let lines = self.settings.tells_lines;
        let telling =
            Telling { look, oracle: &oracle, mates: mates.as_ref().filter(|_| lines), begun, lines };
        let line = telling.report(game, m, 1);
        let reply = line.pv.get(1).copied();
        say(Info::Search(line));
        if self.settings.agent.kind.comments {
            let level = Prey::new(self.notes.opponent.elo());
            let last =
                game.moves().len().checked_sub(1).map(|ply| san_of(&game.up_to(ply), game.moves()[ply]));
            remarks::trap_set(look, last, &level).map(Info::Text).into_iter().for_each(&mut *say);
        }
        self.notes.looked = Some(look.clone());
        Ok(Answer { best: Some(m), reply, elapsed: None })
    }

    /// The truth about a position that tables know: its best moves.
    fn explain(&self, game: &Game, look: &Look, say: &mut Say<'_>) -> Option<Answer> {
        let begun = Instant::now();
        let oracle = self.table_oracle(self.settings.agent.metric)?;
        let (oracle, mates) = (Metered::new(&oracle), self.table_oracle(Metric::Dtm));
        let telling = Telling { look, oracle: &oracle, mates: mates.as_ref(), begun, lines: true };
        let mut answer = Answer { best: None, reply: None, elapsed: None };
        let best = look.best_first();
        for (index, prospect) in best.iter().take(self.settings.search.multi_pv).enumerate() {
            let line = telling.report(game, prospect.m, index + 1);
            if index == 0 {
                answer = Answer { best: Some(prospect.m), reply: line.pv.get(1).copied(), elapsed: None };
            }
            say(Info::Search(line));
        }
        Some(answer)
    }

    /// What a look at all moves may cost under these limits.
    fn budget(&self, limits: &Limits, control: &Control) -> Budget {
        let time = match limits.ponder {
            true => Some(PONDERING_TIME),
            false => {
                limits.share(self.settings.search.move_overhead).map(|share| share.min(MAX_PRICING_TIME))
            }
        };
        let unlimited = time.is_none() && limits.nodes.is_none();
        let depth = limits
            .depth
            .unwrap_or(if unlimited { DEFAULT_PRICING_DEPTH } else { MAX_PRICING_DEPTH })
            .min(match self.settings.agent.limit_strength {
                // People are played by what they were calibrated with.
                true => HumanModel::built_in().calibration().made.depth,
                false => MAX_PRICING_DEPTH,
            });
        Budget {
            depth: Some(depth),
            nodes: limits.nodes,
            time,
            moves: Vec::new(),
            quick: true,
            control: control.clone(),
        }
    }

    /// A move at all costs: whoever asked waits for one.
    fn any_move(&self, game: &Game, error: &AgentError, say: &mut Say<'_>) -> Answer {
        say(Info::Text(format!("{} can't decide: {error}", self.settings.agent.kind)));
        let best = game.position().legal_moves().first().copied();
        say(Info::Search(Report::of_move(best)));
        Answer { best, reply: None, elapsed: None }
    }
}

impl Seat for AgentSeat {
    fn configure(&mut self, settings: &SeatSettings, say: &mut Say<'_>) {
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

    /// What was learned of the opponent is forgotten unless it is kept in a profile.
    fn new_game(&mut self, opening: &Game, seed: Option<u64>) -> Result<(), Trouble> {
        self.clear_hash();
        self.rng = seed.map_or_else(|| generator(self.settings.seed), Pcg64::seed_from_u64);
        let opponent = self.believe(&[]).map_err(|error| Trouble::Unable(error.to_string()))?;
        self.notes = match seed {
            Some(_) => Notes::from_opening(opponent, opening),
            None => Notes::new(opponent),
        };
        Ok(())
    }

    fn played(&mut self, game: &Game) {
        self.notes.played(game);
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        say: &mut Say<'_>,
    ) -> Result<Answer, Trouble> {
        let begun = Instant::now();
        // Whoever plays: people who analyse want the truth.
        let analysis = limits.infinite || self.settings.analyse || self.settings.search.multi_pv > 1;
        if !analysis {
            self.notes.follow(game, limits.ponder);
            self.judge(limits, control, say);
        }
        let look = self.look_up(game, say).map(|look| match limits.search_moves.is_empty() {
            true => look,
            false => look.only(&limits.search_moves),
        });
        if analysis && let Some(answer) = look.as_ref().and_then(|look| self.explain(game, look, say)) {
            return Ok(answer);
        }
        let spent = if limits.ponder { Duration::ZERO } else { begun.elapsed() };
        let limits = limits.after(spent);
        let scale = if look.is_some() { Scale::Table } else { Scale::Evaluation };
        let decided = match analysis {
            true => Ok(self.search_best(game, &limits, control, say)),
            false => self.decide(game, scale, look, &limits, control, say),
        };
        Ok(decided.unwrap_or_else(|error| self.any_move(game, &error, say)))
    }

    /// Writes down what was learned of the opponent. Called when an answer is out: the opponent's clock runs.
    fn rest(&mut self, say: &mut Say<'_>) {
        let Some((shelf, profile)) = &mut self.profile else { return };
        if !self.notes.is_certain() || self.notes.kept == self.notes.observed.len() {
            return;
        }
        match shelf.add(profile.name(), self.notes.observed[self.notes.kept..].iter().cloned()) {
            Ok((all, told)) => {
                *profile = all;
                self.notes.kept = self.notes.observed.len();
                told.map(Info::Text).into_iter().for_each(say);
            }
            // They are not kept yet, and are tried again after the next move.
            Err(error) => say(Info::Text(error.to_string())),
        }
    }

    fn clear_hash(&mut self) {
        self.search.searcher().new_game();
    }
}

impl AgentSeat {
    fn search_best(&self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
        let found = self.search.best(game, limits, control, &mut |report| {
            if report.bound == Bound::Exact {
                say(Info::Search(report.clone()));
            }
        });
        let found = found.as_ref();
        Answer { best: found.and_then(|f| f.best), reply: found.and_then(|f| f.ponder), elapsed: None }
    }
}

/// A move of the present position in the words of chess players.
fn san_of(game: &Game, m: Move) -> String {
    SanPlus::from_move(game.position().clone(), m).to_string()
}

fn generator(seed: u32) -> Pcg64 {
    Pcg64::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}
