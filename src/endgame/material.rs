use std::{cmp::Reverse, fmt, str::FromStr};

use shakmaty::{Board, Color, Piece, Role};

/// The most men a table can have, kings included.
pub const MAX_MEN: usize = 5;

/// Roles from strong to weak, without the king: the order in which men are named.
const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The men of an endgame: King, Queen v King, Rook is `KQKR`.
///
/// Which side is called White does not matter: `KRKQ` names the same material. The side with more
/// men, or else with the stronger ones, comes first and is White in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// How many of each of [`ROLES`] the first and the second side have.
    sides: [Side; 2],
}

type Side = [u8; 5];

fn men(side: &Side) -> u8 {
    side.iter().sum()
}

fn rank(side: &Side) -> impl Ord + use<> {
    (men(side), *side)
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
    fn from_sides(first: Side, second: Side) -> Material {
        let mut sides = [first, second];
        sides.sort_by_key(|side| Reverse(rank(side)));
        Material { sides }
    }

    /// The material on a board, and whether Black is its first side. None if there are too many men.
    pub fn of(board: &Board) -> Option<(Material, bool)> {
        if board.occupied().count() > MAX_MEN {
            return None;
        }
        let side = |color| ROLES.map(|role| (board.by_color(color) & board.by_role(role)).count() as u8);
        let (white, black) = (side(Color::White), side(Color::Black));
        Some((Material::from_sides(white, black), rank(&black) > rank(&white)))
    }

    /// The number of men, kings included.
    pub fn men(self) -> usize {
        2 + usize::from(men(&self.sides[0]) + men(&self.sides[1]))
    }

    /// Whether there are pawns.
    pub fn has_pawns(self) -> bool {
        self.sides.iter().any(|side| side[4] > 0)
    }

    /// Whether both sides have pawns, so that they may capture in passing.
    pub fn has_opposing_pawns(self) -> bool {
        self.sides.iter().all(|side| side[4] > 0)
    }

    /// Whether both sides have the same men.
    pub fn is_balanced(self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// All men, the first side being White: both kings, then White's others from strong to weak, then Black's.
    pub fn pieces(self) -> Vec<Piece> {
        let mut pieces = vec![Color::White.king(), Color::Black.king()];
        for (side, color) in self.sides.iter().zip([Color::White, Color::Black]) {
            for (role, &count) in ROLES.into_iter().zip(side) {
                pieces.extend(std::iter::repeat_n(role.of(color), usize::from(count)));
            }
        }
        pieces
    }

    /// The material after these pieces, whose first side is White, and whether Black is its first side.
    pub(super) fn of_pieces(pieces: impl IntoIterator<Item = Piece>) -> (Material, bool) {
        let mut sides = [Side::default(); 2];
        for piece in pieces {
            if let Some(kind) = ROLES.into_iter().position(|role| role == piece.role) {
                sides[usize::from(piece.color == Color::Black)][kind] += 1;
            }
        }
        let [white, black] = sides;
        (Material::from_sides(white, black), rank(&black) > rank(&white))
    }

    /// Every material that a single capture or promotion, or both at once, can lead to. Bare kings are left out.
    pub fn subgames(self) -> Vec<Material> {
        let mut found = Vec::new();
        for mover in 0..2 {
            let promotions = (self.sides[mover][4] > 0).then_some(0..4).into_iter().flatten().map(Some);
            for promotion in promotions.chain([None]) {
                for victim in (0..5).filter(|&kind| self.sides[1 - mover][kind] > 0).map(Some).chain([None]) {
                    let mut sides = self.sides;
                    if let Some(kind) = promotion {
                        sides[mover][4] -= 1;
                        sides[mover][kind] += 1;
                    }
                    if let Some(kind) = victim {
                        sides[1 - mover][kind] -= 1;
                    }
                    let material = Material::from_sides(sides[0], sides[1]);
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

    /// All materials with so many men, in order of their names' strength.
    pub fn with_men(men: usize) -> Vec<Material> {
        let others = men.saturating_sub(2);
        let mut found = Vec::new();
        for first in 0..=others {
            for white in sides_of(first) {
                found.extend(
                    sides_of(others - first).into_iter().map(|black| Material::from_sides(white, black)),
                );
            }
        }
        found.sort_by_key(|material| Reverse(*material));
        found.dedup();
        found
    }

    /// A small number that tells materials of up to [`MAX_MEN`] men apart, below [`Material::SLOTS`].
    pub(super) fn slot(self) -> usize {
        SIDE_SLOTS * side_slot(&self.sides[0]) + side_slot(&self.sides[1])
    }

    /// The number of different [`Material::slot`]s.
    pub(super) const SLOTS: usize = SIDE_SLOTS * SIDE_SLOTS;
}

/// Sides with up to three men besides the king: 3 of 8 in the stars-and-bars sense.
const SIDE_SLOTS: usize = 56;

/// Numbers the multisets of up to three men.
fn side_slot(side: &Side) -> usize {
    let mut kinds = [5usize; 3];
    let mut next = 0;
    for (kind, &count) in side.iter().enumerate() {
        for _ in 0..count {
            kinds[next] = kind;
            next += 1;
        }
    }
    // Combinatorial numbers of the weakly increasing triple, made strict by adding 0, 1, 2.
    let [a, b, c] = [kinds[0], kinds[1] + 1, kinds[2] + 2];
    a + b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6
}

/// All ways to give one side so many men besides its king.
fn sides_of(men: usize) -> Vec<Side> {
    let mut found = vec![(Side::default(), 0)];
    for _ in 0..men {
        found = found
            .into_iter()
            .flat_map(|(side, from)| {
                (from..5).map(move |kind| {
                    let mut side = side;
                    side[kind] += 1;
                    (side, kind)
                })
            })
            .collect();
    }
    found.into_iter().map(|(side, _)| side).collect()
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let malformed = || MaterialError::Malformed(text.to_owned());
        let upper = text.to_ascii_uppercase().replace('V', "");
        let rest = upper.strip_prefix('K').ok_or_else(malformed)?;
        let (white, black) = rest.split_once('K').ok_or_else(malformed)?;
        let side = |men: &str| -> Result<Side, MaterialError> {
            let mut side = Side::default();
            for letter in men.chars() {
                let role = Role::from_char(letter.to_ascii_lowercase()).ok_or_else(malformed)?;
                let kind = ROLES.into_iter().position(|known| known == role).ok_or_else(malformed)?;
                side[kind] += 1;
            }
            Ok(side)
        };
        let count = 2 + white.chars().count() + black.chars().count();
        let sides = (side(white)?, side(black)?);
        if !(3..=MAX_MEN).contains(&count) {
            return Err(MaterialError::Men(text.to_owned(), count));
        }
        Ok(Material::from_sides(sides.0, sides.1))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for side in &self.sides {
            name.push('K');
            for (role, &count) in ROLES.into_iter().zip(side) {
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
