//! How chess is written down: positions as FEN and EPD, games as PGN or a line each. Each is read in one place and written in one place.

mod epd;
mod fen;
mod one_line;
mod player_number;
mod reader;
mod score;
mod tags;
mod words;
mod writer;

pub use epd::{epd_operand, split_epd};
pub use fen::{FenError, fen, playable, position, read_playable, read_position};
pub use player_number::player_number;
pub use reader::Games;
pub use score::{BadGame, GameScore, Ply};
pub use tags::{Tags, read_tag, tag_line};
pub use writer::{game_text, movetext};
