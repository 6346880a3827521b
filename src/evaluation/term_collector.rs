//! Collects the terms of an evaluation, as a sum for the search or as a list for people and for tuning. The
//! evaluation is written once for both, so that what is shown is what is played.

use shakmaty::{Bitboard, Color, Role, Square};

use super::{
    pieces::square_index,
    terms::{self, MATERIAL, SQUARES},
    weights::Pair,
};

pub(super) trait TermCollector {
    /// Takes `count` times the weight with index `term`; positive for White, negative for Black.
    fn add(&mut self, term: usize, count: i32);

    /// Takes the weight once for each square, with this sign. Most such sets are empty, and counting is dear on
    /// processors without an instruction for it.
    #[inline(always)]
    fn add_each(&mut self, term: usize, squares: Bitboard, sign: i32) {
        if squares.any() {
            self.add(term, sign * squares.count() as i32);
        }
    }

    /// Takes the material of a pawn or piece and what its square is worth.
    #[inline(always)]
    fn add_piece(&mut self, color: Color, role: Role, square: Square) {
        let (kind, sign) = (role as usize - 1, color.fold_wb(1, -1));
        self.add(MATERIAL + kind, sign);
        self.add(SQUARES[kind] + square_index(color, square), sign);
    }
}

/// Adds the weighted terms up, as fast as possible.
#[derive(Clone, Copy)]
pub(super) struct TermSum<'a> {
    weights: &'a [Pair; terms::COUNT],
    piece_squares: &'a PieceSquares,
    pub total: Pair,
}

impl<'a> TermSum<'a> {
    pub fn new(weights: &'a [Pair; terms::COUNT], piece_squares: &'a PieceSquares) -> TermSum<'a> {
        TermSum { weights, piece_squares, total: Pair::default() }
    }

    /// The sum of some terms alone, and what else is found.
    pub fn apart<T>(&self, collect: impl FnOnce(&mut TermSum<'a>) -> T) -> (Pair, T) {
        let mut sum = TermSum { total: Pair::default(), ..*self };
        let found = collect(&mut sum);
        (sum.total, found)
    }
}

impl TermCollector for TermSum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * count;
    }

    #[inline(always)]
    fn add_piece(&mut self, color: Color, role: Role, square: Square) {
        self.total += self.piece_squares.0[color as usize][role as usize - 1][square as usize];
    }
}

/// Material and square of every man together, by colour, role and square: what is the same in every evaluation with some
/// weights. Kings have no material and are not among them.
pub(super) struct PieceSquares([[[Pair; 64]; ROLES]; 2]);

const ROLES: usize = 5;

impl PieceSquares {
    pub fn new(weights: &[Pair; terms::COUNT]) -> PieceSquares {
        let mut piece_squares = PieceSquares([[[Pair::default(); 64]; ROLES]; 2]);
        for color in Color::ALL {
            for role in Role::ALL.into_iter().take(ROLES) {
                for square in Square::ALL {
                    // What the terms say one by one, added up.
                    let mut list = TermList::default();
                    list.add_piece(color, role, square);
                    let pair = &mut piece_squares.0[color as usize][role as usize - 1][square as usize];
                    list.0.into_iter().for_each(|(term, count)| *pair += weights[term] * count);
                }
            }
        }
        piece_squares
    }
}

/// Keeps every term with its count.
#[derive(Default)]
pub(super) struct TermList(pub Vec<(usize, i32)>);

impl TermCollector for TermList {
    fn add(&mut self, term: usize, count: i32) {
        if count != 0 {
            self.0.push((term, count));
        }
    }
}
