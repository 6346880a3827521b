//! Fits the weights to the results of games: logistic regression of results on evaluations, known as Texel tuning
//! (Österlund 2014).

use std::sync::Arc;

use shakmaty::Chess;

use super::{EvalTrace, Pair, Weights};

/// A position to tune on: its evaluation as a function of the weights, and how its game ended.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The evaluation's derivatives by each weight: its index, middlegame, endgame.
    shares: Vec<(u16, f32, f32)>,
    /// Points for White: 1, ½ or 0.
    points: f32,
}

impl TrainingPosition {
    /// The position should be quiet, as its static evaluation is compared with `points`, White's result from 0 to 1.
    pub fn new(position: &Chess, points: f64, weights: &Arc<Weights>) -> TrainingPosition {
        let shares = EvalTrace::new(position, weights)
            .shares()
            .map(|(weight, middlegame, endgame)| (weight as u16, middlegame as f32, endgame as f32))
            .collect();
        TrainingPosition { shares, points: points as f32 }
    }

    fn value(&self, weights: &[[f32; 2]]) -> f32 {
        self.shares
            .iter()
            .map(|&(index, middlegame, endgame)| {
                let [m, e] = weights[usize::from(index)];
                m * middlegame + e * endgame
            })
            .sum()
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Steps of gradient descent.
    pub steps: usize,
    /// Learning rate: centipawns that a weight may change by in the first step. It falls to 0.
    pub rate: f32,
    /// Regularisation towards the old weights: one that is 100 centipawns off adds this much to the error.
    pub hold: f32,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings { steps: 1500, rate: 1.0, hold: 0.0004 }
    }
}

/// Decay of Adam's first and second moment, as its authors suggest.
const ADAM_DECAY: [f32; 2] = [0.9, 0.999];
/// Keeps Adam from dividing by zero.
const ADAM_EPSILON: f32 = 1e-9;
/// The derivative of `hold` times the square of hundreds of centipawns is 2 / 100² for each centipawn.
const HOLD_DIVISOR: f32 = 5000.0;
/// Where the best slope of the logistic function is sought, for each centipawn.
const SLOPE_RANGE: (f32, f32) = (0.001, 0.02);
/// Steps of that search.
const SLOPE_STEPS: usize = 24;
/// Steps between two reports.
const PROGRESS_INTERVAL: usize = 100;

/// White's expected points by an evaluation: the logistic function.
fn expected(value: f32, slope: f32) -> f32 {
    1.0 / (1.0 + (-slope * value).exp())
}

/// Mean squared error of the expected points.
fn error(positions: &[TrainingPosition], weights: &[[f32; 2]], slope: f32) -> f32 {
    let sum: f64 = positions
        .iter()
        .map(|position| f64::from(position.points - expected(position.value(weights), slope)).powi(2))
        .sum();
    (sum / positions.len().max(1) as f64) as f32
}

/// The slope of the logistic function that suits the old weights best, found by ternary search. With it fixed, fitting
/// does not stretch all weights: a centipawn stays a centipawn.
fn best_slope(positions: &[TrainingPosition], weights: &[[f32; 2]]) -> f32 {
    let (mut low, mut high) = SLOPE_RANGE;
    for _ in 0..SLOPE_STEPS {
        let third = (high - low) / 3.0;
        if error(positions, weights, low + third) < error(positions, weights, high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

/// Fits `weights` to `positions` with Adam (Kingma & Ba 2015). `go_on` hears of each step, now and then with the error, and
/// says whether to go on. Returns the error before and after; nothing, with the old weights, if it did not come to an end.
pub fn fit(
    positions: &[TrainingPosition],
    weights: &mut Weights,
    settings: FitSettings,
    go_on: &mut dyn FnMut(usize, Option<f32>) -> bool,
) -> Option<(f32, f32)> {
    let start: Vec<[f32; 2]> =
        weights.pairs().iter().map(|pair| [pair.middlegame() as f32, pair.endgame() as f32]).collect();
    let slope = best_slope(positions, &start);
    let before = error(positions, &start, slope);
    let mut now = start.clone();
    let mut moments = vec![[[0.0_f32; 2]; 2]; now.len()];
    for step in 1..=settings.steps {
        let gradient = gradient(positions, &now, slope);
        let rate = settings.rate * (1.0 - step as f32 / (settings.steps + 1) as f32);
        for (index, weight) in now.iter_mut().enumerate() {
            for stage in 0..2 {
                let pull = settings.hold * (weight[stage] - start[index][stage]) / HOLD_DIVISOR;
                let slope = gradient[index][stage] + pull;
                let [mean, square] = &mut moments[index][stage];
                *mean += (1.0 - ADAM_DECAY[0]) * (slope - *mean);
                *square += (1.0 - ADAM_DECAY[1]) * (slope * slope - *square);
                let mean = *mean / (1.0 - ADAM_DECAY[0].powi(step as i32));
                let square = *square / (1.0 - ADAM_DECAY[1].powi(step as i32));
                weight[stage] -= rate * mean / (square.sqrt() + ADAM_EPSILON);
            }
        }
        let known = step.is_multiple_of(PROGRESS_INTERVAL).then(|| error(positions, &now, slope));
        if !go_on(step, known) {
            return None;
        }
    }
    for (index, [middlegame, endgame]) in now.iter().enumerate() {
        weights.set(index, Pair::new(middlegame.round() as i32, endgame.round() as i32));
    }
    Some((before, error(positions, &now, slope)))
}

fn gradient(positions: &[TrainingPosition], weights: &[[f32; 2]], slope: f32) -> Vec<[f32; 2]> {
    let mut gradient = vec![[0.0; 2]; weights.len()];
    let factor = 2.0 * slope / positions.len().max(1) as f32;
    for position in positions {
        let p = expected(position.value(weights), slope);
        let error_slope = factor * (p - position.points) * p * (1.0 - p);
        for &(index, middlegame, endgame) in &position.shares {
            gradient[usize::from(index)][0] += error_slope * middlegame;
            gradient[usize::from(index)][1] += error_slope * endgame;
        }
    }
    gradient
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn fitting_finds_out_that_a_knight_more_wins() {
        let mut weights = Weights::default();
        let knight = Weights::names().iter().position(|name| name == "material.knight").unwrap();
        weights.set(knight, Pair::new(0, 0));
        let shared = Arc::new(weights.clone());
        let training = |fen: &str, points: f64| {
            let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            TrainingPosition::new(&position, points, &shared)
        };
        let positions = [
            training("4k3/pppp4/8/8/8/2N5/PPPP4/4K3 w - - 0 1", 1.0),
            training("4k3/pppp4/2n5/8/8/8/PPPP4/4K3 w - - 0 1", 0.0),
            training("4k3/ppppp3/8/8/8/8/PPPP4/4K3 w - - 0 1", 0.2),
        ];
        let untouched = weights.clone();
        assert!(fit(&positions, &mut weights, FitSettings::default(), &mut |step, _| step < 3).is_none());
        assert_eq!(weights.pairs(), untouched.pairs());
        let (before, after) = fit(
            &positions,
            &mut weights,
            FitSettings { hold: 0.0, ..FitSettings::default() },
            &mut |_, _| true,
        )
        .unwrap();
        assert!(after < before, "{before} to {after}");
        let worth = weights.pairs()[knight].endgame();
        assert!(worth > 10, "{worth}");
    }
}
