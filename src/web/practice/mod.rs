//! Games that visitors play, with a partner of their choice.

mod partner;
mod record;
mod state;
mod table;
mod task;
mod verdict;
mod view;

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Color, Position};

use super::{error::Refusal, events::Bell, house::House, identity::Identity, routes::aside, shelf::Kind};
use crate::agents::Analyser;

pub use partner::Partner;
use record::Record;
use state::{Setting, State};
pub use table::Table;
use task::Beginning;
pub use task::{Task, endgame};
pub use verdict::{Verdict, side_name};
pub use view::{pgn, plies};

/// A visitor's games.
type Tables = HashMap<Identity, Arc<Table>>;

/// All games of those who were here lately.
#[derive(Default)]
pub struct Practice {
    visitors: Mutex<HashMap<Identity, Tables>>,
}

/// What a visitor wants to play, and with whom.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    partner: Partner,
    task: Task,
    /// `white`, `black` or `random`.
    side: String,
    #[serde(default)]
    clock: Option<ClockWish>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockWish {
    /// Seconds.
    base: u32,
    /// Seconds for each move.
    increment: u32,
}

/// Games of one visitor that are kept.
const MOST_GAMES: usize = 300;
/// Games of all visitors together that are in memory, and partners that sit at them.
const MOST_AT_ONCE: (usize, usize) = (5000, 100);
/// Clocks that can be chosen, in seconds.
const MOST_TIME: (u32, u32) = (6 * 3600, 600);
/// A game that nobody has looked at for so long is put away; it is still on disk.
const UNUSED: Duration = Duration::from_secs(1800);

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl Practice {
    /// Puts away what nobody has used for a while.
    pub fn tidy(&self) {
        let idle = |table: &Arc<Table>| {
            let state = table.state.lock();
            state.used.elapsed() > UNUSED && !state.thinking && table.bell.listeners() == 0
        };
        self.visitors.lock().retain(|_, tables| !tables.values().all(idle));
    }

    /// Sends partners away where too many sit: those first whose game was not looked at for longest. They come back when they
    /// have to move.
    pub fn spare_partners(&self) {
        let tables = self.all();
        let seated = tables.iter().filter_map(|table| {
            let state = table.state.try_lock()?;
            state.seated.is_some().then_some((state.used, table))
        });
        let mut seated: Vec<(Instant, &Arc<Table>)> = seated.collect();
        seated.sort_by_key(|(used, _)| *used);
        let surplus = seated.len().saturating_sub(MOST_AT_ONCE.1);
        for (_, table) in &seated[..surplus] {
            if let Some(mut state) = table.state.try_lock() {
                state.seated = None;
            }
        }
    }

    fn all(&self) -> Vec<Arc<Table>> {
        self.visitors.lock().values().flat_map(|tables| tables.values().cloned()).collect()
    }
}

impl House {
    /// What there is to choose from.
    pub fn practice_choices(&self) -> Value {
        let mut choices = partner::choices();
        choices["tasks"] = task::choices(&self.tables, self.seat.agent.metric);
        choices
    }

    /// One who knows nothing of the visitor.
    pub fn stranger(&self) -> Result<Analyser, Refusal> {
        self.seat.agent.analyser().map_err(Refusal::bad)
    }

    /// What is done with a visitor's games; they are read from disk if need be.
    fn with_tables<T>(self: &Arc<House>, visitor: Identity, act: impl FnOnce(&mut Tables) -> T) -> T {
        let mut visitors = self.practice.visitors.lock();
        let tables = visitors.entry(visitor).or_insert_with(|| {
            let Ok(stranger) = self.stranger() else { return Tables::new() };
            let kept = self.shelf.all::<Record>(visitor, Kind::Practice).into_iter();
            let restored = kept.filter_map(|(id, record)| Some((id, State::restored(record, &stranger)?)));
            restored.map(|(id, state)| (id, Arc::new(table(visitor, id, state)))).collect()
        });
        act(tables)
    }

    /// A game of a visitor's. If somebody should be thinking about it, somebody does.
    pub fn practice_table(self: &Arc<House>, visitor: Identity, id: Identity) -> Result<Arc<Table>, Refusal> {
        let table = self.with_tables(visitor, |tables| tables.get(&id).cloned());
        let table = table.ok_or_else(|| Refusal::not_found("there is no such game of yours"))?;
        table.think(self, &mut table.state.lock());
        Ok(table)
    }

    /// A visitor's games, the one last changed first.
    pub fn practice_list(self: &Arc<House>, visitor: Identity) -> Value {
        let tables: Vec<Arc<Table>> = self.with_tables(visitor, |tables| tables.values().cloned().collect());
        let mut lines: Vec<Value> =
            tables.iter().map(|table| view::line(table.id, &table.state.lock())).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line["changed"].as_u64()));
        json!({ "games": lines })
    }

    /// Begins a game. Where it begins may have to be drawn by chance, which is a job.
    pub async fn practice_begin(
        self: &Arc<House>,
        visitor: Identity,
        wish: Wish,
    ) -> Result<Arc<Table>, Refusal> {
        wish.partner.spec(&self.seat.agent)?;
        let clock = wish.clock.map(|clock| (clock.base, clock.increment));
        if clock.is_some_and(|(base, more)| !(1..=MOST_TIME.0).contains(&base) || more > MOST_TIME.1) {
            return Err(Refusal::bad(
                "a clock has from a second to six hours, and up to ten minutes for each move",
            ));
        }
        let task = wish.task.clone();
        let beginning =
            aside(self, move |house| task.begin(&house.tables, house.seat.agent.metric, &mut rand::rng()))
                .await?;
        let side = match wish.side.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            "random" => Color::from_white(rand::random()),
            _ => return Err(Refusal::bad("the side is white, black or random")),
        };
        self.seat_visitor(visitor, beginning, wish.partner, side, clock)
    }

    /// Begins a game anew where another stood after so many half-moves.
    pub fn practice_again(
        self: &Arc<House>,
        visitor: Identity,
        table: &Table,
        ply: usize,
    ) -> Result<Arc<Table>, Refusal> {
        let (beginning, partner, side, clock) = {
            let state = table.state.lock();
            let record = &state.record;
            let beginning = Beginning { title: record.title.clone(), game: state.game.up_to(ply) };
            let clock = record.clock.map(|clock| (clock.base, clock.increment));
            (beginning, record.partner.clone(), record.side(), clock)
        };
        if beginning.game.position().legal_moves().is_empty() {
            return Err(Refusal::bad("the game is over there"));
        }
        self.seat_visitor(visitor, beginning, partner, side, clock)
    }

    fn seat_visitor(
        self: &Arc<House>,
        visitor: Identity,
        beginning: Beginning,
        partner: Partner,
        side: Color,
        clock: Option<(u32, u32)>,
    ) -> Result<Arc<Table>, Refusal> {
        let setting = Setting { beginning, partner, side, clock, seed: rand::random(), now: now() };
        let new = Arc::new(table(visitor, Identity::random(), State::new(setting, &self.stranger()?)));
        if self.practice.all().len() >= MOST_AT_ONCE.0 {
            return Err(Refusal::too_many("too many games are being played here; come back later"));
        }
        self.with_tables(visitor, |tables| {
            if tables.len() >= MOST_GAMES {
                return Err(Refusal::too_many("you have too many games: delete some"));
            }
            tables.insert(new.id, new.clone());
            Ok(())
        })?;
        new.change(self, |_| Ok::<_, Refusal>(()))?;
        Ok(new)
    }

    /// Throws a game away.
    pub fn practice_delete(self: &Arc<House>, visitor: Identity, id: Identity) -> Result<(), Refusal> {
        let gone = self.with_tables(visitor, |tables| tables.remove(&id));
        let table = gone.ok_or_else(|| Refusal::not_found("there is no such game of yours"))?;
        // Whoever thinks about it thinks in vain, and must not keep it again.
        table.state.lock().deleted = true;
        self.shelf.remove(visitor, Kind::Practice, id);
        table.bell.ring();
        Ok(())
    }

    /// Ends the games in which time is over.
    pub fn look_at_clocks(self: &Arc<House>) {
        for table in self.practice.all() {
            let out = {
                let mut state = table.state.lock();
                state.record.clock.is_some() && state.look_at_clock(Instant::now())
            };
            if out {
                // It has ended already: nothing can go wrong with that.
                let _ = table.change(self, |_| Ok::<_, Refusal>(()));
            }
        }
    }
}

fn table(visitor: Identity, id: Identity, state: State) -> Table {
    Table { visitor, id, state: Mutex::new(state), bell: Bell::default() }
}
