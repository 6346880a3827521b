use rayon::prelude::*;
use shakmaty::Color;

use super::ground::Ground;
use crate::{
    endgame::{BlockFileError, Walk},
    model::{Code, Policy, State},
};

/// A legal move in an endgame: what it leads to for the mover, and where; nowhere if it leaves the endgame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// State after the move, for the mover.
    pub outcome: State,
    /// The spot of the position after it, with the other side to move.
    pub next: Option<usize>,
}

/// The moves that a side may choose in each position of a ground, by spot: a graph as two vectors.
pub struct Kernel {
    mover: Color,
    /// Where the moves of each position begin, and the end of the last.
    offsets: Vec<u32>,
    /// A position of the other side, or past the last of them the code, for the mover, with which the endgame is left.
    targets: Vec<u32>,
}

/// Positions that are visited at a time.
pub(super) const PART: usize = 1 << 12;

impl Kernel {
    /// Every move may be played that does not concede the value of the position.
    pub fn sound(walk: &Walk, ground: &Ground, mover: Color) -> Result<Kernel, BlockFileError> {
        Kernel::build(walk, ground, mover, || {
            let mut weights = Vec::new();
            move |edges: &[Edge], chosen: &mut Vec<usize>| {
                weights.clear();
                weights.resize(edges.len(), 1.0);
                Policy::KEEP_VALUE.restrict_states(|number| Some(edges[number].outcome), &mut weights);
                chosen.extend((0..edges.len()).filter(|&number| weights[number] > 0.0));
            }
        })
    }

    /// The moves of the infallible player: those with the best outcome.
    pub fn optimal(walk: &Walk, ground: &Ground, mover: Color) -> Result<Kernel, BlockFileError> {
        Kernel::build(walk, ground, mover, || {
            |edges: &[Edge], chosen: &mut Vec<usize>| {
                let best = edges.iter().map(|edge| edge.outcome).max();
                chosen.extend((0..edges.len()).filter(|&number| Some(edges[number].outcome) == best));
            }
        })
    }

    /// Visits all positions of a side, on all cores. `selector` makes one who puts into its second argument the numbers of
    /// the moves that may be played.
    pub fn build<S>(
        walk: &Walk,
        ground: &Ground,
        mover: Color,
        selector: impl Fn() -> S + Sync + Send,
    ) -> Result<Kernel, BlockFileError>
    where
        S: FnMut(&[Edge], &mut Vec<usize>),
    {
        let rows = ground.size(mover);
        let past = ground.size(!mover);
        // What each part contributes: the number of moves of each position, and the moves.
        let parts: Vec<(Vec<u32>, Vec<u32>)> = (0..rows.div_ceil(PART))
            .into_par_iter()
            .map_init(
                || (selector(), Vec::new(), Vec::new()),
                |(select, edges, chosen), part| {
                    let mut counts = Vec::with_capacity(PART);
                    let mut targets = Vec::new();
                    for spot in part * PART..rows.min((part + 1) * PART) {
                        edges.clear();
                        chosen.clear();
                        collect_edges(walk, ground, mover, spot, edges)?;
                        if !edges.is_empty() {
                            select(edges, chosen);
                        }
                        targets.extend(chosen.iter().map(|&number| match edges[number] {
                            Edge { next: Some(next), .. } => next as u32,
                            Edge { outcome, next: None } => (past + Code::of(outcome).place()) as u32,
                        }));
                        counts.push(chosen.len() as u32);
                    }
                    Ok((counts, targets))
                },
            )
            .collect::<Result<_, BlockFileError>>()?;
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut targets = Vec::with_capacity(parts.iter().map(|(_, targets)| targets.len()).sum());
        let mut end = 0;
        offsets.push(end);
        for (counts, part) in parts {
            for count in counts {
                end += count;
                offsets.push(end);
            }
            targets.extend(part);
        }
        Ok(Kernel { mover, offsets, targets })
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// How many positions there are.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Where the moves of a position lead.
    #[inline]
    pub fn row(&self, spot: usize) -> &[u32] {
        &self.targets[self.offsets[spot] as usize..self.offsets[spot + 1] as usize]
    }

    /// The same positions with one of their moves each, as `pick` chooses it.
    pub fn narrowed(&self, pick: impl Fn(&[u32]) -> u32 + Sync) -> Kernel {
        let rows = self.rows();
        let targets: Vec<u32> = (0..rows)
            .into_par_iter()
            .with_min_len(PART)
            .filter_map(|spot| {
                let row = self.row(spot);
                (!row.is_empty()).then(|| pick(row))
            })
            .collect();
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut end = 0;
        offsets.push(end);
        for spot in 0..rows {
            end += u32::from(!self.row(spot).is_empty());
            offsets.push(end);
        }
        Kernel { mover: self.mover, offsets, targets }
    }

    /// The code, for the mover, of each target, those that leave the endgame included.
    pub fn target_codes(&self, ground: &Ground) -> Vec<Code> {
        let inside = ground.codes(!self.mover).iter().map(|&code| -code);
        inside.chain(Code::all()).collect()
    }
}

/// All moves of a position.
pub(super) fn collect_edges(
    walk: &Walk,
    ground: &Ground,
    mover: Color,
    spot: usize,
    edges: &mut Vec<Edge>,
) -> Result<(), BlockFileError> {
    let index = ground.index(mover, spot);
    let Some(board) = walk.board(mover, index) else { return Ok(()) };
    let codes = ground.codes(!mover);
    walk.each_step(&board, index, mover, |step| {
        // A pawn that can be taken in passing, and by DTZ one that moves, leaves what the table knows: the outcome is then
        // another than that of the position it reaches.
        let next = step.next.and_then(|next| ground.spot(!mover, next));
        let next = next.filter(|&next| Code::of(step.outcome) == -codes[next]);
        edges.push(Edge { outcome: step.outcome, next });
    })
}
