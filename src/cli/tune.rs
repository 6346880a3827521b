//! `errare tune`: how well an evaluation orders positions.

use std::{fs, path::PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::{Context, Failure};
use crate::{
    statistics::{Assessed, Concordance, spearman_rho},
    tuning::Assessment,
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

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    match &arguments.command {
        TuneCommand::Tau(arguments) => tau(arguments, context),
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
