//! PostgreSQL: a server for many machines. A connection that was lost is made again, and what failed is asked again: every
//! statement may be run twice.

use std::{
    thread,
    time::{Duration, Instant},
};

use postgres::{
    Client, NoTls,
    types::{ToSql, Type},
};

use super::{
    StoreError,
    database::{Database, Dialect, Row, Value},
};

const DIALECT: Dialect = Dialect {
    id: "BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY",
    blob: "BYTEA",
    by_key: "",
    skip_locked: "FOR UPDATE SKIP LOCKED",
    now: "CAST(EXTRACT(EPOCH FROM now()) AS BIGINT)",
    size: "SELECT pg_total_relation_size('look')",
};

/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(300);
/// Between two attempts to reach it.
const PAUSE: Duration = Duration::from_millis(500);

pub(super) struct Postgres {
    client: Client,
    location: String,
    in_transaction: bool,
}

impl Postgres {
    pub fn open(location: &str) -> Result<Postgres, StoreError> {
        let client = Client::connect(location, NoTls).map_err(|error| wrong(location, &error))?;
        Ok(Postgres { client, location: location.to_owned(), in_transaction: false })
    }

    /// Runs a statement; if the connection is lost, makes it anew and asks again.
    fn run<T>(
        &mut self,
        mut ask: impl FnMut(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let begun = Instant::now();
        loop {
            match ask(&mut self.client) {
                Ok(answer) => return Ok(answer),
                Err(error) => {
                    let lost = self.client.is_closed() || error.is_closed() || is_shutdown(&error);
                    if !lost || self.in_transaction || begun.elapsed() > PATIENCE {
                        return Err(wrong(&self.location, &error));
                    }
                    log::warn!("the store is away: {error}");
                }
            }
            while begun.elapsed() <= PATIENCE {
                thread::sleep(PAUSE);
                if let Ok(client) = Client::connect(&self.location, NoTls) {
                    self.client = client;
                    break;
                }
            }
        }
    }
}

/// Whether the server said that it goes down (class 57P).
fn is_shutdown(error: &postgres::Error) -> bool {
    error.code().is_some_and(|code| code.code().starts_with("57P"))
}

fn wrong(location: &str, error: &postgres::Error) -> StoreError {
    let cause = error.as_db_error().map_or_else(|| error.to_string(), |said| said.message().to_owned());
    // A location may carry a password.
    let place = location.rsplit_once('@').map_or(location, |(_, place)| place);
    StoreError::Database { location: place.to_owned(), cause }
}

impl Database for Postgres {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.run(|client| client.batch_execute(sql))?;
        self.in_transaction = sql == "BEGIN";
        Ok(())
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let sql = sql.replace('?', "$");
        self.run(|client| client.execute(&sql, &parameters(values)))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let sql = sql.replace('?', "$");
        let rows = self.run(|client| client.query(&sql, &parameters(values)))?;
        rows.iter().map(|row| (0..row.len()).map(|column| cell(row, column)).collect()).collect()
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| match value {
            Value::Null => &None::<String> as &(dyn ToSql + Sync),
            Value::Integer(number) => number,
            Value::Text(text) => text,
            Value::Blob(bytes) => bytes,
        })
        .collect()
}

fn cell(row: &postgres::Row, column: usize) -> Result<Value, StoreError> {
    let wrong = |error: postgres::Error| StoreError::Row(error.to_string());
    Ok(match *row.columns()[column].type_() {
        Type::INT8 => {
            row.try_get::<_, Option<i64>>(column).map_err(wrong)?.map_or(Value::Null, Value::Integer)
        }
        Type::BYTEA => {
            row.try_get::<_, Option<Vec<u8>>>(column).map_err(wrong)?.map_or(Value::Null, Value::Blob)
        }
        _ => row.try_get::<_, Option<String>>(column).map_err(wrong)?.map_or(Value::Null, Value::Text),
    })
}
