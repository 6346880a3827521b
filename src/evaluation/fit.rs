//! Fits the weights to the results of games: logistic regression of results on evaluations.

use std::sync::Arc;

use shakmaty::Chess;

use super::{Form, Pair, Weights};

/// A position and how its game ended.
#[derive(Clone, Debug)]
pub struct Sample {
    /// By how much the evaluation changes with each weight: place, middlegame, endgame.
    shares: Vec<(u16, f32, f32)>,
    /// Points for White.
    points: f32,
}

impl Sample {
    /// The position should be quiet: its static evaluation is compared with `points`, what White got of 1.
    pub fn new(position: &Chess, points: f64, weights: &Arc<Weights>) -> Sample {
        let shares = Form::new(position, weights)
            .shares()
            .map(|(weight, middlegame, endgame)| (weight as u16, middlegame as f32, endgame as f32))
            .collect();
        Sample { shares, points: points as f32 }
    }

    fn value(&self, weights: &[[f32; 2]]) -> f32 {
        self.shares
            .iter()
            .map(|&(place, middlegame, endgame)| {
                let [m, e] = weights[usize::from(place)];
                m * middlegame + e * endgame
            })
            .sum()
    }
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Steps of gradient descent.
    pub steps: usize,
    /// Centipawns that a weight may change by in the first steps; less and less later.
    pub rate: f32,
    /// How strongly weights are held where they were: a weight 100 centipawns off costs this much of the error.
    pub hold: f32,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings { steps: 1500, rate: 1.0, hold: 0.0004 }
    }
}

/// The probability that White's points come to 1, by an evaluation.
fn expected(value: f32, slope: f32) -> f32 {
    1.0 / (1.0 + (-slope * value).exp())
}

/// Mean square difference of points and expectation.
fn error(samples: &[Sample], weights: &[[f32; 2]], slope: f32) -> f32 {
    let sum: f64 = samples
        .iter()
        .map(|sample| f64::from(sample.points - expected(sample.value(weights), slope)).powi(2))
        .sum();
    (sum / samples.len().max(1) as f64) as f32
}

/// The slope of the expectation that fits the weights as they are, so that a centipawn stays a centipawn.
fn best_slope(samples: &[Sample], weights: &[[f32; 2]]) -> f32 {
    let (mut low, mut high) = (0.001_f32, 0.02_f32);
    for _ in 0..24 {
        let third = (high - low) / 3.0;
        if error(samples, weights, low + third) < error(samples, weights, high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

/// Fits `weights` to `samples` by gradient descent with moments (Kingma & Ba 2015, *Adam*). `progress` hears of the
/// step and the error now and then. Returns the error before and after.
pub fn fit(
    samples: &[Sample],
    weights: &mut Weights,
    settings: FitSettings,
    progress: &mut dyn FnMut(usize, f32),
) -> (f32, f32) {
    const DECAY: [f32; 2] = [0.9, 0.999];
    let start: Vec<[f32; 2]> =
        weights.pairs().iter().map(|pair| [pair.middlegame() as f32, pair.endgame() as f32]).collect();
    let slope = best_slope(samples, &start);
    let before = error(samples, &start, slope);
    let mut now = start.clone();
    let mut moments = vec![[[0.0_f32; 2]; 2]; now.len()];
    for step in 1..=settings.steps {
        let gradient = gradient(samples, &now, slope);
        let rate = settings.rate * (1.0 - step as f32 / (settings.steps + 1) as f32);
        for (place, weight) in now.iter_mut().enumerate() {
            for stage in 0..2 {
                let held = settings.hold * (weight[stage] - start[place][stage]) / 5000.0;
                let slope = gradient[place][stage] + held;
                let [mean, square] = &mut moments[place][stage];
                *mean += (1.0 - DECAY[0]) * (slope - *mean);
                *square += (1.0 - DECAY[1]) * (slope * slope - *square);
                let mean = *mean / (1.0 - DECAY[0].powi(step as i32));
                let square = *square / (1.0 - DECAY[1].powi(step as i32));
                weight[stage] -= rate * mean / (square.sqrt() + 1e-9);
            }
        }
        if step % 100 == 0 {
            progress(step, error(samples, &now, slope));
        }
    }
    for (place, [middlegame, endgame]) in now.iter().enumerate() {
        weights.set(place, Pair::new(middlegame.round() as i32, endgame.round() as i32));
    }
    (before, error(samples, &now, slope))
}

fn gradient(samples: &[Sample], weights: &[[f32; 2]], slope: f32) -> Vec<[f32; 2]> {
    let mut gradient = vec![[0.0; 2]; weights.len()];
    let unit = 2.0 * slope / samples.len().max(1) as f32;
    for sample in samples {
        let p = expected(sample.value(weights), slope);
        let push = unit * (p - sample.points) * p * (1.0 - p);
        for &(place, middlegame, endgame) in &sample.shares {
            gradient[usize::from(place)][0] += push * middlegame;
            gradient[usize::from(place)][1] += push * endgame;
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
        let sample = |fen: &str, points: f64| {
            let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            Sample::new(&position, points, &shared)
        };
        let samples = [
            sample("4k3/pppp4/8/8/8/2N5/PPPP4/4K3 w - - 0 1", 1.0),
            sample("4k3/pppp4/2n5/8/8/8/PPPP4/4K3 w - - 0 1", 0.0),
            sample("4k3/ppppp3/8/8/8/8/PPPP4/4K3 w - - 0 1", 0.2),
        ];
        let (before, after) =
            fit(&samples, &mut weights, FitSettings { hold: 0.0, ..FitSettings::default() }, &mut |_, _| {});
        assert!(after < before, "{before} to {after}");
        let worth = weights.pairs()[knight].endgame();
        assert!(worth > 10, "{worth}");
    }
}
