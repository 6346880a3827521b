//! The fallible-choice model. Pure mathematics: nothing here knows of files, clocks, threads or
//! protocols.

mod depth;
mod metric;
mod state;
mod value;

pub use depth::Depth;
pub use metric::{Metric, UnknownMetric};
pub use state::State;
pub use value::Value;
