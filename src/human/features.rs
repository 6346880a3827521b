//! What catches a person's eye: a position and its moves as lists of numbered features. Everything is seen by the mover, as
//! if he had White.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Chess, Color, Move, MoveList, Position, Role, Square, attacks};

use crate::{
    game::LeadUp,
    search::{CheckInfo, see_ge},
};

/// Numbers a family of features from `start` on.
macro_rules! families {
    ($total:ident: $($name:ident = $count:expr),+ $(,)?) => {
        families!(@ 0; $($name = $count,)+ => $total);
    };
    (@ $start:expr; $name:ident = $count:expr, $($rest:tt)*) => {
        const $name: usize = $start;
        families!(@ $name + $count; $($rest)*);
    };
    (@ $start:expr; => $total:ident) => {
        /// How many features there are.
        pub(super) const $total: usize = $start;
    };
}

const SQUARES: usize = 64;
const ROLES: usize = 6;
/// Elo is a feature between two neighbours of these.
const ELO_STEPS: [f32; 11] =
    [800.0, 1000.0, 1200.0, 1400.0, 1600.0, 1800.0, 2000.0, 2200.0, 2400.0, 2600.0, 2800.0];
/// So is the number of the move.
const MOVE_STEPS: [f32; 8] = [1.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 60.0];
/// So is the balance of material, in pawns.
const MATERIAL_STEPS: [f32; 9] = [-9.0, -5.0, -3.0, -1.0, 0.0, 1.0, 3.0, 5.0, 9.0];
/// What an exchange may win or lose, in centipawns: buckets between these.
const EXCHANGES: [i32; 7] = [-400, -200, -50, 0, 50, 200, 400];
/// How many squares more than before a man may see: buckets up to these.
const MOBILITIES: [i32; 6] = [-4, -2, -1, 0, 2, 4];
/// More pieces than this count as this many.
const MOST_PIECES: usize = 14;

families! { POSITION_FEATURES:
    MEN = 2 * ROLES * SQUARES,
    HANGING = 2 * ROLES * SQUARES,
    LAST_FROM = SQUARES,
    LAST_TO = SQUARES,
    LAST_CAPTURE = 1,
    OWN_FROM = SQUARES,
    OWN_TO = SQUARES,
    CASTLING = 4,
    EN_PASSANT = 8,
    IN_CHECK = 1,
    PIECES = MOST_PIECES + 1,
    ELO = ELO_STEPS.len(),
    MOVE_NUMBER = MOVE_STEPS.len(),
    MATERIAL = MATERIAL_STEPS.len(),
    LAST_ROLE = ROLES,
}

families! { MOVE_FEATURES:
    FROM = ROLES * SQUARES,
    TO = ROLES * SQUARES,
    FROM_TO = SQUARES * SQUARES,
    CAPTURE = ROLES * ROLES,
    EXCHANGE = ROLES * (EXCHANGES.len() + 1),
    CHECK = 2 * ROLES,
    MATE = 1,
    PROMOTION = ROLES,
    CASTLE = 2,
    GUARD = 2 * ROLES * (ROLES + 1),
    ESCAPE = 2 * ROLES,
    RECAPTURE = 2,
    TAKES_MOVED = 1,
    THREAT = ROLES * ROLES,
    NEAR_LAST = 8,
    SAME_MAN = ROLES,
    BACK = 1,
    OPEN_FILE = 3,
    PASSER = 8,
    NEAR_KING = ROLES,
    OWN_KING = ROLES * 8,
    PROTECTS = ROLES * ROLES,
    ATTACKED_BY_LAST = ROLES,
    MOBILITY = ROLES * 7,
    UNCOVERS = ROLES,
    FORK = ROLES * 3,
    LEVER = 3,
    DRIVEN_OFF = ROLES,
    LEAVES = ROLES,
    STILL_HANGS = ROLES + 1,
    MEN_HANG = 3,
    WINS = ROLES + 1,
}

/// Features of a position with how much of each there is.
pub(super) type PositionFeatures = ArrayVec<(u16, f32), 128>;
/// Features of a move.
pub(super) type MoveFeatures = ArrayVec<u16, 32>;

/// A decision as the network sees it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) position: PositionFeatures,
    pub(super) moves: Vec<MoveFeatures>,
}

impl Scene {
    /// A position, how it came about, its legal moves in their order, and the Elo of the mover.
    pub fn new(position: &Chess, lead_up: LeadUp, moves: &MoveList, elo: f64) -> Scene {
        let eye = Eye::new(position, lead_up);
        Scene { position: eye.position(elo as f32), moves: moves.iter().map(|&m| eye.m(m)).collect() }
    }
}

/// What is worked out once for all moves of a position.
struct Eye<'a> {
    position: &'a Chess,
    board: &'a Board,
    us: Color,
    lead_up: LeadUp,
    checks: CheckInfo,
    /// Men of either side that could be taken with profit, as far as one look tells.
    hanging: Bitboard,
    enemy_king: Square,
    own_king: Square,
    /// Own men that the opponent's last move attacks.
    attacked_by_last: Bitboard,
}

/// Whether a man is attacked by a lesser one, or attacked and not protected.
fn hangs(board: &Board, square: Square, role: Role, side: Color) -> bool {
    let attackers = board.attacks_to(square, !side, board.occupied());
    if attackers.is_empty() || role == Role::King {
        return false;
    }
    let lesser = match role {
        Role::Queen => board.rooks() | board.bishops() | board.knights() | board.pawns(),
        Role::Rook => board.bishops() | board.knights() | board.pawns(),
        Role::Bishop | Role::Knight => board.pawns(),
        Role::Pawn | Role::King => Bitboard::EMPTY,
    };
    (attackers & lesser).any() || board.attacks_to(square, side, board.occupied()).is_empty()
}

fn index(role: Role) -> usize {
    role as usize - 1
}

/// Two neighbouring steps, each by how near the value is.
fn between(value: f32, steps: &[f32], first: usize, features: &mut PositionFeatures) {
    let value = value.clamp(steps[0], steps[steps.len() - 1]);
    let above = steps.iter().position(|&step| step >= value).unwrap_or(steps.len() - 1).max(1);
    let share = (value - steps[above - 1]) / (steps[above] - steps[above - 1]);
    features.push(((first + above - 1) as u16, 1.0 - share));
    features.push(((first + above) as u16, share));
}

impl<'a> Eye<'a> {
    fn new(position: &'a Chess, lead_up: LeadUp) -> Eye<'a> {
        let board = position.board();
        let hanging = board
            .clone()
            .into_iter()
            .filter(|&(square, piece)| hangs(board, square, piece.role, piece.color))
            .map(|(square, _)| square)
            .collect();
        let us = position.turn();
        let enemy_king = board.king_of(!us).unwrap_or(Square::A1);
        let own_king = board.king_of(us).unwrap_or(Square::A1);
        let attacked_by_last = lead_up.last.map_or(Bitboard::EMPTY, |last| board.attacks_from(last.to));
        let checks = CheckInfo::new(position);
        Eye { position, board, us, lead_up, checks, hanging, enemy_king, own_king, attacked_by_last }
    }

    /// A square as the mover sees it.
    fn square(&self, square: Square) -> usize {
        self.us.fold_wb(square, square.flip_vertical()) as usize
    }

    fn position(&self, elo: f32) -> PositionFeatures {
        let mut features = PositionFeatures::new();
        let mut add = |feature: usize| features.push((feature as u16, 1.0));
        for (square, piece) in self.board.clone() {
            let man = (usize::from(piece.color != self.us) * ROLES + index(piece.role)) * SQUARES
                + self.square(square);
            add(MEN + man);
            if self.hanging.contains(square) {
                add(HANGING + man);
            }
        }
        if let Some(last) = self.lead_up.last {
            add(LAST_FROM + self.square(last.from));
            add(LAST_TO + self.square(last.to));
            if last.capture {
                add(LAST_CAPTURE);
            }
            if let Some(role) = self.board.role_at(last.to) {
                add(LAST_ROLE + index(role));
            }
        }
        if let Some(own) = self.lead_up.own {
            add(OWN_FROM + self.square(own.from));
            add(OWN_TO + self.square(own.to));
        }
        for (number, side) in [self.us, !self.us].into_iter().enumerate() {
            for (far, wing) in shakmaty::CastlingSide::ALL.into_iter().enumerate() {
                if self.position.castles().has(side, wing) {
                    add(CASTLING + 2 * number + far);
                }
            }
        }
        if let Some(square) = self.position.maybe_ep_square() {
            add(EN_PASSANT + square.file() as usize);
        }
        if self.position.is_check() {
            add(IN_CHECK);
        }
        let pieces = (self.board.occupied() & !self.board.pawns() & !self.board.kings()).count();
        add(PIECES + pieces.min(MOST_PIECES));
        between(elo, &ELO_STEPS, ELO, &mut features);
        between(self.position.fullmoves().get() as f32, &MOVE_STEPS, MOVE_NUMBER, &mut features);
        between(self.balance(), &MATERIAL_STEPS, MATERIAL, &mut features);
        features
    }

    /// What the mover has more than the other side, in pawns.
    fn balance(&self) -> f32 {
        let worth = |side: Color| {
            let men = self.board.material_side(side);
            let [pawns, knights, bishops, rooks, queens] =
                [men.pawn, men.knight, men.bishop, men.rook, men.queen].map(f32::from);
            pawns + 3.0 * (knights + bishops) + 5.0 * rooks + 9.0 * queens
        };
        worth(self.us) - worth(!self.us)
    }

    fn m(&self, m: Move) -> MoveFeatures {
        let (role, to) = (m.role(), m.to());
        let Some(from) = m.from() else { return MoveFeatures::new() };
        let (man, us, board) = (index(role), self.us, self.board);
        let mut features = MoveFeatures::new();
        let mut add = |feature: usize| features.push(feature as u16);
        add(FROM + man * SQUARES + self.square(from));
        if let Move::Castle { king, rook } = m {
            add(CASTLE + usize::from(rook < king));
            add(CHECK + usize::from(self.checks.gives_check(self.position, m)));
            return features;
        }
        add(TO + man * SQUARES + self.square(to));
        add(FROM_TO + self.square(from) * SQUARES + self.square(to));
        if let Some(taken) = m.capture() {
            add(CAPTURE + man * ROLES + index(taken));
        }
        let exchange = EXCHANGES.partition_point(|&gain| see_ge(self.position, m, gain));
        add(EXCHANGE + man * (EXCHANGES.len() + 1) + exchange);
        let sound = EXCHANGES[..exchange].last().is_some_and(|&gain| gain >= 0);
        if self.checks.gives_check(self.position, m) {
            add(CHECK + 2 * man + usize::from(sound));
            let mut after = self.position.clone();
            after.play_unchecked(m);
            if after.is_checkmate() {
                add(MATE);
            }
        }
        if let Some(promotion) = m.promotion() {
            add(PROMOTION + index(promotion));
        }

        let occupied = board.occupied().without(from);
        let attackers = board.attacks_to(to, !us, occupied);
        let least = Role::ALL.into_iter().find(|&role| (attackers & board.by_role(role)).any());
        let guarded = board.attacks_to(to, us, occupied).without(from).any();
        add(GUARD + (man * 2 + usize::from(guarded)) * (ROLES + 1) + least.map_or(0, |role| index(role) + 1));
        if self.hanging.contains(from) {
            add(ESCAPE + 2 * man + usize::from(sound));
        }
        if let Some(last) = self.lead_up.last {
            if last.to == to && m.is_capture() {
                add(if last.capture { RECAPTURE + usize::from(sound) } else { TAKES_MOVED });
            }
            add(NEAR_LAST + last.to.distance(to) as usize);
        }
        if let Some(own) = self.lead_up.own
            && own.to == from
        {
            add(SAME_MAN + man);
            if own.from == to {
                add(BACK);
            }
        }
        let placed = m.promotion().unwrap_or(role);
        let seen = attacks::attacks(to, shakmaty::Piece { color: us, role: placed }, occupied.with(to));
        let targets = seen & board.by_color(!us);
        let greatest = Role::ALL.into_iter().rev().skip(1).find(|&target| {
            let men = targets & board.by_role(target);
            men.into_iter()
                .any(|square| target > placed || board.attacks_to(square, !us, occupied.with(to)).is_empty())
        });
        if let Some(target) = greatest {
            add(THREAT + man * ROLES + index(target));
        }
        let file = Bitboard::from_file(to.file()) & board.pawns();
        if role == Role::Rook {
            let own = (file & board.by_color(us)).any();
            add(OPEN_FILE + if own { 0 } else { 1 + usize::from(file.is_empty()) });
        }
        if role == Role::Pawn && self.is_passed(to) {
            add(PASSER + self.square(to) / 8);
        }
        if to.distance(self.enemy_king) <= 2 {
            add(NEAR_KING + man);
        }
        if role != Role::King {
            add(OWN_KING + man * 8 + to.distance(self.own_king) as usize);
        }
        let greatest_of = |men: Bitboard| {
            Role::ALL.into_iter().rev().find(|&role| (men & board.by_role(role)).any()).map(index)
        };
        let own = board.by_color(us).without(from);
        if let Some(protected) = greatest_of(seen & own & self.hanging) {
            add(PROTECTS + man * ROLES + protected);
        }
        if self.attacked_by_last.contains(from) {
            add(ATTACKED_BY_LAST + man);
        }
        let before = attacks::attacks(from, shakmaty::Piece { color: us, role }, board.occupied());
        let gain = seen.count() as i32 - before.count() as i32;
        add(MOBILITY + man * 7 + MOBILITIES.partition_point(|&most| most < gain));
        // Lines that open behind the man that leaves.
        let sliders = (attacks::bishop_attacks(from, board.occupied()) & own & board.bishops_and_queens())
            | (attacks::rook_attacks(from, board.occupied()) & own & board.rooks_and_queens());
        let uncovered = sliders.into_iter().fold(Bitboard::EMPTY, |all, slider| {
            if attacks::aligned(from, to, slider) {
                return all;
            }
            let ray = attacks::ray(slider, from);
            let piece = shakmaty::Piece { color: us, role: board.role_at(slider).unwrap_or(Role::Queen) };
            all | attacks::attacks(slider, piece, occupied.with(to)) & ray & !attacks::between(slider, from)
        });
        if let Some(target) = greatest_of(uncovered & board.by_color(!us)) {
            add(UNCOVERS + target);
        }
        let worthwhile = targets & !board.pawns();
        add(FORK + man * 3 + worthwhile.count().min(2));
        if role == Role::Pawn {
            let levers = (targets & board.pawns()).any();
            let supports = (seen & own & board.pawns()).any();
            if levers || supports {
                add(LEVER + usize::from(supports) + usize::from(levers && supports));
            }
        }
        if role != Role::Pawn {
            // A pawn that could attack it at the next move.
            let guards = attacks::pawn_attacks(us, to) & !board.occupied();
            let pawns = board.pawns() & board.by_color(!us);
            let steps = guards.into_iter().filter_map(|square| square.offset(us.fold_wb(8, -8)));
            if steps.into_iter().any(|square| pawns.contains(square)) {
                add(DRIVEN_OFF + man);
            }
        }
        // What was only protected from where the man stood.
        let left = before & own & !seen & !self.hanging;
        let exposed = left.into_iter().filter(|&square| {
            board.attacks_to(square, !us, occupied).any()
                && board.attacks_to(square, us, occupied.with(to)).without(from).is_empty()
        });
        if let Some(role) = greatest_of(exposed.collect()) {
            add(LEAVES + role);
        }
        let mut after = self.position.clone();
        after.play_unchecked(m);
        let after = after.board();
        let hang = |side: Color| -> Bitboard {
            let men = after.by_color(side).into_iter();
            men.filter(|&square| after.role_at(square).is_some_and(|role| hangs(after, square, role, side)))
                .collect()
        };
        let greatest_after = |men: Bitboard| {
            let found = Role::ALL.into_iter().rev().find(|&role| (men & after.by_role(role)).any());
            found.map_or(0, |role| index(role) + 1)
        };
        let (ours, theirs) = (hang(us), hang(!us));
        add(STILL_HANGS + greatest_after(ours));
        add(MEN_HANG + ours.count().min(2));
        add(WINS + greatest_after(theirs));
        features
    }

    /// Whether no pawn of the other side stands in the way of a pawn, or guards it.
    fn is_passed(&self, square: Square) -> bool {
        let pawns = self.board.pawns() & self.board.by_color(!self.us);
        pawns.into_iter().all(|pawn| {
            let ahead = self.square(pawn) / 8 > self.square(square) / 8;
            !ahead || pawn.file().distance(square.file()) > 1
        })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;
    use crate::game::Game;

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Chess::default());
        for word in moves.split_whitespace() {
            let m = San::from_ascii(word.as_bytes()).unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        game
    }

    fn scene(game: &Game) -> Scene {
        Scene::new(game.position(), game.lead_up(), &game.position().legal_moves(), 1500.0)
    }

    #[test]
    fn white_and_black_see_the_same_where_the_board_is_turned() {
        // The same position with colours exchanged: White has lost a move.
        let (white, black) = (game("e4 e5 Nf3 Nc6"), game("e3 e5 e4 Nf6 Nc3"));
        let men = |scene: &Scene| {
            let mut men: Vec<u16> = scene
                .position
                .iter()
                .map(|feature| feature.0)
                .filter(|&f| usize::from(f) < HANGING)
                .collect();
            men.sort_unstable();
            men
        };
        assert_eq!(men(&scene(&white)), men(&scene(&black)));
    }

    #[test]
    fn all_numbers_are_in_range_whatever_happens() {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        for _ in 0..30 {
            let mut game = Game::new(Chess::default());
            for _ in 0..150 {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let scene = scene(&game);
                assert_eq!(scene.moves.len(), moves.len());
                assert!(scene.position.iter().all(|feature| usize::from(feature.0) < POSITION_FEATURES));
                assert!(scene.moves.iter().flatten().all(|&feature| usize::from(feature) < MOVE_FEATURES));
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn a_recapture_is_seen_as_one() {
        let game = game("e4 d5 exd5");
        let (scene, moves) = (scene(&game), game.position().legal_moves());
        let takes = moves.iter().position(|m| m.role() == Role::Queen && m.is_capture()).unwrap();
        assert!(scene.moves[takes].contains(&((RECAPTURE + 1) as u16)));
    }
}
