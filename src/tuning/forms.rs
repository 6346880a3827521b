use rayon::prelude::*;

use super::{
    Knob, Leaf,
    knob::{HalfWeight, halves},
};
use crate::evaluation::{EvalTrace, Weights};

/// Evaluations as functions of the knobs: what Gomboc 2004, §8.1, calls a symbolic representation. Which terms occur how often in a
/// position is worked out once; its value is then a short sum.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// What no knob changes, in centipawns for White.
    constants: Vec<f32>,
    /// Where the shares of each position begin, and where the last ones end.
    starts: Vec<u32>,
    /// By how much a position's value changes with a knob.
    shares: Vec<(u16, f32)>,
}

impl Forms {
    /// The forms of positions, by the knobs.
    pub fn new(leaves: &[Leaf], knobs: &[Knob], weights: &Weights) -> Forms {
        let rows: Vec<(f32, Vec<(u16, f32)>)> = {
            let weights = std::sync::Arc::new(weights.clone());
            let turning = Turning::new(knobs, &weights);
            leaves.par_iter().map(|leaf| turning.row(leaf, &weights)).collect()
        };
        rows.into_iter().collect()
    }

    /// Some of the positions.
    pub fn only(&self, indices: &[usize]) -> Forms {
        indices.iter().map(|&index| (self.constants[index], self.shares(index).to_vec())).collect()
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }

    /// Knobs and what a turn of each adds to the value of a position.
    pub(super) fn shares(&self, index: usize) -> &[(u16, f32)] {
        &self.shares[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The value of a position in centipawns for White.
    pub fn value(&self, index: usize, knobs: &[f32]) -> f32 {
        let turned = self.shares(index).iter().map(|&(knob, share)| knobs[usize::from(knob)] * share);
        self.constants[index] + turned.sum::<f32>()
    }

    /// The values of all positions.
    pub fn values(&self, knobs: &[f64]) -> Vec<f32> {
        let knobs: Vec<f32> = knobs.iter().map(|&value| value as f32).collect();
        (0..self.len()).map(|index| self.value(index, &knobs)).collect()
    }

    /// For each knob the positions whose values it changes, and by how much.
    pub fn by_knob(&self, knobs: usize) -> Vec<Vec<(u32, f32)>> {
        let mut columns = vec![Vec::new(); knobs];
        for index in 0..self.len() {
            for &(knob, share) in self.shares(index) {
                columns[usize::from(knob)].push((index as u32, share));
            }
        }
        columns
    }
}

impl FromIterator<(f32, Vec<(u16, f32)>)> for Forms {
    fn from_iter<I: IntoIterator<Item = (f32, Vec<(u16, f32)>)>>(rows: I) -> Forms {
        let mut forms = Forms { starts: vec![0], ..Forms::default() };
        for (constant, shares) in rows {
            forms.constants.push(constant);
            forms.shares.extend(shares);
            forms.starts.push(forms.shares.len() as u32);
        }
        forms
    }
}

/// Which knob each half weight follows, and how.
struct Turning {
    follows: Vec<Option<(u16, f64)>>,
    fixed: Vec<f64>,
}

impl Turning {
    fn new(knobs: &[Knob], weights: &Weights) -> Turning {
        let fixed = halves(weights);
        let mut follows = vec![None; fixed.len()];
        for (number, knob) in knobs.iter().enumerate() {
            knob.parts().iter().for_each(|&(half, factor)| follows[half] = Some((number as u16, factor)));
        }
        Turning { follows, fixed }
    }

    fn row(&self, leaf: &Leaf, weights: &std::sync::Arc<Weights>) -> (f32, Vec<(u16, f32)>) {
        let position = match leaf {
            Leaf::Decided(value) => return (*value, Vec::new()),
            Leaf::Position(position) => position,
        };
        let mut constant = 0.0;
        let mut shares: Vec<(u16, f64)> = Vec::new();
        let mut add = |half: HalfWeight, share: f64| match self.follows[half] {
            _ if share == 0.0 => {}
            None => constant += share * self.fixed[half],
            Some((knob, factor)) => match shares.iter_mut().find(|(other, _)| *other == knob) {
                Some((_, sum)) => *sum += share * factor,
                None => shares.push((knob, share * factor)),
            },
        };
        for (weight, middlegame, endgame) in EvalTrace::new(position, weights).shares() {
            add(2 * weight, middlegame);
            add(2 * weight + 1, endgame);
        }
        (constant as f32, shares.into_iter().map(|(knob, share)| (knob, share as f32)).collect())
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;
    use crate::{
        evaluation::{Evaluation, Evaluator},
        tuning::turned,
    };

    #[test]
    fn forms_give_what_the_evaluation_gives_at_other_settings_too() {
        let weights = Weights::default();
        let positions: Vec<Chess> = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 b - - 0 1",
        ]
        .map(|fen| fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
        .into();
        let leaves: Vec<Leaf> = positions.iter().cloned().map(Leaf::Position).collect();
        for what in ["all", "table-12"] {
            let knobs = Knob::read(what, &weights).unwrap();
            let forms = Forms::new(&leaves, &knobs, &weights);
            for scale in [1.0, 0.5] {
                let values: Vec<f64> = knobs.iter().map(|knob| scale * knob.usual).collect();
                let turned = turned(&weights, &knobs, &values);
                let found = forms.values(&values);
                let mut evaluator = Evaluator::new(&Evaluation::from(turned));
                for (position, value) in positions.iter().zip(found) {
                    let expected = evaluator.evaluate(position, 0);
                    let expected = position.turn().fold_wb(expected, -expected) as f32;
                    // Weights are rounded for play.
                    assert!((value - expected).abs() < 15.0, "{what}: {value} is not {expected}");
                }
            }
        }
    }
}
