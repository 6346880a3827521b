//! Learning from rated games what people are like: which decisions are looked at, their prices, and the fit.

mod fit;
mod players;
mod price_file;
mod prior;
mod results;
mod sample;
mod technique;
mod verdict;

pub use fit::{Fit, RatedDecision, fit, fit_paper};
pub use players::{PlayerSample, PlayerSettings, RatedPlayer};
pub use price_file::{PriceFile, PriceFileError, PriceHeader, RatedObservation, read_prices};
pub use prior::{PriorProgress, PriorSettings, RatedGame, learn_prior};
pub use results::{KnownResult, RatedPosition, fit_chances};
pub use sample::{BAND, Part, RatedMove, Sample, SampleSettings};
pub use technique::{EndgameDecision, EndgameSide, fit_technique};
pub use verdict::Verdict;
