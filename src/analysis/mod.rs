//! Games of others: judged by endgame tables where they serve and else by search, and both players'
//! apparent competence inferred move by move (Haworth 2003, §8 and Appendix B; Haworth & Andrist, §7).

mod annotate;
mod chart;
mod endgames;
mod json;
mod judge;
mod mark;
mod needs;
mod summary;

pub use annotate::annotate;
pub use chart::{competence_chart, value_chart};
pub use endgames::{EndgamePlay, endgame_plays};
pub use judge::{Analysis, AnalysisSettings, Apparent, Judge, Judged, Worth, analyse};
pub use mark::Mark;
pub use needs::{Needs, needs};
pub use summary::{Phase, Side};
