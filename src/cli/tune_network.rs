//! `errare tune network`: a network that evaluates positions is learned.

use std::path::PathBuf;

use clap::Args;

use super::{
    Context, Failure,
    progress::Progress,
    tune::{PositionFlags, counted},
};
use crate::{
    directories,
    tuning::{NetworkExample, NetworkSettings, Sampling, learn_network},
};

/// Learn a network that evaluates positions from assessed ones, millions of them.
///
/// It takes what its assessor thinks: the better he is and the more kinds of positions there are, the better it becomes. Quiet positions
/// serve best, since searches look at others only to leave them (`errare tune assess --stray`).
#[derive(Args)]
#[command(
    after_help = "Examples:\n  errare tune assess games.pgn --per-game 70 --from-move 3 --stray 2 --engine stockfish --nodes 200 --out many.epd\n  \
errare tune network many.epd --out mine.bin\n  errare match search:weights=mine.bin search --games 200"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    positions: PositionFlags,
    /// Where the network goes; its name has to end in .bin
    #[arg(long, value_name = "FILE.bin")]
    out: PathBuf,
    /// How often all positions are gone through
    #[arg(long, default_value_t = NetworkSettings::default().epochs, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// The share of positions that nothing is learned from
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    control: f64,
    /// Of all that is left to chance
    #[arg(long, default_value_t = NetworkSettings::default().seed)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    if arguments.out.extension().is_none_or(|ending| ending != "bin") {
        let name = arguments.out.display();
        return Err(Failure::usage(format!("--out {name}: the name of a network ends in .bin")));
    }
    if !(0.0..1.0).contains(&arguments.control) {
        let share = arguments.control;
        return Err(Failure::usage(format!("--control {share}: it is a share from 0 up, below 1")));
    }
    let read = arguments.positions.read(arguments.seed, context)?;
    writeln!(context.out, "{}", counted(&read))?;
    let sampling = Sampling { control: arguments.control, seed: arguments.seed, ..Sampling::default() };
    let sample = sampling.draw(read.positions);
    let [training, judging]: [Vec<NetworkExample>; 2] = [sample.training, sample.control]
        .map(|positions| positions.iter().filter_map(NetworkExample::new).collect());
    if training.is_empty() {
        return Err(Failure::usage("no position is left to learn from: give more, or a smaller --control"));
    }
    let settings = NetworkSettings { epochs: arguments.epochs, seed: arguments.seed };
    writeln!(context.out, "{} to learn from, {} to judge by\n", training.len(), judging.len())?;
    writeln!(context.out, "{:>5}  {:>9}  {:>9}", "epoch", "learning", "judging")?;
    let progress = Progress::new(settings.steps(training.len()).into(), 0, "steps");
    let interrupt = context.interrupt.clone();
    let going_on = |step: u32| {
        progress.advance(step.into(), "");
        !interrupt.raised()
    };
    let out = &mut context.out;
    let mut told = Ok(());
    let network = learn_network(training, &judging, settings, &going_on, &mut |at| {
        let [learning, judging] = [at.learning, at.judging].map(f64::sqrt);
        let line = progress.aside(|| {
            writeln!(out, "{:>5}  {learning:>9.5}  {judging:>9.5}", at.epoch).and_then(|()| out.flush())
        });
        if told.is_ok() {
            told = line;
        }
    });
    progress.finish();
    context.check_interrupt()?;
    let Some(network) = network else { return Ok(()) };
    directories::write_whole(&arguments.out, &network.to_bytes())
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", arguments.out.display())))?;
    // What was learned is kept also where nobody listens any more.
    told?;
    writeln!(context.out, "\nwritten to {}; the errors are of expected points", arguments.out.display())?;
    Ok(())
}
