//! Which moves give check, found out without making them.

use shakmaty::{Bitboard, ByRole, CastlingSide, Chess, Move, Position, Square, attacks};

/// Where check would be given from. Every legal position has a king to give check to.
pub(super) struct Checks {
    king: Square,
    squares: ByRole<Bitboard>,
    /// Our men that stand between one of our sliders and the king.
    veils: Bitboard,
}

impl Checks {
    pub fn new(position: &Chess) -> Checks {
        let board = position.board();
        let king = board.king_of(!position.turn()).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        let mut veils = Bitboard::EMPTY;
        let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
        for sniper in snipers & position.us() {
            let between = attacks::between(king, sniper) & occupied;
            if between.count() == 1 {
                veils |= between;
            }
        }
        let squares = ByRole {
            pawn: attacks::pawn_attacks(!position.turn(), king),
            knight: attacks::knight_attacks(king),
            bishop,
            rook,
            queen: bishop | rook,
            king: Bitboard::EMPTY,
        };
        Checks { king, squares, veils: veils & position.us() }
    }

    /// Whether `m` gives check. A promotion or capture en passant that opens a line through its own square
    /// may be missed.
    pub fn given_by(&self, position: &Chess, m: Move) -> bool {
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.squares.rook.contains(side.rook_to(position.turn()))
            }
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => {
                self.squares.get(m.promotion().unwrap_or(m.role())).contains(to)
                    || self.veils.contains(from) && !attacks::aligned(from, to, self.king)
            }
            Move::Put { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn checks_are_seen_before_they_are_given() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "8/8/3k4/8/3N4/8/8/3RK3 w - - 0 1",
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let checks = Checks::new(&position);
            for m in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                assert_eq!(checks.given_by(&position, m), after.is_check(), "{fen} {m}");
            }
        }
    }
}
