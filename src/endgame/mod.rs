//! Exact endgame tables: generated here by any [`Metric`](crate::model::Metric), or read from Syzygy's files.
//!
//! [`Tables`] is the door: it finds, generates, stores and probes. [`Walk`] goes from position to position inside a
//! table by number, for those who visit all of them.

mod blocks;
mod board;
mod by_rule;
mod config;
mod exits;
mod generate;
mod index;
mod making;
mod material;
mod statistics;
mod store;
mod syzygy;
mod syzygy_checksum;
mod syzygy_files;
mod table;
mod tables;
mod to_draw;
mod verify;
mod verify_draw;
mod verify_rule;
mod walk;

pub use blocks::{BlockFile, BlockFileError, BlockFormat, Numbers, write_blocks};
pub use board::Board;
pub use config::TableConfig;
pub use generate::{GenerateError, GenerateProgress, Job, generate, memory};
pub use index::{Index, Indexer, Squares};
pub use making::{Client, Making, TableEvent, TablesError, measure_speed, prerequisites, time_to_make};
pub use material::{MAX_MEN, Material, MaterialError};
pub use statistics::Statistics;
#[doc(hidden)]
pub use store::resign_table;
pub use store::{open, write};
pub use syzygy::{Syzygy, SyzygyError};
pub use table::{Table, fen};
pub use tables::{Located, Tables};
pub use to_draw::DrawDepths;
pub use verify::{Disagreement, Verdict, verify};
pub use walk::{Step, Walk};
