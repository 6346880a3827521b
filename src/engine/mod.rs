//! Who plays: the seat that a chess program or a match asks for a move.
//!
//! ```text
//! uci, arena ──► engine ──► agents ──► oracle ──► endgame, search
//!                  └──► profiles
//! ```
//!
//! A [`Seat`] knows nothing of the protocol: it is told the game and the limits, says [`Info`]s, and gives an [`Answer`].
//! [`AgentSeat`] seats our own agents, [`EngineSeat`] another program.

mod agent_seat;
mod engine_seat;
mod notes;
mod pace;
mod remarks;
mod seat;
mod seat_settings;
mod verdict;

pub use agent_seat::AgentSeat;
pub use engine_seat::{EngineSeat, Tolerance};
pub use notes::{Continuation, continuation};
pub use seat::{Answer, Fault, FaultKind, Info, Say, Seat, Trouble};
pub use seat_settings::SeatSettings;
