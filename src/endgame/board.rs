//! The few men of an endgame on the board, and their moves: what generating and walking tables needs, no more.

use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

use super::{index::Squares, material::MAX_MEN};

/// A placement with its bitboards.
#[derive(Clone, Copy)]
pub struct Board<'a> {
    men: &'a [Piece],
    squares: Squares,
    by_color: [Bitboard; 2],
}

/// Where each man of one side may legally go, in the order of the men; nowhere for the other side's.
pub type Targets = [Bitboard; MAX_MEN];

/// The roles a pawn may promote to.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A move that changes the material.
#[derive(Clone, Copy)]
pub struct Conversion {
    /// Who moves.
    pub place: usize,
    /// Where to.
    pub to: Square,
    /// Who is taken.
    pub victim: Option<usize>,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// What stands against a side's king.
struct Danger {
    /// Squares that the king may not go to.
    attacked: Bitboard,
    /// Squares that a move must end on to meet a check; all of them if there is none.
    remedy: Bitboard,
    checked: bool,
}

fn side(color: Color) -> usize {
    color as usize
}

impl<'a> Board<'a> {
    /// The board with these men on these squares. None if two share a square.
    #[inline]
    pub fn new(men: &'a [Piece], squares: Squares) -> Option<Board<'a>> {
        let mut by_color = [Bitboard::EMPTY; 2];
        for (man, &square) in men.iter().zip(&squares) {
            if (by_color[0] | by_color[1]).contains(square) {
                return None;
            }
            by_color[side(man.color)].add(square);
        }
        Some(Board { men, squares, by_color })
    }

    /// All men's squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one side's men.
    #[inline]
    pub fn of(&self, color: Color) -> Bitboard {
        self.by_color[side(color)]
    }

    /// Where the men stand.
    #[inline]
    pub fn squares(&self) -> &Squares {
        &self.squares
    }

    /// The men.
    #[inline]
    pub fn men(&self) -> &'a [Piece] {
        self.men
    }

    /// The places of one side's men in the order of the men, its king first.
    #[inline]
    pub fn places(&self, color: Color) -> impl Iterator<Item = usize> + use<'a> {
        let men = self.men;
        (0..men.len()).filter(move |&place| men[place].color == color)
    }

    /// The place of the man on this square.
    #[inline]
    pub fn place_at(&self, square: Square) -> Option<usize> {
        self.squares[..self.men.len()].iter().position(|&taken| taken == square)
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.squares[usize::from(color == Color::Black)]
    }

    /// Whether one of `color`'s men attacks the other king. A position is legal if the side to move does not.
    #[inline]
    pub fn attacks_king(&self, color: Color) -> bool {
        let king = self.king(!color);
        let occupied = self.occupied();
        self.places(color)
            .any(|place| attacks::attacks(self.squares[place], self.men[place], occupied).contains(king))
    }

    /// Legal moves of `color`, captures included but not those in passing. A pawn on its last target rank promotes.
    #[inline]
    pub fn targets(&self, color: Color) -> Targets {
        let own = self.by_color[side(color)];
        let king = self.king(color);
        let danger = self.danger(color);
        let mut targets = [Bitboard::EMPTY; MAX_MEN];
        for place in self.places(color) {
            targets[place] = if self.men[place].role == Role::King {
                attacks::king_attacks(king) & !own & !danger.attacked
            } else {
                self.reach(place) & !own & danger.remedy & self.pin(place, king)
            };
        }
        targets
    }

    /// How many squares the pawns have gone from where they began, all together: no move takes it back.
    pub fn advancement(&self) -> u32 {
        let pawns = self.men.iter().zip(&self.squares).filter(|(man, _)| man.role == Role::Pawn);
        pawns.map(|(man, square)| man.color.relative_rank(square.rank()) as u32 - 1).sum()
    }

    /// Whether `color` is in check.
    pub fn in_check(&self, color: Color) -> bool {
        self.danger(color).checked
    }

    #[inline]
    fn danger(&self, color: Color) -> Danger {
        let king = self.king(color);
        let occupied = self.occupied();
        // A king does not hide behind himself.
        let behind = occupied.without(king);
        let mut danger = Danger { attacked: Bitboard::EMPTY, remedy: Bitboard::FULL, checked: false };
        for place in self.places(!color) {
            let (man, square) = (self.men[place], self.squares[place]);
            let attacked = attacks::attacks(square, man, behind);
            danger.attacked |= attacked;
            if attacked.contains(king) {
                danger.checked = true;
                danger.remedy &= attacks::between(king, square).with(square);
            }
        }
        danger
    }

    /// The squares that a man of the king's side may go to without exposing him.
    #[inline]
    fn pin(&self, place: usize, king: Square) -> Bitboard {
        let square = self.squares[place];
        let color = self.men[place].color;
        let occupied = self.occupied();
        for enemy in self.places(!color) {
            let from = self.squares[enemy];
            let lines = match self.men[enemy].role {
                Role::Queen => attacks::queen_attacks(from, Bitboard::EMPTY),
                Role::Rook => attacks::rook_attacks(from, Bitboard::EMPTY),
                Role::Bishop => attacks::bishop_attacks(from, Bitboard::EMPTY),
                _ => continue,
            };
            if lines.contains(king) {
                let between = attacks::between(king, from);
                if between & occupied == Bitboard::from_square(square) {
                    return between.with(from);
                }
            }
        }
        Bitboard::FULL
    }

    /// Where a man other than a king could go if no king were in danger.
    #[inline]
    fn reach(&self, place: usize) -> Bitboard {
        let (man, square) = (self.men[place], self.squares[place]);
        if man.role != Role::Pawn {
            return attacks::attacks(square, man, self.occupied());
        }
        let captures = attacks::pawn_attacks(man.color, square) & self.by_color[side(!man.color)];
        captures | self.pushes(man.color, square)
    }

    #[inline]
    fn pushes(&self, color: Color, square: Square) -> Bitboard {
        let free = !self.occupied();
        let once = Bitboard::from_square(square).shift(forward(color)) & free;
        let twice =
            (once & Bitboard::from_rank(color.relative_rank(Rank::Third))).shift(forward(color)) & free;
        once | twice
    }

    /// The targets of a man that keep the material as it is: no captures, no promotions.
    #[inline]
    pub fn inside(&self, targets: &Targets, place: usize) -> Bitboard {
        let man = self.men[place];
        let quiet = targets[place] & !self.of(!man.color);
        if man.role == Role::Pawn { quiet & !last_rank(man.color) } else { quiet }
    }

    /// The captures and promotions among a side's targets.
    #[inline]
    pub fn each_conversion<E>(
        &self,
        mover: Color,
        targets: &Targets,
        mut visit: impl FnMut(Conversion) -> Result<(), E>,
    ) -> Result<(), E> {
        for place in self.places(mover) {
            for to in targets[place] & !self.inside(targets, place) {
                let victim = self.place_at(to);
                if self.men[place].role == Role::Pawn && last_rank(mover).contains(to) {
                    for role in PROMOTIONS {
                        visit(Conversion { place, to, victim, promotion: Some(role) })?;
                    }
                } else {
                    visit(Conversion { place, to, victim, promotion: None })?;
                }
            }
        }
        Ok(())
    }

    /// Whether a side has a legal move other than taking in passing.
    pub fn has_moves(&self, mover: Color) -> bool {
        self.targets(mover).iter().any(|targets| targets.any())
    }

    /// Whether man `place` goes two squares at once by moving to `to`, as only pawns do.
    #[inline]
    pub fn is_double_step(&self, place: usize, to: Square) -> bool {
        self.men[place].role == Role::Pawn && is_double_step(self.squares[place], to)
    }

    /// Where a man may have come from by a move that took nothing and did not promote.
    #[inline]
    pub fn sources(&self, place: usize) -> Bitboard {
        let (man, square) = (self.men[place], self.squares[place]);
        let free = !self.occupied();
        if man.role != Role::Pawn {
            return attacks::attacks(square, man, self.occupied()) & free;
        }
        let back = forward(!man.color);
        let home = Bitboard::from_rank(man.color.relative_rank(Rank::First));
        let once = Bitboard::from_square(square).shift(back) & free & !home;
        let fourth = Bitboard::from_rank(man.color.relative_rank(Rank::Fourth));
        let twice = if fourth.contains(square) { once.shift(back) & free } else { Bitboard::EMPTY };
        once | twice
    }

    /// The board after man `place` has gone to `to`; if he takes, the victim must be removed apart.
    #[inline]
    pub fn after(&self, place: usize, to: Square) -> Board<'a> {
        let mut board = *self;
        let color = side(self.men[place].color);
        board.by_color[color] = board.by_color[color].without(self.squares[place]).with(to);
        board.squares[place] = to;
        board
    }

    /// The places of the pawns that may take a pawn in passing that has just gone two squares to `to`, moving to the
    /// square behind it. Only moves that leave the taker's king safe count.
    pub fn takers_in_passing(
        &self,
        to: Square,
        pawn: Color,
    ) -> impl Iterator<Item = (usize, Square)> + use<'_, 'a> {
        let behind = Bitboard::from_square(to).shift(forward(!pawn)).first().unwrap_or(to);
        let neighbours = attacks::king_attacks(to) & Bitboard::from_rank(to.rank());
        self.places(!pawn)
            .filter(move |&place| {
                self.men[place].role == Role::Pawn && neighbours.contains(self.squares[place])
            })
            .filter(move |&place| {
                let mut after = self.after(place, behind);
                after.by_color[side(pawn)].discard(to);
                let king = after.king(!pawn);
                !after.places(pawn).any(|enemy| {
                    after.squares[enemy] != to
                        && attacks::attacks(after.squares[enemy], after.men[enemy], after.occupied())
                            .contains(king)
                })
            })
            .map(move |place| (place, behind))
    }
}

/// Whether a pawn goes two squares between these.
#[inline]
pub fn is_double_step(from: Square, to: Square) -> bool {
    u32::from(from).abs_diff(u32::from(to)) == 16
}

fn last_rank(color: Color) -> Bitboard {
    Bitboard::from_rank(color.relative_rank(Rank::Eighth))
}

/// One square towards promotion, as a shift of squares.
#[inline]
fn forward(color: Color) -> i32 {
    if color == Color::White { 8 } else { -8 }
}
