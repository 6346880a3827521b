//! Zobrist keys, updated incrementally from move to move. They equal the keys of [`crate::game::Game`], so
//! that repetitions of the game's own positions are seen.

use shakmaty::{
    CastlingSide, Chess, Color, EnPassantMode, Move, Position, Square,
    zobrist::{Zobrist64, ZobristValue},
};

/// The key of a position, computed from scratch.
pub(super) fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The key of `after`, which `m` leads to from `before` with its `key`.
pub(super) fn key_after(before: &Chess, key: u64, m: Move, after: &Chess) -> u64 {
    let us = before.turn();
    let mut key = Zobrist64(key) ^ Zobrist64::zobrist_for_white_turn();
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            key ^= Zobrist64::zobrist_for_piece(from, role.of(us));
            key ^= Zobrist64::zobrist_for_piece(to, promotion.unwrap_or(role).of(us));
            if let Some(captured) = capture {
                key ^= Zobrist64::zobrist_for_piece(to, captured.of(!us));
            }
        }
        Move::EnPassant { from, to } => {
            key ^= Zobrist64::zobrist_for_piece(from, us.pawn());
            key ^= Zobrist64::zobrist_for_piece(to, us.pawn());
            key ^= Zobrist64::zobrist_for_piece(Square::from_coords(to.file(), from.rank()), (!us).pawn());
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            key ^= Zobrist64::zobrist_for_piece(king, us.king());
            key ^= Zobrist64::zobrist_for_piece(rook, us.rook());
            key ^= Zobrist64::zobrist_for_piece(side.king_to(us), us.king());
            key ^= Zobrist64::zobrist_for_piece(side.rook_to(us), us.rook());
        }
        Move::Put { .. } => {}
    }
    if before.castles().castling_rights() != after.castles().castling_rights() {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if before.castles().has(color, side) != after.castles().has(color, side) {
                    key ^= Zobrist64::zobrist_for_castling_right(color, side);
                }
            }
        }
    }
    (key ^ en_passant(before) ^ en_passant(after)).0
}

/// The key after a null move in `before`.
pub(super) fn key_after_null_move(before: &Chess, key: u64) -> u64 {
    (Zobrist64(key) ^ Zobrist64::zobrist_for_white_turn() ^ en_passant(before)).0
}

fn en_passant(position: &Chess) -> Zobrist64 {
    match position.legal_ep_square() {
        Some(square) => Zobrist64::zobrist_for_en_passant_file(square.file()),
        None => Zobrist64(0),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// `here` is the key of `position`, carried from the root move by move.
    fn check(position: &Chess, here: u64, depth: u32) {
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let there = key_after(position, here, m, &after);
            assert_eq!(there, key(&after), "{m}");
            if depth > 1 {
                check(&after, there, depth - 1);
            }
        }
    }

    #[test]
    fn incremental_keys_equal_keys_from_scratch_throughout_the_perft_trees() {
        // The positions of <https://www.chessprogramming.org/Perft_Results>.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let root = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            check(&root, key(&root), 3);
        }
    }
}
