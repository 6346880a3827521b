//! The protocol, as chess programs see it: the built program is talked to over pipes.

mod games;
mod noise;
mod options;
mod searches;
mod session;
mod start;
mod waiting;
