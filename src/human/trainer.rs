//! Learning the network from moves that people have played: the likelihood of the move played is raised by stochastic
//! gradient ascent (Adam), batch by batch. The same moves in the same order give the same network on any machine.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    features::Scene,
    network::{
        HALF, HIDDEN, INPUT, MOVES, NARROW, NARROW_BIAS, Network, OUTPUT, PARAMETERS, SCALE, WIDE, WIDE_BIAS,
        add, row, softmax,
    },
};
use crate::statistics::{Adam, rate_of_step};

/// A decision and the number of the move that was played.
#[derive(Clone, Debug)]
pub struct Example {
    /// As the network sees it.
    pub scene: Scene,
    /// Which of its moves was played.
    pub played: usize,
}

/// Examples from which one step is made.
pub const BATCH: usize = 1024;
/// Parts of a batch that are worked on at the same time, however many processors there are.
const PARTS: usize = 2;
/// Greatest step.
const RATE: f32 = 1e-3;
/// How much of every parameter is taken away by a full step: without it, products of large numbers come to be too steep
/// to walk on.
const DECAY: f32 = 0.03;
/// Steps in which the rate rises to its greatest.
const WARM_UP: f32 = 300.0;

/// What has come of some examples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likelihood {
    /// The sum of ln P of the moves played.
    pub ln: f64,
    /// How often the move played was the likeliest.
    pub hits: u64,
    /// Examples.
    pub count: u64,
}

impl Likelihood {
    /// Of both together.
    pub fn plus(self, other: Likelihood) -> Likelihood {
        Likelihood { ln: self.ln + other.ln, hits: self.hits + other.hits, count: self.count + other.count }
    }

    /// Mean ln P.
    pub fn mean(&self) -> f64 {
        self.ln / self.count.max(1) as f64
    }

    /// The share of moves that were the likeliest.
    pub fn hit_rate(&self) -> f64 {
        self.hits as f64 / self.count.max(1) as f64
    }
}

/// A network that learns.
pub struct Trainer {
    network: Network,
    gradients: [Vec<f32>; PARTS],
    adam: Adam,
    steps: u32,
}

impl Trainer {
    /// A fresh network that will learn for so many steps.
    pub fn new(seed: u64, steps: u32) -> Trainer {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut parameters = vec![0.0; PARAMETERS];
        let mut fill = |start: usize, end: usize, size: f32| {
            parameters[start..end].iter_mut().for_each(|value| *value = rng.random_range(-size..size));
        };
        fill(INPUT, WIDE_BIAS, 0.15);
        fill(HIDDEN, NARROW_BIAS, 0.1);
        fill(MOVES, OUTPUT, 0.1);
        fill(OUTPUT, PARAMETERS, 0.1);
        let zeros = || vec![0.0; PARAMETERS];
        Trainer {
            network: Network { parameters },
            gradients: [zeros(), zeros()],
            adam: Adam::new(PARAMETERS, DECAY),
            steps,
        }
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Steps made.
    pub fn step(&self) -> u32 {
        self.adam.steps()
    }

    /// One step from one batch; how likely its moves were before it.
    pub fn learn(&mut self, batch: &[Example]) -> Likelihood {
        let part = batch.len().div_ceil(PARTS).max(1);
        let network = &self.network;
        let found = self
            .gradients
            .par_iter_mut()
            .zip(batch.par_chunks(part))
            .map(|(gradient, examples)| {
                gradient.fill(0.0);
                let likelihoods = examples.iter().map(|example| backward(network, example, gradient));
                likelihoods.fold(Likelihood::default(), Likelihood::plus)
            })
            .collect::<Vec<_>>();
        let rate = rate_of_step(self.step() + 1, self.steps, WARM_UP, RATE);
        let halves = self.gradients.each_ref().map(Vec::as_slice);
        self.adam.step(&mut self.network.parameters, halves, 1.0 / batch.len() as f32, rate);
        found.into_iter().fold(Likelihood::default(), Likelihood::plus)
    }
}

/// How likely a network finds moves that were played.
pub fn likelihood(network: &Network, examples: &[Example]) -> Likelihood {
    let one = |example: &Example| judge(&network.scores(&example.scene), example.played).0;
    examples.par_iter().map(one).collect::<Vec<_>>().into_iter().fold(Likelihood::default(), Likelihood::plus)
}

fn judge(scores: &[f32], played: usize) -> (Likelihood, Vec<f32>) {
    let probabilities = softmax(scores);
    let hit = scores.iter().all(|&score| score <= scores[played]);
    let ln = f64::from(probabilities[played].max(f32::MIN_POSITIVE)).ln();
    (Likelihood { ln, hits: hit.into(), count: 1 }, probabilities)
}

fn row_mut<const WIDTH: usize>(
    parameters: &mut [f32],
    start: usize,
    number: usize,
) -> Option<&mut [f32; WIDTH]> {
    parameters[start + number * WIDTH..].first_chunk_mut()
}

fn add_to<const WIDTH: usize>(
    gradient: &mut [f32],
    start: usize,
    number: usize,
    more: &[f32; WIDTH],
    factor: f32,
) {
    if let Some(sum) = row_mut(gradient, start, number) {
        add(sum, more, factor);
    }
}

/// Adds the gradient of −ln P of the move played.
fn backward(network: &Network, example: &Example, gradient: &mut [f32]) -> Likelihood {
    let seen = network.run(&example.scene);
    let (likelihood, probabilities) = judge(&seen.scores, example.played);
    let parameters = &network.parameters;
    let output = row::<HALF>(parameters, OUTPUT, 0);
    let mut to_narrow = [0.0f32; NARROW];
    let mut to_output = [0.0f32; HALF];
    for (number, features) in example.scene.moves.iter().enumerate() {
        let error = probabilities[number] - if number == example.played { 1.0 } else { 0.0 };
        if error.abs() < 1e-5 {
            continue;
        }
        let meaning = &seen.moves[number];
        let mut to_meaning = [0.0f32; NARROW];
        for k in 0..HALF {
            to_meaning[k] = error * SCALE * seen.narrow[k];
            to_narrow[k] += error * SCALE * meaning[k];
            let sum = seen.narrow[HALF + k] + meaning[HALF + k];
            let through = if sum > 0.0 { error * output[k] } else { 0.0 };
            to_output[k] += error * sum.max(0.0);
            to_meaning[HALF + k] = through;
            to_narrow[HALF + k] += through;
        }
        for &feature in features {
            add_to(gradient, MOVES, feature.into(), &to_meaning, 1.0);
        }
    }
    add_to(gradient, OUTPUT, 0, &to_output, 1.0);
    add_to(gradient, NARROW_BIAS, 0, &to_narrow, 1.0);
    let mut to_wide = [0.0f32; WIDE];
    for (number, &value) in seen.wide.iter().enumerate() {
        if value > 0.0 {
            add_to(gradient, HIDDEN, number, &to_narrow, value);
            let weights = row::<NARROW>(parameters, HIDDEN, number);
            let mut lanes = [0.0f32; 8];
            for (weights, errors) in weights.as_chunks::<8>().0.iter().zip(to_narrow.as_chunks::<8>().0) {
                for k in 0..8 {
                    lanes[k] += weights[k] * errors[k];
                }
            }
            to_wide[number] = lanes.iter().sum();
        }
    }
    add_to(gradient, WIDE_BIAS, 0, &to_wide, 1.0);
    for &(feature, amount) in &example.scene.position {
        add_to(gradient, INPUT, feature.into(), &to_wide, amount);
    }
    likelihood
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::game::Game;

    /// Some decisions of a random game.
    fn examples(count: usize) -> Vec<Example> {
        let mut rng = Pcg64::seed_from_u64(3);
        let mut game = Game::new(Chess::default());
        let mut examples = Vec::new();
        while examples.len() < count {
            let moves = game.position().legal_moves();
            if moves.len() < 2 {
                game = Game::new(Chess::default());
                continue;
            }
            let played = rng.random_range(0..moves.len());
            let scene = Scene::new(game.position(), game.lead_up(), &moves, 1750.0);
            examples.push(Example { scene, played });
            game.play(moves[played]);
        }
        examples
    }

    #[test]
    fn the_gradient_is_what_small_steps_show() {
        let mut network = Trainer::new(1, 1).network;
        let examples = examples(40);
        let example = &examples[39];
        let mut gradient = vec![0.0; PARAMETERS];
        backward(&network, example, &mut gradient);
        let mut steep: Vec<usize> = (0..PARAMETERS).filter(|&number| gradient[number].abs() > 0.02).collect();
        steep.truncate(400);
        assert!(steep.len() > 50);
        for number in steep.into_iter().step_by(7) {
            let middle = network.parameters[number];
            let mut at = |parameter: f32| {
                network.parameters[number] = parameter;
                judge(&network.scores(&example.scene), example.played).0.ln
            };
            let slope = -(at(middle + 1e-2) - at(middle - 1e-2)) / 2e-2;
            network.parameters[number] = middle;
            let error = (slope - f64::from(gradient[number])).abs();
            assert!(error < 0.1 * slope.abs() + 2e-3, "{number}: {slope}, not {}", gradient[number]);
        }
    }

    #[test]
    fn moves_are_learned_and_the_same_by_seed() {
        let examples = examples(64);
        let learn = || {
            let mut trainer = Trainer::new(2, 12);
            let found: Vec<f64> = (0..12).map(|_| trainer.learn(&examples).mean()).collect();
            (found, trainer.network)
        };
        let (found, network) = learn();
        assert!(found[11] > found[0] + 0.01, "{found:?}");
        assert_eq!((found, network), learn());
    }
}
