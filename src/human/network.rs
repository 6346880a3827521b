//! A small network that scores the moves of a position: how a person comes upon them.
//!
//! A hidden layer over the features of the position, a second of which one half is multiplied with what a move is (what the
//! position asks for, and what the move does) and the other half is added to it and rectified (what the move means here).

use super::features::{MOVE_FEATURES, POSITION_FEATURES, Scene};

/// Width of the first hidden layer.
pub(super) const WIDE: usize = 512;
/// Half the width of the second.
pub(super) const HALF: usize = 96;
/// Width of the second, and of what a move is.
pub(super) const NARROW: usize = 2 * HALF;
/// Products of two vectors are scaled so that a fresh network has no opinion.
pub(super) const SCALE: f32 = 0.125;

/// Where the parts of the network begin among its parameters.
pub(super) const INPUT: usize = 0;
pub(super) const WIDE_BIAS: usize = INPUT + POSITION_FEATURES * WIDE;
pub(super) const HIDDEN: usize = WIDE_BIAS + WIDE;
pub(super) const NARROW_BIAS: usize = HIDDEN + WIDE * NARROW;
pub(super) const MOVES: usize = NARROW_BIAS + NARROW;
pub(super) const OUTPUT: usize = MOVES + MOVE_FEATURES * NARROW;
/// How many parameters there are.
pub(super) const PARAMETERS: usize = OUTPUT + HALF;

/// The network: all its parameters in one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub(super) parameters: Vec<f32>,
}

/// What is worked out on the way to the scores of a position.
pub(super) struct Activations {
    /// The first hidden layer, rectified.
    pub wide: [f32; WIDE],
    /// The second, as it is.
    pub narrow: [f32; NARROW],
    /// What each move is.
    pub moves: Vec<[f32; NARROW]>,
    /// The score of each move.
    pub scores: Vec<f32>,
}

/// The `number`th row of a matrix that begins at `start`.
pub(super) fn row<const WIDTH: usize>(parameters: &[f32], start: usize, number: usize) -> &[f32; WIDTH] {
    const { assert!(WIDTH == WIDE || WIDTH == NARROW || WIDTH == HALF) };
    parameters[start + number * WIDTH..].first_chunk().unwrap_or(&[0.0; WIDTH])
}

/// Adds `factor` times a row.
pub(super) fn add<const WIDTH: usize>(sum: &mut [f32; WIDTH], row: &[f32; WIDTH], factor: f32) {
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
}

impl Network {
    /// How much a person is drawn to each move: ln v, up to a constant.
    pub fn scores(&self, scene: &Scene) -> Vec<f32> {
        self.run(scene).scores
    }

    pub(super) fn run(&self, scene: &Scene) -> Activations {
        let parameters = &self.parameters;
        let mut wide = *row::<WIDE>(parameters, WIDE_BIAS, 0);
        for &(feature, amount) in &scene.position {
            add(&mut wide, row(parameters, INPUT, feature.into()), amount);
        }
        wide.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut narrow = *row::<NARROW>(parameters, NARROW_BIAS, 0);
        for (number, &value) in wide.iter().enumerate() {
            if value > 0.0 {
                add(&mut narrow, row(parameters, HIDDEN, number), value);
            }
        }
        let output = row::<HALF>(parameters, OUTPUT, 0);
        let mut moves = Vec::with_capacity(scene.moves.len());
        let mut scores = Vec::with_capacity(scene.moves.len());
        for features in &scene.moves {
            let mut meaning = [0.0; NARROW];
            for &feature in features {
                add(&mut meaning, row(parameters, MOVES, feature.into()), 1.0);
            }
            let mut sums = [0.0; HALF];
            for k in 0..HALF {
                let rectified = (narrow[HALF + k] + meaning[HALF + k]).max(0.0);
                sums[k] = SCALE * narrow[k] * meaning[k] + output[k] * rectified;
            }
            scores.push(sum(&sums));
            moves.push(meaning);
        }
        Activations { wide, narrow, moves, scores }
    }
}

/// A sum in several lanes, the same whatever the machine can do at once.
fn sum(values: &[f32; HALF]) -> f32 {
    let mut lanes = [0.0f32; 8];
    for chunk in values.as_chunks::<8>().0 {
        lanes.iter_mut().zip(chunk).for_each(|(lane, value)| *lane += value);
    }
    lanes.iter().sum()
}

/// Probabilities by scores.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = scores.iter().map(|score| (score - greatest).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}
