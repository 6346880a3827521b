//! What all parts of the evaluation share: pawns, kings, and who attacks what.

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Role, Square, attacks};

use super::{FULL_PHASE, bitboards::pawn_attacks};

pub(super) struct EvalInfo<'a> {
    pub board: &'a Board,
    pub pawns: ByColor<Bitboard>,
    pub kings: ByColor<Square>,
    /// The king ring: the king's square and those around it.
    pub king_rings: ByColor<Bitboard>,
    /// By colour and role.
    pub attacks: ByColor<ByRole<Bitboard>>,
    /// Squares that any piece of this colour attacks.
    pub attacked: ByColor<Bitboard>,
    /// Squares that two or more pieces of this colour attack.
    pub attacked_twice: ByColor<Bitboard>,
    /// How many enemy pieces attack this colour's king ring, and how many attacks on its squares they make.
    pub king_attackers: ByColor<(usize, usize)>,
    /// Of all pieces that were added.
    phase: i32,
}

impl<'a> EvalInfo<'a> {
    /// None for a board without both kings.
    #[inline(always)]
    pub fn new(board: &'a Board) -> Option<EvalInfo<'a>> {
        let kings = ByColor { white: board.king_of(Color::White)?, black: board.king_of(Color::Black)? };
        let mut info = EvalInfo {
            board,
            pawns: ByColor { white: board.pawns() & board.white(), black: board.pawns() & board.black() },
            king_rings: kings.map(|king| attacks::king_attacks(king).with(king)),
            kings,
            attacks: ByColor::default(),
            attacked: ByColor::default(),
            attacked_twice: ByColor::default(),
            king_attackers: ByColor::default(),
            phase: 0,
        };
        for color in Color::ALL {
            let pawns = *info.pawns.get(color);
            let (left, right) = pawn_attacks(color, pawns);
            let king = attacks::king_attacks(*info.kings.get(color));
            info.attacks.get_mut(color).pawn = left | right;
            info.attacks.get_mut(color).king = king;
            *info.attacked.get_mut(color) = left | right | king;
            *info.attacked_twice.get_mut(color) = (left & right) | ((left | right) & king);
        }
        Some(info)
    }

    /// The game phase, from 0 for the endgame to [`FULL_PHASE`].
    pub fn phase(&self) -> i32 {
        self.phase.min(FULL_PHASE)
    }

    /// Adds a piece and its attacks. Those of pawns and kings are there from the start.
    #[inline(always)]
    pub fn add_piece(&mut self, color: Color, role: Role, targets: Bitboard) {
        *self.attacked_twice.get_mut(color) |= *self.attacked.get(color) & targets;
        *self.attacked.get_mut(color) |= targets;
        *self.attacks.get_mut(color).get_mut(role) |= targets;
        self.phase += match role {
            Role::Queen => 4,
            Role::Rook => 2,
            Role::Knight | Role::Bishop => 1,
            Role::Pawn | Role::King => 0,
        };
        let hits = targets & *self.king_rings.get(!color);
        if hits.any() {
            let attackers = self.king_attackers.get_mut(!color);
            attackers.0 += 1;
            attackers.1 += hits.count();
        }
    }

    #[inline(always)]
    pub fn pieces_of(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_color(color) & self.board.by_role(role)
    }
}
