//! A decision seen by many players at once: those of a whole grid of competences.
//!
//! On evenly spaced candidates w^−(c+δ) follows from w^−c by a multiplication. Powers are taken
//! from an anchor computed afresh every [`LANES`] candidates, so rounding errors stay near 1e-14.

use std::ops::Range;

use super::{Competence, Decision, ForeignScale, Grid, Scale};

/// A player of whom only probabilities of its competence are known: it plays as R_c with probability p(c).
#[derive(Clone, Debug)]
pub struct Mixture {
    kind: MixtureKind,
    scale: Scale,
}

#[derive(Clone, Debug)]
enum MixtureKind {
    One(Competence),
    Many { grid: Grid, range: Range<usize>, probabilities: Vec<f64> },
}

/// Candidates at either end of the grid that together are less likely than this are left out.
const NEGLIGIBLE_SHARE: f64 = 1e-13;

impl Mixture {
    /// `probabilities` must add up to 1.
    pub(super) fn new(grid: Grid, scale: Scale, probabilities: Vec<f64>) -> Mixture {
        let tail = |order: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            order
                .take_while(|&&p| {
                    sum += p;
                    sum < NEGLIGIBLE_SHARE
                })
                .count()
        };
        let start = tail(&mut probabilities.iter());
        let end = probabilities.len() - tail(&mut probabilities.iter().rev());
        Mixture { kind: MixtureKind::Many { grid, range: start..end, probabilities }, scale }
    }

    /// The scale of its competences.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Each competence with its probability.
    pub fn candidates(&self) -> Vec<(f64, f64)> {
        match &self.kind {
            MixtureKind::One(c) => vec![(c.get(), 1.0)],
            MixtureKind::Many { grid, range, probabilities } => {
                range.clone().map(|index| (grid.candidate(index), probabilities[index])).collect()
            }
        }
    }

    /// The probability of each choice, averaged over what is believed.
    pub fn probabilities<M>(&self, decision: &Decision<M>) -> Result<Vec<f64>, ForeignScale> {
        self.scale.require(decision.scale())?;
        let (grid, range, probabilities) = match &self.kind {
            MixtureKind::One(c) => return decision.probabilities(*c),
            MixtureKind::Many { grid, range, probabilities } => (grid, range, probabilities),
        };
        let mut by_group = vec![0.0; decision.weights().len()];
        let mut shares = [0.0; LANES];
        walk(decision, grid, range.clone(), |block| {
            for (lane, share) in shares[..block.sums.len()].iter_mut().enumerate() {
                *share = probabilities[block.candidate(lane)];
            }
            block.add_probabilities(&shares, &mut by_group);
        });
        Ok(decision.spread(&by_group))
    }
}

/// A player whose competence is known.
impl From<Competence> for Mixture {
    fn from(c: Competence) -> Mixture {
        Mixture { scale: c.scale(), kind: MixtureKind::One(c) }
    }
}

const LANES: usize = 64;

/// Below this exponent a group adds nothing to a sum that is at least one weight.
const NEGLIGIBLE_EXPONENT: f64 = -100.0;

/// A group of equally priced moves: its preference relative to the favourites, at |c| steps of the grid.
struct Term {
    group: usize,
    weight: f64,
    disfavour: f64,
    powers: [f64; LANES],
}

impl Term {
    fn new(group: usize, weight: f64, disfavour: f64, step: f64, lanes: usize) -> Term {
        let mut powers = [1.0; LANES];
        let mut known = 1;
        let mut factor = (-step * disfavour).exp();
        while known < lanes {
            let (have, rest) = powers.split_at_mut(known);
            have.iter().zip(rest).for_each(|(have, next)| *next = have * factor);
            factor *= factor;
            known *= 2;
        }
        Term { group, weight, disfavour, powers }
    }
}

/// Some neighbouring candidates of one sign, each in a lane; |c| rises from lane to lane.
struct SpectrumBlock<'a> {
    terms: &'a [Term],
    /// v · w^(−c) of each term at lane 0, relative to the favourites; missing for the last terms if negligible.
    anchors: &'a [f64],
    candidates: Range<usize>,
    falling: bool,
    /// For each lane the sum of v · (w / w_favourite)^(−c) over all moves.
    pub sums: &'a [f64],
}

impl SpectrumBlock<'_> {
    /// The number of a lane's candidate in the grid.
    pub fn candidate(&self, lane: usize) -> usize {
        if self.falling { self.candidates.end - 1 - lane } else { self.candidates.start + lane }
    }

    /// By how much ln w of a group in this block's face is worse than that of the favourites.
    fn disfavour(&self, group: usize) -> f64 {
        self.terms.iter().find(|term| term.group == group).map_or(0.0, |term| term.disfavour)
    }

    /// Adds to each group its probability, weighted over the lanes with `shares`.
    pub fn add_probabilities(&self, shares: &[f64], by_group: &mut [f64]) {
        let mut scaled = [0.0; LANES];
        for ((scaled, share), sum) in scaled.iter_mut().zip(shares).zip(self.sums) {
            *scaled = share / sum;
        }
        for (term, anchor) in self.terms.iter().zip(self.anchors) {
            let lanes = scaled[..self.sums.len()].iter().zip(&term.powers);
            by_group[term.group] += anchor * lanes.map(|(scaled, power)| scaled * power).sum::<f64>();
        }
    }
}

/// Visits the candidates numbered `range` of the grid, block by block.
fn walk<M>(
    decision: &Decision<M>,
    grid: &Grid,
    range: Range<usize>,
    mut visit: impl FnMut(&SpectrumBlock<'_>),
) {
    for (candidates, c) in by_sign(decision, grid, range) {
        let face = decision.face(c);
        let lanes = candidates.len().min(LANES);
        let mut terms: Vec<Term> = Vec::with_capacity(face.chosen.len());
        for group in face.chosen.clone() {
            let disfavour = face.disfavour(decision.ln_prices()[group]);
            terms.push(Term::new(group, decision.weights()[group], disfavour, grid.step(), lanes));
        }
        let falling = c < 0.0;
        if falling {
            terms.reverse();
        }
        let mut anchors = Vec::with_capacity(terms.len());
        for number in 0..candidates.len().div_ceil(LANES) {
            let near = number * LANES;
            let far = candidates.len().min(near + LANES);
            let block = if falling {
                candidates.end - far..candidates.end - near
            } else {
                candidates.start + near..candidates.start + far
            };
            let nearest = grid.candidate(if falling { block.end - 1 } else { block.start }).abs();
            let mut sums = [0.0; LANES];
            let sums = &mut sums[..block.len()];
            anchors.clear();
            for term in &terms {
                let exponent = -nearest * term.disfavour;
                if exponent < NEGLIGIBLE_EXPONENT {
                    break;
                }
                let anchor = term.weight * exponent.exp();
                anchors.push(anchor);
                sums.iter_mut().zip(&term.powers).for_each(|(sum, power)| *sum += anchor * power);
            }
            visit(&SpectrumBlock { terms: &terms, anchors: &anchors, candidates: block, falling, sums });
        }
    }
}

/// ln of the probability of a move of group `group`, up to a constant, for each candidate: `apply(number, ln)`.
pub(super) fn ln_likelihood<M>(
    decision: &Decision<M>,
    grid: &Grid,
    group: usize,
    mut apply: impl FnMut(usize, f64),
) {
    walk(decision, grid, 0..grid.len(), |block| {
        let disfavour = block.disfavour(group);
        for (lane, sum) in block.sums.iter().enumerate() {
            let candidate = block.candidate(lane);
            apply(candidate, -grid.candidate(candidate).abs() * disfavour - sum.ln());
        }
    });
}

/// Whether every candidate of the grid plays the moves of `group` at times.
pub(super) fn all_play<M>(decision: &Decision<M>, grid: &Grid, group: usize) -> bool {
    by_sign(decision, grid, 0..grid.len()).all(|(_, c)| decision.face(c).chosen.contains(&group))
}

/// Splits a range of candidates by the sign of c, each part with one of its candidates. Zero is a part of its own only
/// where it chooses from other groups than the candidates above it.
fn by_sign<M>(
    decision: &Decision<M>,
    grid: &Grid,
    range: Range<usize>,
) -> impl Iterator<Item = (Range<usize>, f64)> + use<M> {
    let first = |reached: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if reached(grid.candidate(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    };
    let zero = first(&|c| c >= 0.0);
    let alone = decision.face(0.0).chosen != decision.face(1.0).chosen;
    let positive = if alone { first(&|c| c > 0.0) } else { zero };
    let ranges = [range.start..zero, zero..positive, positive..range.end];
    let grid = *grid;
    // The last candidate of a part that begins at zero tells its sign.
    ranges.into_iter().filter(|range| !range.is_empty()).map(move |range| {
        (range.clone(), grid.candidate(if range.start == zero { range.end - 1 } else { range.start }))
    })
}
