//! How chess is written down: positions as FEN, games as PGN. Each is read in one place and written in one place.

mod fen;
mod reader;
mod score;
mod tags;
mod writer;

pub use fen::{FenError, fen, playable, position, read_position};
pub use reader::Games;
pub use score::{BadGame, GameScore, Ply};
pub use tags::{Tags, read_tag, tag_line};
pub use writer::{game_text, movetext};
