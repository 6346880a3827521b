//! Exact endgame tables, generated here.

mod board;
mod cell;
mod exits;
mod generate;
mod index;
mod material;
mod store;
mod table;
mod tables;

pub use generate::{GenerateError, Job, Progress, generate, memory};
pub use material::{MAX_MEN, Material, MaterialError};
pub use store::{StoreError, open, write};
pub use table::Table;
pub use tables::{Client, Event, Tables, TablesError};
