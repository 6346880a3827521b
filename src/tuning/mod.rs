//! Tuning by concordance (Gomboc 2004): an evaluation is as good as it orders positions.

mod assessment;

pub use assessment::{Assessment, AssessmentError};
