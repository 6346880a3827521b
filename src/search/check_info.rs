//! Which moves give check, without making them.

use shakmaty::{Bitboard, CastlingSide, Chess, Move, Position, Role, Square, attacks};

pub struct CheckInfo {
    enemy_king: Square,
    /// Where each kind of piece would give direct check from, in the order of roles.
    check_squares: [Bitboard; 6],
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
        let pawn = attacks::pawn_attacks(!position.turn(), enemy_king);
        let knight = attacks::knight_attacks(enemy_king);
        let check_squares = [pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY];
        CheckInfo { enemy_king, check_squares, blockers: blockers & position.us() }
    }

    /// Whether `m` gives check. Two rare cases are missed: a promoted piece that checks through the square its
    /// pawn left, and a check along the line that capturing en passant opens on the captured pawn's square.
    #[inline(always)]
    pub fn gives_check(&self, position: &Chess, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.checks_from(promotion.unwrap_or(role), to) || self.discovers_check(from, to)
            }
            Move::EnPassant { from, to } => {
                self.checks_from(Role::Pawn, to) || self.discovers_check(from, to)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.checks_from(Role::Rook, side.rook_to(position.turn()))
            }
            Move::Put { .. } => false,
        }
    }

    fn checks_from(&self, role: Role, square: Square) -> bool {
        self.check_squares[role as usize - 1].contains(square)
    }

    fn discovers_check(&self, from: Square, to: Square) -> bool {
        self.blockers.contains(from) && !attacks::aligned(from, to, self.enemy_king)
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
