use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use crate::{
    evaluation::{Evaluation, Weights},
    game::Game,
    model::Score,
    search::{Bound, Control, Limits, SearchSettings, Searcher},
};

/// How the program assesses a position while it is tuned.
///
/// A search is worth what the evaluation says of the position at the end of its best line. While weights change a little, that line
/// stays the same: so a position is searched once for all the small changes that are tried, and the values of these are
/// exact in floating point, though the search itself is one with whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assessor {
    /// By the evaluation alone.
    Static,
    /// After the captures that both sides would make.
    Quiescence,
    /// By a search of so many nodes; it sees the first ply to the end, however many that takes (Gomboc 2004, §6.5).
    Search {
        /// So many.
        nodes: u64,
    },
}

/// The position whose evaluation is that of another one.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    /// This.
    Position(Chess),
    /// The game is over there: a mate or a draw, in centipawns for White.
    Decided(f32),
}

/// Text that is no way of assessing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no way to assess a position: write static, quiescence, or a number of nodes")]
pub struct AssessorError(String);

impl FromStr for Assessor {
    type Err = AssessorError;

    fn from_str(text: &str) -> Result<Assessor, AssessorError> {
        match text {
            "static" => Ok(Assessor::Static),
            "quiescence" => Ok(Assessor::Quiescence),
            number => match number.parse() {
                Ok(nodes) if nodes > 0 => Ok(Assessor::Search { nodes }),
                _ => Err(AssessorError(text.to_owned())),
            },
        }
    }
}

impl fmt::Display for Assessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assessor::Static => f.write_str("static evaluation"),
            Assessor::Quiescence => f.write_str("quiescence search"),
            Assessor::Search { nodes } => write!(f, "searches of {nodes} nodes"),
        }
    }
}

/// A mate is worth this, in centipawns.
const MATE: f32 = 20_000.0;
/// Each thread's transposition table: small, since it is emptied for every position.
pub(super) const HASH_MB: usize = 1;

/// Who finds the leaves of positions: this program by itself, or many machines.
pub trait FindLeaves {
    /// The leaves of some positions with these weights; nothing if it was cancelled or can't be done.
    fn leaves(&self, positions: &[&Chess], weights: &Arc<Weights>, cancel: &AtomicBool) -> Option<Vec<Leaf>>;
}

impl FindLeaves for Assessor {
    fn leaves(&self, positions: &[&Chess], weights: &Arc<Weights>, cancel: &AtomicBool) -> Option<Vec<Leaf>> {
        let settings = SearchSettings {
            hash_mb: HASH_MB,
            evaluation: Evaluation::HandCrafted(Arc::clone(weights)),
            ..SearchSettings::default()
        };
        positions
            .par_iter()
            .map_init(
                || Searcher::new(settings.clone()),
                |searcher, position| (!cancel.load(Ordering::Relaxed)).then(|| self.leaf(position, searcher)),
            )
            .collect()
    }
}

impl Assessor {
    fn leaf(self, position: &Chess, searcher: &mut Searcher) -> Leaf {
        let mut game = Game::new(position.clone());
        let line = match self {
            Assessor::Static => Vec::new(),
            Assessor::Quiescence => searcher.quiet_line(&game),
            Assessor::Search { nodes } => {
                searcher.new_game();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let mut line = Vec::new();
                let found = searcher.search(&game, &limits, &Control::new(), &mut |report| {
                    if report.bound == Bound::Exact {
                        line.clone_from(&report.pv);
                    }
                });
                if let Score::Mate(moves) = found.score {
                    let winner = if moves > 0 { position.turn() } else { !position.turn() };
                    return Leaf::Decided(winner.fold_wb(MATE, -MATE));
                }
                line
            }
        };
        line.into_iter().for_each(|m| game.play(m));
        let over = game.position().legal_moves().is_empty() || game.repetitions() > 1;
        match over {
            true if game.position().is_checkmate() => {
                Leaf::Decided(game.position().turn().fold_wb(-MATE, MATE))
            }
            true => Leaf::Decided(0.0),
            false => Leaf::Position(game.position().clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn leaf(assessor: &str, fen: &str) -> Leaf {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let assessor: Assessor = assessor.parse().unwrap();
        let weights = Arc::new(Weights::default());
        assessor.leaves(&[&position], &weights, &AtomicBool::new(false)).unwrap().remove(0)
    }

    fn men(leaf: &Leaf) -> usize {
        match leaf {
            Leaf::Position(position) => position.board().occupied().count(),
            Leaf::Decided(_) => 0,
        }
    }

    #[test]
    fn captures_are_made_before_a_position_is_assessed() {
        // White takes the rook, nobody takes back.
        for (assessor, left) in [("static", 5), ("quiescence", 4), ("1024", 4)] {
            assert_eq!(men(&leaf(assessor, "4k3/8/8/3r4/8/2N5/P7/4K3 w - - 0 1")), left, "{assessor}");
        }
    }

    #[test]
    fn a_mate_is_no_matter_of_weights() {
        let Leaf::Decided(value) = leaf("1024", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1") else {
            panic!("a mate in one is not seen")
        };
        assert_eq!(value, MATE);
    }

    #[test]
    fn ways_of_assessing_have_names() {
        assert_eq!("1024".parse(), Ok(Assessor::Search { nodes: 1024 }));
        assert!("0".parse::<Assessor>().is_err() && "deep".parse::<Assessor>().is_err());
    }
}
