//! `position`: where the game stands.

use shakmaty::{
    Chess,
    fen::{Fen, ParseFenError},
    uci::UciMove,
};

use crate::{game::Game, notation};

use super::scan::{Words, quote};

/// A `position` as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the game began; the usual position if absent.
    pub fen: Option<Fen>,
    /// What was played from there.
    pub moves: Vec<String>,
}

/// Why a `position` can't be obeyed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// Neither `startpos` nor `fen`.
    #[error("position: expected 'startpos' or 'fen' but found '{0}'")]
    NoStart(String),
    /// Something other than `moves` after `startpos`.
    #[error("position: expected 'moves' after 'startpos' but found '{0}'")]
    NoMoves(String),
    /// The FEN can't be read.
    #[error("position: '{fen}' is not a FEN: {source}")]
    Unreadable {
        /// What was sent.
        fen: String,
        /// What is wrong with it.
        source: ParseFenError,
    },
    /// The FEN is not a position of chess.
    #[error("position: '{fen}' cannot be played: {cause}")]
    Unplayable {
        /// What was sent.
        fen: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A move that can't be played.
    #[error("position: move {number} of the list, '{text}', is not legal; the position before holds")]
    Illegal {
        /// Counted from 1, in plies.
        number: usize,
        /// What was sent.
        text: String,
    },
}

impl Place {
    /// Reads what follows the word `position`.
    pub(super) fn scan(mut words: Words<'_>) -> Result<Place, PlaceError> {
        let fen = match words.next() {
            Some("startpos") => {
                if let Some(word) = words.next().filter(|&word| word != "moves") {
                    return Err(PlaceError::NoMoves(quote(word)));
                }
                None
            }
            Some("fen") => {
                let fields: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
                let text = fields.join(" ");
                let fen = Fen::from_ascii(text.as_bytes())
                    .map_err(|source| PlaceError::Unreadable { fen: quote(&text), source })?;
                Some(fen)
            }
            word => return Err(PlaceError::NoStart(quote(word.unwrap_or_default()))),
        };
        Ok(Place { fen, moves: words.map(str::to_owned).collect() })
    }

    /// The game that leads there. In `chess960` castling is written as the king taking its rook; either way is read.
    pub fn game(&self, chess960: bool) -> Result<Game, PlaceError> {
        let fen = self.fen.clone().unwrap_or_default();
        let mut game = Game::new(playable(&fen, chess960)?);
        for (index, text) in self.moves.iter().enumerate() {
            let m = text.parse().ok().and_then(|m: UciMove| m.to_move(game.position()).ok());
            let illegal = || PlaceError::Illegal { number: index + 1, text: quote(text) };
            game.play(m.ok_or_else(illegal)?);
        }
        Ok(game)
    }
}

/// The position of a FEN, harmless faults forgiven.
fn playable(fen: &Fen, chess960: bool) -> Result<Chess, PlaceError> {
    notation::playable(fen, chess960)
        .map_err(|error| PlaceError::Unplayable { fen: error.fen, cause: error.cause })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, EnPassantMode, Move, Position, Square};

    use super::*;

    fn game(text: &str) -> Result<Game, PlaceError> {
        Place::scan(Words::new(text)).and_then(|place| place.game(false))
    }

    fn last_move(text: &str, chess960: bool) -> Move {
        let game = Place::scan(Words::new(text)).unwrap().game(chess960).unwrap();
        *game.moves().last().unwrap()
    }

    #[test]
    fn moves_may_be_missing() {
        for text in ["startpos", "startpos moves", "  startpos \t moves \r\n"] {
            assert_eq!(game(text).unwrap().position(), &Chess::default(), "{text:?}");
        }
    }

    #[test]
    fn blanks_between_moves_do_not_count() {
        let game = game("startpos  moves   e2e4\te7e5    g1f3\r\n").unwrap();
        assert_eq!(game.moves().len(), 3);
        assert_eq!(game.position().turn(), Color::Black);
    }

    #[test]
    fn a_fen_may_have_four_fields() {
        let game = game("fen 8/8/8/8/8/4k3/4p3/4K3 w - - moves").unwrap();
        assert!(game.position().is_stalemate());
    }

    #[test]
    fn counters_may_have_five_digits() {
        let game = game("fen 4k3/8/8/8/8/8/8/4K2R  w K -  12345   54321").unwrap();
        assert_eq!(game.position().halfmoves(), 12345);
        assert_eq!(game.position().fullmoves().get(), 54321);
    }

    #[test]
    fn castling_is_read_in_both_notations() {
        let castle = Move::Castle { king: Square::E1, rook: Square::H1 };
        for (fen, m, chess960) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", false),
            ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1g1", false),
            ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", true),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true),
        ] {
            assert_eq!(last_move(&format!("fen {fen} moves {m}"), chess960), castle, "{fen} {m} {chess960}");
        }
    }

    #[test]
    fn a_rook_on_an_unusual_square_may_castle_without_the_option() {
        let castle = Move::Castle { king: Square::B1, rook: Square::G1 };
        for rights in ["K", "G"] {
            assert_eq!(
                last_move(&format!("fen 4k3/8/8/8/8/8/8/1K4R1 w {rights} - 0 1 moves b1g1"), false),
                castle
            );
        }
    }

    #[test]
    fn rights_to_castle_without_a_rook_are_forgiven() {
        let game = game("fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").unwrap();
        let fen = Fen::from_position(game.position(), EnPassantMode::Legal);
        assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }

    #[test]
    fn an_illegal_move_refuses_the_whole_line_and_is_named() {
        let error = game("startpos moves e2e4 e7e5 e4e5 g8f6").unwrap_err().to_string();
        assert!(error.contains("move 3 of the list, 'e4e5'"), "{error}");
        for text in ["0000", "e2e4q", "joho", "e9e4", "Q@f7", "é2é4"] {
            assert!(
                matches!(game(&format!("startpos moves {text}")), Err(PlaceError::Illegal { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(matches!(game(""), Err(PlaceError::NoStart(_))));
        assert!(matches!(game("e2e4"), Err(PlaceError::NoStart(_))));
        assert!(matches!(game("startpos e2e4"), Err(PlaceError::NoMoves(_))));
        assert!(matches!(game("fen"), Err(PlaceError::Unreadable { .. })));
        assert!(matches!(game("fen moves e2e4"), Err(PlaceError::Unreadable { .. })));
        assert!(matches!(game("fen 8/8/8/8/8/8/8/8 w - - 0 1"), Err(PlaceError::Unplayable { .. })));
        let crowded = "fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/K6k w - - 0 1";
        assert!(matches!(game(crowded), Err(PlaceError::Unplayable { .. })));
    }
}
