//! Tuning by concordance (Gomboc 2004): an evaluation is as good as it orders positions.

mod assessed_position;
mod assessment;
mod by_depth;

pub use assessed_position::{AssessedPosition, AssessedPositions, BadLine};
pub use assessment::{Assessment, AssessmentError};
pub use by_depth::concordance_by_depth;
