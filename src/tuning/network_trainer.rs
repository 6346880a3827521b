//! Learning the network that evaluates positions: the chances that it gives are drawn to those that follow from assessments, by stochastic
//! gradient descent, batch by batch. The same positions in the same order give the same network on any machine.

use arrayvec::ArrayVec;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

use super::AssessedPosition;
use crate::{
    evaluation::{CENTIPAWNS, EvalNetwork, Feature, MEN, NetworkParameters, STAGES, View, WIDTH, stage},
    statistics::{Adam, rate_of_step},
};

/// A position as the network sees it, and what is thought of it.
#[derive(Clone, Debug)]
pub struct NetworkExample {
    /// Each man as the side to move sees him, and as the other does.
    men: ArrayVec<[Feature; 2], 32>,
    stage: usize,
    /// The chances of the side to move that follow from the assessment.
    chances: f32,
}

impl NetworkExample {
    /// Of a position; nothing if it has no two kings, or more men than a game can have.
    pub fn new(one: &AssessedPosition) -> Option<NetworkExample> {
        let turn = one.position.turn();
        let pawns = turn.fold_wb(one.assessment.0, -one.assessment.0);
        let chances = chances((100.0 * pawns / f64::from(CENTIPAWNS)) as f32);
        Some(NetworkExample { men: men(&one.position, turn)?, stage: stage(one.position.board()), chances })
    }
}

fn men(position: &Chess, turn: Color) -> Option<ArrayVec<[Feature; 2], 32>> {
    let board = position.board();
    let [own, other] = [turn, !turn].map(|color| Some(View::of(color, board.king_of(color)?)));
    let (own, other) = (own?, other?);
    let mut men = ArrayVec::new();
    for (square, piece) in board.clone() {
        men.try_push([own.feature(square, piece), other.feature(square, piece)]).ok()?;
    }
    Some(men)
}

/// How a network is learned.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSettings {
    /// How often all positions are gone through.
    pub epochs: u32,
    /// Of the first network and of all draws.
    pub seed: u64,
}

impl NetworkSettings {
    /// So many steps are made from so many positions.
    pub fn steps(self, positions: usize) -> u32 {
        self.epochs * positions.div_ceil(BATCH) as u32
    }
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        NetworkSettings { epochs: 12, seed: 1 }
    }
}

/// What is told of the learning after each time that all positions were gone through.
#[derive(Clone, Copy, Debug)]
pub struct NetworkProgress {
    /// How often they were.
    pub epoch: u32,
    /// Mean squared error of the chances on the positions learned from, each before it was.
    pub learning: f64,
    /// On those that nothing is learned from.
    pub judging: f64,
}

/// Positions from which one step is made.
const BATCH: usize = 8192;
/// Parts of a batch that are worked on at the same time, however many processors there are.
const PARTS: usize = 2;
/// Greatest step.
const RATE: f32 = 1e-3;
/// Steps in which the rate rises to its greatest, or a tenth of all if these are fewer.
const WARM_UP: f32 = 200.0;

/// Learns a network. `hear` is told how it goes, and at every step `going_on`, who knows how many were made, is asked.
pub fn learn_network(
    mut training: Vec<NetworkExample>,
    judging: &[NetworkExample],
    settings: NetworkSettings,
    going_on: &dyn Fn(u32) -> bool,
    hear: &mut dyn FnMut(&NetworkProgress),
) -> Option<EvalNetwork> {
    let mut rng = Pcg64::seed_from_u64(settings.seed);
    let mut learner = Learner::new(&mut rng, settings.steps(training.len()));
    for epoch in 1..=settings.epochs {
        training.shuffle(&mut rng);
        let mut error = 0.0;
        for batch in training.chunks(BATCH) {
            if !going_on(learner.adam.steps()) {
                return None;
            }
            error += learner.learn(batch);
        }
        let judged: f64 = judging.par_iter().map(|example| learner.parameters.error(example)).sum();
        let mean = |sum: f64, positions: &[NetworkExample]| sum / positions.len().max(1) as f64;
        hear(&NetworkProgress { epoch, learning: mean(error, &training), judging: mean(judged, judging) });
    }
    Some(EvalNetwork::new(&learner.parameters))
}

struct Learner {
    parameters: NetworkParameters,
    slopes: [NetworkParameters; PARTS],
    adam: Adam,
    steps: u32,
}

impl Learner {
    fn new(rng: &mut Pcg64, steps: u32) -> Learner {
        let mut parameters = NetworkParameters::blank();
        let mut fill = |row: &mut [f32; WIDTH], size: f32| {
            row.iter_mut().for_each(|value| *value = rng.random_range(-size..size));
        };
        (0..MEN as Feature).for_each(|man| fill(parameters.man_mut(man), 0.1));
        parameters.bias_mut().fill(0.3);
        (0..STAGES).flat_map(|stage| [(stage, 0), (stage, 1)]).for_each(|(stage, half)| {
            fill(parameters.output_mut(stage, half), 0.06);
        });
        let adam = Adam::new(parameters.numbers().len(), 0.0);
        Learner { parameters, slopes: [NetworkParameters::blank(), NetworkParameters::blank()], adam, steps }
    }

    /// One step from one batch; the sum of squared errors before it.
    fn learn(&mut self, batch: &[NetworkExample]) -> f64 {
        let part = batch.len().div_ceil(PARTS).max(1);
        let parameters = &self.parameters;
        let errors: Vec<f64> = self
            .slopes
            .par_iter_mut()
            .zip(batch.par_chunks(part))
            .map(|(slope, examples)| {
                slope.numbers_mut().fill(0.0);
                examples.iter().map(|example| parameters.descend(example, slope)).sum()
            })
            .collect();
        let warm_up = WARM_UP.min(self.steps as f32 / 10.0);
        let rate = rate_of_step(self.adam.steps() + 1, self.steps, warm_up, RATE);
        let share = 1.0 / batch.len() as f32;
        let slopes = self.slopes.each_ref().map(NetworkParameters::numbers);
        self.adam.step(self.parameters.numbers_mut(), slopes, share, rate);
        let most = NetworkParameters::MOST;
        self.parameters.numbers_mut().iter_mut().for_each(|value| *value = value.clamp(-most, most));
        errors.iter().sum()
    }
}

/// The hidden layer of a position, as the side to move sees it and as the other does.
type Hidden = [[f32; WIDTH]; 2];

impl NetworkParameters {
    fn hidden(&self, example: &NetworkExample) -> Hidden {
        let mut hidden = [*self.bias(); 2];
        for man in &example.men {
            for (sums, &feature) in hidden.iter_mut().zip(man) {
                add(sums, self.man(feature));
            }
        }
        hidden
    }

    fn chances(&self, example: &NetworkExample, hidden: &Hidden) -> f32 {
        let mut lanes = [0.0_f32; 16];
        for (sums, weights) in hidden.iter().zip(self.output(example.stage)) {
            for (sums, weights) in sums.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
                for lane in 0..16 {
                    let clamped = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += clamped * clamped * weights[lane];
                }
            }
        }
        chances(lanes.iter().sum::<f32>() + self.output_bias(example.stage))
    }

    /// The squared error of the chances.
    fn error(&self, example: &NetworkExample) -> f64 {
        f64::from(self.chances(example, &self.hidden(example)) - example.chances).powi(2)
    }

    /// Adds the slope of the squared error, and tells that.
    fn descend(&self, example: &NetworkExample, slope: &mut NetworkParameters) -> f64 {
        let hidden = self.hidden(example);
        let found = self.chances(example, &hidden);
        let error = found - example.chances;
        let output = 2.0 * error * found * (1.0 - found);
        *slope.output_bias_mut(example.stage) += output;
        let weights = self.output(example.stage);
        for half in 0..2 {
            let mut to_hidden = [0.0_f32; WIDTH];
            let to_weights = slope.output_mut(example.stage, half);
            for place in 0..WIDTH {
                let sum = hidden[half][place];
                let clamped = sum.clamp(0.0, 1.0);
                to_weights[place] += output * clamped * clamped;
                // Outside of 0 to 1 nothing changes.
                let open = if sum == clamped { 2.0 * clamped } else { 0.0 };
                to_hidden[place] = output * weights[half][place] * open;
            }
            add(slope.bias_mut(), &to_hidden);
            example.men.iter().for_each(|man| add(slope.man_mut(man[half]), &to_hidden));
        }
        f64::from(error).powi(2)
    }
}

#[inline]
fn add(sums: &mut [f32; WIDTH], more: &[f32; WIDTH]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Expected points of a side, from an output of the network or an assessment on its scale.
fn chances(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{Evaluation, Evaluator},
        tuning::AssessedPositions,
    };

    /// Positions of a random game, assessed by material.
    fn assessed(count: usize) -> Vec<AssessedPosition> {
        let mut rng = Pcg64::seed_from_u64(7);
        let mut read = AssessedPositions::default();
        let mut position = Chess::default();
        while read.positions.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || position.board().occupied().count() < 6 {
                position = Chess::default();
                continue;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            let fen = shakmaty::fen::Epd::from_position(&position, shakmaty::EnPassantMode::Legal);
            let mine = position.our(shakmaty::Role::Pawn).count() as i32
                - position.their(shakmaty::Role::Pawn).count() as i32;
            read.read_lines(&format!("{fen} ce {};", 100 * mine)).unwrap();
        }
        read.positions
    }

    fn examples(count: usize) -> Vec<NetworkExample> {
        assessed(count).iter().filter_map(NetworkExample::new).collect()
    }

    #[test]
    fn the_slope_is_what_small_steps_show() {
        let mut parameters = Learner::new(&mut Pcg64::seed_from_u64(1), 1).parameters;
        let example = &examples(30)[29];
        let mut slope = NetworkParameters::blank();
        parameters.descend(example, &mut slope);
        let slope = slope.numbers().to_vec();
        let greatest = slope.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let steep: Vec<usize> =
            (0..slope.len()).filter(|&number| slope[number].abs() > greatest / 8.0).collect();
        assert!(steep.len() > 20);
        for number in steep.into_iter().step_by(11) {
            let middle = parameters.numbers()[number];
            let mut at = |value: f32| {
                parameters.numbers_mut()[number] = value;
                parameters.error(example)
            };
            let found = (at(middle + 2e-2) - at(middle - 2e-2)) / 4e-2;
            parameters.numbers_mut()[number] = middle;
            let expected = f64::from(slope[number]);
            assert!(
                (found - expected).abs() < 0.1 * expected.abs() + 1e-4,
                "{number}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn pawns_are_learned_to_be_worth_something_and_the_same_by_seed() {
        let examples = examples(400);
        let learn = || {
            let mut errors = Vec::new();
            let settings = NetworkSettings { epochs: 60, seed: 3 };
            let going_on = |_: u32| true;
            let network = learn_network(examples.clone(), &examples, settings, &going_on, &mut |told| {
                errors.push(told.judging)
            });
            (network.unwrap(), errors)
        };
        let (network, errors) = learn();
        assert!(errors[59] < 0.5 * errors[0], "{errors:?}");
        assert_eq!((network, errors), learn());
    }

    #[test]
    fn small_integers_say_what_was_learned() {
        let positions = assessed(200);
        let examples: Vec<_> = positions.iter().filter_map(NetworkExample::new).collect();
        let mut learner = Learner::new(&mut Pcg64::seed_from_u64(5), 20);
        (0..20).for_each(|_| {
            learner.learn(&examples);
        });
        let network = EvalNetwork::new(&learner.parameters).into();
        let mut evaluator =
            Evaluator::new(&Evaluation::Network(network, crate::evaluation::Weights::built_in()));
        for (one, example) in positions.iter().zip(&examples) {
            let found = learner.parameters.chances(example, &learner.parameters.hidden(example));
            let value = evaluator.evaluate(&one.position, 0) as f32;
            assert!((chances(value / CENTIPAWNS as f32) - found).abs() < 0.02, "{value}: {found}");
        }
    }
}
