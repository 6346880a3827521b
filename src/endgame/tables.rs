use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{
    blocks::BlockFileError,
    config::TableConfig,
    generate::{GenerateError, GenerateProgress, Job, generate, memory, prerequisites},
    making::Requests,
    material::Material,
    store,
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
    tables: Vec<[LazyTable; Metric::ALL.len()]>,
    /// One generation at a time; each takes all cores anyway.
    generating: Mutex<()>,
    /// Tables that were asked for and are made in the background.
    pub(super) requests: Requests,
    syzygy: Option<Syzygy>,
    /// Folders of Syzygy tables that can't be read.
    complaints: Vec<SyzygyError>,
}

/// A table that is read from the disk when it is first asked for.
#[derive(Default)]
struct LazyTable {
    table: OnceLock<Arc<Table>>,
    /// Takes its place if it was found to be damaged.
    again: OnceLock<Arc<Table>>,
    /// The disk has been looked at in vain: probing does not look again.
    missing: AtomicBool,
}

impl LazyTable {
    /// The table that is in memory, if it can be trusted.
    #[inline]
    fn sound(&self) -> Option<&Arc<Table>> {
        match self.table.get() {
            Some(table) if table.is_damaged() => self.again.get(),
            found => found,
        }
    }

    fn keep(&self, table: Arc<Table>) -> &Arc<Table> {
        let place =
            if self.table.get().is_some_and(|table| table.is_damaged()) { &self.again } else { &self.table };
        place.get_or_init(|| table)
    }
}

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

impl Tables {
    /// The tables as the settings have them.
    pub fn new(config: &TableConfig) -> Result<Tables, SyzygyError> {
        let mut tables = Vec::new();
        tables.resize_with(Material::SLOTS, <[LazyTable; Metric::ALL.len()]>::default);
        let (mut syzygy, complaints) = Syzygy::open(&config.syzygy, config.syzygy_check)?;
        if let Some(syzygy) = &mut syzygy {
            syzygy.limit(config.syzygy_men);
        }
        let folder = folder(&config.path);
        directories::clear_leftovers(&folder, |_| true);
        Ok(Tables {
            folder,
            build_men: config.build_men,
            memory: config.memory,
            tables,
            generating: Mutex::default(),
            requests: Requests::default(),
            syzygy,
            complaints,
        })
    }

    /// MiB that whoever makes something of tables may take.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Syzygy's tables, if there are any.
    pub fn syzygy(&self) -> Option<&Syzygy> {
        self.syzygy.as_ref()
    }

    /// Folders of Syzygy tables that can't be read; the others are used.
    pub fn complaints(&self) -> &[SyzygyError] {
        &self.complaints
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
        match lazy.sound() {
            Some(table) => Some(table),
            None if lazy.missing.load(Relaxed) => None,
            None => self.look(lazy, material, metric),
        }
    }

    #[cold]
    fn look<'a>(&'a self, lazy: &'a LazyTable, material: Material, metric: Metric) -> Option<&'a Arc<Table>> {
        match store::open(&self.folder, material, metric) {
            Ok(Some(table)) => Some(lazy.keep(Arc::new(table))),
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

    /// A table was found to be damaged, or can't be read any more: from now on it counts as missing. Its file is set aside
    /// if it may be made again.
    #[cold]
    pub(super) fn condemn(&self, table: &Table, error: &BlockFileError) {
        let (material, metric) = (table.material(), table.metric());
        if !table.condemn() {
            return;
        }
        self.lazy(material, metric).missing.store(true, Relaxed);
        match error.is_damage() && self.may_build(material) {
            true => self.set_aside(material, metric, error),
            false => log::error!("{error}"),
        }
    }

    fn set_aside(&self, material: Material, metric: Metric, error: &BlockFileError) {
        match store::set_aside(&self.folder, material, metric) {
            Ok(aside) => log::warn!("{error}; set aside as {}", aside.display()),
            Err(fixed) => log::warn!("{error}; {fixed}"),
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
        let opened = match lazy.sound() {
            Some(table) => Ok(Some(table.clone())),
            None => store::open(&self.folder, material, metric).map(|table| table.map(Arc::new)),
        };
        let checked = opened.and_then(|table| match table {
            Some(table) => match table.load() {
                Ok(()) => Ok(Some(table)),
                Err(error) => {
                    table.condemn();
                    Err(error)
                }
            },
            None => Ok(None),
        });
        match checked {
            Ok(None) => Ok(None),
            Ok(Some(table)) => Ok(Some(lazy.keep(table).clone())),
            Err(error) if error.is_damage() && self.may_build(material) => {
                lazy.missing.store(true, Relaxed);
                self.set_aside(material, metric, &error);
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
        if let Some(table) = self.lazy(material, metric).sound() {
            return Ok(table.clone());
        }
        let needed = memory(material, metric) >> 20;
        if needed > self.memory {
            return Err(GenerateError::Memory { material, needed, allowed: self.memory }.into());
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
        let bytes = store::write(&table, &self.folder)
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
