//! The browser as a chess program: practice board, live dashboard and review of games, and the API that they use.
//!
//! ```text
//! server ──► gate ──► routes ──► practice ──► engine (a seat for each game)
//!                        └─────► watch ─────► analysis
//!                     pool: all thinking     shelf: what is kept on disk
//! ```
//!
//! One thread serves all connections and never thinks. What takes time is a job of the pool (`pool.rs`): answers of partners before
//! looks ahead, and these before reviews; what tables answer has a thread of its own. Whoever watches a game hears of every
//! change by server-sent events.

mod assets;
mod connections;
mod error;
mod events;
mod gate;
mod house;
mod identity;
mod message;
mod pool;
mod practice;
mod query;
mod routes;
mod server;
mod shelf;
mod tape;
mod watch;

pub use server::{ServeError, ServeSettings, Server};
pub(crate) use tape::hear;
