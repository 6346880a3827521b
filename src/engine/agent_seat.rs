use std::{
    cell::RefCell,
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Move, Position, san::SanPlus};

use crate::{
    agents::{AgentError, Analyser, Foresight, Knowledge, Observation, Plies, Prey, Situation, Watcher, Why},
    endgame::{Material, Tables},
    game::Game,
    human::HumanModel,
    markov::{Foreseer, Plans},
    model::{Metric, Scale, State},
    oracle::{Bound, Budget, Control, Limits, Look, Metered, Oracle, Report, SearchOracle, TableOracle},
    profiles::{Profile, Shelf},
    search::{Reserve, SearchSettings, Searcher},
};

use super::{
    Answer, Info, Say, Seat, SeatSettings, Trouble,
    notes::{Notes, Unjudged},
    pace,
    remarks::{self, Telling},
    verdict::Verdict,
};

/// One of our agents at the board: first the opponent's new moves are judged, then the position goes to the tables, else to
/// the search, and the agent decides.
pub struct AgentSeat {
    pub(super) settings: SeatSettings,
    pub(super) tables: Option<Arc<Tables>>,
    pub(super) plans: Option<Arc<Plans>>,
    /// They are this seat's alone.
    pub(super) opened_tables: bool,
    pub(super) search: SearchOracle,
    pub(super) rng: Pcg64,
    /// What chance has given for the whole game.
    lot: f64,
    pub(super) notes: Notes,
    reserve: Reserve,
    pub(super) profile: Option<(Shelf, Profile)>,
    pub(super) configured: bool,
}

/// Pricing for a fallible player takes no longer.
const MAX_PRICING_TIME: Duration = Duration::from_secs(2);
/// In the opponent's time, before it is known how much there will be.
const PONDERING_TIME: Duration = Duration::from_millis(300);
/// Deeper is not necessary for one who errs.
const MAX_PRICING_DEPTH: u32 = 12;
/// Where the limits name no depth, nodes or time.
const DEFAULT_PRICING_DEPTH: u32 = 8;

/// Judging is never given more time than this for one own move ...
const MAX_JUDGING_TIME: Duration = Duration::from_millis(250);
/// ... or this, where the person is told: a comment has to be right.
const MAX_COMMENTING_TIME: Duration = Duration::from_secs(2);
/// Of that time, one part goes into the look at all moves, the others into searches of the best and of the one that was played.
const COMMENTING_PARTS: u32 = 3;
/// Less time than this is not worth it: what follows from a look takes some milliseconds too.
const MIN_JUDGING_TIME: Duration = Duration::from_millis(8);
/// ... nor than this, where comments have to be found ...
const MIN_COMMENTING_TIME: Duration = Duration::from_millis(25);
/// ... and with less than this for a move, nobody looks for traps to tell of.
const MIN_TELLING_TIME: Duration = Duration::from_millis(100);
/// Deeper is not necessary.
const MAX_JUDGING_DEPTH: u32 = 12;
/// Prices by a shallower search say more about the search than about the opponent.
const MIN_JUDGING_DEPTH: u32 = 3;
/// Before it is known whether the opponent can be hunted.
const FINDING_OUT_DIVISOR: u32 = 8;
/// While pondering the time is the opponent's: more of it may go into judging.
const PONDERING_DIVISOR: u32 = 4;

impl AgentSeat {
    /// One that has to be [configured](Seat::configure) before it plays: that may take time, this does not.
    pub fn new(settings: SeatSettings) -> Result<AgentSeat, AgentError> {
        let searcher = Searcher::new(SearchSettings { hash_mb: 1, ..settings.search.clone() });
        let rng = generator(settings.seed);
        Ok(AgentSeat {
            tables: None,
            plans: None,
            opened_tables: false,
            search: SearchOracle::new(searcher),
            lot: lot_of_game(&rng),
            rng,
            notes: Notes::new(settings.agent.analyser()?),
            reserve: Reserve::default(),
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

    /// Judges the opponent's moves that still wait: from tables all of them, by search the newest first while time lasts.
    fn judge(&mut self, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let Some(game) = self.notes.game().cloned() else { return };
        let theirs = |ply: usize| (game.moves().len() - ply) % 2 == 1;
        let tables = self.table_oracle(self.settings.agent.metric);
        let at_once = Budget::default();
        let prepared = self.notes.prepared.take();
        let comments = self.settings.agent.kind.comments;
        for unjudged in mem::take(&mut self.notes.unjudged) {
            let Unjudged { ply, counts } = unjudged;
            if !theirs(ply) || !(counts || comments) {
                continue;
            }
            let known = tables.as_ref().and_then(|tables| observe(&game, ply, tables, &at_once));
            let foreseen = || prepared.as_ref().and_then(|look| foreseen(&game, ply, look));
            match known.or_else(foreseen) {
                Some(observation) => {
                    self.comment(&observation, None, say);
                    self.learn(observation, counts, say);
                }
                None => self.notes.unjudged.push(unjudged),
            }
        }
        if !self.notes.unjudged.is_empty() {
            self.catch_up(&game, limits, control, say);
        }
    }

    /// Judges moves outside the tables, the last one first, within a small share of the time. A move whose look was too
    /// shallow is not tried again.
    fn catch_up(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let divisor = self.settings.agent.kind.judging_divisor;
        if divisor == 0 {
            self.notes.unjudged.clear();
            return;
        }
        let finding_out = self.settings.agent.kind.hunts && !self.notes.opponent.elo().is_settled();
        let part = match limits.ponder {
            true => PONDERING_DIVISOR,
            false if finding_out => divisor.min(FINDING_OUT_DIVISOR),
            false => divisor,
        };
        let begun = Instant::now();
        let share = limits.share(self.settings.search.move_overhead);
        let comments = self.settings.agent.kind.comments;
        let (least, most) = match comments {
            true => (MIN_COMMENTING_TIME, MAX_COMMENTING_TIME),
            false => (MIN_JUDGING_TIME, MAX_JUDGING_TIME),
        };
        let time = share.map_or(most, |share| share / part).min(most);
        while !control.is_stopped()
            && let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| *left >= least)
            && let Some(Unjudged { ply, counts }) = self.notes.unjudged.pop()
        {
            let parts = if comments { COMMENTING_PARTS } else { 1 };
            let nodes = limits.nodes.map(|nodes| nodes / u64::from(part * parts));
            let time = left / parts;
            let depth = limits.depth.map(|depth| depth.clamp(MIN_JUDGING_DEPTH, MAX_JUDGING_DEPTH));
            let budget = Budget {
                depth: Some(depth.unwrap_or(MAX_JUDGING_DEPTH)),
                nodes,
                time: Some(time),
                moves: Vec::new(),
                quick: comments,
                control: control.clone(),
            };
            let observation = observe(game, ply, &self.search, &budget);
            let deep_enough = |seen: &Observation| seen.look.cost().depth >= MIN_JUDGING_DEPTH;
            if let Some(observation) = observation.filter(deep_enough) {
                let each = Limits { depth, nodes, movetime: Some(time), ..Limits::default() };
                self.comment(&observation, Some((&game.up_to(ply), &each, control)), say);
                self.learn(observation, counts, say);
            }
        }
    }

    /// Comments a move, if the agent does. Where tables don't know it, it is searched first: where it was played, and how far.
    fn comment(
        &self,
        observation: &Observation,
        search: Option<(&Game, &Limits, &Control)>,
        say: &mut Say<'_>,
    ) {
        if !self.settings.agent.kind.comments {
            return;
        }
        let Some(verdict) = Verdict::new(observation) else { return };
        let verdict = match search {
            Some((game, limits, control)) => verdict.searched(game, &self.search, limits, control),
            None => verdict,
        };
        let level = Prey::new(self.notes.opponent.elo());
        say(Info::Text(remarks::comment(observation, &verdict, &level)));
    }

    /// Learns from a move, if it counts.
    fn learn(&mut self, observation: Observation, counts: bool, say: &mut Say<'_>) {
        if !counts {
            return;
        }
        match self.notes.opponent.observe(&observation) {
            Ok(evidence) => {
                say(Info::Text(remarks::opponent(&self.notes.opponent, &observation, evidence)));
                self.notes.observed.push(observation);
            }
            Err(error) => log::warn!("a move of the opponent can't be judged: {error}"),
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
        let knowledge = Knowledge {
            opponent: &self.notes.opponent,
            own: &self.notes.own,
            foresight: foresight.as_ref(),
            lot: Some(self.lot),
        };
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
        let unhurried = situation.budget.time.is_none_or(|time| time >= MIN_TELLING_TIME);
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
                && self.plans.as_ref().is_some_and(|plans| plans.may_solve(material))
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
        if self.settings.agent.kind.comments && unhurried {
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

    /// The truth about any other position: what a search finds.
    fn search_best(&self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
        let found = self.search.best(game, limits, control, &mut |report| {
            if report.bound == Bound::Exact {
                say(Info::Search(report.clone()));
            }
        });
        let found = found.as_ref();
        Answer { best: found.and_then(|f| f.best), reply: found.and_then(|f| f.ponder), elapsed: None }
    }

    /// What a look at all moves may cost under these limits.
    fn budget(&self, limits: &Limits, control: &Control) -> Budget {
        // The expected reply may come at once: what is then still to be done is done on our own clock.
        let most = if limits.ponder { PONDERING_TIME } else { MAX_PRICING_TIME };
        let share = limits.share(self.settings.search.move_overhead);
        let time = share.or(limits.ponder.then_some(most)).map(|share| share.min(most));
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
        self.take_over(settings, say);
    }

    /// What was learned of the opponent is forgotten unless it is kept in a profile.
    fn new_game(&mut self, opening: &Game, seed: Option<u64>) -> Result<(), Trouble> {
        self.clear_hash();
        self.reserve.forget();
        self.rng = seed.map_or_else(|| generator(self.settings.seed), Pcg64::seed_from_u64);
        self.lot = lot_of_game(&self.rng);
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
        let overhead = self.settings.search.move_overhead;
        let limits = &self.reserve.keep_back(limits, overhead, begun);
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

/// A move of the present position in the words of chess players.
fn san_of(game: &Game, m: Move) -> String {
    SanPlus::from_move(game.position().clone(), m).to_string()
}

/// One half-move of a game, if the position before it was looked at, and deep enough, when it was only expected.
fn foreseen(game: &Game, ply: usize, look: &Look) -> Option<Observation> {
    let m = *game.moves().get(ply)?;
    let is_it = look.cost().depth >= MIN_JUDGING_DEPTH
        && look.prospects().of(&m).is_some()
        && look.position() == game.up_to(ply).position();
    is_it.then(|| Observation { ply, look: look.clone(), m })
}

/// One half-move of a game, as it is seen.
fn observe(game: &Game, ply: usize, oracle: &dyn Oracle, budget: &Budget) -> Option<Observation> {
    Watcher::from_ply(&game.up_to(ply + 1), ply, oracle, budget).next()
}

/// What chance gives for a whole game, without a draw from the generator of its moves.
fn lot_of_game(rng: &Pcg64) -> f64 {
    Pcg64::seed_from_u64(rng.clone().random()).random()
}

pub(super) fn generator(seed: u32) -> Pcg64 {
    Pcg64::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::Config, oracle::Clock};

    #[test]
    fn while_pondering_no_more_is_begun_than_the_clock_has_time_for() {
        let seat = AgentSeat::new(SeatSettings::new(&Config::built_in().unwrap())).unwrap();
        let time = |remaining: Option<u64>| {
            let clock = remaining.map(|remaining| Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::ZERO,
            });
            seat.budget(&Limits { clock, ponder: true, ..Limits::default() }, &Control::new()).time.unwrap()
        };
        assert!(time(Some(500)) < Duration::from_millis(30));
        assert_eq!(time(Some(600_000)), PONDERING_TIME);
        assert_eq!(time(None), PONDERING_TIME);
    }
}
