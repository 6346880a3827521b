use super::{Forms, Hill};
use crate::statistics::{Assessed, Concordance};

/// Positions that weights are tuned on, or judged by: what the program thinks of them as a function of the knobs, and what somebody
/// who knows better thinks.
#[derive(Clone, Debug)]
pub struct TuningSet {
    /// What the program thinks.
    pub forms: Forms,
    /// What the other thinks, as White sees it: only the order counts.
    pub assessments: Vec<f32>,
    /// White's points, from 0 to 1.
    pub points: Vec<f32>,
    /// How much each position counts.
    pub weights: Vec<f64>,
}

impl TuningSet {
    /// Some of the positions.
    pub fn only(&self, indices: &[usize]) -> TuningSet {
        TuningSet {
            forms: self.forms.only(indices),
            assessments: indices.iter().map(|&index| self.assessments[index]).collect(),
            points: indices.iter().map(|&index| self.points[index]).collect(),
            weights: indices.iter().map(|&index| self.weights[index]).collect(),
        }
    }

    /// Positions, each as often as it counts.
    pub fn total_weight(&self) -> f64 {
        self.weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// How far the program orders the positions as the other does.
    pub fn concordance(&self, values: &[f32]) -> Concordance {
        Concordance::of(&self.assessed(values))
    }

    /// Kendall's τ_a with the knobs at these values.
    pub fn tau(&self, knobs: &[f64]) -> f64 {
        self.concordance(&self.forms.values(knobs)).tau_a().unwrap_or(0.0)
    }

    fn assessed(&self, values: &[f32]) -> Vec<Assessed> {
        let places = values.iter().zip(&self.assessments).zip(&self.weights);
        places.map(|((&x, &y), &weight)| Assessed { x: x.into(), y: y.into(), weight }).collect()
    }

    /// The concordance as a hill, seen from where the knobs are.
    pub fn hill(&self, knobs: &[f64]) -> ConcordanceHill {
        let assessed = self.assessed(&self.forms.values(knobs));
        ConcordanceHill { assessed, by_knob: self.forms.by_knob(knobs.len()) }
    }
}

/// τ around one setting of the knobs: to turn one knob changes only the positions in which its terms occur.
pub struct ConcordanceHill {
    assessed: Vec<Assessed>,
    by_knob: Vec<Vec<(u32, f32)>>,
}

impl Hill for ConcordanceHill {
    fn height(&self) -> f64 {
        Concordance::of(&self.assessed).tau_a().unwrap_or(0.0)
    }

    fn height_with(&self, knob: usize, turn: f64) -> f64 {
        let mut assessed = self.assessed.clone();
        for &(index, share) in &self.by_knob[knob] {
            let x = &mut assessed[index as usize].x;
            // In single precision, as all values are.
            *x = f64::from((*x + turn * f64::from(share)) as f32);
        }
        Concordance::of(&assessed).tau_a().unwrap_or(0.0)
    }
}
