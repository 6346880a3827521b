//! Generates legal moves in stages, for a side that is not in check: captures and queen promotions, quiet moves,
//! underpromotions. Most nodes need only the first, which is several times quicker than to generate all legal moves.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, MoveList, Position, Role, Square, attacks};

/// The pieces that attack by themselves, in the order in which they move.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const UNDERPROMOTIONS: [Role; 3] = [Role::Rook, Role::Bishop, Role::Knight];

/// Appends captures and queen promotions.
pub(super) fn captures(position: &Chess, moves: &mut MoveList) {
    let board = position.board();
    let (us, them) = (position.turn(), position.them());
    let Some(king) = board.king_of(us) else { return };
    let pinned = pinned(position, king);
    if position.maybe_ep_square().is_some() {
        moves.extend(position.en_passant_moves());
    }

    for from in position.our(Role::Pawn) {
        for to in attacks::pawn_attacks(us, from) & them {
            if pin_allows(pinned, from, to, king) {
                let promotion = Bitboard::BACKRANKS.contains(to).then_some(Role::Queen);
                moves.push(pawn_move(from, board.role_at(to), to, promotion));
            }
        }
    }
    for from in position.our(Role::Pawn) & seventh_rank(us) {
        let Some(to) = from.offset(us.fold_wb(8, -8)) else { continue };
        if !board.occupied().contains(to) && pin_allows(pinned, from, to, king) {
            moves.push(pawn_move(from, None, to, Some(Role::Queen)));
        }
    }
    for role in PIECES {
        for from in position.our(role) {
            for to in attacks::attacks(from, role.of(Color::White), board.occupied()) & them {
                if pin_allows(pinned, from, to, king) {
                    moves.push(Move::Normal { role, from, capture: board.role_at(to), to, promotion: None });
                }
            }
        }
    }
    for to in attacks::king_attacks(king) & them {
        if board.attacks_to(to, !us, board.occupied()).is_empty() {
            let capture = board.role_at(to);
            moves.push(Move::Normal { role: Role::King, from: king, capture, to, promotion: None });
        }
    }
}

/// Appends all moves that neither capture nor promote.
pub(super) fn quiets(position: &Chess, moves: &mut MoveList) {
    let board = position.board();
    let (us, empty) = (position.turn(), !board.occupied());
    let Some(king) = board.king_of(us) else { return };
    let pinned = pinned(position, king);
    let step = us.fold_wb(8, -8);

    let pawns = position.our(Role::Pawn);
    let third_rank = us.fold_wb(Bitboard(0xff << 16), Bitboard(0xff << 40));
    let single = pawns.shift(step) & empty;
    let double = (single & third_rank).shift(step) & empty;
    let mut pushes = |squares: Bitboard, distance: i32| {
        for to in squares {
            if let Some(from) = to.offset(-distance).filter(|from| pin_allows(pinned, *from, to, king)) {
                moves.push(pawn_move(from, None, to, None));
            }
        }
    };
    pushes(single & !Bitboard::BACKRANKS, step);
    pushes(double, 2 * step);
    for role in PIECES {
        for from in position.our(role) {
            for to in attacks::attacks(from, role.of(Color::White), board.occupied()) & empty {
                if pin_allows(pinned, from, to, king) {
                    moves.push(Move::Normal { role, from, capture: None, to, promotion: None });
                }
            }
        }
    }
    for to in attacks::king_attacks(king) & empty {
        if board.attacks_to(to, !us, board.occupied()).is_empty() {
            moves.push(Move::Normal { role: Role::King, from: king, capture: None, to, promotion: None });
        }
    }
    for side in CastlingSide::ALL {
        if position.castles().has(us, side) {
            moves.extend(position.castling_moves(side));
        }
    }
}

/// Appends promotions to anything but a queen, whether they capture or not.
pub(super) fn underpromotions(position: &Chess, moves: &mut MoveList) {
    let (board, us) = (position.board(), position.turn());
    let pawns = position.our(Role::Pawn) & seventh_rank(us);
    if pawns.is_empty() {
        return;
    }
    let Some(king) = board.king_of(us) else { return };
    let pinned = pinned(position, king);
    for from in pawns {
        let ahead = Bitboard::from(from).shift(us.fold_wb(8, -8)) & !board.occupied();
        for to in ahead | (attacks::pawn_attacks(us, from) & position.them()) {
            if pin_allows(pinned, from, to, king) {
                let promote = |role| pawn_move(from, board.role_at(to), to, Some(role));
                moves.extend(UNDERPROMOTIONS.map(promote));
            }
        }
    }
}

/// The rank from which pawns promote.
fn seventh_rank(us: Color) -> Bitboard {
    us.fold_wb(Bitboard(0xff << 48), Bitboard(0xff << 8))
}

/// Whether a move belongs to the [`captures`].
pub(super) fn is_of_captures(m: Move) -> bool {
    m.promotion().map_or(m.is_capture(), |role| role == Role::Queen)
}

/// Whether a move belongs to the [`underpromotions`].
pub(super) fn is_underpromotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

fn pawn_move(from: Square, capture: Option<Role>, to: Square, promotion: Option<Role>) -> Move {
    Move::Normal { role: Role::Pawn, from, capture, to, promotion }
}

/// A pinned piece may only move along the line of its pin.
fn pin_allows(pinned: Bitboard, from: Square, to: Square, king: Square) -> bool {
    !pinned.contains(from) || attacks::aligned(from, to, king)
}

/// Our pieces that must not leave the line between an enemy slider and our king.
fn pinned(position: &Chess, king: Square) -> Bitboard {
    let board = position.board();
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & position.them() {
        let blockers = attacks::between(king, sniper) & board.occupied();
        if blockers.count() == 1 {
            pinned |= blockers;
        }
    }
    pinned & position.us()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn check(position: &Chess, depth: u32) {
        if !position.is_check() {
            let words = |moves: Vec<Move>| {
                let mut words: Vec<String> = moves.iter().map(ToString::to_string).collect();
                words.sort();
                words
            };
            let compare = |generate: fn(&Chess, &mut MoveList), belongs: fn(Move) -> bool| {
                let mut moves = MoveList::new();
                generate(position, &mut moves);
                let expected = position.legal_moves().into_iter().filter(|m| belongs(*m)).collect();
                assert_eq!(words(moves.to_vec()), words(expected), "{position:?}");
            };
            compare(captures, is_of_captures);
            compare(quiets, |m| !m.is_capture() && !m.is_promotion());
            compare(underpromotions, is_underpromotion);
        }
        if depth > 0 {
            for m in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                check(&after, depth - 1);
            }
        }
    }

    #[test]
    fn all_stages_together_are_the_legal_moves() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            check(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap(), 2);
        }
    }
}
