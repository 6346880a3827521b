//! Positions drawn by chance, each of those asked for being as likely as another.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Piece, Role, Square};

use crate::{
    endgame::{self, BlockFileError, Client, Index, Material, MaterialError, Tables, TablesError, Walk},
    model::Metric,
    notation,
};

use super::{opening::Opening, position_spec::RandomSpec};

/// Why no positions can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum LotteryError {
    /// Tables of this material can't be made.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The table is not to be had.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The table can't be read.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// There are none.
    #[error("there is no position '{0}' with the side named first to move")]
    Nothing(String),
}

/// Draws `count` positions, with replacement, uniformly from all positions of the full board that the spec admits by
/// this metric; mirror images count apart. The side named first is White and to move.
pub fn draw(
    spec: &RandomSpec,
    metric: Metric,
    count: usize,
    seed: u64,
    tables: &Tables,
    client: Client<'_>,
) -> Result<Vec<Opening>, LotteryError> {
    let material: Material = spec.material().parse()?;
    let table = tables.require(material, metric, client)?;
    let walk = Walk::new(table, tables)?;
    let mover = if is_first(spec, material) { Color::White } else { Color::Black };
    // One pass counts the positions of each pair of kings, a second finds those drawn.
    let pairs = walk.indexer().king_pairs();
    let counts: Vec<u64> = (0..pairs)
        .into_par_iter()
        .map(|pair| {
            let mut sum = 0;
            each(&walk, spec, mover, pair, |_, images| sum += u64::from(images))?;
            Ok(sum)
        })
        .collect::<Result<_, BlockFileError>>()?;
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return Err(LotteryError::Nothing(spec.to_string()));
    }
    let mut rng = Pcg64::seed_from_u64(seed);
    let tickets: Vec<(u64, u8)> =
        (0..count).map(|_| (rng.random_range(0..total), rng.random_range(0..8))).collect();
    let mut drawn: Vec<Option<Chess>> = vec![None; count];
    let mut begin = 0;
    for (pair, &size) in counts.iter().enumerate() {
        let mut wanted: Vec<(u64, usize)> = (tickets.iter().enumerate())
            .filter(|(_, (ticket, _))| (begin..begin + size).contains(ticket))
            .map(|(place, (ticket, _))| (ticket - begin, place))
            .collect();
        begin += size;
        if wanted.is_empty() {
            continue;
        }
        wanted.sort_unstable();
        let mut wanted = wanted.into_iter().peekable();
        let mut passed = 0;
        each(&walk, spec, mover, pair, |index, images| {
            passed += u64::from(images);
            while let Some((_, place)) = wanted.next_if(|(ticket, _)| *ticket < passed) {
                drawn[place] = position(&walk, index, mover, tickets[place].1);
            }
        })?;
    }
    let name = spec.to_string();
    Ok(drawn.into_iter().flatten().map(|position| Opening::from_position(name.clone(), position)).collect())
}

/// Whether the side named first is White in tables.
fn is_first(spec: &RandomSpec, material: Material) -> bool {
    let mut white: Vec<Role> =
        material.pieces().into_iter().filter(|man| man.color == Color::White).map(|man| man.role).collect();
    let mut first = spec.first.clone();
    white.sort_unstable();
    first.sort_unstable();
    white == first
}

/// Visits the positions of a pair of kings that the spec admits, with the number of their mirror images.
fn each(
    walk: &Walk,
    spec: &RandomSpec,
    mover: Color,
    pair: usize,
    mut visit: impl FnMut(Index, u32),
) -> Result<(), BlockFileError> {
    let per_pair = walk.indexer().per_king_pair();
    for index in pair * per_pair..(pair + 1) * per_pair {
        let index = index as Index;
        // Looking the state up is quicker than setting up the board.
        if spec.admits(walk.table().state(mover, index)?)
            && let Some(board) = walk.board(mover, index)
        {
            visit(index, walk.indexer().images(board.squares()));
        }
    }
    Ok(())
}

/// The position of a number, turned by one of the symmetries of the board, with the mover as White.
fn position(walk: &Walk, index: Index, mover: Color, symmetry: u8) -> Option<Chess> {
    let men = walk.indexer().men();
    let pawns = men.iter().any(|man| man.role == Role::Pawn);
    let mut squares = walk.indexer().squares(index);
    for square in &mut squares {
        *square = turn(*square, if pawns { symmetry & 1 } else { symmetry });
        if mover == Color::Black {
            *square = square.flip_vertical();
        }
    }
    let men: Vec<Piece> = men
        .iter()
        .map(|man| if mover == Color::Black { Piece { color: !man.color, role: man.role } } else { *man })
        .collect();
    notation::position(&endgame::fen(&men, &squares, Color::White)).ok()
}

/// One of the eight symmetries; the first two leave ranks alone.
fn turn(mut square: Square, symmetry: u8) -> Square {
    if symmetry & 1 != 0 {
        square = square.flip_horizontal();
    }
    if symmetry & 2 != 0 {
        square = square.flip_vertical();
    }
    if symmetry & 4 != 0 {
        square = square.flip_diagonal();
    }
    square
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use shakmaty::Position;

    use super::super::position_spec::PositionSpec;
    use super::*;
    use crate::endgame::TableConfig;

    fn tables(folder: &std::path::Path) -> Tables {
        let config = TableConfig {
            path: folder.display().to_string(),
            syzygy: String::new(),
            syzygy_men: 7,
            syzygy_check: true,
            fifty: true,
            build_men: 3,
            memory: 1024,
        };
        Tables::new(&config).unwrap()
    }

    fn drawn(text: &str, count: usize) -> Vec<Chess> {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        let Ok(PositionSpec::Random(spec)) = text.parse() else { panic!("{text} is not random") };
        let openings = draw(&spec, Metric::Dtc, count, 5, &tables, Client::silent()).unwrap();
        assert_eq!(openings.len(), count);
        for opening in &openings {
            let state = tables.probe(opening.game.position(), Metric::Dtc).unwrap();
            assert!(spec.admits(state), "{text}: {state}");
        }
        openings.into_iter().map(|opening| opening.game.position().clone()).collect()
    }

    #[test]
    fn the_side_named_first_is_white_and_to_move() {
        for (text, men) in [("KRK:win:16", 2), ("KKR:loss:16", 1), ("KPK:draw", 2), ("KKP:draw", 1)] {
            for position in drawn(text, 20) {
                assert_eq!(position.turn(), Color::White);
                assert_eq!(position.board().white().count(), men, "{text}");
            }
        }
    }

    #[test]
    fn all_corners_of_the_board_are_as_likely() {
        let mut corners: HashMap<(bool, bool), u32> = HashMap::new();
        for position in drawn("KRK:win", 4000) {
            let king = position.board().king_of(Color::White).unwrap();
            let corner = (king.file() as u8 >= 4, king.rank() as u8 >= 4);
            *corners.entry(corner).or_default() += 1;
        }
        // 1000 expected with a deviation of 27.
        assert!(corners.values().all(|&count| (870..1130).contains(&count)), "{corners:?}");
    }

    #[test]
    fn states_are_as_frequent_as_their_positions() {
        // Drawn without a state, wins by depth come as often as the whole board has them.
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        let Ok(PositionSpec::Random(spec)) = "KRK".parse() else { panic!("not random") };
        let openings = draw(&spec, Metric::Dtc, 4000, 5, &tables, Client::silent()).unwrap();
        let deep = openings.iter().filter(|opening| {
            let state = tables.probe(opening.game.position(), Metric::Dtc);
            state.and_then(crate::model::State::depth).is_some_and(|depth| depth.0 >= 12)
        });
        let mut all = [0u64; 2];
        for squares in 0..64u32.pow(3) {
            let [king, rook, other] = [squares / 4096, squares / 64 % 64, squares % 64].map(Square::new);
            if king == rook || rook == other || king == other {
                continue;
            }
            let men = [
                Piece { color: Color::White, role: Role::King },
                Piece { color: Color::Black, role: Role::King },
                Piece { color: Color::White, role: Role::Rook },
            ];
            let placement = [king, other, rook, Square::A1, Square::A1];
            let Ok(position) = notation::position(&endgame::fen(&men, &placement, Color::White)) else {
                continue;
            };
            let depth = tables.probe(&position, Metric::Dtc).unwrap().depth();
            all[usize::from(depth.is_some_and(|depth| depth.0 >= 12))] += 1;
        }
        let expected = 4000.0 * all[1] as f64 / (all[0] + all[1]) as f64;
        let got = deep.count() as f64;
        assert!((got - expected).abs() < 4.0 * expected.sqrt(), "{got}, not about {expected}");
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        for (text, message) in [("KRK:win:17", "no position 'KRK:win:17'"), ("KQRBNKR", "has 7 men")] {
            let Ok(PositionSpec::Random(spec)) = text.parse() else { panic!("{text} is not random") };
            let error = draw(&spec, Metric::Dtc, 1, 5, &tables, Client::silent()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
