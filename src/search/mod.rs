//! Alpha-beta search: finds the best move, or prices every legal move of a position on one scale. It
//! knows nothing of protocols; others stop it through a [`Control`] and hear of it through [`Report`]s.

mod budget;
mod captures;
mod checks;
mod control;
mod exchange;
mod history;
mod limits;
mod node;
mod packed;
#[doc(hidden)]
pub mod parts;
mod picker;
mod pricing;
mod probe;
mod pruning;
mod pure;
mod quiescence;
mod reductions;
mod report;
mod root;
mod searcher;
mod table;
mod time;
mod value;
mod worker;
mod zobrist;

pub use crate::model::Score;
pub use budget::Budget;
pub use control::Control;
pub use limits::{Clock, Limits, Settings};
pub use pricing::{Priced, Pricing};
pub use probe::Probe;
pub use report::{Bound, Found, Report};
pub use searcher::Searcher;
