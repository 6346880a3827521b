//! How the agents play and watch, on real tables and on toy ones.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

mod browne_belle;
mod emulator;
mod evaluations;
mod hunter;
mod players;
mod predator;
mod support;
