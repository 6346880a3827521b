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

/// The moves that a side may choose in each position of a ground, by spot: a graph, in parts as it was made.
pub struct Kernel {
    mover: Color,
    rows: usize,
    parts: Vec<KernelPart>,
}

/// The moves of [`PART`] positions.
#[derive(Default)]
struct KernelPart {
    /// Where the moves of each position end.
    ends: Vec<u32>,
    /// A position of the other side, or past the last of them the code, for the mover, with which the endgame is left.
    targets: Vec<u32>,
}

/// Positions that are visited at a time.
pub(super) const PART: usize = 1 << 12;

impl KernelPart {
    /// One more position.
    fn add(&mut self, targets: impl IntoIterator<Item = u32>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len() as u32);
    }

    /// There are many of them: no memory is to be left over.
    fn finished(mut self) -> KernelPart {
        self.targets.shrink_to_fit();
        self
    }

    #[inline]
    fn row(&self, number: usize) -> &[u32] {
        let first = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.targets[first as usize..self.ends[number] as usize]
    }
}

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
        let parts = (0..rows.div_ceil(PART))
            .into_par_iter()
            .map_init(
                || (selector(), Vec::new(), Vec::new()),
                |(select, edges, chosen), part| {
                    let mut made = KernelPart::default();
                    for spot in part * PART..rows.min((part + 1) * PART) {
                        edges.clear();
                        chosen.clear();
                        collect_edges(walk, ground, mover, spot, edges)?;
                        if !edges.is_empty() {
                            select(edges, chosen);
                        }
                        made.add(chosen.iter().map(|&number| match edges[number] {
                            Edge { next: Some(next), .. } => next as u32,
                            Edge { outcome, next: None } => (past + Code::of(outcome).place()) as u32,
                        }));
                    }
                    Ok(made.finished())
                },
            )
            .collect::<Result<_, BlockFileError>>()?;
        Ok(Kernel { mover, rows, parts })
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// How many positions there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Where the moves of a position lead.
    #[inline]
    pub fn row(&self, spot: usize) -> &[u32] {
        self.parts[spot / PART].row(spot % PART)
    }

    /// The same positions with one of their moves each, as `pick` chooses it.
    pub fn narrowed(&self, pick: impl Fn(&[u32]) -> u32 + Sync) -> Kernel {
        let narrow = |part: &KernelPart| {
            let mut made = KernelPart::default();
            for number in 0..part.ends.len() {
                let row = part.row(number);
                made.add((!row.is_empty()).then(|| pick(row)));
            }
            made.finished()
        };
        Kernel { mover: self.mover, rows: self.rows, parts: self.parts.par_iter().map(narrow).collect() }
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
