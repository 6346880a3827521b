//! Static exchange evaluation: what a move wins or loses once all captures on its square are made.

use shakmaty::{Bitboard, Board, Chess, Move, Position, Role, Square, attacks};

/// Men as the exchange counts them, in centipawns.
pub(super) const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => 20_000,
    }
}

/// Whether the exchange that `m` begins gains at least `threshold`.
pub(super) fn gains(position: &Chess, m: Move, threshold: i32) -> bool {
    let (from, to) = match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { .. } | Move::Put { .. } => return threshold <= 0,
    };
    let board = position.board();
    let placed = m.promotion().unwrap_or(m.role());
    let promoted = m.promotion().map_or(0, |role| worth(role) - worth(Role::Pawn));

    // What we have if the exchange ends here, and what we have if our man is then lost.
    let mut balance = m.capture().map_or(0, worth) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= worth(placed);
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
        let Some((role, square)) = least(board, ours) else { break };
        occupied.discard(square);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - worth(role);
        if balance >= 0 {
            // A king can't capture what is protected.
            if role == Role::King && (attackers & occupied & board.by_color(side)).any() {
                side = !side;
            }
            break;
        }
    }
    // The side that has to capture and can't (or had better not) loses the exchange.
    side != position.turn()
}

fn all_attackers(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    board.attacks_to(to, shakmaty::Color::White, occupied)
        | board.attacks_to(to, shakmaty::Color::Black, occupied)
}

fn least(board: &Board, candidates: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| Some((role, (candidates & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    #[test]
    fn exchanges_end_with_the_balance_a_player_would_count() {
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
            assert!(gains(&position, m, balance), "{fen} {m}: at least {balance}");
            assert!(!gains(&position, m, balance + 1), "{fen} {m}: no more than {balance}");
        }
    }
}
