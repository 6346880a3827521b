//! Who prices a decision: implementations of the model's [`Oracle`](crate::model::Oracle), and what the search asks
//! tables about.

mod probe;
mod search;
mod tables;

pub use probe::TableProbe;
pub use search::{SearchOracle, pawns, prospects};
pub use tables::TableOracle;
