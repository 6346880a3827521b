use super::{
    PackedLook, PositionKey, Pricer, PricerId, StoreError,
    database::{Cells, Database, Value},
    schema::{VERSION, schema},
};

/// Priced decisions and jobs, in a file or on a server.
pub struct Store {
    pub(super) database: Box<dyn Database>,
    location: String,
}

/// What a pricer has priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// Its number.
    pub id: PricerId,
    /// Who.
    pub pricer: Pricer,
    /// Positions.
    pub looks: u64,
    /// Bytes of their packed looks.
    pub bytes: u64,
}

/// A look as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// By whom.
    pub pricer: PricerId,
    /// Of what.
    pub position: PositionKey,
    /// What was seen.
    pub look: PackedLook,
}

/// What a merge has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Looks that were new.
    pub new: u64,
    /// Looks that were there already.
    pub known: u64,
    /// Of these, looks that differ: what was there has stayed.
    pub different: u64,
}

/// Whether a location names a server.
fn is_server(location: &str) -> bool {
    location.starts_with("postgres://") || location.starts_with("postgresql://")
}

fn connect(location: &str) -> Result<Box<dyn Database>, StoreError> {
    if is_server(location) {
        #[cfg(feature = "postgres")]
        return Ok(Box::new(super::postgres::Postgres::open(location)?));
        #[cfg(not(feature = "postgres"))]
        return Err(StoreError::NotBuilt {
            location: location.to_owned(),
            what: "PostgreSQL",
            feature: "postgres",
        });
    }
    #[cfg(feature = "sqlite")]
    return Ok(Box::new(super::sqlite::Sqlite::open(location)?));
    #[cfg(not(feature = "sqlite"))]
    return Err(StoreError::NotBuilt { location: location.to_owned(), what: "SQLite", feature: "sqlite" });
}

impl Store {
    /// Opens a store, a file or `postgres://…`, and makes it if it is not there.
    pub fn open(location: &str) -> Result<Store, StoreError> {
        let mut database = connect(location)?;
        let found = match database.query("SELECT MAX(version) FROM errare_store", &[]) {
            Ok(rows) => rows.into_iter().next().map_or(Ok(0), |row| Cells::of(row).integer())?,
            // Nothing was made yet; if it is another trouble, the next statement shows it.
            Err(_) => 0,
        };
        if found > VERSION {
            return Err(StoreError::Version { location: location.to_owned(), found, known: VERSION });
        }
        if found < VERSION {
            database.batch(&schema(database.dialect()))?;
            let insert = "INSERT INTO errare_store (version) VALUES (?1) ON CONFLICT DO NOTHING";
            database.execute(insert, &[VERSION.into()])?;
        }
        Ok(Store { database, location: location.to_owned() })
    }

    /// Opens a store that is there.
    pub fn open_existing(location: &str) -> Result<Store, StoreError> {
        if !is_server(location) && !std::path::Path::new(location).exists() {
            return Err(StoreError::Missing(location.to_owned()));
        }
        Store::open(location)
    }

    /// Where it is.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The number of a pricer, who is entered if new.
    pub fn pricer(&mut self, pricer: &Pricer) -> Result<PricerId, StoreError> {
        let Pricer { engine, options, budget } = pricer;
        let values = [engine.as_str().into(), options.as_str().into(), budget.as_str().into()];
        let insert =
            "INSERT INTO pricer (engine, options, budget) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.database.execute(insert, &values)?;
        let find = "SELECT id FROM pricer WHERE engine = ?1 AND options = ?2 AND budget = ?3";
        let row = self.database.query(find, &values)?.into_iter().next().unwrap_or_default();
        Cells::of(row).integer().map(PricerId)
    }

    /// What a pricer has seen of a position.
    pub fn look(
        &mut self,
        pricer: PricerId,
        position: &PositionKey,
    ) -> Result<Option<PackedLook>, StoreError> {
        let find = "SELECT packed FROM look WHERE pricer = ?1 AND position = ?2";
        let rows = self.database.query(find, &[pricer.0.into(), position.as_str().into()])?;
        let packed = rows.into_iter().next().map(|row| Cells::of(row).blob()).transpose()?;
        Ok(packed.map(PackedLook::from_bytes))
    }

    /// Keeps a look at once; says whether there was none yet. The first one stays.
    pub fn keep(
        &mut self,
        pricer: PricerId,
        position: &PositionKey,
        look: &PackedLook,
    ) -> Result<bool, StoreError> {
        let insert = "INSERT INTO look (pricer, position, packed) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        let values = [pricer.0.into(), position.as_str().into(), Value::Blob(look.as_bytes().to_vec())];
        Ok(self.database.execute(insert, &values)? == 1)
    }

    /// Takes a look out.
    pub fn remove(&mut self, pricer: PricerId, position: &PositionKey) -> Result<(), StoreError> {
        let values = [pricer.0.into(), position.as_str().into()];
        self.database.execute("DELETE FROM look WHERE pricer = ?1 AND position = ?2", &values).map(|_| ())
    }

    /// All pricers and what they have priced.
    pub fn stock(&mut self) -> Result<Vec<Stock>, StoreError> {
        let count = "SELECT pricer.id, engine, options, budget, COUNT(position), \
                     CAST(COALESCE(SUM(LENGTH(packed)), 0) AS BIGINT) \
                     FROM pricer LEFT JOIN look ON look.pricer = pricer.id \
                     GROUP BY pricer.id, engine, options, budget ORDER BY pricer.id";
        let rows = self.database.query(count, &[])?;
        let stock = |row| {
            let mut cells = Cells::of(row);
            Ok(Stock {
                id: PricerId(cells.integer()?),
                pricer: Pricer { engine: cells.text()?, options: cells.text()?, budget: cells.text()? },
                looks: cells.integer()? as u64,
                bytes: cells.integer()? as u64,
            })
        };
        rows.into_iter().map(stock).collect()
    }

    /// Bytes that the store takes.
    pub fn size(&mut self) -> Result<u64, StoreError> {
        let row = self.database.query(self.database.dialect().size, &[])?.into_iter().next();
        Ok(Cells::of(row.unwrap_or_default()).integer()? as u64)
    }

    /// So many looks in the order of pricer and position, those after a given one.
    pub fn page(&mut self, after: Option<&Kept>, most: u32) -> Result<Vec<Kept>, StoreError> {
        let next = "SELECT pricer, position, packed FROM look WHERE (pricer, position) > (?1, ?2) \
                    ORDER BY pricer, position LIMIT ?3";
        let (pricer, position) = after.map_or((0, ""), |kept| (kept.pricer.0, kept.position.as_str()));
        let rows = self.database.query(next, &[pricer.into(), position.into(), i64::from(most).into()])?;
        let kept = |row| {
            let mut cells = Cells::of(row);
            Ok(Kept {
                pricer: PricerId(cells.integer()?),
                position: PositionKey::read(&cells.text()?),
                look: PackedLook::from_bytes(cells.blob()?),
            })
        };
        rows.into_iter().map(kept).collect()
    }

    /// Has `visit` see every look.
    pub fn each<E: From<StoreError>>(
        &mut self,
        mut visit: impl FnMut(&mut Store, &Kept) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = None;
        loop {
            let page = self.page(last.as_ref(), PAGE)?;
            for kept in &page {
                visit(self, kept)?;
            }
            match page.into_iter().next_back() {
                Some(kept) => last = Some(kept),
                None => return Ok(()),
            }
        }
    }

    /// Takes over all looks of another store. A merge that was broken off is simply begun again.
    pub fn merge(&mut self, other: &mut Store) -> Result<Merged, StoreError> {
        let mut merged = Merged::default();
        let mut ids = std::collections::BTreeMap::new();
        for stock in other.stock()? {
            ids.insert(stock.id, self.pricer(&stock.pricer)?);
        }
        let mut last = None;
        loop {
            let page = other.page(last.as_ref(), PAGE)?;
            self.database.batch("BEGIN")?;
            for kept in &page {
                let Some(&id) = ids.get(&kept.pricer) else { continue };
                if self.keep(id, &kept.position, &kept.look)? {
                    merged.new += 1;
                } else {
                    merged.known += 1;
                    merged.different +=
                        u64::from(self.look(id, &kept.position)?.as_ref() != Some(&kept.look));
                }
            }
            self.database.batch("COMMIT")?;
            match page.into_iter().next_back() {
                Some(kept) => last = Some(kept),
                None => return Ok(merged),
            }
        }
    }
}

/// Looks that are read at a time.
const PAGE: u32 = 1000;

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;

    fn pricer(depth: u32) -> Pricer {
        Pricer { engine: "E".to_owned(), options: String::new(), budget: format!("depth {depth}") }
    }

    fn look(byte: u8) -> PackedLook {
        PackedLook::from_bytes(vec![byte])
    }

    #[test]
    fn a_position_is_kept_once_for_each_pricer() {
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("a.sqlite");
        let mut store = Store::open(location.to_str().unwrap()).unwrap();
        let (one, two) = (store.pricer(&pricer(8)).unwrap(), store.pricer(&pricer(10)).unwrap());
        let start = PositionKey::of(&shakmaty::Chess::default());
        assert!(store.keep(one, &start, &look(1)).unwrap());
        assert!(!store.keep(one, &start, &look(2)).unwrap());
        assert!(store.keep(two, &start, &look(3)).unwrap());
        drop(store);
        let mut store = Store::open_existing(location.to_str().unwrap()).unwrap();
        assert_eq!(store.pricer(&pricer(10)).unwrap(), two);
        assert_eq!(store.look(one, &start).unwrap(), Some(look(1)));
        assert_eq!(store.stock().unwrap().iter().map(|stock| stock.looks).collect::<Vec<_>>(), [1, 1]);
        assert!(Store::open_existing("no-such-file.sqlite").is_err());
    }

    #[test]
    fn a_merge_adds_what_is_new_and_counts_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| Store::open(folder.path().join(name).to_str().unwrap()).unwrap();
        let (mut a, mut b) = (open("a.sqlite"), open("b.sqlite"));
        // Numbers of pricers differ from store to store.
        b.pricer(&pricer(1)).unwrap();
        let (in_a, in_b) = (a.pricer(&pricer(8)).unwrap(), b.pricer(&pricer(8)).unwrap());
        let key = |number: usize| PositionKey::read(&format!("position {number}"));
        for number in 0..1500 {
            b.keep(in_b, &key(number), &look(1)).unwrap();
        }
        a.keep(in_a, &key(3), &look(1)).unwrap();
        a.keep(in_a, &key(4), &look(2)).unwrap();
        assert_eq!(a.merge(&mut b).unwrap(), Merged { new: 1498, known: 2, different: 1 });
        assert_eq!(a.merge(&mut b).unwrap(), Merged { new: 0, known: 1500, different: 1 });
        assert_eq!(a.look(in_a, &key(4)).unwrap(), Some(look(2)));
    }
}
