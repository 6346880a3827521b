use std::ops::Range;

use super::{Competence, Decision, ForeignScale, Grid, Scale, spectrum};

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
const NEGLIGIBLE: f64 = 1e-13;

impl Mixture {
    /// `probabilities` must add up to 1.
    pub(super) fn new(grid: Grid, scale: Scale, probabilities: Vec<f64>) -> Mixture {
        let tail = |order: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            order
                .take_while(|&&p| {
                    sum += p;
                    sum < NEGLIGIBLE
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
        let mut shares = [0.0; spectrum::LANES];
        spectrum::walk(decision, grid, range.clone(), |block| {
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
