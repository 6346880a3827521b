//! Many games between a fallible attacker R_c and an infallible defender, walked by number over a table: the experiment
//! of Haworth & Andrist, §6, and others like it.

mod attack;
mod evidence;
mod sample;

pub use attack::{Attack, AttackError, Played};
pub use evidence::{Evidence, Spectrum};
pub use sample::Sample;
