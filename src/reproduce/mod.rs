//! Every table and figure with numbers of Haworth 2003 (P1) and of Haworth & Andrist (P2), computed anew and laid
//! beside the print.
//!
//! Numbers of ours are computed when asked for; published ones are nowhere but in the comparisons.

mod annotated;
mod appendix_b;
mod benefit;
mod bout;
mod competence;
mod crossovers;
mod curve;
mod drawn;
mod equals;
mod exhibit;
mod finding;
mod grids;
mod lab;
mod live;
mod markdown;
mod markov;
mod open;
mod preference;
mod print;
mod scores;
mod table_1;
mod table_2;

pub use exhibit::{ENTRIES, Exhibit};
pub use finding::{Comparison, Finding, Row, Sheet};
pub use lab::{Lab, ReproduceError};
pub use markdown::report;
