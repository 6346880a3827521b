//! Whether a new position goes on with the game that was being watched.

use crate::game::Game;

/// How a position relates to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The same game, this many plies later (0: the same position again).
    Plies(usize),
    /// Another game, a move taken back, or analysis: not play that may be judged.
    Elsewhere,
}

/// How `after` relates to `before`. A program may send a game from its start or only from some later position
/// of it, such as the one after the last capture; both go on with it.
pub fn continuation(before: &Game, after: &Game) -> Continuation {
    let Some(start) = after.keys().first() else { return Continuation::Elsewhere };
    // The earliest occurrence: a game that came back to its start is still sent from the start.
    let shared = before.keys().iter().position(|key| key == start);
    shared
        .and_then(|ply| before.moves().get(ply..))
        .and_then(|known| after.moves().strip_prefix(known))
        .map_or(Continuation::Elsewhere, |played| Continuation::Plies(played.len()))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

    use super::*;

    /// `startpos` or `fen …`, then `moves` and moves.
    fn game(text: &str) -> Game {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let fen: Option<Fen> = start.strip_prefix("fen ").map(|fen| fen.parse().unwrap());
        let start: Chess = fen.unwrap_or_default().into_position(CastlingMode::Standard).unwrap();
        let mut game = Game::new(start);
        for text in moves.split_whitespace() {
            let m: UciMove = text.parse().unwrap();
            game.play(m.to_move(game.position()).unwrap());
        }
        game
    }

    fn between(before: &str, after: &str) -> Continuation {
        continuation(&game(before), &game(after))
    }

    #[test]
    fn our_move_and_the_reply_are_two_plies() {
        assert_eq!(between("startpos moves e2e4", "startpos moves e2e4 e7e5 g1f3"), Continuation::Plies(2));
    }

    #[test]
    fn the_first_move_of_a_game_is_one_ply() {
        assert_eq!(between("startpos", "startpos moves e2e4"), Continuation::Plies(1));
    }

    #[test]
    fn the_same_position_again_is_no_play() {
        assert_eq!(between("startpos moves e2e4", "startpos moves e2e4"), Continuation::Plies(0));
    }

    #[test]
    fn a_move_taken_back_is_elsewhere() {
        assert_eq!(between("startpos moves e2e4 e7e5", "startpos moves e2e4"), Continuation::Elsewhere);
        assert_eq!(
            between("startpos moves e2e4 e7e5", "startpos moves e2e4 c7c5 g1f3"),
            Continuation::Elsewhere
        );
    }

    #[test]
    fn another_start_is_elsewhere() {
        assert_eq!(
            between("startpos moves e2e4", "fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"),
            Continuation::Elsewhere
        );
    }

    #[test]
    fn a_game_sent_from_a_later_position_goes_on() {
        let after_1_e4 = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(
            between("startpos moves e2e4", &format!("{after_1_e4} moves e7e5 g1f3")),
            Continuation::Plies(2)
        );
        assert_eq!(
            between("startpos moves e2e4 e7e5", &format!("{after_1_e4} moves e7e5 g1f3")),
            Continuation::Plies(1)
        );
        assert_eq!(
            between("startpos moves e2e4 e7e5", &format!("{after_1_e4} moves c7c5")),
            Continuation::Elsewhere
        );
    }

    #[test]
    fn a_game_that_came_back_to_its_start_is_sent_from_the_start() {
        let round = "startpos moves g1f3 g8f6 f3g1 f6g8";
        assert_eq!(between(round, &format!("{round} d2d4")), Continuation::Plies(1));
        assert_eq!(between(round, "startpos moves d2d4"), Continuation::Elsewhere);
    }
}
