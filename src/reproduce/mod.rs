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
mod entry;
mod equals;
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

pub use entry::{ENTRIES, Entry};
pub use finding::{Finding, Row, Sheet, Verdict};
pub use lab::{Lab, Trouble};
pub use markdown::report;
