//! What people are like: which moves they come upon, and what they make of them.

mod features;
mod network;
mod network_file;
mod trainer;

pub use features::Scene;
pub use network::{Network, softmax};
pub use network_file::NetworkError;
pub use trainer::{BATCH, Example, Likelihood, Trainer, likelihood};
