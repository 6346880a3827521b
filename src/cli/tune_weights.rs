//! `errare tune FILES`: weights are tuned.

use std::{fs, path::PathBuf, sync::Arc};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::{
    Context, Failure,
    progress::Progress,
    tune::{PositionFlags, counted},
    tune_report::{Paths, write},
    tune_store::Supervisor,
};
use crate::{
    console,
    evaluation::Weights,
    tuning::{Ascent, Assessor, FindLeaves, Knob, Method, Sampling, Tuner, TuningRecord, TuningSettings},
};

#[derive(Args)]
pub(super) struct Flags {
    #[command(flatten)]
    positions: PositionFlags,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to climb
    #[arg(long, value_name = "METHOD", default_value = "logistic")]
    by: MethodName,
    /// What to tune: all, table-12, or names of weights or groups, as in material.bishop,king=king.attack+king.check
    #[arg(long, value_name = "WHAT", default_value = "all")]
    tune: String,
    /// Where every knob begins, instead of where it stands
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Steps
    #[arg(long, default_value_t = TuningSettings::default().iterations)]
    iterations: usize,
    /// How positions are assessed: static, quiescence, or a number of nodes
    #[arg(long, value_name = "HOW", default_value = "quiescence")]
    assess: Assessor,
    /// Search the positions anew every so many steps
    #[arg(long, value_name = "STEPS", default_value_t = TuningSettings::default().reassess)]
    reassess: usize,
    /// Tune on so many positions, drawn by chance
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// As many positions of each category and side to move
    #[arg(long)]
    stratified: bool,
    /// Every category counts the same, however many positions it has
    #[arg(long)]
    even: bool,
    /// The share of positions that are never tuned on
    #[arg(long, value_name = "SHARE", default_value_t = Sampling::default().control)]
    control: f64,
    /// Of all that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// By ascent: begin with so many positions and take more with every step
    #[arg(long, value_name = "N", default_value_t = 0)]
    grow_from: usize,
    /// By ascent: draw the positions anew for each step
    #[arg(long)]
    change: bool,
    /// By ascent: let positions that are ordered badly count more, by up to this share
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    perturb: f64,
    /// By gradient: centipawns that a weight may change by in the first step
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = TuningSettings::default().rate)]
    rate: f64,
    /// By gradient: how much weights are held where they were
    #[arg(long, default_value_t = TuningSettings::default().hold)]
    hold: f64,
    /// By logistic regression: the share of the game's result in a position's points, where there is an assessment too
    #[arg(long, value_name = "SHARE", default_value_t = TuningSettings::default().result_share)]
    result_share: f64,
    /// Write what the knobs went through, step by step, as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw it
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Keep the weights of every hundredth step in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Have workers ('errare work') search the positions, by way of this store, and keep there how far the tuning is: run again, it
    /// goes on from there
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Estimated gradient ascent on Kendall's tau, a knob at a time (Gomboc 2004)
    Ascent,
    /// A smooth likeness of Kendall's tau, by its gradient
    Smooth,
    /// Logistic regression on results and assessments
    Logistic,
}

/// Weights are kept every so many steps.
const KEPT_EVERY: usize = 100;

pub(super) fn run(flags: &Flags, context: &mut Context<'_>) -> Result<(), Failure> {
    for (name, share) in
        [("--control", flags.control), ("--perturb", flags.perturb), ("--result-share", flags.result_share)]
    {
        if !(0.0..=1.0).contains(&share) {
            return Err(Failure::usage(format!("{name} {share}: a share is a number from 0 to 1")));
        }
    }
    let weights = Weights::read(&flags.positions.weights_file).map_err(Failure::usage)?;
    let knobs = Knob::read(&flags.tune, &weights).map_err(Failure::usage)?;
    let read = flags.positions.read(flags.seed, context)?;
    let heading = counted(&read);
    let sampling = Sampling {
        size: flags.sample.unwrap_or(usize::MAX),
        stratified: flags.stratified,
        even: flags.even,
        control: flags.control,
        seed: flags.seed,
    };
    let sample = sampling.draw(read.positions);
    let sizes = [sample.training.len(), sample.control.len()];
    if sizes[0] < 2 {
        return Err(Failure::usage(
            "no two positions are left to tune on: give more, or a smaller --control",
        ));
    }
    let values: Vec<f64> = knobs.iter().map(|knob| flags.start.unwrap_or(knob.usual)).collect();
    let settings = flags.settings();
    let weights = Weights::clone(&weights);
    let supervisor = flags.store.as_ref().map(|location| {
        let interrupt = context.interrupt.clone();
        Supervisor::new(location.clone(), &sample, &weights, &knobs, &values, &settings, interrupt)
    });
    let supervisor = supervisor.transpose()?;
    let finder: &dyn FindLeaves = match &supervisor {
        Some(supervisor) => supervisor,
        None => &flags.assess,
    };
    let stopped = || supervisor.as_ref().and_then(Supervisor::trouble).unwrap_or(Failure::Interrupted);
    let cancel = context.interrupt.flag();
    let tuner = match supervisor.as_ref().map(Supervisor::found).transpose()?.flatten() {
        Some(state) => {
            console::tell(format_args!("errare: goes on after step {}", state.iteration()));
            Tuner::resume(sample, weights, knobs, state, settings, finder, cancel)
        }
        None => Tuner::new(sample, weights, knobs, values, settings, finder, cancel),
    };
    let mut tuner = tuner.ok_or_else(stopped)?;
    let records = climb(flags, &mut tuner, supervisor.as_ref(), context)?;
    report(flags, &tuner, &records, &heading, sizes, context)
}

impl Flags {
    fn settings(&self) -> TuningSettings {
        TuningSettings {
            method: match self.by {
                MethodName::Ascent => Method::Ascent(Ascent::default()),
                MethodName::Smooth => Method::Smooth,
                MethodName::Logistic => Method::Logistic,
            },
            assessor: self.assess,
            iterations: self.iterations,
            rate: self.rate,
            hold: self.hold,
            result_share: self.result_share,
            reassess: self.reassess,
            grow_from: self.grow_from,
            change: self.change,
            perturb: self.perturb,
            seed: self.seed,
        }
    }
}

fn climb(
    flags: &Flags,
    tuner: &mut Tuner<'_>,
    supervisor: Option<&Supervisor>,
    context: &Context<'_>,
) -> Result<Vec<TuningRecord>, Failure> {
    if let Some(folder) = &flags.keep {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::failed(format!("cannot make {}: {error}", folder.display())))?;
    }
    let progress = Progress::new(flags.iterations as u64, 0, "steps");
    // Of a tuning that goes on, the start is known, but not what came between.
    let mut records: Vec<TuningRecord> = tuner.state().first().cloned().into_iter().collect();
    let mut trouble = None;
    let done = tuner.run(context.interrupt.flag(), &mut |tuner, record| {
        let (tau, control) = (record.tau, record.control_tau);
        progress.advance(record.iteration as u64, &format!("tau {tau:.5}, control {control:.5}"));
        if records.last().is_none_or(|last| last.iteration < record.iteration) {
            records.push(record.clone());
        }
        if let Some(folder) = &flags.keep
            && record.iteration % KEPT_EVERY == 0
        {
            let path = folder.join(format!("step-{:04}.toml", record.iteration));
            trouble = write(&path, tuner.weights().to_toml().as_bytes()).err();
        }
        if let Some(supervisor) = supervisor {
            let last = record.iteration == flags.iterations;
            trouble = trouble.take().or(supervisor.keep(tuner.state(), last).err());
        }
        trouble.is_none()
    });
    progress.finish();
    let trouble = trouble.or_else(|| supervisor.and_then(Supervisor::trouble));
    match (trouble, done) {
        (Some(trouble), _) => Err(trouble),
        // What was found so far is not lost.
        (None, None) if flags.out.is_some() && records.len() > 1 => {
            progress.say("errare: interrupted; what was reached is written");
            Ok(records)
        }
        (None, None) => Err(Failure::Interrupted),
        (None, Some(())) => Ok(records),
    }
}

fn report(
    flags: &Flags,
    tuner: &Tuner<'_>,
    records: &[TuningRecord],
    heading: &str,
    sizes: [usize; 2],
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (records.first(), records.last()) else { return Ok(()) };
    let weights = Arc::new(tuner.weights());
    if let Some(path) = &flags.out {
        write(path, weights.to_toml().as_bytes())?;
    }
    let paths = Paths { knobs: tuner.knobs(), records };
    if let Some(path) = &flags.csv {
        write(path, paths.csv().as_bytes())?;
    }
    if let Some(path) = &flags.svg {
        write(path, paths.chart(&flags.assess.to_string()).to_svg().as_bytes())?;
    }
    let seconds = last.time.as_secs_f64();
    if flags.json {
        let line = |record: &TuningRecord| {
            json!({ "iteration": record.iteration, "tau": record.tau, "control_tau": record.control_tau,
                "loss": record.loss, "control_loss": record.control_loss })
        };
        let knobs = tuner.knobs().iter().zip(&last.values);
        let knobs: serde_json::Map<_, _> =
            knobs.map(|(knob, value)| (knob.name.clone(), json!(value))).collect();
        let object = json!({ "training": sizes[0], "control": sizes[1], "seconds": seconds, "before": line(first),
            "after": line(last), "values": knobs });
        writeln!(context.out, "{object}")?;
        return Ok(());
    }
    writeln!(context.out, "{heading}")?;
    let [training, control] = sizes;
    writeln!(
        context.out,
        "{training} to tune on, {control} to judge by; {} steps, {seconds:.1} s",
        last.iteration
    )?;
    writeln!(context.out, "{:<28} {:>12} {:>12}", "", "before", "after")?;
    for (name, before, after) in [
        ("tau, tuned on", first.tau, last.tau),
        ("tau, judged by", first.control_tau, last.control_tau),
        ("logistic loss, tuned on", first.loss, last.loss),
        ("logistic loss, judged by", first.control_loss, last.control_loss),
    ] {
        writeln!(context.out, "{name:<28} {before:>12.5} {after:>12.5}")?;
    }
    if tuner.knobs().len() <= MOST_LISTED {
        for ((knob, before), after) in tuner.knobs().iter().zip(&first.values).zip(&last.values) {
            writeln!(context.out, "{:<28} {before:>12.1} {after:>12.1} {}", knob.name, knob.unit)?;
        }
    }
    Ok(())
}

/// More knobs than this are for files.
const MOST_LISTED: usize = 40;
