//! Checks a finished table against the definition of its metric: every position anew from its successors.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    blocks::BlockFileError, board::Board, index::Index, table, verify_draw::DrawCheck,
    verify_rule::verify_rule, walk::Walk,
};
use crate::model::{Metric, State};

/// A position whose state is not what its successors make it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fen}: the table says {stored}, its moves say {recomputed}")]
pub struct Disagreement {
    /// The position.
    pub fen: String,
    /// What the table says.
    pub stored: State,
    /// What its successors say.
    pub recomputed: State,
}

impl Disagreement {
    pub(super) fn new(board: &Board<'_>, mover: Color, stored: State, recomputed: State) -> Disagreement {
        let fen = table::fen(board.men(), board.squares(), mover).to_string();
        Disagreement { fen, stored, recomputed }
    }
}

/// What came out of it.
#[derive(Debug)]
pub enum Verdict {
    /// So many legal positions, counted once for each class of mirror images, are all as they should be.
    Sound(u64),
    /// The first position, by number, that is not.
    Wrong(Disagreement),
    /// It was told to stop.
    Cancelled,
}

/// Recomputes every legal position, on all cores. `progress` is called for each pair of kings that is done.
pub fn verify(
    walk: &Walk,
    cancel: &AtomicBool,
    progress: &(dyn Fn() + Sync),
) -> Result<Verdict, BlockFileError> {
    if walk.table().metric() == Metric::Dtr {
        return verify_rule(walk, cancel, progress);
    }
    let draws = if walk.table().metric() == Metric::Dtd { Some(DrawCheck::new(walk, cancel)?) } else { None };
    let indexer = walk.indexer();
    let per_pair = indexer.per_king_pair();
    let pairs: Vec<Result<u64, Disagreement>> = (0..indexer.king_pairs())
        .into_par_iter()
        .map(|pair| {
            if cancel.load(Relaxed) {
                return Ok(Ok(0));
            }
            let numbers = (pair * per_pair) as Index..((pair + 1) * per_pair) as Index;
            let checked = check_pair(walk, draws.as_ref(), numbers);
            progress();
            checked
        })
        .collect::<Result<_, BlockFileError>>()?;
    if cancel.load(Relaxed) {
        return Ok(Verdict::Cancelled);
    }
    let mut positions = 0;
    for pair in pairs {
        match pair {
            Ok(legal) => positions += legal,
            Err(disagreement) => return Ok(Verdict::Wrong(disagreement)),
        }
    }
    Ok(Verdict::Sound(positions))
}

fn check_pair(
    walk: &Walk,
    draws: Option<&DrawCheck<'_>>,
    numbers: std::ops::Range<Index>,
) -> Result<Result<u64, Disagreement>, BlockFileError> {
    let mut legal = 0;
    for index in numbers {
        for mover in [Color::White, Color::Black] {
            let Some(board) = walk.board(mover, index) else { continue };
            if !walk.is_told(mover, index)? {
                continue;
            }
            legal += 1;
            let stored = walk.table().state(mover, index)?;
            let recomputed = match draws {
                Some(draws) => draws.recompute(&board, index, mover)?,
                None => walk.recompute(&board, index, mover)?,
            };
            if stored != recomputed {
                return Ok(Err(Disagreement::new(&board, mover, stored, recomputed)));
            }
        }
    }
    Ok(Ok(legal))
}
