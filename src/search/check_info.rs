//! Which moves give check, without making them.

use shakmaty::{Bitboard, ByRole, CastlingSide, Chess, Move, Position, Square, attacks};

pub struct CheckInfo {
    enemy_king: Square,
    /// Where each kind of piece would give direct check from.
    check_squares: ByRole<Bitboard>,
    /// Our pieces between one of our sliders and the enemy king: they give discovered check.
    blockers: Bitboard,
}

impl CheckInfo {
    pub fn new(position: &Chess) -> CheckInfo {
        let board = position.board();
        // Every legal position has a king to give check to.
        let enemy_king = board.king_of(!position.turn()).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let bishop = attacks::bishop_attacks(enemy_king, occupied);
        let rook = attacks::rook_attacks(enemy_king, occupied);
        let mut blockers = Bitboard::EMPTY;
        let snipers = (attacks::rook_attacks(enemy_king, Bitboard::EMPTY) & board.rooks_and_queens())
            | (attacks::bishop_attacks(enemy_king, Bitboard::EMPTY) & board.bishops_and_queens());
        for sniper in snipers & position.us() {
            let between = attacks::between(enemy_king, sniper) & occupied;
            if between.count() == 1 {
                blockers |= between;
            }
        }
        let check_squares = ByRole {
            pawn: attacks::pawn_attacks(!position.turn(), enemy_king),
            knight: attacks::knight_attacks(enemy_king),
            bishop,
            rook,
            queen: bishop | rook,
            king: Bitboard::EMPTY,
        };
        CheckInfo { enemy_king, check_squares, blockers: blockers & position.us() }
    }

    /// Whether `m` gives check. Two rare cases are missed: a promoted piece that checks through the square its
    /// pawn left, and a check along the line that capturing en passant opens on the captured pawn's square.
    pub fn gives_check(&self, position: &Chess, m: Move) -> bool {
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.check_squares.rook.contains(side.rook_to(position.turn()))
            }
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => {
                self.check_squares.get(m.promotion().unwrap_or(m.role())).contains(to)
                    || self.blockers.contains(from) && !attacks::aligned(from, to, self.enemy_king)
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
            let info = CheckInfo::new(&position);
            for m in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                assert_eq!(info.gives_check(&position, m), after.is_check(), "{fen} {m}");
            }
        }
    }
}
