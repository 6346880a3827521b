use std::ops::Range;

use rayon::prelude::*;
use shakmaty::Color;

use crate::{
    endgame::{BlockFileError, Index, Walk},
    model::{Code, State, Value},
};

/// Which positions are played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All legal ones.
    All,
    /// Those that this side wins: enough where nobody concedes the value of a position.
    WonBy(Color),
    /// Drawn ones: enough where the question is who lets go of the draw.
    Drawn,
}

impl Scope {
    fn includes(self, mover: Color, state: State) -> bool {
        match self {
            Scope::All => true,
            Scope::WonBy(winner) => state.value() == if mover == winner { Value::Win } else { Value::Loss },
            Scope::Drawn => state == State::Draw,
        }
    }
}

/// The positions of an endgame that are played from, with each side to move.
///
/// The number of a position on the ground is its spot. Spots are in bands of depth, the shallowest first: whoever goes through them in
/// this order knows of shallow positions when he comes to deeper ones. Within a band they are in the order of the table,
/// in which positions that are a move apart are not far from each other. If all positions count, there is one band.
pub struct Ground {
    scope: Scope,
    /// With White to move, and with Black to move.
    sides: [Side; 2],
    /// The band of each code.
    bands: Vec<usize>,
}

/// The positions with one side to move.
struct Side {
    /// By spot.
    indices: Vec<Index>,
    /// By spot: the state for the side to move.
    codes: Vec<Code>,
    /// The spots of each band.
    bands: Vec<Range<usize>>,
    /// The numbers of the table in each band.
    members: Vec<Members>,
}

/// So many bands, or a few more: more of them settle in fewer rounds, which take longer.
const BANDS: usize = 8;

/// A set of numbers of the table: a bit for each, since tables of five men have hundreds of millions.
struct Members {
    bits: Vec<u64>,
    /// How many members come before each 64 bits.
    before: Vec<u32>,
}

impl Members {
    fn new(by_index: &[Option<Code>], is_member: impl Fn(Code) -> bool + Sync) -> Members {
        let word = |codes: &[Option<Code>]| {
            let bit =
                |(place, code): (usize, &Option<Code>)| u64::from(code.is_some_and(&is_member)) << place;
            codes.iter().enumerate().map(bit).sum()
        };
        let bits: Vec<u64> = by_index.par_chunks(64).with_min_len(1 << 10).map(word).collect();
        let count = |so_far: &mut u32, word: &u64| {
            *so_far += word.count_ones();
            Some(*so_far - word.count_ones())
        };
        let before = bits.iter().scan(0, count).collect();
        Members { before, bits }
    }

    /// How many members come before this one, if it is one.
    #[inline]
    fn rank(&self, index: Index) -> Option<usize> {
        let (word, bit) = (index as usize / 64, 1 << (index % 64));
        let bits = *self.bits.get(word)?;
        (bits & bit != 0).then(|| self.before[word] as usize + (bits & (bit - 1)).count_ones() as usize)
    }

    fn iter(&self) -> impl Iterator<Item = Index> {
        self.bits.iter().enumerate().flat_map(|(word, &bits)| {
            let left = |bits: u64| (bits != 0).then_some(bits);
            let rest = std::iter::successors(left(bits), move |bits| left(bits & (bits - 1)));
            rest.map(move |bits| 64 * word as Index + bits.trailing_zeros())
        })
    }
}

impl Side {
    /// `by_index` has the code of each position that is played from.
    fn new(by_index: &[Option<Code>], band_of: &[usize]) -> Side {
        let last = band_of.iter().copied().max().unwrap_or(0);
        let members = |band| Members::new(by_index, |code| band_of[code.place()] == band);
        let members: Vec<Members> = (0..=last).map(members).collect();
        let (mut indices, mut bands) = (Vec::new(), Vec::new());
        for band in &members {
            let first = indices.len();
            indices.extend(band.iter());
            bands.push(first..indices.len());
        }
        indices.shrink_to_fit();
        let codes = indices.iter().filter_map(|&index| by_index[index as usize]).collect();
        Side { indices, codes, bands, members }
    }

    fn spot(&self, index: Index) -> Option<usize> {
        let mut bands = self.bands.iter().zip(&self.members);
        bands.find_map(|(spots, members)| members.rank(index).map(|rank| spots.start + rank))
    }
}

/// The band of each code: bands are of about the same size, and all codes of a depth are in one.
fn bands(scope: Scope, sides: [&[Option<Code>]; 2]) -> Vec<usize> {
    let level = |code: Code| usize::from(code.state().depth().unwrap_or_default().0);
    let mut by_level = vec![0_usize; Code::COUNT];
    sides.into_iter().flatten().flatten().for_each(|&code| by_level[level(code)] += 1);
    let all: usize = by_level.iter().sum();
    let (mut band, mut size) = (0, 0);
    let of_level: Vec<usize> = (by_level.into_iter())
        .map(|count| {
            if size > 0 && size + count > all / BANDS && scope != Scope::All {
                (band, size) = (band + 1, 0);
            }
            size += count;
            band
        })
        .collect();
    Code::all().map(|code| of_level[level(code)]).collect()
}

impl Ground {
    /// Notes the states of all positions.
    pub fn new(walk: &Walk, scope: Scope) -> Result<Ground, BlockFileError> {
        let codes = |mover| {
            (0..walk.indexer().size() as Index)
                .into_par_iter()
                .with_min_len(1 << 14)
                .map(|index| {
                    let state = walk.table().state(mover, index)?;
                    // Not all numbers of a table stand for a position.
                    let counts = scope.includes(mover, state) && walk.board(mover, index).is_some();
                    Ok(counts.then(|| Code::of(state)))
                })
                .collect::<Result<Vec<Option<Code>>, BlockFileError>>()
        };
        let (white, black) = (codes(Color::White)?, codes(Color::Black)?);
        let bands = bands(scope, [&white, &black]);
        let sides = [white, black].map(|codes| Side::new(&codes, &bands));
        Ok(Ground { scope, sides, bands })
    }

    fn side(&self, mover: Color) -> &Side {
        &self.sides[usize::from(mover == Color::Black)]
    }

    /// Which positions are played from.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// How many positions with this side to move there are.
    pub fn size(&self, mover: Color) -> usize {
        self.side(mover).indices.len()
    }

    /// The codes of positions with this side to move, as that side sees them, by spot.
    pub fn codes(&self, mover: Color) -> &[Code] {
        &self.side(mover).codes
    }

    /// The spots of each band with this side to move, the shallowest first.
    pub fn bands(&self, mover: Color) -> &[Range<usize>] {
        &self.side(mover).bands
    }

    /// The band that positions of a code are in, whichever side sees it so.
    pub fn band(&self, code: Code) -> usize {
        self.bands[code.place()]
    }

    /// The number in the table of the position on a spot.
    pub fn index(&self, mover: Color, spot: usize) -> Index {
        self.side(mover).indices[spot]
    }

    /// The spot of a position, if it is played from.
    pub fn spot(&self, mover: Color, index: Index) -> Option<usize> {
        self.side(mover).spot(index)
    }
}
