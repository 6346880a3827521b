//! A number for every placement of an endgame's men: one for each class of mirror images.
//!
//! The White king is brought to the triangle a1-d1-d4 (462 pairs of kings) or, if there are pawns, to the files
//! a-d (1806 pairs); like men are numbered as a set. Numbers whose men share a square, and the images of
//! placements that the king pair alone does not settle, are never used.

use shakmaty::{Bitboard, Piece, Role, Square};

use super::material::{MAX_MEN, Material};

/// A square for each man, in the order of [`Material::pieces`]; places past the last man are not looked at.
pub type Squares = [Square; MAX_MEN];

/// The number of a placement.
pub type Index = u32;

/// Squares with rank above file: one side of the long diagonal from a1 to h8.
const ABOVE_DIAGONAL: Bitboard = Bitboard(0x7f3f_1f0f_0703_0100);

/// In a position that is its own mirror image, moves come in pairs of mirror images, or are their own: of a man's moves
/// from `square` these are the ones to count.
#[inline]
pub fn one_of_each_image(square: Square, targets: Bitboard) -> Bitboard {
    if ABOVE_DIAGONAL.contains(square) {
        Bitboard::EMPTY
    } else if square.file() as u32 == square.rank() as u32 {
        targets & !ABOVE_DIAGONAL
    } else {
        targets
    }
}

/// A symmetry of the board: first mirrored, then reflected in the diagonal.
#[derive(Clone, Copy)]
struct Symmetry {
    mirror: u8,
    transpose: bool,
}

impl Symmetry {
    const fn apply(self, square: u8) -> u8 {
        let square = square ^ self.mirror;
        if self.transpose { transpose(square) } else { square }
    }

    const fn is_identity(self) -> bool {
        self.mirror == 0 && !self.transpose
    }
}

const fn transpose(square: u8) -> u8 {
    square >> 3 | (square & 7) << 3
}

/// How a pair of kings is numbered.
#[derive(Clone, Copy)]
struct KingPair {
    number: u16,
    symmetry: Symmetry,
    /// Both kings stand on the diagonal: the other men decide which of two images counts.
    on_diagonal: bool,
}

const TOUCHING: u16 = u16::MAX;

/// The numbering of king pairs, with or without pawns.
struct Kings {
    pairs: [[KingPair; 64]; 64],
    squares: [(u8, u8); 1806],
    count: usize,
}

static PAWNLESS: Kings = Kings::number(false);
static PAWNFUL: Kings = Kings::number(true);

impl Kings {
    const fn number(pawns: bool) -> Kings {
        let none = KingPair {
            number: TOUCHING,
            symmetry: Symmetry { mirror: 0, transpose: false },
            on_diagonal: false,
        };
        let mut kings = Kings { pairs: [[none; 64]; 64], squares: [(0, 0); 1806], count: 0 };
        // Canonical pairs get their numbers first, then every pair that of its image.
        let mut pass = 0;
        while pass < 2 {
            let mut white = 0;
            while white < 64 {
                let mut black = 0;
                while black < 64 {
                    if !touch(white, black) {
                        let symmetry = canonical(white, black, pawns);
                        if pass == 0 && symmetry.is_identity() {
                            kings.squares[kings.count] = (white, black);
                            kings.pairs[white as usize][black as usize].number = kings.count as u16;
                            kings.count += 1;
                        } else if pass == 1 {
                            let (w, b) = (symmetry.apply(white), symmetry.apply(black));
                            kings.pairs[white as usize][black as usize] = KingPair {
                                number: kings.pairs[w as usize][b as usize].number,
                                symmetry,
                                on_diagonal: !pawns && transpose(w) == w && transpose(b) == b,
                            };
                        }
                    }
                    black += 1;
                }
                white += 1;
            }
            pass += 1;
        }
        kings
    }
}

const fn touch(a: u8, b: u8) -> bool {
    (a >> 3).abs_diff(b >> 3) <= 1 && (a & 7).abs_diff(b & 7) <= 1
}

const fn canonical(white: u8, black: u8, pawns: bool) -> Symmetry {
    let files = if white & 7 > 3 { 7 } else { 0 };
    if pawns {
        return Symmetry { mirror: files, transpose: false };
    }
    let mirror = files | if white >> 3 > 3 { 56 } else { 0 };
    let (w, b) = (white ^ mirror, black ^ mirror);
    let above = w >> 3 > w & 7 || w >> 3 == w & 7 && b >> 3 > b & 7;
    Symmetry { mirror, transpose: above }
}

/// Like men of one colour.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    count: usize,
    /// Pawns have 48 squares, others 64: the first one they can stand on.
    lowest: u8,
    stride: Index,
    size: Index,
}

/// Numbers the placements of one material.
pub struct Indexer {
    men: Vec<Piece>,
    groups: Vec<Group>,
    kings: &'static Kings,
    /// The group of each man after the kings.
    group_of: [usize; MAX_MEN],
    per_king_pair: Index,
}

impl Indexer {
    /// The numbering for a material.
    pub fn new(material: Material) -> Indexer {
        let men = material.pieces();
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of = [0; MAX_MEN];
        for place in 2..men.len() {
            match groups.last_mut() {
                Some(group) if men[group.first] == men[place] => group.count += 1,
                _ => groups.push(Group {
                    first: place,
                    count: 1,
                    lowest: if men[place].role == Role::Pawn { 8 } else { 0 },
                    stride: 0,
                    size: 0,
                }),
            }
            group_of[place] = groups.len() - 1;
        }
        let mut stride = 1;
        for group in groups.iter_mut().rev() {
            let squares = 64 - 2 * Index::from(group.lowest);
            group.size = match group.count {
                1 => squares,
                2 => squares * (squares - 1) / 2,
                _ => squares * (squares - 1) * (squares - 2) / 6,
            };
            group.stride = stride;
            stride *= group.size;
        }
        let kings = if material.has_pawns() { &PAWNFUL } else { &PAWNLESS };
        Indexer { men, groups, kings, group_of, per_king_pair: stride }
    }

    /// The men in their order.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// How many numbers there are.
    pub fn size(&self) -> usize {
        self.kings.count * self.per_king_pair as usize
    }

    /// How many pairs of kings there are; each has [`Indexer::per_king_pair`] numbers in a row.
    pub fn king_pairs(&self) -> usize {
        self.kings.count
    }

    /// How many numbers a pair of kings has.
    pub fn per_king_pair(&self) -> usize {
        self.per_king_pair as usize
    }

    /// The number of a placement. None if the kings touch.
    #[inline]
    pub fn index(&self, squares: &Squares) -> Option<Index> {
        let pair = self.pair(squares);
        if pair.number == TOUCHING {
            return None;
        }
        let mut image = *squares;
        if !pair.symmetry.is_identity() {
            for square in &mut image[2..self.men.len()] {
                *square = Square::new(pair.symmetry.apply(u8::from(*square)).into());
            }
        }
        let base = Index::from(pair.number) * self.per_king_pair;
        let mut number = self.number(&image);
        if pair.on_diagonal {
            number = number.min(self.number(&self.reflected(&image)));
        }
        Some(base + number)
    }

    #[inline]
    fn pair(&self, squares: &Squares) -> &KingPair {
        &self.kings.pairs[usize::from(squares[0])][usize::from(squares[1])]
    }

    #[inline]
    fn number(&self, squares: &Squares) -> Index {
        self.groups.iter().map(|group| group.stride * group.number(squares)).sum()
    }

    /// The number after man `place` of the placement with this number, whose squares are as [`Indexer::squares`]
    /// gives them, has gone to `to`. None if the kings touch then.
    #[inline]
    pub fn index_after(&self, index: Index, squares: &Squares, place: usize, to: Square) -> Option<Index> {
        let mut after = *squares;
        after[place] = to;
        let pair = self.pair(&after);
        if pair.number == TOUCHING {
            return None;
        }
        if pair.on_diagonal || !pair.symmetry.is_identity() {
            return self.index(&after);
        }
        if place < 2 {
            return Some(Index::from(pair.number) * self.per_king_pair + index % self.per_king_pair);
        }
        let group = &self.groups[self.group_of[place]];
        Some(index - group.stride * group.number(squares) + group.stride * group.number(&after))
    }

    /// The numbers after man `place` has gone to one of `targets`, as [`Indexer::index_after`] gives them.
    #[inline]
    pub fn each_index_after(
        &self,
        index: Index,
        squares: &Squares,
        place: usize,
        targets: Bitboard,
        mut visit: impl FnMut(Index),
    ) {
        if place < 2 || self.pair(squares).on_diagonal {
            targets.into_iter().filter_map(|to| self.index_after(index, squares, place, to)).for_each(visit);
            return;
        }
        let group = &self.groups[self.group_of[place]];
        let others = index - group.stride * group.number(squares);
        let at = |square: Square| Index::from(u8::from(square)) - Index::from(group.lowest);
        match group.count {
            1 => targets.into_iter().for_each(|to| visit(others + group.stride * at(to))),
            2 => {
                // Its like stands in the other place of the two.
                let like = at(squares[2 * group.first + 1 - place]);
                targets.into_iter().for_each(|to| visit(others + group.stride * pair_number(at(to), like)));
            }
            _ => {
                let mut after = *squares;
                for to in targets {
                    after[place] = to;
                    visit(others + group.stride * group.number(&after));
                }
            }
        }
    }

    /// The placement with this number.
    #[inline]
    pub fn squares(&self, index: Index) -> Squares {
        let mut squares = [Square::A1; MAX_MEN];
        let (white, black) = self.kings.squares[(index / self.per_king_pair) as usize];
        squares[0] = Square::new(white.into());
        squares[1] = Square::new(black.into());
        let mut rest = index % self.per_king_pair;
        for group in &self.groups {
            group.place(rest / group.stride, &mut squares);
            rest %= group.stride;
        }
        squares
    }

    /// Whether the placement is its own mirror image in the diagonal, like men counting as one.
    #[inline]
    pub fn is_symmetric(&self, squares: &Squares) -> bool {
        self.pair(squares).on_diagonal && self.number(squares) == self.number(&self.reflected(squares))
    }

    /// The men other than kings reflected in the diagonal.
    fn reflected(&self, squares: &Squares) -> Squares {
        let mut image = *squares;
        for square in &mut image[2..self.men.len()] {
            *square = Square::new(transpose(u8::from(*square)).into());
        }
        image
    }

    /// Whether the kings alone do not settle which of two mirror images counts.
    #[inline]
    pub fn is_ambiguous(&self, squares: &Squares) -> bool {
        self.pair(squares).on_diagonal
    }

    /// How many placements of the full board share a number with this one.
    pub fn images(&self, squares: &Squares) -> u32 {
        match (std::ptr::eq(self.kings, &PAWNFUL), self.is_symmetric(squares)) {
            (true, _) => 2,
            (false, true) => 4,
            (false, false) => 8,
        }
    }
}

impl Group {
    #[inline]
    fn number(&self, squares: &Squares) -> Index {
        let at = |place: usize| Index::from(u8::from(squares[self.first + place])) - Index::from(self.lowest);
        match self.count {
            1 => at(0),
            2 => pair_number(at(0), at(1)),
            _ => {
                let mut sorted = [at(0), at(1), at(2)];
                sorted.sort_unstable();
                let [low, middle, high] = sorted;
                low + middle * middle.saturating_sub(1) / 2
                    + high * high.saturating_sub(1) * high.saturating_sub(2) / 6
            }
        }
    }

    #[inline]
    fn place(&self, number: Index, squares: &mut Squares) {
        let mut put = |place: usize, number: Index| {
            squares[self.first + place] = Square::new(number + Index::from(self.lowest));
        };
        match self.count {
            1 => put(0, number),
            2 => {
                let high = upper(number);
                put(0, number - high * (high - 1) / 2);
                put(1, high);
            }
            _ => {
                let mut high = 2;
                while (high + 1) * high * (high - 1) / 6 <= number {
                    high += 1;
                }
                let rest = number - high * (high - 1) * (high - 2) / 6;
                let middle = upper(rest);
                put(0, rest - middle * (middle - 1) / 2);
                put(1, middle);
                put(2, high);
            }
        }
    }
}

/// The number of a pair of squares.
#[inline]
fn pair_number(one: Index, other: Index) -> Index {
    let (low, high) = (one.min(other), one.max(other));
    // Two men on one square would get the number of another pair; the first is as unused as any.
    if low == high { 0 } else { low + high * (high - 1) / 2 }
}

/// The greater member of each pair of two different squares, by the number of the pair: the greatest n with n(n-1)/2 not above it.
static UPPER: [u8; 64 * 63 / 2] = uppers();

const fn uppers() -> [u8; 64 * 63 / 2] {
    let mut uppers = [0; 64 * 63 / 2];
    let (mut number, mut high) = (0, 1);
    while high < 64 {
        let mut low = 0;
        while low < high {
            uppers[number] = high as u8;
            number += 1;
            low += 1;
        }
        high += 1;
    }
    uppers
}

#[inline]
fn upper(number: Index) -> Index {
    UPPER[number as usize].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexer(name: &str) -> Indexer {
        Indexer::new(name.parse().unwrap())
    }

    #[test]
    fn there_are_462_king_pairs_without_pawns_and_1806_with() {
        assert_eq!((PAWNLESS.count, PAWNFUL.count), (462, 1806));
    }

    #[test]
    fn a_placement_read_from_its_number_has_that_number_or_is_never_used() {
        for name in ["KQKR", "KBBKN", "KPKP", "KNNNK", "KPPKP"] {
            let indexer = indexer(name);
            for index in (0..indexer.size() as Index).step_by(997) {
                let squares = indexer.squares(index);
                let again = indexer.index(&squares).unwrap();
                assert!(
                    again == index || again < index && indexer.pair(&squares).on_diagonal,
                    "{name} {index}"
                );
            }
        }
    }

    #[test]
    fn mirror_images_share_a_number() {
        let squares = [Square::A8, Square::F6, Square::A5, Square::E8, Square::A1];
        for (name, mirrors) in [("KQKR", &[0u8, 7, 56, 63][..]), ("KPKP", &[0, 7])] {
            let indexer = indexer(name);
            let numbers = mirrors.iter().map(|mirror| {
                indexer.index(&squares.map(|square| Square::new((u8::from(square) ^ mirror).into())))
            });
            let numbers: Vec<_> = numbers.collect();
            assert!(numbers.iter().all(|number| number == &numbers[0]), "{name}: {numbers:?}");
        }
    }

    #[test]
    fn like_men_may_change_places() {
        let indexer = indexer("KBBKN");
        let squares = [Square::C1, Square::H8, Square::D5, Square::E6, Square::A3];
        let mut exchanged = squares;
        exchanged.swap(2, 3);
        assert_eq!(indexer.index(&squares), indexer.index(&exchanged));
    }

    #[test]
    fn moving_one_man_gives_the_number_of_the_whole() {
        for name in ["KQKR", "KBBKN", "KNNNK", "KPPKP"] {
            let indexer = indexer(name);
            for index in (0..indexer.size() as Index).step_by(1009) {
                let squares = indexer.squares(index);
                for place in 2..indexer.men().len() {
                    let mut after = squares;
                    after[place] = Square::new((u32::from(squares[place]) + 8) % 48 + 8);
                    let number = indexer.index(&after);
                    let moved = indexer.index_after(index, &squares, place, after[place]);
                    assert_eq!(moved, number, "{name} {squares:?} {place}");
                    let mut among = Vec::new();
                    let only = Bitboard::from_square(after[place]);
                    indexer.each_index_after(index, &squares, place, only, |number| among.push(number));
                    assert_eq!(among, Vec::from_iter(number), "{name} {squares:?} {place}");
                }
            }
        }
    }
}
