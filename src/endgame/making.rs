//! Tables that are made in the background: one at a time in the whole program, and none that nobody wants any more.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;

use super::{
    generate::{GenerateError, memory},
    material::Material,
    tables::{Client, Tables, TablesError},
};
use crate::model::Metric;

/// How fast one thread makes tables, in bytes of the memory that takes.
const BYTES_PER_MICROSECOND: u64 = 4;

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
        let missing = self.missing(material, metric).into_iter();
        missing.map(|(needed, by)| Duration::from_micros(work(needed, by) / BYTES_PER_MICROSECOND)).sum()
    }
}

/// How much work a table is, in bytes of memory that are gone through.
fn work(material: Material, metric: Metric) -> u64 {
    let runs = match metric {
        Metric::Dtc | Metric::Dtm | Metric::Dtz => 1,
        // One for each toll.
        Metric::Dtr => 16,
        // One for each side.
        Metric::Dtd => 2,
    };
    // Memory goes with the number of positions, and so does time.
    runs * memory(material, Metric::Dtc)
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
