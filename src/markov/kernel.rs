use rayon::prelude::*;
use shakmaty::Color;

use crate::{
    endgame::{BlockFileError, Index, Walk},
    model::{Code, Policy, State, Value},
};

/// A legal move in an endgame: what it leads to for the mover, and where; nowhere if it leaves the endgame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// State after the move, for the mover.
    pub outcome: State,
    /// The number of the position after it, with the other side to move.
    pub next: Option<Index>,
}

/// Which positions are played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All legal ones.
    All,
    /// Those that this side wins: enough where nobody concedes the value of a position.
    WonBy(Color),
}

impl Scope {
    fn includes(self, mover: Color, state: State) -> bool {
        match self {
            Scope::All => true,
            Scope::WonBy(winner) => state.value() == if mover == winner { Value::Win } else { Value::Loss },
        }
    }
}

/// The positions of an endgame with each side to move: their states, and which count.
pub struct Ground {
    scope: Scope,
    /// By the side to move, White first: the code of each position for the side to move.
    codes: [Vec<Code>; 2],
}

impl Ground {
    /// Notes the states of all positions.
    pub fn new(walk: &Walk, scope: Scope) -> Result<Ground, BlockFileError> {
        let codes = |mover| {
            let states = (0..walk.indexer().size() as Index).map(|index| walk.table().state(mover, index));
            states.map(|state| state.map(Code::of)).collect::<Result<Vec<Code>, BlockFileError>>()
        };
        Ok(Ground { scope, codes: [codes(Color::White)?, codes(Color::Black)?] })
    }

    /// The codes of positions with this side to move, as that side sees them.
    pub fn codes(&self, mover: Color) -> &[Code] {
        &self.codes[usize::from(mover == Color::Black)]
    }

    /// Which positions are played from.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether a position with this side to move is played from, if it is legal.
    pub fn counts(&self, mover: Color, index: usize) -> bool {
        self.scope.includes(mover, self.codes(mover)[index].state())
    }

    /// How many numbers there are on each side.
    pub fn size(&self) -> usize {
        self.codes[0].len()
    }
}

/// The moves that a side may choose in each position, by number: a graph as two vectors.
pub struct Kernel {
    mover: Color,
    /// Where the moves of each position begin, and the end of the last.
    offsets: Vec<u32>,
    /// A position of the other side, or past the last of them the code, for the mover, with which the endgame is left.
    targets: Vec<u32>,
}

/// What a king pair contributes: the number of moves of each position, and the moves.
type Part = (Vec<u32>, Vec<u32>);

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
        let (pairs, per_pair) = (walk.indexer().king_pairs(), walk.indexer().per_king_pair());
        let parts: Vec<Part> = (0..pairs)
            .into_par_iter()
            .map_init(
                || (selector(), Vec::new(), Vec::new()),
                |(select, edges, chosen), pair| {
                    let mut counts = Vec::with_capacity(per_pair);
                    let mut targets = Vec::new();
                    for index in pair * per_pair..(pair + 1) * per_pair {
                        let before = targets.len();
                        edges.clear();
                        chosen.clear();
                        collect_edges(walk, ground, mover, index as Index, edges)?;
                        if !edges.is_empty() {
                            select(edges, chosen);
                        }
                        targets.extend(chosen.iter().map(|&number| match edges[number] {
                            Edge { next: Some(next), .. } => next,
                            Edge { outcome, next: None } => {
                                (ground.size() + Code::of(outcome).place()) as u32
                            }
                        }));
                        counts.push((targets.len() - before) as u32);
                    }
                    Ok((counts, targets))
                },
            )
            .collect::<Result<_, BlockFileError>>()?;
        let mut offsets = Vec::with_capacity(ground.size() + 1);
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
    pub fn row(&self, index: usize) -> &[u32] {
        &self.targets[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// The same positions with one of their moves each, as `pick` chooses its number.
    pub fn narrowed(&self, pick: impl Fn(&[u32]) -> usize + Sync) -> Kernel {
        let rows = self.rows();
        let targets: Vec<u32> = (0..rows)
            .into_par_iter()
            .filter_map(|index| {
                let row = self.row(index);
                (!row.is_empty()).then(|| row[pick(row)])
            })
            .collect();
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut end = 0;
        offsets.push(end);
        for index in 0..rows {
            end += u32::from(!self.row(index).is_empty());
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

/// All moves of a position that counts.
pub(super) fn collect_edges(
    walk: &Walk,
    ground: &Ground,
    mover: Color,
    index: Index,
    edges: &mut Vec<Edge>,
) -> Result<(), BlockFileError> {
    if !ground.counts(mover, index as usize) {
        return Ok(());
    }
    let Some(board) = walk.board(mover, index) else { return Ok(()) };
    let codes = ground.codes(!mover);
    walk.each_step(&board, index, mover, |step| {
        // A pawn that can be taken in passing, and by DTZ one that moves, leaves what the table knows: the outcome is then
        // another than that of the position it reaches.
        let next = step.next.filter(|&next| Code::of(step.outcome) == -codes[next as usize]);
        edges.push(Edge { outcome: step.outcome, next });
    })
}
