//! All tables at hand: where they are found, and one call that gives value and depth of a position, whatever side is
//! stronger and whatever colours.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use parking_lot::Mutex;
use shakmaty::{Chess, Color, Move, Piece, Position, Square};

use super::{
    blocks::BlockFileError,
    config::TableConfig,
    index::Index,
    making::{Client, Requests, TableEvent, TablesError},
    material::{MAX_MEN, Material},
    store,
    syzygy::{Syzygy, SyzygyError},
    table::{Table, before, converted},
};
use crate::{
    directories,
    model::{Metric, State, Value},
};

/// All tables at hand: in memory, on disk, or to be generated.
pub struct Tables {
    folder: PathBuf,
    /// Materials of up to so many men are generated without being asked for by name.
    build_men: usize,
    /// MiB that a generation may take.
    memory: u64,
    tables: Vec<[LazyTable; Metric::ALL.len()]>,
    /// One generation at a time; each takes all cores anyway.
    pub(super) generating: Mutex<()>,
    /// Tables that were asked for and are made in the background.
    pub(super) requests: Requests,
    syzygy: Option<Syzygy>,
    /// Folders of Syzygy tables that can't be read.
    complaints: Vec<SyzygyError>,
}

/// A table that is read from the disk when it is first asked for.
#[derive(Default)]
pub(super) struct LazyTable {
    table: OnceLock<Arc<Table>>,
    /// Takes its place if it was found to be damaged.
    again: OnceLock<Arc<Table>>,
    /// The disk has been looked at in vain: probing does not look again.
    missing: AtomicBool,
}

impl LazyTable {
    /// The table that is in memory, if it can be trusted.
    #[inline]
    pub(super) fn sound(&self) -> Option<&Arc<Table>> {
        match self.table.get() {
            Some(table) if table.is_damaged() => self.again.get(),
            found => found,
        }
    }

    pub(super) fn keep(&self, table: Arc<Table>) -> &Arc<Table> {
        let place =
            if self.table.get().is_some_and(|table| table.is_damaged()) { &self.again } else { &self.table };
        place.get_or_init(|| table)
    }
}

/// Where a position stands in a table.
pub struct Located<'a> {
    /// The table.
    pub table: &'a Table,
    /// The side to move, as colours are in the table.
    pub to_move: Color,
    /// The number of the position.
    pub index: Index,
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

    pub(super) fn lazy(&self, material: Material, metric: Metric) -> &LazyTable {
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

    /// A table that is there, read and checked in full. A damaged or foreign file is set aside, not deleted.
    pub(super) fn sound(
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

    /// Whether a missing table of this material may be generated without being asked for by name.
    pub fn may_build(&self, material: Material) -> bool {
        material.men() <= self.build_men
    }

    /// The state of a position for the side to move, without the 50-move rule. None if no table can serve it: too many
    /// men, castling rights, or a table that is not there.
    ///
    /// Syzygy's tables stand in for missing ones where their depths are the same: by DTZ, and without pawns by DTC.
    #[inline]
    pub fn probe(&self, position: &Chess, metric: Metric) -> Option<State> {
        if position.legal_ep_square().is_none() {
            return self.probe_plain(position, metric);
        }
        // Tables know nothing of taking in passing: it is looked at one ply on.
        let mut taking = None;
        let mut other_moves = false;
        for m in position.legal_moves() {
            if m.is_en_passant() {
                taking = taking.max(Some(before(metric, self.outcome(position, m, metric)?)));
            } else {
                other_moves = true;
            }
        }
        let plain = if other_moves { Some(self.probe_plain(position, metric)?) } else { None };
        plain.max(taking)
    }

    /// The state after a legal move, for the mover: a conversion counts for what it is. None if no table can serve it.
    pub fn outcome(&self, position: &Chess, m: Move, metric: Metric) -> Option<State> {
        let mut after = position.clone();
        after.play_unchecked(m);
        let state = self.probe(&after, metric)?;
        let goal = match metric {
            Metric::Dtc => m.is_conversion(),
            Metric::Dtm | Metric::Dtr | Metric::Dtd => false,
            Metric::Dtz => m.is_zeroing(),
        };
        Some(if goal { -converted(metric, state) } else { -state })
    }

    /// The value alone, from whatever table has it.
    pub fn value(&self, position: &Chess) -> Option<Value> {
        Metric::OF_WINS.into_iter().find_map(|metric| self.probe(position, metric)).map(State::value)
    }

    #[inline]
    pub(super) fn probe_plain(&self, position: &Chess, metric: Metric) -> Option<State> {
        if position.castles().any() {
            return None;
        }
        match self.locate(position, metric) {
            Some(Located { table, to_move, index }) => {
                table.state(to_move, index).inspect_err(|error| self.condemn(table, error)).ok()
            }
            None if position.board().occupied().count() == 2 => Some(State::Draw),
            None => self.syzygy().and_then(|syzygy| syzygy.state(position, metric)),
        }
    }

    /// The place of a position in one of our own tables; pawns that may be taken in passing are not heeded.
    #[inline]
    pub fn locate(&self, position: &Chess, metric: Metric) -> Option<Located<'_>> {
        let board = position.board();
        let (material, exchanged) = Material::of(board)?;
        if material.men() == 2 {
            return None;
        }
        let table = self.get(material, metric)?;
        let mut squares = [Square::A1; MAX_MEN];
        let mirror = if exchanged { 56 } else { 0 };
        let mut place = 0;
        let men = table.indexer().men();
        while place < men.len() {
            let man = men[place];
            let color = if exchanged { !man.color } else { man.color };
            for square in board.by_piece(Piece { color, role: man.role }) {
                squares[place] = Square::new(u32::from(square) ^ mirror);
                place += 1;
            }
        }
        let to_move = if exchanged { !position.turn() } else { position.turn() };
        let index = table.indexer().index(&squares)?;
        Some(Located { table, to_move, index })
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
