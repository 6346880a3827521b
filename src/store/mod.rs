//! What was priced is kept: the prices of each position once for each pricer, and work that waits for machines. SQLite on
//! one machine, PostgreSQL for many; the queries are the same.

mod database;
mod error;
mod fnv;
mod jobs;
mod packed;
mod position_key;
#[cfg(feature = "postgres")]
mod postgres;
mod pricer;
mod schema;
#[cfg(feature = "sqlite")]
mod sqlite;
#[allow(clippy::module_inception, reason = "the room is named after its chief inhabitant")]
mod store;

pub use error::StoreError;
pub use fnv::Fnv;
pub use jobs::{Job, JobResult, JobState, NewJob, Reservation};
pub use packed::{PackedLook, UnreadableLook};
pub use position_key::PositionKey;
pub use pricer::{Pricer, PricerId};
pub use store::{Kept, Merged, Stock, Store};
