//! Alpha-beta search: finds the best move, or prices every legal move of a position on one scale. It
//! knows nothing of protocols; others stop it through a [`Control`] and hear of it through [`Report`]s.
//!
//! Where things are: `root` deepens iteratively, `node` searches one node, with `node_pruning` before and `move_loop`
//! over its moves; `move_picker` orders them by what `history` remembers; `move_pruning` leaves moves out, `reductions`
//! and `singular` say how deep the others go; `quiescence` ends every line. A `worker` is one thread of all that and
//! owns its memory. `pricing` and `pure_search` are the
//! second search, whose values can be compared between moves.

#[doc(hidden)]
pub mod bench_support;
mod check_info;
mod contempt;
mod control;
mod history;
mod limits;
mod move_generator;
mod move_loop;
mod move_picker;
mod move_pruning;
mod node;
mod node_pruning;
mod packed_move;
mod pricing;
mod probe;
mod pure_search;
mod quiescence;
mod reductions;
mod report;
mod resources;
mod root;
mod searcher;
mod see;
mod singular;
mod time_management;
mod transposition_table;
mod value;
mod worker;
mod zobrist;

pub use crate::model::Score;
pub(crate) use check_info::CheckInfo;
pub use contempt::{ALL_MEN, Contempt, men};
pub use control::Control;
pub use limits::{Budget, Clock, Limits, Reserve, SearchSettings};
pub use pricing::{Priced, Pricing};
pub use probe::Probe;
pub use report::{Bound, Found, Report};
pub use resources::Shortage;
pub use searcher::Searcher;
pub(crate) use see::see_ge;
