use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{
    config::TableConfig,
    generate::{GenerateError, GenerateProgress, Job, generate, memory},
    material::Material,
    store::{self, StoreError},
    syzygy::{Syzygy, SyzygyError},
    table::Table,
};
use crate::{directories, model::Metric};

/// All tables at hand: in memory, on disk, or to be generated.
pub struct Tables {
    folder: PathBuf,
    /// Materials of up to so many men are generated without being asked for by name.
    build_men: usize,
    /// MiB that a generation may take.
    memory: u64,
    tables: Vec<[LazyTable; 3]>,
    /// One generation at a time; each takes all cores anyway.
    generating: Mutex<()>,
    /// Tables being made in the background, and whether that has failed.
    requested: Mutex<HashMap<(Material, Metric), Arc<AtomicBool>>>,
    syzygy: Option<Syzygy>,
}

/// A table that is read from the disk when it is first asked for.
#[derive(Default)]
struct LazyTable {
    table: OnceLock<Arc<Table>>,
    /// The disk has been looked at in vain: probing does not look again.
    missing: AtomicBool,
}

/// Why a table is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// Generating it failed.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// Reading or writing it failed.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    /// It is there and stored: the time it took and the bytes on disk.
    Done(Material, Metric, Duration, u64),
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

impl Tables {
    /// The tables as the settings have them.
    pub fn new(config: &TableConfig) -> Result<Tables, SyzygyError> {
        let mut tables = Vec::new();
        tables.resize_with(Material::SLOTS, <[LazyTable; 3]>::default);
        let mut syzygy = Syzygy::open(&config.syzygy)?;
        if let Some(syzygy) = &mut syzygy {
            syzygy.limit(config.syzygy_men);
        }
        Ok(Tables {
            folder: folder(&config.path),
            build_men: config.build_men,
            memory: config.memory,
            tables,
            generating: Mutex::default(),
            requested: Mutex::default(),
            syzygy,
        })
    }

    /// Syzygy's tables, if there are any.
    pub fn syzygy(&self) -> Option<&Syzygy> {
        self.syzygy.as_ref()
    }

    /// Where tables are stored.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn lazy(&self, material: Material, metric: Metric) -> &LazyTable {
        &self.tables[material.slot()][metric as usize]
    }

    /// A table that is in memory or on disk. A damaged one is reported and counts as missing.
    #[inline]
    pub fn get(&self, material: Material, metric: Metric) -> Option<&Arc<Table>> {
        let lazy = self.lazy(material, metric);
        match lazy.table.get() {
            Some(table) => Some(table),
            None if lazy.missing.load(Relaxed) => None,
            None => self.look(lazy, material, metric),
        }
    }

    #[cold]
    fn look<'a>(&'a self, lazy: &'a LazyTable, material: Material, metric: Metric) -> Option<&'a Arc<Table>> {
        match store::open(&self.folder, material, metric) {
            Ok(Some(table)) => Some(lazy.table.get_or_init(|| Arc::new(table))),
            Ok(None) => {
                lazy.missing.store(true, Relaxed);
                None
            }
            Err(error) => {
                lazy.missing.store(true, Relaxed);
                log::error!("{error}");
                None
            }
        }
    }

    /// Whether a missing table of this material may be generated without being asked for by name.
    pub fn may_build(&self, material: Material) -> bool {
        material.men() <= self.build_men
    }

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

    /// A table that is there, read and checked in full. A damaged or foreign file is set aside, not deleted.
    fn sound(
        &self,
        material: Material,
        metric: Metric,
        client: Client<'_>,
    ) -> Result<Option<Arc<Table>>, TablesError> {
        let lazy = self.lazy(material, metric);
        if let Some(table) = lazy.table.get() {
            return Ok(Some(table.clone()));
        }
        let opened = store::open(&self.folder, material, metric)
            .and_then(|table| table.map(|table| table.load().map(|()| table)).transpose());
        match opened {
            Ok(None) => Ok(None),
            Ok(Some(table)) => Ok(Some(lazy.table.get_or_init(|| Arc::new(table)).clone())),
            Err(error @ (StoreError::Damaged { .. } | StoreError::Version { .. }))
                if self.may_build(material) =>
            {
                let aside = store::set_aside(&self.folder, material, metric)?;
                log::warn!("{error}; set aside as {}", aside.display());
                (client.hear)(TableEvent::SetAside);
                Ok(None)
            }
            Err(error) => Err(error.into()),
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
        if let Some(table) = self.lazy(material, metric).table.get() {
            return Ok(table.clone());
        }
        let needed = memory(material) >> 20;
        if needed > self.memory {
            return Err(GenerateError::Memory { material, needed, allowed: self.memory }.into());
        }
        (client.hear)(TableEvent::Begun(material, metric, memory(material)));
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
        let bytes = store::write(&table, &self.folder)?;
        (client.hear)(TableEvent::Done(material, metric, begun.elapsed(), bytes));
        Ok(self.lazy(material, metric).table.get_or_init(|| Arc::new(table)).clone())
    }

    /// Has a missing table generated in the background, if that is allowed; until it is there, probing it finds nothing.
    /// Says whether it is being made.
    pub fn request(self: &Arc<Tables>, material: Material, metric: Metric) -> Option<Making> {
        if self.may_build(material) { self.make(material, metric) } else { None }
    }

    /// The same for a table of any size, which somebody has asked for by name.
    pub fn make(self: &Arc<Tables>, material: Material, metric: Metric) -> Option<Making> {
        if self.get(material, metric).is_some() {
            return None;
        }
        let mut requested = self.requested.lock();
        match requested.get(&(material, metric)) {
            Some(failed) if failed.load(Relaxed) => return None,
            Some(_) => return Some(Making::UnderWay),
            None => {}
        }
        let failed = Arc::new(AtomicBool::new(false));
        requested.insert((material, metric), failed.clone());
        let tables = self.clone();
        std::thread::spawn(move || {
            // One thread: whoever thinks meanwhile needs the rest of the machine more.
            let built = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(one) => one.install(|| tables.build(material, metric, Client::silent())),
                Err(_) => tables.build(material, metric, Client::silent()),
            };
            if let Err(error) = built {
                failed.store(true, Relaxed);
                log::error!("{error}");
            }
        });
        Some(Making::Begun(self.estimate(material, metric)))
    }

    /// Whether a table is being made in the background.
    pub fn is_being_made(&self, material: Material, metric: Metric) -> bool {
        let requested = self.requested.lock();
        requested.get(&(material, metric)).is_some_and(|failed| !failed.load(Relaxed))
            && self.get(material, metric).is_none()
    }

    /// About how long one thread takes to make a table and all those it needs that are not there.
    fn estimate(&self, material: Material, metric: Metric) -> Duration {
        let missing = material.closure().into_iter().filter(|&needed| self.get(needed, metric).is_none());
        // Memory goes with the number of positions, and so does time.
        missing.map(|needed| Duration::from_micros(memory(needed) / BYTES_PER_MICROSECOND)).sum()
    }
}

/// How fast one thread makes tables, in bytes of the memory that takes.
const BYTES_PER_MICROSECOND: u64 = 4;

/// How far the making of a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// It has just begun and will take about so long.
    Begun(Duration),
    /// It was begun before.
    UnderWay,
}

/// The tables that generating one looks into.
fn prerequisites(material: Material, metric: Metric) -> Vec<(Material, Metric)> {
    let by = if metric == Metric::Dtm { Metric::Dtm } else { Metric::Dtc };
    let own = (metric == Metric::Dtz && material.has_pawns()).then_some(material);
    material.subgames().into_iter().chain(own).map(|material| (material, by)).collect()
}

/// Where tables are kept: as told, or in `tablebases` here, or in the user's cache.
fn folder(told: &str) -> PathBuf {
    let here = PathBuf::from("tablebases");
    if !told.is_empty() {
        PathBuf::from(told)
    } else if here.is_dir() {
        here
    } else {
        directories::cache().map_or(here, |cache| cache.join("tablebases"))
    }
}
