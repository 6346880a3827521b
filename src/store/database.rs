use super::StoreError;

/// A value of a cell or a parameter.
#[cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "without a database nobody answers")
)]
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
}

pub(super) type Row = Vec<Value>;

/// Where two kinds of database speak differently.
pub(super) struct Dialect {
    /// A column that numbers its rows by itself.
    pub id: &'static str,
    /// Bytes.
    pub blob: &'static str,
    /// Rows stand in the order of their key.
    pub by_key: &'static str,
    /// Rows that others have reserved are passed over.
    pub skip_locked: &'static str,
    /// The clock of the database, in seconds: that of each machine may be wrong.
    pub now: &'static str,
    /// Bytes that the whole store takes.
    pub size: &'static str,
}

/// A connection. Parameters are written ?1, ?2 …
pub(super) trait Database: Send {
    fn dialect(&self) -> &'static Dialect;
    /// Several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), StoreError>;
    /// One statement; how many rows it has changed.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError>;
    /// One query.
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

/// Takes the cells of a row in their order.
pub(super) struct Cells(std::vec::IntoIter<Value>);

impl Cells {
    pub fn of(row: Row) -> Cells {
        Cells(row.into_iter())
    }

    pub fn integer(&mut self) -> Result<i64, StoreError> {
        match self.0.next() {
            Some(Value::Integer(number)) => Ok(number),
            Some(Value::Null) => Ok(0),
            other => Err(StoreError::Row(format!("{other:?} is no number"))),
        }
    }

    pub fn text(&mut self) -> Result<String, StoreError> {
        match self.0.next() {
            Some(Value::Text(text)) => Ok(text),
            other => Err(StoreError::Row(format!("{other:?} is no text"))),
        }
    }

    pub fn blob(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.0.next() {
            Some(Value::Blob(bytes)) => Ok(bytes),
            other => Err(StoreError::Row(format!("{other:?} has no bytes"))),
        }
    }
}
