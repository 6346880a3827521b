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
}

impl Scope {
    fn includes(self, mover: Color, state: State) -> bool {
        match self {
            Scope::All => true,
            Scope::WonBy(winner) => state.value() == if mover == winner { Value::Win } else { Value::Loss },
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
    /// By index; [`NOWHERE`] for positions that are not played from.
    spots: Vec<u32>,
    /// The spots of each band.
    bands: Vec<Range<usize>>,
}

const NOWHERE: u32 = u32::MAX;
/// So many bands, or a few more: more of them settle in fewer rounds, which take longer.
const BANDS: usize = 8;

impl Side {
    fn new(by_index: &[Code], counts: impl Fn(Code) -> bool, bands: &[usize]) -> Side {
        let last = bands.iter().copied().max().unwrap_or(0);
        let mut sizes = vec![0; last + 1];
        let band = |code: &Code| Some(bands[code.place()]).filter(|_| counts(*code));
        by_index.iter().filter_map(band).for_each(|band| sizes[band] += 1);
        let mut end = 0;
        let ranges: Vec<Range<usize>> = (sizes.iter())
            .map(|size| {
                end += size;
                end - size..end
            })
            .collect();
        let mut next: Vec<usize> = ranges.iter().map(|range| range.start).collect();
        let (mut indices, mut spots) = (vec![0; end], vec![NOWHERE; by_index.len()]);
        for (index, code) in by_index.iter().enumerate() {
            if let Some(band) = band(code) {
                indices[next[band]] = index as Index;
                spots[index] = next[band] as u32;
                next[band] += 1;
            }
        }
        let codes = indices.iter().map(|&index| by_index[index as usize]).collect();
        Side { indices, codes, spots, bands: ranges }
    }
}

/// The band of each code: bands are of about the same size, and all codes of a depth are in one.
fn bands(scope: Scope, sides: [(Color, &[Code]); 2]) -> Vec<usize> {
    let level = |code: Code| usize::from(code.state().depth().unwrap_or_default().0);
    let mut by_level = vec![0_usize; Code::COUNT];
    for (mover, codes) in sides {
        let counts = codes.iter().filter(|code| scope.includes(mover, code.state()));
        counts.for_each(|&code| by_level[level(code)] += 1);
    }
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
                .map(|index| walk.table().state(mover, index).map(Code::of))
                .collect::<Result<Vec<Code>, BlockFileError>>()
        };
        let (white, black) = (codes(Color::White)?, codes(Color::Black)?);
        let bands = bands(scope, [(Color::White, &white), (Color::Black, &black)]);
        let side =
            |mover, codes: &[Code]| Side::new(codes, |code| scope.includes(mover, code.state()), &bands);
        let sides = [side(Color::White, &white), side(Color::Black, &black)];
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
        self.side(mover).spots.get(index as usize).filter(|&&spot| spot != NOWHERE).map(|&spot| spot as usize)
    }
}
