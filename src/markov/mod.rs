//! The endgame as a Markov process.
//!
//! [`Chain`] is the papers' model: positions of one state are not told apart, and the moves of a player are averaged over
//! all of them (Haworth 2003, §9.6; Haworth & Andrist, §5).

mod chain;
mod code;
mod linear;
mod matrix;
mod outlook;
mod space;

pub use chain::{Chain, Pairing};
pub use matrix::Matrix;
pub use space::Space;
