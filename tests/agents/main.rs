//! How the agents play and watch, on real tables and on toy ones.

mod browne_belle;
mod emulator;
mod evaluations;
mod players;
mod predator;
mod support;
