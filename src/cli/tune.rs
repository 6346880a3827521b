//! `errare tune`: how well an evaluation orders positions.

use std::{fs, path::PathBuf, sync::Arc};

use clap::{Args, Subcommand};
use serde_json::json;

use super::{Context, Failure, eval, progress};
use crate::{
    evaluation::Weights,
    statistics::{Assessed, Concordance, spearman_rho},
    tuning::{AssessedPositions, Assessment, concordance_by_depth},
};

/// Measure how well assessments of positions agree.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Subcommand)]
enum TuneCommand {
    Tau(TauArguments),
    Depths(DepthsArguments),
}

/// Kendall's τ and Spearman's ρ between two assessments of the same positions.
#[derive(Args)]
#[command(
    after_help = "Each line has the machine's assessment (a number), the human one (a number, a NAG such as $14 or \
a symbol such as +/=) and, if wanted, a weight, with commas between them.\n\nExample:\n  errare tune tau assessed.csv --json"
)]
struct TauArguments {
    /// Lines of machine, human[, weight]; a first line with names is passed over
    #[arg(value_name = "CSV")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Kendall's τ between assessments of positions and our own, by static evaluation (depth 0) and by searches of each depth.
#[derive(Args)]
#[command(
    after_help = "Each line is an EPD with an assessment: nag \"$14\"; or c0 \"+/=\"; or ce 35; (centipawns for the \
side to move).\n\nExample:\n  errare tune depths assessed.epd --depth 8"
)]
struct DepthsArguments {
    /// Assessed positions
    #[arg(value_name = "EPD")]
    file: PathBuf,
    /// Greatest depth, in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Weights of the evaluation instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    weights_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    match &arguments.command {
        TuneCommand::Tau(arguments) => tau(arguments, context),
        TuneCommand::Depths(arguments) => depths(arguments, context),
    }
}

fn tau(arguments: &TauArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let name = arguments.file.display();
    let text = fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    let assessed = read(&text).map_err(|error| Failure::failed(format!("{name}, {error}")))?;
    if assessed.len() < 2 {
        return Err(Failure::failed(format!("{name} has no two lines to compare: machine, human[, weight]")));
    }
    let concordance = Concordance::of(&assessed);
    let (tau_a, tau_b, rho) = (concordance.tau_a(), concordance.tau_b(), spearman_rho(&assessed));
    if arguments.json {
        let line = json!({ "n": assessed.len(), "tau_a": tau_a, "tau_b": tau_b, "rho": rho });
        writeln!(context.out, "{line}")?;
        return Ok(());
    }
    writeln!(context.out, "{:>8} positions", assessed.len())?;
    for (name, value) in [("tau_a", tau_a), ("tau_b", tau_b), ("rho", rho)] {
        let value =
            value.map_or("none: one side tells nothing apart".to_owned(), |value| format!("{value:.6}"));
        writeln!(context.out, "{name:>8} {value}")?;
    }
    Ok(())
}

/// What Table 11 of Gomboc 2004 gives for depths 1 to 10: 649,698 positions of the Chess Informant, assessed by Crafty.
const PUBLISHED: [f64; 10] = [0.2136, 0.3705, 0.4093, 0.4975, 0.5186, 0.5656, 0.5753, 0.6153, 0.6206, 0.6388];

fn depths(arguments: &DepthsArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let name = arguments.file.display();
    let text = fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    let read =
        AssessedPositions::read_epd(&text).map_err(|error| Failure::failed(format!("{name}, {error}")))?;
    let AssessedPositions { positions, unclear, repeated, over } = read;
    if positions.len() < 2 {
        return Err(Failure::failed(format!(
            "{name} has no two assessed positions: write nag, c0 or ce after each"
        )));
    }
    let weights = match &arguments.weights_file {
        Some(path) => eval::read(path)?,
        None => Weights::default(),
    };
    let bar = progress::bar(positions.len() as u64, "positions");
    let found = concordance_by_depth(
        &positions,
        &Arc::new(weights),
        arguments.depth,
        context.interrupt.flag(),
        &|| bar.inc(1),
    );
    bar.finish_and_clear();
    let found = found.ok_or(Failure::Interrupted)?;
    if arguments.json {
        let rows: Vec<_> = found
            .iter()
            .enumerate()
            .map(|(depth, one)| {
                json!({ "depth": depth, "concordant": one.concordant, "discordant": one.discordant,
                    "tau_a": one.tau_a(), "tau_b": one.tau_b() })
            })
            .collect();
        let line = json!({ "n": positions.len(), "depths": rows });
        writeln!(context.out, "{line}")?;
        return Ok(());
    }
    writeln!(
        context.out,
        "{} positions; left out: {unclear} unclear, {repeated} repeated, {over} with the game over",
        positions.len()
    )?;
    writeln!(
        context.out,
        "depth {:>12} {:>12} {:>8} {:>8} {:>10}",
        "S+", "S-", "tau_a", "tau_b", "published"
    )?;
    for (depth, one) in found.iter().enumerate() {
        let tau = |tau: Option<f64>| tau.map_or("none".to_owned(), |tau| format!("{tau:.4}"));
        let published = depth.checked_sub(1).and_then(|index| PUBLISHED.get(index));
        writeln!(
            context.out,
            "{depth:>5} {:>12} {:>12} {:>8} {:>8} {:>10}",
            one.concordant,
            one.discordant,
            tau(one.tau_a()),
            tau(one.tau_b()),
            published.map_or(String::new(), |tau| format!("{tau:.4}"))
        )?;
    }
    Ok(())
}

fn read(text: &str) -> Result<Vec<Assessed>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let is_head = |line: &str| line.split(',').next().is_some_and(|first| number(first).is_none());
    lines
        .filter(|&(index, line)| index > 0 || !is_head(line))
        .map(|(index, line)| read_line(line).map_err(|error| format!("line {}: {error}", index + 1)))
        .collect()
}

fn read_line(line: &str) -> Result<Assessed, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (machine, human, weight) = match fields[..] {
        [machine, human] => (machine, human, "1"),
        [machine, human, weight] => (machine, human, weight),
        _ => return Err(format!("'{line}' is not machine, human[, weight]")),
    };
    let x = number(machine).ok_or_else(|| format!("'{machine}' is no number"))?;
    let Assessment(y) = human.parse().map_err(|error| format!("{error}"))?;
    let weight = number(weight)
        .filter(|weight| *weight > 0.0)
        .ok_or_else(|| format!("'{weight}' is no weight: it must be a positive number"))?;
    Ok(Assessed { x, y, weight })
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_have_a_head_symbols_and_weights() {
        let assessed = read("machine,human\n0.5,+/=\n\n-1, $17, 2\n").unwrap();
        let expected = [(0.5, 1.0, 1.0), (-1.0, -2.0, 2.0)].map(|(x, y, weight)| Assessed { x, y, weight });
        assert_eq!(assessed, expected);
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        for (text, part) in [
            ("1,2\nx,3\n", "line 2: 'x' is no number"),
            ("1,∞\n", "line 1: '∞' is no assessment"),
            ("1,2,-1\n", "'-1' is no weight"),
            ("1\n", "is not machine, human"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
