//! A move in 16 bits, as the transposition table keeps it.

use shakmaty::{Chess, Move, Position, Role, Square};

/// From, to and promotion, 6 + 6 + 4 bits; castling is the king capturing its rook; 0 is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedMove(pub u16);

impl PackedMove {
    pub const NONE: PackedMove = PackedMove(0);

    pub fn new(m: Move) -> PackedMove {
        let from = m.from().map_or(0, |square| square as u16);
        PackedMove(from | (m.to() as u16) << 6 | m.promotion().map_or(0, |role| role as u16) << 12)
    }

    /// The move in this position, if it is legal: it may come from another position with the same hash index.
    pub fn unpack(self, position: &Chess) -> Option<Move> {
        if self == PackedMove::NONE {
            return None;
        }
        let m = self.decode(position)?;
        position.is_legal(m).then_some(m)
    }

    fn decode(self, position: &Chess) -> Option<Move> {
        let board = position.board();
        let from = Square::new(u32::from(self.0 & 63));
        let to = Square::new(u32::from(self.0 >> 6 & 63));
        let promotion = match self.0 >> 12 {
            0 => None,
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            _ => return None,
        };
        let role = board.role_at(from)?;
        if !position.us().contains(from) {
            return None;
        }
        if role == Role::King && position.our(Role::Rook).contains(to) {
            return Some(Move::Castle { king: from, rook: to });
        }
        let capture = board.role_at(to);
        if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            return Some(Move::EnPassant { from, to });
        }
        Some(Move::Normal { role, from, capture, to, promotion })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn every_legal_move_survives_packing() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            for m in position.legal_moves() {
                assert_eq!(PackedMove::new(m).unpack(&position), Some(m));
            }
        }
    }

    #[test]
    fn a_move_of_another_position_is_refused() {
        let m = Move::Normal {
            role: Role::Rook,
            from: Square::A1,
            capture: None,
            to: Square::A4,
            promotion: None,
        };
        assert_eq!(PackedMove::new(m).unpack(&Chess::default()), None);
    }
}
