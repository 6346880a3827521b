//! Static exchange evaluation (SEE): what a move wins or loses once all captures on its target square are made.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

/// Piece values of the exchange, in centipawns.
pub(super) const fn see_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        // More than all else together: a king is never given up.
        Role::King => 20_000,
    }
}

/// Whether the exchange that `m` begins gains at least `threshold`: quicker than to work out what it gains.
pub fn see_ge(position: &Chess, m: Move, threshold: i32) -> bool {
    let (from, to) = match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { .. } | Move::Put { .. } => return threshold <= 0,
    };
    let board = position.board();
    let placed = m.promotion().unwrap_or(m.role());
    let promoted = m.promotion().map_or(0, |role| see_value(role) - see_value(Role::Pawn));

    // At best the exchange ends here; at worst our piece is captured and nothing more.
    let mut balance = m.capture().map_or(0, see_value) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= see_value(placed);
    if balance >= 0 {
        return true;
    }

    let mut occupied = board.occupied().without(from).with(to);
    if let Move::EnPassant { .. } = m {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = all_attackers(board, to, occupied);
    let mut side = !position.turn();
    loop {
        attackers &= occupied;
        let ours = attackers & board.by_color(side);
        let Some((role, square)) = least_valuable(board, ours) else { break };
        occupied.discard(square);
        // X-ray attackers behind the piece that has captured.
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - see_value(role);
        if balance >= 0 {
            // A king can't capture what is protected.
            if role == Role::King && (attackers & occupied & board.by_color(side)).any() {
                side = !side;
            }
            break;
        }
    }
    // `side` can't recapture, or would lose by it.
    side != position.turn()
}

fn all_attackers(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    (attacks::rook_attacks(to, occupied) & board.rooks_and_queens())
        | (attacks::bishop_attacks(to, occupied) & board.bishops_and_queens())
        | (attacks::knight_attacks(to) & board.knights())
        | (attacks::king_attacks(to) & board.kings())
        | (attacks::pawn_attacks(Color::Black, to) & board.pawns() & board.white())
        | (attacks::pawn_attacks(Color::White, to) & board.pawns() & board.black())
}

fn least_valuable(board: &Board, candidates: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| Some((role, (candidates & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    #[test]
    fn see_is_the_balance_a_player_would_count() {
        for (fen, m, balance) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -225),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100),
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
            ("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 875),
            ("8/8/3k4/3p4/4N3/8/8/4K3 b - - 0 1", "d5e4", 325),
            ("8/8/8/2k1p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100),
            ("8/8/3k4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -225),
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let m = m.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            assert!(see_ge(&position, m, balance), "{fen} {m}: at least {balance}");
            assert!(!see_ge(&position, m, balance + 1), "{fen} {m}: no more than {balance}");
        }
    }
}
