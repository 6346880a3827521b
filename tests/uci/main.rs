//! The protocol, as chess programs see it: the built program is talked to over pipes.

// Here a panic is how a test fails, in helpers too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod agents;
mod browne_belle;
mod games;
mod noise;
mod options;
mod profiles;
mod searches;
mod session;
mod start;
mod tables;
mod waiting;
