//! What people are like: which moves they come upon, and what they make of them.

mod belief;
mod calibration;
mod chances;
mod elo_prior;
mod features;
mod model;
mod network;
mod network_file;
mod parameters;
mod people;
mod trainer;

pub use belief::EloBelief;
pub use calibration::{Calibration, Level, Levels, Made};
pub use chances::{ChanceModel, Chances, Standing, material};
pub use elo_prior::EloPrior;
pub use features::Scene;
pub use model::{HumanDecision, HumanModel, Person, ln_prior, losses_by_tables};
pub use network::{Network, softmax};
pub use network_file::NetworkError;
pub(crate) use parameters::along;
pub use parameters::{HumanParameters, Technique, perceived};
pub use people::People;
pub use trainer::{BATCH, Example, Likelihood, Trainer, likelihood};
