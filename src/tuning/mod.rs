//! Tuning by concordance (Gomboc 2004): an evaluation is as good as it orders positions.
//!
//! Positions that somebody has assessed ([`AssessedPositions`]) are drawn into a [`Sample`]; what the program thinks of them is a linear
//! form of the [`Knob`]s ([`Forms`]), at the leaf that an [`Assessor`] finds; a [`Tuner`] turns the knobs.

mod ascent;
mod assess_job;
mod assessed_position;
mod assessment;
mod by_depth;
mod forms;
mod gradient;
mod knob;
mod leaf;
mod network_trainer;
mod sample;
mod tuner;
mod tuning_set;

pub use ascent::{Ascent, Hill};
pub use assess_job::AssessJob;
pub use assessed_position::{AssessedPosition, AssessedPositions, BadLine, FIRST_MOVE};
pub use assessment::{Assessment, AssessmentError};
pub use by_depth::concordance_by_depth;
pub use forms::Forms;
pub use gradient::{Adam, best_scale, logistic_loss, logistic_slope, smooth_concordance_slope};
pub use knob::{Knob, KnobError, KnobUnit, TABLE_12, turned};
pub use leaf::{Assessor, AssessorError, FindLeaves, Leaf};
pub use network_trainer::{NetworkExample, NetworkProgress, NetworkSettings, learn_network};
pub use sample::{Sample, Sampling};
pub use tuner::{Method, Tuner, TuningRecord, TuningSettings, TuningState};
pub use tuning_set::{ConcordanceHill, TuningSet};
