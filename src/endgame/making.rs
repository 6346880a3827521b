//! How tables are made, with those they need: at once or in the background, there one at a time in the whole program, and
//! none that nobody wants any more.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;

use super::{
    blocks::BlockFileError,
    generate::{GenerateError, GenerateProgress, Job, around, generate, memory, needs_own_values},
    material::Material,
    store,
    table::Table,
    tables::Tables,
};
use crate::model::Metric;

/// How many microseconds one thread takes for a megabyte of a large table: a guess, until [`measure_speed`] finds out.
static PER_MEGABYTE: AtomicU64 = AtomicU64::new(50_000);
const MEGABYTE: f64 = 1_048_576.0;
/// A megabyte of a large table takes about half as long as one of the small table that is made to find out: few men have as many
/// moves as a queen.
const LARGE: f64 = 0.5;

/// Why a table is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// Generating it failed.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// Reading or writing it failed.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// It is not there, and too large to be made unasked.
    #[error("there is no table {0} by {1}: 'errare tables build {0} --metric {name}' makes it", name = .1.name())]
    Missing(Material, Metric),
}

/// What happens while tables are generated.
#[derive(Clone, Copy, Debug)]
pub enum TableEvent {
    /// A table is about to be generated, in so many bytes of memory.
    Begun(Material, Metric, u64),
    /// It goes on.
    Going(GenerateProgress),
    /// It is there, after so long: the bytes on disk, or none if it could not be stored and is in memory only.
    Done(Material, Metric, Duration, Option<u64>),
    /// A damaged file was set aside.
    SetAside,
}

/// Whoever wants tables: ends the work, and hears of it.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    /// Raised to end the work.
    pub cancel: &'a AtomicBool,
    /// Told what happens, from any thread.
    pub hear: &'a (dyn Fn(TableEvent) + Sync),
}

impl Client<'static> {
    /// Nobody listens or ends the work.
    pub fn silent() -> Client<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Client { cancel: &NEVER, hear: &|_| {} }
    }
}

/// How far the making of a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// It has just begun, or will when those before it are done, and takes about so long.
    Begun(Duration),
    /// It was asked for before.
    UnderWay,
}

/// What was asked for of one set of tables.
#[derive(Default)]
pub(super) struct Requests {
    /// Whether it has failed, by table.
    failed: Mutex<HashMap<(Material, Metric), Arc<AtomicBool>>>,
    /// Nobody looks at these tables any more.
    abandoned: AtomicBool,
}

/// One table to be made. That it waits keeps no tables open.
struct Task {
    tables: Weak<Tables>,
    material: Material,
    metric: Metric,
    failed: Arc<AtomicBool>,
}

impl Tables {
    /// A table that is there or may be generated unasked; with all its blocks checked.
    pub fn require(
        &self,
        material: Material,
        metric: Metric,
        client: Client<'_>,
    ) -> Result<Arc<Table>, TablesError> {
        match self.sound(material, metric, client)? {
            Some(table) => Ok(table),
            None if self.may_build(material) => self.build(material, metric, client),
            None => Err(TablesError::Missing(material, metric)),
        }
    }

    /// Generates a table, and before it all those it needs that are not there, and stores them.
    pub fn build(
        &self,
        material: Material,
        metric: Metric,
        client: Client<'_>,
    ) -> Result<Arc<Table>, TablesError> {
        if let Some(table) = self.sound(material, metric, client)? {
            return Ok(table);
        }
        for (needed, by) in prerequisites(material, metric) {
            self.build(needed, by, client)?;
        }
        let _one_at_a_time = self.generating.lock();
        if let Some(table) = self.lazy(material, metric).sound() {
            return Ok(table.clone());
        }
        let needed = memory(material, metric) >> 20;
        if needed > self.memory() {
            return Err(GenerateError::Memory { material, needed, allowed: self.memory() }.into());
        }
        (client.hear)(TableEvent::Begun(material, metric, memory(material, metric)));
        let begun = Instant::now();
        let report = |progress| (client.hear)(TableEvent::Going(progress));
        let table = generate(
            material,
            metric,
            Job { cancel: client.cancel, report: &report },
            |material, metric| {
                self.get(material, metric).cloned().ok_or(TablesError::Missing(material, metric))
            },
        )?;
        // A folder that is full or may not be written to is no reason to throw the work away.
        let bytes = store::write(&table, self.folder())
            .inspect_err(|error| {
                log::error!("{error}; the table is used from memory, and is lost at the end")
            })
            .ok();
        (client.hear)(TableEvent::Done(material, metric, begun.elapsed(), bytes));
        Ok(self.lazy(material, metric).keep(Arc::new(table)).clone())
    }

    /// The tables that building one makes, itself included: those that are not there. The order is that of the work.
    pub fn missing(&self, material: Material, metric: Metric) -> Vec<(Material, Metric)> {
        let mut missing = Vec::new();
        if material.men() > 2 && self.get(material, metric).is_none() {
            for (needed, by) in prerequisites(material, metric) {
                missing.extend(
                    self.missing(needed, by)
                        .into_iter()
                        .filter(|new| !missing.contains(new))
                        .collect::<Vec<_>>(),
                );
            }
            missing.push((material, metric));
        }
        missing
    }

    /// Has a missing table generated in the background, if that is allowed; until it is there, probing it finds nothing.
    /// Says whether it is being made.
    pub fn request(self: &Arc<Tables>, material: Material, metric: Metric) -> Option<Making> {
        if self.may_build(material) { self.make(material, metric) } else { None }
    }

    /// Whether a table is being made in the background, or waits to be.
    pub fn is_being_made(&self, material: Material, metric: Metric) -> bool {
        let known = self.requests.failed.lock();
        known.get(&(material, metric)).is_some_and(|failed| !failed.load(Relaxed))
            && self.get(material, metric).is_none()
    }

    /// The same for a table of any size, which somebody has asked for by name.
    pub fn make(self: &Arc<Tables>, material: Material, metric: Metric) -> Option<Making> {
        if self.get(material, metric).is_some() {
            return None;
        }
        let mut known = self.requests.failed.lock();
        match known.get(&(material, metric)) {
            Some(failed) if failed.load(Relaxed) => return None,
            Some(_) => return Some(Making::UnderWay),
            None => {}
        }
        let failed = Arc::new(AtomicBool::new(false));
        known.insert((material, metric), failed.clone());
        let task = Task { tables: Arc::downgrade(self), material, metric, failed: failed.clone() };
        match tasks().map(|tasks| tasks.send(task).is_ok()) {
            Some(true) => Some(Making::Begun(self.estimate(material, metric))),
            _ => {
                failed.store(true, Relaxed);
                None
            }
        }
    }

    /// Ends what is made in the background: nobody will look at these tables any more.
    pub fn abandon(&self) {
        self.requests.abandoned.store(true, Relaxed);
    }

    /// About how long one thread takes to make a table and all those it needs that are not there.
    pub fn estimate(&self, material: Material, metric: Metric) -> Duration {
        self.missing(material, metric).into_iter().map(|(needed, by)| time_to_make(needed, by)).sum()
    }
}

/// The tables that generating one looks into.
pub fn prerequisites(material: Material, metric: Metric) -> Vec<(Material, Metric)> {
    let own = needs_own_values(material, metric).then_some(material);
    material.subgames().into_iter().chain(own).map(|material| (material, around(metric))).collect()
}

/// How much work a table is, in bytes of memory that are gone through.
fn work(material: Material, metric: Metric) -> u64 {
    let runs = match metric {
        Metric::Dtc | Metric::Dtm | Metric::Dtz => 1,
        // One for each toll, most of them short.
        Metric::Dtr => 12,
        // One for each side.
        Metric::Dtd => 2,
    };
    // Memory goes with the number of positions, and so does time.
    runs * memory(material, Metric::Dtc)
}

/// About how long one thread takes to make a table when all those it needs are there.
pub fn time_to_make(material: Material, metric: Metric) -> Duration {
    let megabytes = work(material, metric) as f64 / MEGABYTE;
    Duration::from_micros(PER_MEGABYTE.load(Relaxed)).mul_f64(megabytes)
}

/// Finds out in some milliseconds how fast this machine makes tables.
pub fn measure_speed() {
    let small = Material::with_men(3)[0];
    let make = || generate(small, Metric::Dtc, Job::quiet(), |_, _| Err(GenerateError::Cancelled));
    let Ok(one) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
    let take = |_| {
        let begun = Instant::now();
        one.install(make).map(|_| begun.elapsed())
    };
    // The quickest of three: the others may have had to wait for a processor.
    if let Some(quickest) = (0..3).filter_map(|number| take(number).ok()).min() {
        let megabytes = work(small, Metric::Dtc) as f64 / MEGABYTE;
        PER_MEGABYTE.store((quickest.as_micros() as f64 / megabytes * LARGE) as u64, Relaxed);
    }
}

/// To the one thread that makes tables; none if it could not be started.
fn tasks() -> Option<&'static Sender<Task>> {
    static TASKS: OnceLock<Option<Sender<Task>>> = OnceLock::new();
    let start = || -> io::Result<Sender<Task>> {
        let (sender, tasks) = unbounded();
        thread::Builder::new().name("tables".to_owned()).spawn(move || attend(&tasks))?;
        Ok(sender)
    };
    TASKS
        .get_or_init(|| start().inspect_err(|error| log::error!("no thread can be started: {error}")).ok())
        .as_ref()
}

fn attend(tasks: &Receiver<Task>) {
    // One thread: whoever thinks meanwhile needs the rest of the machine more.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let one = one.inspect_err(|error| log::error!("no thread can be started: {error}"));
    for Task { tables, material, metric, failed } in tasks {
        let Some(tables) = tables.upgrade() else { continue };
        let client = Client { cancel: &tables.requests.abandoned, ..Client::silent() };
        let made = match (&one, client.cancel.load(Relaxed)) {
            (_, true) => continue,
            (Ok(one), _) => one.install(|| tables.build(material, metric, client)),
            (Err(_), _) => tables.build(material, metric, client),
        };
        match made {
            Ok(_) | Err(TablesError::Generate(GenerateError::Cancelled)) => {}
            Err(error) => {
                failed.store(true, Relaxed);
                log::error!("{error}");
            }
        }
    }
}
