use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::{
    Adam, Ascent, AssessedPosition, Assessor, FindLeaves, Forms, Knob, Sample, TuningSet, best_scale,
    logistic_loss, logistic_slope, smooth_concordance_slope, turned,
};
use crate::evaluation::Weights;

/// How weights are climbed with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Method {
    /// Estimated gradient ascent on τ (Gomboc 2004, §5.1).
    Ascent(Ascent),
    /// A smooth likeness of τ, by its gradient.
    Smooth,
    /// Logistic regression on results and scores, known as Texel tuning (Österlund 2014).
    Logistic,
}

/// All that a tuning depends on besides its positions.
#[derive(Clone, Debug)]
pub struct TuningSettings {
    /// How.
    pub method: Method,
    /// How the program assesses positions.
    pub assessor: Assessor,
    /// Steps.
    pub iterations: usize,
    /// Of gradient methods: centipawns that a knob is turned by at first. It falls to 0.
    pub rate: f64,
    /// Of gradient methods: how much knobs are held where they were. One that is 100 off adds this much to the loss.
    pub hold: f64,
    /// Of logistic regression: the share of the result in a position's points; the rest is by assessment.
    pub result_share: f64,
    /// Positions are searched anew every so many iterations, since other weights lead to other lines.
    pub reassess: usize,
    /// Of ascent: the first iteration uses so many positions, each later one a hundredth more (§8.1); 0: all from the start.
    pub grow_from: usize,
    /// Of ascent: each iteration draws its positions anew.
    pub change: bool,
    /// Of ascent: positions that the program orders badly count more, by up to this share (§8.2).
    pub perturb: f64,
    /// Of all that is left to chance.
    pub seed: u64,
}

impl Default for TuningSettings {
    fn default() -> TuningSettings {
        TuningSettings {
            method: Method::Logistic,
            assessor: Assessor::Quiescence,
            iterations: 1000,
            rate: 1.5,
            hold: 0.00001,
            result_share: 0.3,
            reassess: 250,
            grow_from: 0,
            change: false,
            perturb: 0.0,
            seed: 1,
        }
    }
}

/// How things stand after so many iterations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TuningRecord {
    /// So many.
    pub iteration: usize,
    /// τ_a over the positions that are tuned on.
    pub tau: f64,
    /// τ_a over those that are not.
    pub control_tau: f64,
    /// Logistic loss over the positions that are tuned on.
    pub loss: f64,
    /// Logistic loss over those that are not.
    pub control_loss: f64,
    /// Time so far.
    pub time: Duration,
    /// Where the knobs are.
    pub values: Vec<f64>,
}

/// Where a tuning stands: with it, it goes on as if it had never stopped.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TuningState {
    iteration: usize,
    values: Vec<f64>,
    /// Where the knobs began.
    start: Vec<f64>,
    /// Where they were when positions were last searched.
    assessed: Vec<f64>,
    /// The method, with what it has changed of itself.
    method: Method,
    adam: Adam,
    scale: f64,
    /// Time until here.
    time: Duration,
    /// How things stood at the start.
    first: Option<TuningRecord>,
}

impl TuningState {
    /// Steps that were made.
    pub fn iteration(&self) -> usize {
        self.iteration
    }

    /// How things stood at the start, once that is known.
    pub fn first(&self) -> Option<&TuningRecord> {
        self.first.as_ref()
    }
}

/// Weights that are being tuned.
pub struct Tuner<'a> {
    sample: Sample,
    knobs: Vec<Knob>,
    weights: Weights,
    settings: TuningSettings,
    finder: &'a dyn FindLeaves,
    state: TuningState,
    /// Training, control.
    sets: [TuningSet; 2],
}

/// Each iteration of a growing sample has so many times the positions of the last.
const GROWTH: f64 = 1.01;
/// From an assessment in pawns to the logistic scale: a pawn is worth 64 % of the points.
const PAWN: f64 = 0.575;
/// `hold` times the square of hundreds of centipawns has the derivative 2 / 100² for each centipawn.
const HOLD_DIVISOR: f64 = 5000.0;
/// Neighbours that a position's order is judged by where weights are perturbed.
const NEIGHBOURS: usize = 16;

impl<'a> Tuner<'a> {
    /// With the knobs at these values to begin with; nothing if it was cancelled.
    pub fn new(
        sample: Sample,
        weights: Weights,
        knobs: Vec<Knob>,
        values: Vec<f64>,
        settings: TuningSettings,
        finder: &'a dyn FindLeaves,
        cancel: &AtomicBool,
    ) -> Option<Tuner<'a>> {
        let state = TuningState {
            iteration: 0,
            start: values.clone(),
            assessed: values.clone(),
            values,
            method: settings.method.clone(),
            adam: Adam::new(knobs.len()),
            scale: PAWN / 100.0,
            time: Duration::ZERO,
            first: None,
        };
        let mut tuner = Tuner::resume(sample, weights, knobs, state, settings, finder, cancel)?;
        tuner.state.scale = best_scale(&tuner.sets[0], &tuner.state.values);
        Some(tuner)
    }

    /// Goes on from where a tuning of the same sample, weights, knobs and settings stood.
    pub fn resume(
        sample: Sample,
        weights: Weights,
        knobs: Vec<Knob>,
        state: TuningState,
        settings: TuningSettings,
        finder: &'a dyn FindLeaves,
        cancel: &AtomicBool,
    ) -> Option<Tuner<'a>> {
        let sets = [&sample.training, &sample.control].map(|positions| empty(positions, &settings));
        let mut tuner = Tuner { sample, knobs, weights, settings, finder, state, sets };
        tuner.assess(cancel)?;
        Some(tuner)
    }

    /// The knobs.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// Where it stands.
    pub fn state(&self) -> &TuningState {
        &self.state
    }

    /// The weights as they are now, rounded for play.
    pub fn weights(&self) -> Weights {
        turned(&self.weights, &self.knobs, &self.state.values)
    }

    /// Finds the leaves of all positions with the weights that they were last searched with, and their forms.
    fn assess(&mut self, cancel: &AtomicBool) -> Option<()> {
        let weights = Arc::new(turned(&self.weights, &self.knobs, &self.state.assessed));
        let parts = [&self.sample.training, &self.sample.control];
        let positions: Vec<&Chess> = parts.into_iter().flatten().map(|one| &one.position).collect();
        let leaves = self.finder.leaves(&positions, &weights, cancel)?;
        let (training, control) = leaves.split_at(self.sample.training.len());
        for (leaves, set) in [training, control].into_iter().zip(&mut self.sets) {
            set.forms = Forms::new(leaves, &self.knobs, &self.weights);
        }
        Some(())
    }

    /// Tunes; `hear` is told how things stand at the start and after every iteration, and says whether to go on. Nothing if it was
    /// cancelled.
    pub fn run(
        &mut self,
        cancel: &AtomicBool,
        hear: &mut dyn FnMut(&Tuner<'_>, &TuningRecord) -> bool,
    ) -> Option<()> {
        let (begun, before) = (Instant::now(), self.state.time);
        loop {
            let iteration = self.state.iteration;
            let stale = iteration.is_multiple_of(self.settings.reassess.max(1));
            if stale && self.settings.assessor != Assessor::Static && self.state.assessed != self.state.values
            {
                self.state.assessed.clone_from(&self.state.values);
                self.assess(cancel)?;
            }
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            self.state.time = before + begun.elapsed();
            let record = self.record();
            self.state.first.get_or_insert_with(|| record.clone());
            if !hear(self, &record) || iteration == self.settings.iterations {
                break;
            }
            self.step();
            self.state.iteration += 1;
        }
        if matches!(self.state.method, Method::Smooth) {
            self.restore_scale();
        }
        Some(())
    }

    fn step(&mut self) {
        // A generator for each step, so that a tuning can go on from any of them.
        let lot = (self.state.iteration as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Pcg64::seed_from_u64(self.settings.seed ^ lot);
        let slope = match self.state.method.clone() {
            Method::Ascent(mut ascent) => {
                let set = self.batch(&mut rng);
                let set = set.as_ref().unwrap_or(&self.sets[0]);
                let hill = set.hill(&self.state.values);
                ascent.step(&hill, &mut self.state.values, &mut rng);
                self.state.method = Method::Ascent(ascent);
                return;
            }
            Method::Smooth => smooth_concordance_slope(&self.sets[0], &self.state.values, &mut rng),
            Method::Logistic => logistic_slope(&self.sets[0], &self.state.values, self.state.scale),
        };
        self.descend(slope);
    }

    fn descend(&mut self, mut slope: Vec<f64>) {
        let TuningState { iteration, values, start, adam, .. } = &mut self.state;
        for ((slope, value), start) in slope.iter_mut().zip(&*values).zip(start) {
            *slope += self.settings.hold * (value - *start) / HOLD_DIVISOR;
        }
        let left = 1.0 - *iteration as f64 / (self.settings.iterations + 1) as f64;
        adam.step(values, &slope, self.settings.rate * left);
    }

    /// τ does not see how large evaluations are; where all knobs are weights, their size is that of the start again.
    fn restore_scale(&mut self) {
        let size = |values: &[f64]| {
            self.sets[0].forms.values(values).iter().map(|value| f64::from(value.abs())).sum::<f64>()
        };
        let factor = size(&self.state.start) / size(&self.state.values).max(f64::MIN_POSITIVE);
        if self.knobs.len() == 2 * Weights::names().len() {
            self.state.values.iter_mut().for_each(|value| *value *= factor);
        }
    }

    fn record(&self) -> TuningRecord {
        let TuningState { iteration, values, scale, time, .. } = &self.state;
        let [tau, control_tau] = self.sets.each_ref().map(|set| set.tau(values));
        let [loss, control_loss] = self.sets.each_ref().map(|set| logistic_loss(set, values, *scale));
        TuningRecord {
            iteration: *iteration,
            tau,
            control_tau,
            loss,
            control_loss,
            time: *time,
            values: values.clone(),
        }
    }

    /// The positions of one iteration, where these are not simply all.
    fn batch(&self, rng: &mut Pcg64) -> Option<TuningSet> {
        let TuningSettings { grow_from, change, perturb, .. } = self.settings;
        if grow_from == 0 && !change && perturb == 0.0 {
            return None;
        }
        let all = &self.sets[0];
        let grown = (grow_from as f64 * GROWTH.powi(self.state.iteration as i32)) as usize;
        let size = if grow_from == 0 { all.forms.len() / 2 } else { grown }.clamp(2, all.forms.len());
        let indices: Vec<usize> = match change {
            true => rand::seq::index::sample(rng, all.forms.len(), size).into_vec(),
            false if grow_from > 0 => (0..size).collect(),
            false => (0..all.forms.len()).collect(),
        };
        let mut set = all.only(&indices);
        if perturb > 0.0 {
            let values = set.forms.values(&self.state.values);
            let discord = |index: usize| {
                let wrong = |other: usize| {
                    (values[index] - values[other]) * (set.assessments[index] - set.assessments[other]) < 0.0
                };
                let others: Vec<usize> = (0..set.forms.len()).collect();
                let mut own = Pcg64::seed_from_u64(self.settings.seed ^ index as u64);
                let drawn = (0..NEIGHBOURS).filter_map(|_| others.choose(&mut own).copied());
                drawn.filter(|&other| wrong(other)).count() as f64 / NEIGHBOURS as f64
            };
            let weights =
                (0..set.forms.len()).map(|index| set.weights[index] * (1.0 + perturb * discord(index)));
            set.weights = weights.collect();
        }
        Some(set)
    }
}

/// The positions as a set without forms.
fn empty(positions: &[AssessedPosition], settings: &TuningSettings) -> TuningSet {
    let points = |one: &AssessedPosition| {
        let assessed = 1.0 / (1.0 + (-PAWN * one.assessment.0).exp());
        let share = settings.result_share;
        one.points.map_or(assessed, |points| share * points + (1.0 - share) * assessed) as f32
    };
    TuningSet {
        forms: Forms::default(),
        assessments: positions.iter().map(|one| one.assessment.0 as f32).collect(),
        points: positions.iter().map(points).collect(),
        weights: positions.iter().map(|one| one.weight).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::AssessedPositions;

    /// Who has a knight more is better, and a pawn more is a little better.
    fn sample() -> Sample {
        let mut read = AssessedPositions::default();
        let mut lines = String::new();
        for file in 0..8 {
            for (white, black, symbol) in
                [("N", "", "+-"), ("", "n", "-+"), ("P", "", "+="), ("", "p", "=+"), ("", "", "=")]
            {
                let row = |man: &str| match man {
                    "" => "8".to_owned(),
                    man => format!(
                        "{}{man}{}",
                        if file > 0 { file.to_string() } else { String::new() },
                        if file < 7 { (7 - file).to_string() } else { String::new() }
                    ),
                };
                lines += &format!(
                    "4k3/pppp4/8/{}/{}/8/PPPP4/4K3 w - - c0 \"{symbol}\";\n",
                    row(black),
                    row(white)
                );
            }
        }
        read.read_lines(&lines).unwrap();
        Sample { control: read.positions.clone(), training: read.positions }
    }

    fn tuned(method: Method, iterations: usize) -> (TuningRecord, TuningRecord) {
        let weights = Weights::default();
        let knobs = Knob::read("material.knight,material.pawn", &weights).unwrap();
        let settings = TuningSettings {
            method,
            assessor: Assessor::Static,
            iterations,
            hold: 0.0,
            rate: 5.0,
            ..TuningSettings::default()
        };
        let running = AtomicBool::new(false);
        let finder = settings.assessor;
        let values = vec![1.0, 60.0];
        let mut tuner = Tuner::new(sample(), weights, knobs, values, settings, &finder, &running).unwrap();
        let mut records = Vec::new();
        tuner.run(&running, &mut |_, record| {
            records.push(record.clone());
            true
        });
        assert_eq!(records.len(), iterations + 1);
        (records[0].clone(), records[iterations].clone())
    }

    #[test]
    fn every_method_finds_out_that_a_knight_is_worth_more_than_a_pawn() {
        for (method, iterations) in
            [(Method::Ascent(Ascent::default()), 200), (Method::Smooth, 100), (Method::Logistic, 100)]
        {
            let (before, after) = tuned(method.clone(), iterations);
            assert!(after.tau > before.tau, "{method:?}: {} to {}", before.tau, after.tau);
            assert!(after.values[0] > before.values[0], "{method:?}: {:?}", after.values);
        }
    }

    #[test]
    fn a_cancelled_tuning_has_no_result() {
        let weights = Weights::default();
        let knobs = Knob::read("material.knight", &weights).unwrap();
        let settings = TuningSettings::default();
        let (finder, cancelled) = (settings.assessor, AtomicBool::new(true));
        let tuner = Tuner::new(sample(), weights, knobs, vec![1.0], settings, &finder, &cancelled);
        assert!(tuner.is_none());
    }

    #[test]
    fn a_tuning_goes_on_from_any_step_as_if_it_had_never_stopped() {
        let weights = Weights::default();
        let knobs = Knob::read("material.knight,material.pawn", &weights).unwrap();
        let running = AtomicBool::new(false);
        for method in [Method::Ascent(Ascent::default()), Method::Smooth, Method::Logistic] {
            let settings =
                TuningSettings { method, iterations: 20, reassess: 5, ..TuningSettings::default() };
            let (finder, values) = (settings.assessor, vec![1.0, 60.0]);
            let mut states = Vec::new();
            let mut tuner = Tuner::new(
                sample(),
                weights.clone(),
                knobs.clone(),
                values,
                settings.clone(),
                &finder,
                &running,
            )
            .unwrap();
            tuner.run(&running, &mut |tuner, _| {
                states.push(serde_json::to_string(tuner.state()).unwrap());
                true
            });
            for state in &states[3..8] {
                let state = serde_json::from_str(state).unwrap();
                let mut later = Tuner::resume(
                    sample(),
                    weights.clone(),
                    knobs.clone(),
                    state,
                    settings.clone(),
                    &finder,
                    &running,
                )
                .unwrap();
                later.run(&running, &mut |_, _| true);
                assert_eq!(later.state.values, tuner.state.values, "{:?}", settings.method);
            }
        }
    }
}
