//! What is remembered of opponents between games.
//!
//! Stored is the evidence: what the choices of each decision led to, and the move that was played. So another grid, κ or
//! policy can still use it. One small file an opponent, as lines of JSON under a header with version and checksum.

mod observation;
mod profile;
mod shelf;

pub use observation::{ObservationRecord, UnreadableRecord};
pub use profile::{Profile, ProfileError};
pub use shelf::{Shelf, ShelfError, default_folder};
