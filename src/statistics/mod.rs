//! What may be concluded from numbers and from the results of games. Pure: figures in, figures out.

mod adam;
mod concordance;
mod cross_table;
mod cross_table_text;
mod elo;
mod groups;
mod lengths;
mod moments;
mod normal;
mod observed_scores;
mod rating;
mod results;
mod scoring;
mod share;
mod solve;
mod spread;
mod sprt;
mod strength;
mod tally;

pub use adam::{Adam, rate_of_step};
pub use concordance::{Assessed, Concordance, spearman_rho};
pub use cross_table::{CrossTable, Opponent, Standing};
pub use elo::{elo_difference, expected_score};
pub use lengths::{Bin, Lengths};
pub use moments::Moments;
pub use normal::normal_cdf;
pub use observed_scores::ObservedScores;
pub use rating::{Rating, Unbounded, ratings};
pub use results::Results;
pub use scoring::{Maximum, maximum};
pub use share::Share;
pub(crate) use solve::inverse;
pub use spread::{ln_evidence, spread, spread_mean};
pub use sprt::{Sprt, SprtError, SprtState, SprtVerdict};
pub use strength::{Interval, Strength};
pub use tally::{Pairs, Tally};
