//! SQLite: a file, nothing to start.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, params_from_iter, types::ValueRef};

use super::{
    StoreError,
    database::{Database, Dialect, Row, Value},
};

const DIALECT: Dialect = Dialect {
    id: "INTEGER PRIMARY KEY",
    blob: "BLOB",
    by_key: "WITHOUT ROWID",
    // A statement that writes has the whole file to itself.
    skip_locked: "",
    now: "CAST(strftime('%s', 'now') AS INTEGER)",
    size: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
};

/// How long another process may write before we give up.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Sqlite {
    connection: Connection,
    location: String,
}

impl Sqlite {
    pub fn open(location: &str) -> Result<Sqlite, StoreError> {
        let wrong = |error: rusqlite::Error| StoreError::Database {
            location: location.to_owned(),
            cause: error.to_string(),
        };
        if let Some(folder) = Path::new(location).parent() {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::Database {
                location: location.to_owned(),
                cause: error.to_string(),
            })?;
        }
        let connection = Connection::open(location).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        connection.set_prepared_statement_cache_capacity(64);
        let database = Sqlite { connection, location: location.to_owned() };
        // With a log beside the file, what was committed survives the end of the process, and readers don't wait for writers.
        for setting in ["journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"] {
            database.connection.execute_batch(&format!("PRAGMA {setting}")).map_err(wrong)?;
        }
        Ok(database)
    }

    fn wrong(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::Database { location: self.location.clone(), cause: error.to_string() }
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(match self {
            Value::Null => rusqlite::types::Null.into(),
            Value::Integer(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::Blob(bytes) => bytes.as_slice().into(),
        })
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Value {
        match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Text(number.to_string()),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        }
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.wrong(&error))
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let run = || self.connection.prepare_cached(sql)?.execute(params_from_iter(values));
        run().map(|changed| changed as u64).map_err(|error| self.wrong(&error))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let run = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                (0..columns).map(|column| Ok(row.get_ref(column)?.into())).collect()
            })?;
            rows.collect::<rusqlite::Result<Vec<Row>>>()
        };
        run().map_err(|error| self.wrong(&error))
    }
}
