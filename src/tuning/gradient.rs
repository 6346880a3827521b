//! Optimisers that know the gradient: a smooth likeness of Kendall's τ, and logistic regression. Both go by Adam (Kingma & Ba 2015).

use rand::{Rng, seq::SliceRandom};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Forms, TuningSet};

/// Positions that one task takes; sums over them are added in order, so that threads don't matter.
const CHUNK: usize = 4096;
/// Decay of Adam's first and second moment, as its authors suggest.
const DECAY: [f64; 2] = [0.9, 0.999];
/// Keeps Adam from dividing by zero.
const EPSILON: f64 = 1e-12;

/// Adam: each knob is turned by about `rate` in the direction in which the gradient has pointed lately.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Adam {
    moments: Vec<[f64; 2]>,
    steps: i32,
}

impl Adam {
    /// For so many knobs.
    pub fn new(knobs: usize) -> Adam {
        Adam { moments: vec![[0.0; 2]; knobs], steps: 0 }
    }

    /// One step down the gradient.
    pub fn step(&mut self, values: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        for ((value, slope), [mean, square]) in values.iter_mut().zip(gradient).zip(&mut self.moments) {
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            let mean = *mean / (1.0 - DECAY[0].powi(self.steps));
            let square = *square / (1.0 - DECAY[1].powi(self.steps));
            *value -= rate * mean / (square.sqrt() + EPSILON);
        }
    }
}

/// The gradient of Σ f(value) by the knobs, from the derivative of f at each position.
fn gradient(forms: &Forms, derivatives: &[f32], knobs: usize) -> Vec<f64> {
    let parts: Vec<Vec<f32>> = derivatives
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, derivatives)| {
            let mut part = vec![0.0; knobs];
            for (index, &derivative) in derivatives.iter().enumerate() {
                for &(knob, share) in forms.shares(chunk * CHUNK + index) {
                    part[usize::from(knob)] += derivative * share;
                }
            }
            part
        })
        .collect();
    let mut sum = vec![0.0; knobs];
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += f64::from(part));
    }
    sum
}

fn values(forms: &Forms, knobs: &[f64]) -> Vec<f32> {
    let knobs: Vec<f32> = knobs.iter().map(|&value| value as f32).collect();
    (0..forms.len()).into_par_iter().with_min_len(CHUNK).map(|index| forms.value(index, &knobs)).collect()
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Evaluations that differ by this many centipawns are as good as ordered.
const BLUR: f32 = 50.0;

/// The slope of a smooth likeness of τ, to be climbed: pairs drawn by chance count by tanh of their difference in evaluation instead
/// of its sign. Each position is in two pairs.
pub fn smooth_concordance_slope(set: &TuningSet, knobs: &[f64], rng: &mut impl Rng) -> Vec<f64> {
    let values = values(&set.forms, knobs);
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.shuffle(rng);
    let mut derivatives = vec![0.0; values.len()];
    for (place, &one) in order.iter().enumerate() {
        let other = order[(place + 1) % order.len()] as usize;
        let one = one as usize;
        let sign = (set.assessments[one] - set.assessments[other]).signum();
        if set.assessments[one] == set.assessments[other] {
            continue;
        }
        let likely = ((values[one] - values[other]) / BLUR).tanh();
        let weight = (set.weights[one] * set.weights[other]) as f32;
        let slope = weight * sign * (1.0 - likely * likely) / BLUR;
        derivatives[one] -= slope;
        derivatives[other] += slope;
    }
    let pairs = values.len().max(1) as f32;
    derivatives.iter_mut().for_each(|slope| *slope /= pairs);
    gradient(&set.forms, &derivatives, knobs.len())
}

/// The slope of the logistic loss, to be descended: points by evaluation beside the points that were made.
pub fn logistic_slope(set: &TuningSet, knobs: &[f64], scale: f64) -> Vec<f64> {
    let values = values(&set.forms, knobs);
    let scale = scale as f32;
    let total = set.total_weight() as f32;
    let slope = |index: usize| {
        let expected = logistic(scale * values[index]);
        set.weights[index] as f32 * scale * (expected - set.points[index]) / total
    };
    let derivatives: Vec<f32> = (0..values.len()).map(slope).collect();
    gradient(&set.forms, &derivatives, knobs.len())
}

/// The mean logistic loss in nats, of points expected by evaluation, against the points that were made.
pub fn logistic_loss(set: &TuningSet, knobs: &[f64], scale: f64) -> f64 {
    let values = values(&set.forms, knobs);
    let losses = values.iter().zip(&set.points).zip(&set.weights).map(|((&value, &points), &weight)| {
        let (x, points) = (scale * f64::from(value), f64::from(points));
        // ln(1 + exp(x)) without overflow.
        weight * (x.max(0.0) + (-x.abs()).exp().ln_1p() - points * x)
    });
    losses.sum::<f64>() / set.total_weight()
}

/// Where the best scale is sought, for each centipawn.
const SCALES: (f64, f64) = (0.0005, 0.02);
/// Steps of that search.
const SCALE_STEPS: usize = 24;

/// The factor from centipawns to the logistic scale that suits these knobs best, by ternary search. With it fixed, fitting does not stretch all
/// weights: a centipawn stays a centipawn.
pub fn best_scale(set: &TuningSet, knobs: &[f64]) -> f64 {
    let (mut low, mut high) = SCALES;
    for _ in 0..SCALE_STEPS {
        let third = (high - low) / 3.0;
        if logistic_loss(set, knobs, low + third) < logistic_loss(set, knobs, high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}
