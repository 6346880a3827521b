//! The endgame as a Markov process.
//!
//! [`Chain`] is the papers' model: positions of one state are not told apart, and the moves of a player are averaged over
//! all of them (Haworth 2003, §9.6; Haworth & Andrist, §5).
//!
//! [`Exact`] tells positions apart: a [`Ground`] of positions, and for each side a [`Play`] on it. The [`Predictor`] says by
//! it what to expect of a game (Haworth & Andrist, §3.5).

mod anderson;
mod chain;
mod coarse;
mod difficulty;
mod exact;
mod fallible;
mod ground;
mod hopes;
mod hunt;
mod kernel;
mod linear;
mod matrix;
mod outlook;
mod plan;
mod plans;
mod play;
mod predictor;
mod space;
mod steps;
mod survey;

pub use chain::{Chain, Pairing};
pub use difficulty::{Difficulty, DifficultyError, difficulty};
pub use exact::{Exact, SideValues};
pub use fallible::{Fallible, TooCompetent};
pub use ground::{Ground, Scope};
pub use hopes::{HuntChances, HuntingGround, Way};
pub use kernel::{Edge, Kernel};
pub use matrix::Matrix;
pub use plan::{Plan, Quarry};
pub use plans::{Foreseer, Plans, knots};
pub use play::{Play, PositionValues};
pub use predictor::{Candidates, Forecast, PredictError, Predictor, Rival, moves_in_time};
pub use space::Space;
