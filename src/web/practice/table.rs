//! A game and those who wait for it: what the visitor does is done at once, what has to be thought about is a job of the pool.

use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use shakmaty::{Chess, Move};

use super::{
    now,
    state::{Seated, State},
    view,
};
use crate::{
    agents::{Observation, Watcher},
    engine::{AgentSeat, Info, Seat, SeatSettings},
    game::Game,
    oracle::{Budget, Limits, Oracle},
    web::{
        events::Bell,
        house::House,
        identity::Identity,
        pool::{Desk, Lane},
        shelf::Kind,
    },
};

/// A game of a visitor's.
pub struct Table {
    /// Whose.
    pub visitor: Identity,
    /// Which.
    pub id: Identity,
    /// The game.
    pub state: Mutex<State>,
    /// Rings at every change.
    pub bell: Bell,
}

/// The hash table of a partner, in MiB: there are many.
const HASH: usize = 1;
/// What tables answer takes no longer.
const TABLE_TIME: Duration = Duration::from_millis(50);
/// As deep as the visitor's decisions are looked at …
const LOOK_DEPTH: u32 = 8;
/// … and for how long, while nobody waits for an answer and while somebody does.
const LOOK_TIME: (Duration, Duration) = (Duration::from_millis(500), Duration::from_millis(20));
/// Remarks of the partner that are kept.
const MOST_REMARKS: usize = 6;

/// What the partner begins to think with.
struct Problem {
    game: Game,
    generation: u64,
    given: usize,
    seed: u64,
    seated: Option<Seated>,
    limits: Limits,
    settings: SeatSettings,
}

impl Table {
    /// The game as the page sees it.
    pub fn view(&self) -> serde_json::Value {
        let mut state = self.state.lock();
        state.used = Instant::now();
        view::game(self.id, self.bell.revision(), &state)
    }

    /// The same as text, for those who listen; nothing if it was thrown away.
    pub fn tell(&self) -> Option<String> {
        let deleted = self.state.lock().deleted;
        (!deleted).then(|| self.view().to_string())
    }

    /// Does something to the game, keeps it, tells everybody, and has thought about it who has to.
    pub fn change<E>(
        self: &Arc<Table>,
        house: &Arc<House>,
        act: impl FnOnce(&mut State) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut state = self.state.lock();
        act(&mut state)?;
        state.used = Instant::now();
        state.settle(Instant::now());
        self.carry_on(house, &mut state);
        drop(state);
        self.bell.ring();
        Ok(())
    }

    /// Keeps the game as it is now, and has somebody think about what comes next.
    fn carry_on(self: &Arc<Table>, house: &Arc<House>, state: &mut State) {
        state.record.changed = now();
        self.keep(house, state);
        self.think(house, state);
    }

    fn keep(&self, house: &House, state: &State) {
        if !state.deleted {
            house.shelf.put(self.visitor, Kind::Practice, self.id, &state.record);
        }
    }

    /// Has somebody think about what comes next, unless somebody does.
    pub fn think(self: &Arc<Table>, house: &Arc<House>, state: &mut State) {
        let (table, there) = (self.clone(), house.clone());
        let known = |position: &Chess| house.tables.probe(position, house.seat.agent.metric).is_some();
        let of = |other| if known(state.game.position()) { Lane::Tables } else { other };
        if state.is_over() {
            if !state.unjudged.is_empty() {
                house.pool.submit(Lane::Ahead, move |desk| table.judge(&there, desk));
            }
        } else if !state.is_visitors_turn() {
            if !mem::replace(&mut state.thinking, true) {
                let lane = of(Lane::Reply);
                house.pool.submit(lane, move |desk| table.reply(&there, desk, lane));
            }
        } else if state.look.is_none() && !mem::replace(&mut state.looking, true) {
            house.pool.submit(of(Lane::Ahead), move |desk| table.look(&there, desk));
        }
    }

    /// Looks at the visitor's decision, so that his move can be judged as soon as it is made.
    fn look(self: &Arc<Table>, house: &Arc<House>, desk: &Desk) {
        let (game, generation) = {
            let mut state = self.state.lock();
            // While this waited he may have moved.
            if state.is_over() || !state.is_visitors_turn() {
                state.looking = false;
                return;
            }
            (state.game.clone(), state.generation)
        };
        let look = desk.look(&game, &budget(house));
        let mut state = self.state.lock();
        state.looking = false;
        if state.generation == generation && look.is_some() {
            state.look = look;
            if state.settle(Instant::now()) {
                self.carry_on(house, &mut state);
            }
            drop(state);
            self.bell.ring();
        } else if state.generation != generation {
            // The game has gone on meanwhile.
            self.think(house, &mut state);
        }
    }

    /// Moves for the partner, and judges the visitor's move before it.
    fn reply(self: &Arc<Table>, house: &Arc<House>, desk: &Desk, lane: Lane) {
        let mut thinking = Thinking { table: self, over: false };
        let looked = self.state.lock().unjudged.iter().all(|(_, look)| look.is_some());
        if looked {
            self.judge(house, desk);
        }
        let Some(mut problem) = self.problem(house, lane) else { return };
        let (generation, told) = (problem.generation, problem.game.moves().len());
        let Some((seated, m, remarks)) = answer(&mut problem, house) else { return };
        let mut state = self.state.lock();
        let told = (state.generation == generation).then_some(told);
        state.seated = Some(Seated { told, ..seated });
        state.thinking = false;
        thinking.over = true;
        if state.generation == generation
            && !house.pool.control().is_stopped()
            && !state.look_at_clock(Instant::now())
        {
            state.put(m, Instant::now());
            state.remarks = remarks;
        }
        self.carry_on(house, &mut state);
        drop(state);
        self.bell.ring();
        if !looked {
            let (table, there) = (self.clone(), house.clone());
            house.pool.submit(Lane::Ahead, move |desk| table.judge(&there, desk));
        }
        house.practice.spare_partners();
    }

    fn problem(&self, house: &House, lane: Lane) -> Option<Problem> {
        let mut state = self.state.lock();
        let share = if lane == Lane::Tables { TABLE_TIME } else { house.pool.share() };
        let time = state.allowance().map_or(share, |allowance| allowance.min(share));
        let limits = Limits { movetime: Some(time + house.seat.search.move_overhead), ..Limits::default() };
        let agent = state.record.partner.spec(&house.seat.agent);
        let agent =
            agent.inspect_err(|error| log::error!("the partner can't be seated: {}", error.text)).ok()?;
        let mut settings = SeatSettings { agent, tells_lines: false, ..house.seat.clone() };
        (settings.search.hash_mb, settings.search.threads, settings.search.multi_pv) = (HASH, 1, 1);
        Some(Problem {
            game: state.game.clone(),
            generation: state.generation,
            given: state.record.given,
            seed: state.record.seed,
            seated: state.seated.take(),
            limits,
            settings,
        })
    }

    /// Judges the visitor's moves that wait for it.
    fn judge(self: &Arc<Table>, house: &House, desk: &Desk) {
        let (game, unjudged) = {
            let mut state = self.state.lock();
            (state.game.clone(), mem::take(&mut state.unjudged))
        };
        if unjudged.is_empty() {
            return;
        }
        for (ply, look) in unjudged {
            let Some(&m) = game.moves().get(ply) else { continue };
            let budget = budget(house);
            let seen = match look {
                Some(look) => Some(Observation { ply, look, m }),
                None => Watcher::from_ply(&game.up_to(ply + 1), ply, desk, &budget).next(),
            };
            let mut state = self.state.lock();
            // It may have been taken back meanwhile.
            if let Some(observation) =
                seen.filter(|_| state.game.moves().get(..=ply) == game.moves().get(..=ply))
            {
                state.judge(&observation);
                self.keep(house, &state);
            }
        }
        self.bell.ring();
    }
}

/// What a look at the visitor's decision may cost.
fn budget(house: &House) -> Budget {
    let time = if house.pool.is_idle() { LOOK_TIME.0 } else { LOOK_TIME.1 };
    let control = house.pool.control().clone();
    Budget { depth: Some(LOOK_DEPTH), time: Some(time), quick: true, control, ..Budget::default() }
}

/// Has the partner choose: who sits there, the move, and what was said.
fn answer(problem: &mut Problem, house: &House) -> Option<(Seated, Move, Vec<String>)> {
    let Problem { game, given, seed, seated, limits, settings, .. } = problem;
    let mut seated = match seated.take() {
        Some(seated) => seated,
        None => {
            let seat = AgentSeat::with_tables(settings.clone(), house.tables.clone());
            let seat = seat.inspect_err(|error| log::error!("the partner can't be seated: {error}")).ok()?;
            let mut seat = seat.sharing(house.plans.clone());
            let ready = seat.new_game(&game.up_to(*given), Some(*seed));
            ready.inspect_err(|error| log::error!("the partner can't play: {error}")).ok()?;
            Seated { seat: Box::new(seat), told: Some(*given) }
        }
    };
    match seated.told {
        Some(told) => (told..game.moves().len()).for_each(|ply| seated.seat.played(&game.up_to(ply + 1))),
        // It remembers what was taken back, and learns nothing twice.
        None => seated.seat.played(game),
    }
    let mut remarks = Vec::new();
    let answer = seated.seat.choose(game, limits, house.pool.control(), &mut |info| {
        if let Info::Text(text) = info
            && remarks.len() < MOST_REMARKS
        {
            remarks.push(text);
        }
    });
    let m = answer.inspect_err(|trouble| log::error!("the partner has no move: {trouble}")).ok()?.best?;
    Some((seated, m, remarks))
}

/// Somebody thinks about a game: if that fails, nobody does any longer.
struct Thinking<'a> {
    table: &'a Table,
    over: bool,
}

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.table.state.lock().thinking = false;
        }
    }
}
