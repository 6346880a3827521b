//! The names of all weights, and their indices in one flat list.

/// How the weights of a group are numbered or named.
pub(super) enum Labels {
    /// The group is a single weight.
    One,
    Names(&'static [&'static str]),
    /// The squares of files a to d; the other half of the board mirrors them.
    HalfBoard,
    /// By number, from the first to the last.
    Numbers(usize, usize),
}

/// Weights that belong together, one after the other in the list.
pub(super) struct TermGroup {
    pub name: &'static str,
    pub labels: Labels,
}

impl TermGroup {
    const fn len(&self) -> usize {
        match self.labels {
            Labels::One => 1,
            Labels::Names(names) => names.len(),
            Labels::HalfBoard => 32,
            Labels::Numbers(first, last) => last - first + 1,
        }
    }

    /// The name of its `index`th weight.
    fn label(&self, index: usize) -> String {
        match self.labels {
            Labels::One => self.name.to_owned(),
            Labels::Names(names) => format!("{}.{}", self.name, names[index]),
            Labels::HalfBoard => {
                let file = ['a', 'b', 'c', 'd'][index % 4];
                format!("{}.{file}{}", self.name, index / 4 + 1)
            }
            Labels::Numbers(first, _) => format!("{}.{}", self.name, first + index),
        }
    }
}

/// The index of a group's first weight.
const fn start(group: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < group {
        sum += GROUPS[i].len();
        i += 1;
    }
    sum
}

macro_rules! groups {
    ($($(#[$doc:meta])* $place:ident = $name:literal, $labels:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum GroupIndex { $($place),* }

        pub(super) const GROUPS: &[TermGroup] = &[$(TermGroup { name: $name, labels: $labels }),*];

        $($(#[$doc])* pub(super) const $place: usize = start(GroupIndex::$place as usize);)*
    };
}

const ROLES: &[&str] = &["pawn", "knight", "bishop", "rook", "queen"];
const PIECES: &[&str] = &["knight", "bishop", "rook", "queen"];

groups! {
    MATERIAL = "material", Labels::Names(ROLES);
    SQUARE_PAWN = "square.pawn", Labels::HalfBoard;
    SQUARE_KNIGHT = "square.knight", Labels::HalfBoard;
    SQUARE_BISHOP = "square.bishop", Labels::HalfBoard;
    SQUARE_ROOK = "square.rook", Labels::HalfBoard;
    SQUARE_QUEEN = "square.queen", Labels::HalfBoard;
    SQUARE_KING = "square.king", Labels::HalfBoard;
    MOBILITY_KNIGHT = "mobility.knight", Labels::Numbers(0, 8);
    MOBILITY_BISHOP = "mobility.bishop", Labels::Numbers(0, 13);
    MOBILITY_ROOK = "mobility.rook", Labels::Numbers(0, 14);
    MOBILITY_QUEEN = "mobility.queen", Labels::Numbers(0, 27);

    PAWN_ISOLATED = "pawn.isolated", Labels::One;
    PAWN_ISOLATED_OPEN = "pawn.isolated_open", Labels::One;
    PAWN_DOUBLED = "pawn.doubled", Labels::One;
    PAWN_BACKWARD = "pawn.backward", Labels::One;
    PAWN_BACKWARD_OPEN = "pawn.backward_open", Labels::One;
    /// Any piece stands right in front of it.
    PAWN_BLOCKED = "pawn.blocked", Labels::One;
    /// Another pawn stands beside it; by rank.
    PAWN_PHALANX = "pawn.phalanx", Labels::Numbers(2, 7);
    PAWN_SUPPORTED = "pawn.supported", Labels::Numbers(2, 7);

    /// On an open file, with as many own pawns beside or behind it as enemy pawns that could stop it; by rank.
    PAWN_CANDIDATE = "pawn.candidate", Labels::Numbers(2, 7);

    PASSED = "passed.rank", Labels::Numbers(2, 7);
    PASSED_PROTECTED = "passed.protected", Labels::One;
    PASSED_BLOCKED = "passed.blocked", Labels::Numbers(2, 7);
    /// The enemy does not attack the square in front of it.
    PASSED_SAFE_STEP = "passed.safe_step", Labels::Numbers(2, 7);
    /// Its way to promotion is empty and not attacked.
    PASSED_FREE_WAY = "passed.free_way", Labels::Numbers(2, 7);
    /// The king's distance to the square in front of it; only from rank 4 on.
    PASSED_OWN_KING = "passed.own_king", Labels::Numbers(0, 7);
    PASSED_ENEMY_KING = "passed.enemy_king", Labels::Numbers(0, 7);
    /// The enemy has pawns only, and his king is outside the square of the pawn.
    PASSED_UNSTOPPABLE = "passed.unstoppable", Labels::One;

    KNIGHT_OUTPOST = "knight.outpost", Labels::One;
    BISHOP_OUTPOST = "bishop.outpost", Labels::One;
    MINOR_BEHIND_PAWN = "minor.behind_pawn", Labels::One;
    BISHOP_PAIR = "bishop.pair", Labels::One;
    /// For each own pawn on squares of the bishop's colour.
    BISHOP_OWN_PAWNS = "bishop.own_pawns", Labels::One;
    BISHOP_LONG_DIAGONAL = "bishop.long_diagonal", Labels::One;
    ROOK_OPEN = "rook.open_file", Labels::One;
    ROOK_HALF_OPEN = "rook.half_open_file", Labels::One;
    ROOK_SEVENTH = "rook.seventh", Labels::One;
    ROOK_BEHIND_OWN_PASSED = "rook.behind_own_passed", Labels::One;
    ROOK_BEHIND_ENEMY_PASSED = "rook.behind_enemy_passed", Labels::One;
    /// Shut in by its own king.
    ROOK_TRAPPED = "rook.trapped", Labels::One;

    /// The nearest own pawn on the king's and the adjacent files, by ranks ahead of the king; 0 for none.
    KING_SHELTER = "king.shelter", Labels::Numbers(0, 6);
    /// The nearest enemy pawn on these files, by ranks ahead of the king; 0 for none.
    KING_STORM = "king.storm", Labels::Numbers(0, 6);
    KING_OPEN = "king.open_file", Labels::One;
    KING_ATTACK_1 = "king.attack.1", Labels::Numbers(0, 9);
    KING_ATTACK_2 = "king.attack.2", Labels::Numbers(0, 9);
    KING_ATTACK_3 = "king.attack.3", Labels::Numbers(0, 9);
    KING_ATTACK_4 = "king.attack.4", Labels::Numbers(0, 9);
    /// Squares around the king that the enemy attacks and only the king defends.
    KING_WEAK = "king.weak_square", Labels::One;
    /// Safe checks.
    KING_CHECK = "king.check", Labels::Names(PIECES);
    /// Two or more pieces attack the king, and the attacker has a queen.
    KING_QUEEN = "king.attacked_with_queen", Labels::One;
    /// 7 less the distance of a piece from the enemy king.
    KING_TROPISM = "king.tropism", Labels::Names(PIECES);

    /// Squares of the own half on the king's flank that the enemy attacks and nobody defends.
    KING_FLANK = "king.open_flank", Labels::One;

    /// Pinned to the king.
    PINNED = "pinned", Labels::Names(PIECES);
    /// For each pawn that stands face to face with an enemy pawn.
    CLOSED = "closed", Labels::Names(PIECES);
    /// Squares that the enemy attacks, but does not protect well, and we attack too.
    RESTRICTED = "restricted", Labels::One;

    THREAT_PAWN = "threat.by_pawn", Labels::Names(PIECES);
    THREAT_PAWN_PUSH = "threat.by_pawn_push", Labels::One;
    THREAT_MINOR = "threat.by_minor", Labels::Names(ROLES);
    THREAT_ROOK = "threat.by_rook", Labels::Names(ROLES);
    THREAT_KING = "threat.by_king", Labels::One;
    THREAT_HANGING = "threat.hanging", Labels::One;

    /// Central squares of the own half without own pawns that no enemy pawn attacks.
    SPACE = "space", Labels::One;
    /// Against a bare king: how near it is to the edge, and how near our king is to it.
    MATING_EDGE = "mating.edge", Labels::One;
    MATING_NEAR = "mating.near", Labels::One;
    TEMPO = "tempo", Labels::One;
}

/// Piece-square tables by role, each seen from its own side.
pub(super) const SQUARES: [usize; 6] =
    [SQUARE_PAWN, SQUARE_KNIGHT, SQUARE_BISHOP, SQUARE_ROOK, SQUARE_QUEEN, SQUARE_KING];
/// Mobility by role from the knight on: by the number of safe squares that a piece can go to.
pub(super) const MOBILITY: [usize; 4] = [MOBILITY_KNIGHT, MOBILITY_BISHOP, MOBILITY_ROOK, MOBILITY_QUEEN];
/// One, two, three, and four or more pieces that attack the king ring: by how many attacks they make.
pub(super) const KING_ATTACKS: [usize; 4] = [KING_ATTACK_1, KING_ATTACK_2, KING_ATTACK_3, KING_ATTACK_4];

/// How many weights there are.
pub(super) const COUNT: usize = start(GROUPS.len());

/// The names of all weights, in order.
pub(super) fn names() -> impl Iterator<Item = String> {
    GROUPS.iter().flat_map(|group| (0..group.len()).map(|index| group.label(index)))
}
