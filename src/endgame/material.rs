use std::{cmp::Reverse, fmt, str::FromStr};

use shakmaty::{Board, Color, Piece, Role};

/// The most men a table can have, kings included.
pub const MAX_MEN: usize = 5;

/// Roles from strong to weak, without the king: the order in which men are named.
const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// How many of each of [`ROLES`] a side has.
type MenBySide = [u8; 5];

/// Sides with up to three men besides the king.
const SIDES: usize = 56;

/// All sides, from weak to strong: first by the number of men, then by the strength of the strongest.
static BY_STRENGTH: [MenBySide; SIDES] = sides_by_strength();

/// The place of a side in [`BY_STRENGTH`], by its [`key`].
static STRENGTH: [u8; 1024] = strengths();

/// A number for a side with up to three men of each role.
const fn key(side: &MenBySide) -> usize {
    side[0] as usize
        | (side[1] as usize) << 2
        | (side[2] as usize) << 4
        | (side[3] as usize) << 6
        | (side[4] as usize) << 8
}

const fn men(side: &MenBySide) -> u8 {
    side[0] + side[1] + side[2] + side[3] + side[4]
}

const fn sides_by_strength() -> [MenBySide; SIDES] {
    let mut sides = [[0; 5]; SIDES];
    let mut found = 0;
    let mut count = 0;
    while count <= 3 {
        // Sides as numbers in base 4, strongest role first, rise with strength.
        let mut number = 0;
        while number < 1024 {
            let side: MenBySide = [
                (number >> 8 & 3) as u8,
                (number >> 6 & 3) as u8,
                (number >> 4 & 3) as u8,
                (number >> 2 & 3) as u8,
                (number & 3) as u8,
            ];
            if men(&side) == count {
                sides[found] = side;
                found += 1;
            }
            number += 1;
        }
        count += 1;
    }
    sides
}

const fn strengths() -> [u8; 1024] {
    let mut strengths = [u8::MAX; 1024];
    let sides = sides_by_strength();
    let mut place = 0;
    while place < SIDES {
        strengths[key(&sides[place])] = place as u8;
        place += 1;
    }
    strengths
}

/// The men of an endgame: King, Queen v King, Rook is `KQKR`.
///
/// Which side is called White does not matter: `KRKQ` names the same material. The side with more
/// men, or else with the stronger ones, comes first and is White in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Places of both sides in [`BY_STRENGTH`], the stronger one first.
    first: u8,
    second: u8,
}

/// Why a word does not name an endgame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// Not two sides with a king each and men after them.
    #[error("'{0}' names no endgame: write each side's men from its king on, as in KQKR or KBBKN")]
    Malformed(String),
    /// Fewer than 3 or more than 5 men.
    #[error("'{0}' has {1} men: tables can be made for 3 to 5")]
    Men(String, usize),
}

impl Material {
    /// The material of two sides, and whether the second is the stronger.
    #[inline]
    fn from_sides(white: &MenBySide, black: &MenBySide) -> (Material, bool) {
        let (white, black) = (STRENGTH[key(white)], STRENGTH[key(black)]);
        (Material { first: white.max(black), second: white.min(black) }, black > white)
    }

    fn sides(self) -> [MenBySide; 2] {
        [self.first, self.second].map(|place| BY_STRENGTH[usize::from(place)])
    }

    /// The material on a board, and whether Black is its first side. None if there are too many men.
    #[inline]
    pub fn of(board: &Board) -> Option<(Material, bool)> {
        if board.occupied().count() > MAX_MEN {
            return None;
        }
        let side = |color| ROLES.map(|role| (board.by_color(color) & board.by_role(role)).count() as u8);
        Some(Material::from_sides(&side(Color::White), &side(Color::Black)))
    }

    /// The number of men, kings included.
    pub fn men(self) -> usize {
        2 + self.sides().iter().map(|side| usize::from(men(side))).sum::<usize>()
    }

    /// Whether there are pawns.
    pub fn has_pawns(self) -> bool {
        self.sides().iter().any(|side| side[4] > 0)
    }

    /// Whether both sides have pawns, so that they may capture in passing.
    pub fn has_opposing_pawns(self) -> bool {
        self.sides().iter().all(|side| side[4] > 0)
    }

    /// Whether both sides have the same men.
    pub fn is_balanced(self) -> bool {
        self.first == self.second
    }

    /// All men, the first side being White: both kings, then White's others from strong to weak, then Black's.
    pub fn pieces(self) -> Vec<Piece> {
        let mut pieces = vec![Color::White.king(), Color::Black.king()];
        for (side, color) in self.sides().into_iter().zip([Color::White, Color::Black]) {
            for (role, count) in ROLES.into_iter().zip(side) {
                pieces.extend(std::iter::repeat_n(role.of(color), usize::from(count)));
            }
        }
        pieces
    }

    /// The material after these pieces, whose first side is White, and whether Black is its first side.
    pub(super) fn of_pieces(pieces: impl IntoIterator<Item = Piece>) -> (Material, bool) {
        let mut sides = [MenBySide::default(); 2];
        for piece in pieces {
            if let Some(kind) = ROLES.into_iter().position(|role| role == piece.role) {
                sides[usize::from(piece.color == Color::Black)][kind] += 1;
            }
        }
        Material::from_sides(&sides[0], &sides[1])
    }

    /// Every material that a single capture or promotion, or both at once, can lead to. Bare kings are left out.
    pub fn subgames(self) -> Vec<Material> {
        let ours = self.sides();
        let mut found = Vec::new();
        for mover in 0..2 {
            let promotions = (ours[mover][4] > 0).then_some(0..4).into_iter().flatten().map(Some);
            for promotion in promotions.chain([None]) {
                for victim in (0..5).filter(|&kind| ours[1 - mover][kind] > 0).map(Some).chain([None]) {
                    let mut sides = ours;
                    if let Some(kind) = promotion {
                        sides[mover][4] -= 1;
                        sides[mover][kind] += 1;
                    }
                    if let Some(kind) = victim {
                        sides[1 - mover][kind] -= 1;
                    }
                    let (material, _) = Material::from_sides(&sides[0], &sides[1]);
                    if material != self && material.men() > 2 {
                        found.push(material);
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// This material and all that can arise from it, each after those that it needs.
    pub fn closure(self) -> Vec<Material> {
        fn visit(material: Material, ordered: &mut Vec<Material>) {
            if !ordered.contains(&material) {
                for subgame in material.subgames() {
                    visit(subgame, ordered);
                }
                ordered.push(material);
            }
        }
        let mut ordered = Vec::new();
        visit(self, &mut ordered);
        ordered
    }

    /// All materials with so many men, from strong to weak.
    pub fn with_men(men: usize) -> Vec<Material> {
        let all =
            (0..SIDES as u8).flat_map(|first| (0..=first).map(move |second| Material { first, second }));
        let mut found: Vec<_> = all.filter(|material| material.men() == men).collect();
        found.sort_by_key(|material| Reverse(*material));
        found
    }

    /// A small number that tells materials apart, below [`Material::SLOTS`].
    pub(super) fn slot(self) -> usize {
        SIDES * usize::from(self.first) + usize::from(self.second)
    }

    /// The number of different [`Material::slot`]s.
    pub(super) const SLOTS: usize = SIDES * SIDES;
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let malformed = || MaterialError::Malformed(text.to_owned());
        let upper = text.to_ascii_uppercase().replace('V', "");
        let rest = upper.strip_prefix('K').ok_or_else(malformed)?;
        let (white, black) = rest.split_once('K').ok_or_else(malformed)?;
        let side = |men: &str| -> Result<MenBySide, MaterialError> {
            let mut side = MenBySide::default();
            for letter in men.chars() {
                let role = Role::from_char(letter.to_ascii_lowercase()).ok_or_else(malformed)?;
                let kind = ROLES.into_iter().position(|known| known == role).ok_or_else(malformed)?;
                side[kind] += 1;
            }
            Ok(side)
        };
        let sides = [side(white)?, side(black)?];
        let count = 2 + white.len() + black.len();
        if !(3..=MAX_MEN).contains(&count) {
            return Err(MaterialError::Men(text.to_owned(), count));
        }
        Ok(Material::from_sides(&sides[0], &sides[1]).0)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for side in self.sides() {
            name.push('K');
            for (role, count) in ROLES.into_iter().zip(side) {
                name.extend(std::iter::repeat_n(role.upper_char(), usize::from(count)));
            }
        }
        f.pad(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn a_material_has_one_name_whichever_side_is_named_first() {
        for (given, name) in [("KQKR", "KQKR"), ("krkq", "KQKR"), ("KNKBB", "KBBKN"), ("KBRvKR", "KRBKR")] {
            assert_eq!(material(given).to_string(), name);
        }
    }

    #[test]
    fn words_that_name_no_endgame_are_refused() {
        for word in ["", "Q", "KXKR", "QKRK", "KQR", "KQKKR"] {
            assert!(matches!(word.parse::<Material>(), Err(MaterialError::Malformed(_))), "{word}");
        }
        assert_eq!("KQQQQK".parse::<Material>(), Err(MaterialError::Men("KQQQQK".into(), 6)));
        assert_eq!("KK".parse::<Material>(), Err(MaterialError::Men("KK".into(), 2)));
    }

    #[test]
    fn there_are_5_materials_of_3_men_30_of_4_and_110_of_5() {
        assert_eq!([3, 4, 5].map(|men| Material::with_men(men).len()), [5, 30, 110]);
    }

    #[test]
    fn slots_tell_materials_apart() {
        let mut slots: Vec<_> = (3..=5).flat_map(Material::with_men).map(Material::slot).collect();
        let materials = slots.len();
        slots.sort();
        slots.dedup();
        assert_eq!(slots.len(), materials);
        assert!(slots.iter().all(|&slot| slot < Material::SLOTS));
    }

    #[test]
    fn subgames_come_first_in_a_closure() {
        let closure = material("KPKP").closure();
        assert_eq!(closure.last(), Some(&material("KPKP")));
        for (place, material) in closure.iter().enumerate() {
            assert!(material.subgames().iter().all(|subgame| closure[..place].contains(subgame)));
        }
        assert!(closure.contains(&material("KQKN")));
    }
}
