use shakmaty::{Board, Chess, Color, Position, Role};

/// What a side may expect beyond what best play gives it, because the other side errs more: the more, the more men are left to
/// err with. It is added to evaluations, and so to the values of searches. A draw promises nothing: to that side it is worth less
/// than a level position that can be played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contempt {
    /// The side.
    pub side: Color,
    /// In centipawns: with bare kings, and with all men on the board.
    pub gains: [i32; 2],
}

/// The men of a full board, in pawns.
pub const ALL_MEN: usize = 78;

/// The men on a board, in pawns.
pub fn men(board: &Board) -> usize {
    let worth = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    worth.into_iter().map(|(role, pawns)| pawns * board.by_role(role).count()).sum()
}

impl Contempt {
    /// What is expected with these men on the board, in centipawns.
    pub fn of(self, board: &Board) -> i32 {
        let [empty, full] = self.gains;
        empty + (full - empty) * men(board).min(ALL_MEN) as i32 / ALL_MEN as i32
    }

    /// The same for the side to move.
    pub(super) fn for_mover(self, position: &Chess) -> i32 {
        let gain = self.of(position.board());
        if position.turn() == self.side { gain } else { -gain }
    }

    /// What was found with one contempt says nothing to a search with another.
    pub(super) fn salt(self) -> u64 {
        let [empty, full] = self.gains.map(|gain| u64::from(gain as u16));
        let number = 1 + u64::from(self.side.is_white()) + (empty << 1) + (full << 32);
        number.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::{
        game::Game,
        search::{Control, Limits, SearchSettings, Searcher},
    };

    const CONTEMPT: Contempt = Contempt { side: Color::White, gains: [60, 216] };

    #[test]
    fn more_is_expected_the_more_men_there_are() {
        assert_eq!(men(&Board::default()), ALL_MEN);
        assert_eq!(CONTEMPT.of(&Board::default()), 216);
        assert_eq!(CONTEMPT.of(&Board::empty()), 60);
        assert_eq!(CONTEMPT.for_mover(&Chess::default()), 216);
        let black = Contempt { side: Color::Black, ..CONTEMPT };
        assert_eq!(black.for_mover(&Chess::default()), -216);
        assert_ne!(CONTEMPT.salt(), black.salt());
    }

    #[test]
    fn a_draw_is_for_those_who_have_nothing_to_hope_for() {
        // The bishop may take the last pawn.
        let fen: Fen = "7k/8/6p1/8/8/3B4/8/3K4 w - - 0 1".parse().unwrap();
        let game = Game::new(fen.into_position(CastlingMode::Standard).unwrap());
        let takes = |side: Color| {
            let contempt = Some(Contempt { side, ..CONTEMPT });
            let limits = Limits { depth: Some(6), contempt, ..Limits::default() };
            let mut searcher = Searcher::new(SearchSettings::default());
            let found = searcher.search(&game, &limits, &Control::new(), &mut |_| {});
            found.best.is_some_and(|m| m.is_capture())
        };
        assert!(!takes(Color::White));
        assert!(takes(Color::Black));
    }
}
