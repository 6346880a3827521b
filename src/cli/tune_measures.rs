//! `errare tune tau`, `depths`, `features`, `disagreements`, `grain`: how well assessments agree.

use std::{fs, path::PathBuf, sync::Arc};

use clap::Args;
use serde_json::json;
use shakmaty::{EnPassantMode, fen::Epd};

use super::{
    Context, Failure,
    progress::{Progress, Waiting},
    tune::{PositionFlags, counted},
};
use crate::{
    evaluation::{EvalTrace, Evaluation, Weights},
    statistics::{Assessed, Concordance, spearman_rho},
    tuning::{AssessedPositions, Assessment, Assessor, FindLeaves, Forms, concordance_by_depth},
};

/// Kendall's τ and Spearman's ρ between two assessments of the same positions.
#[derive(Args)]
#[command(
    after_help = "Each line has the machine's assessment (a number), the human one (a number, a NAG such as $14 or \
a symbol such as +/=) and, if wanted, a weight, with commas between them.\n\nExample:\n  errare tune tau assessed.csv --json"
)]
pub(super) struct TauArguments {
    /// Lines of machine, human[, weight]; a first line with names is passed over
    #[arg(value_name = "CSV")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Kendall's τ between assessments of positions and our own, by static evaluation (depth 0) and by searches of each depth.
#[derive(Args)]
#[command(after_help = "Example:\n  errare tune depths assessed.epd --depth 8")]
pub(super) struct DepthsArguments {
    #[command(flatten)]
    positions: PositionFlags,
    /// Greatest depth, in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Kendall's τ of each single feature: how far it alone orders positions as somebody does who knows better.
#[derive(Args)]
#[command(after_help = "Example:\n  errare tune features assessed.epd --most 20")]
pub(super) struct FeaturesArguments {
    #[command(flatten)]
    positions: PositionFlags,
    /// Show only so many, those that tell most first
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The positions of which we and the other think most differently, in EPD: what is wrong with them, or with the evaluation?
#[derive(Args)]
#[command(after_help = "Example:\n  errare tune disagreements assessed.epd --assess 1024 --most 10")]
pub(super) struct DisagreementsArguments {
    #[command(flatten)]
    positions: PositionFlags,
    /// How we assess: static, quiescence, or a number of nodes
    #[arg(long, value_name = "HOW", default_value = "quiescence")]
    assess: Assessor,
    /// So many
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
}

/// Kendall's τ with evaluations rounded to multiples of so many centipawns: how much precision does an evaluation need?
#[derive(Args)]
#[command(
    after_help = "A file of weights with the line 'grain = 10' plays so: errare match 'search:weights=coarse.toml' search\n\n\
Example:\n  errare tune grain assessed.epd --grains 1,5,10,25"
)]
pub(super) struct GrainArguments {
    #[command(flatten)]
    positions: PositionFlags,
    /// How we assess: static, quiescence, or a number of nodes
    #[arg(long, value_name = "HOW", default_value = "quiescence")]
    assess: Assessor,
    /// Centipawns, with commas between them
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,5,10,25", value_parser = clap::value_parser!(u32).range(1..=1000))]
    grains: Vec<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn tau(arguments: &TauArguments, context: &mut Context<'_>) -> Result<(), Failure> {
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

pub(super) fn depths(arguments: &DepthsArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let evaluation = Evaluation::read(&arguments.positions.weights_file).map_err(Failure::usage)?;
    let read = arguments.positions.read(1, context)?;
    let positions = &read.positions;
    let progress = Progress::new(positions.len() as u64, 0, "positions");
    let found =
        concordance_by_depth(positions, &evaluation, arguments.depth, context.interrupt.flag(), &|| {
            progress.step("")
        });
    progress.finish();
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
    writeln!(context.out, "{}", counted(&read))?;
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

/// One feature, and how far it orders positions.
struct Feature {
    name: &'static str,
    /// Positions in which the sides differ in it.
    occurs: usize,
    tau: f64,
}

pub(super) fn features(arguments: &FeaturesArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let weights = Weights::read(&arguments.positions.weights_file).map_err(Failure::usage)?;
    let read = arguments.positions.read(1, context)?;
    let mut counts = vec![vec![0.0; read.positions.len()]; Weights::names().len()];
    for (index, one) in read.positions.iter().enumerate() {
        for term in EvalTrace::new(&one.position, &weights).terms {
            counts[term.weight][index] = f64::from(term.count());
        }
    }
    let feature = |(name, counts): (&'static String, &Vec<f64>)| {
        let pairs = counts.iter().zip(&read.positions);
        let pairs = pairs.map(|(&x, one)| Assessed { x, y: one.assessment.0, weight: one.weight });
        let tau = Concordance::of(&pairs.collect::<Vec<_>>()).tau_a().unwrap_or(0.0);
        Feature { name, occurs: counts.iter().filter(|count| **count != 0.0).count(), tau }
    };
    let mut features: Vec<Feature> = Weights::names().iter().zip(&counts).map(feature).collect();
    features.sort_by(|one, other| other.tau.abs().total_cmp(&one.tau.abs()));
    features.truncate(arguments.most.unwrap_or(usize::MAX));
    if arguments.json {
        let rows: Vec<_> = features
            .iter()
            .map(|one| json!({ "feature": one.name, "positions": one.occurs, "tau_a": one.tau }))
            .collect();
        writeln!(context.out, "{}", json!({ "n": read.positions.len(), "features": rows }))?;
        return Ok(());
    }
    writeln!(context.out, "{}", counted(&read))?;
    writeln!(context.out, "{:<28} {:>10} {:>8}", "feature", "positions", "tau_a")?;
    for one in features {
        writeln!(context.out, "{:<28} {:>10} {:>8.4}", one.name, one.occurs, one.tau)?;
    }
    Ok(())
}

/// What we think of positions, in centipawns for White.
fn assess(
    assessor: Assessor,
    read: &AssessedPositions,
    weights: &Arc<Weights>,
    context: &Context<'_>,
) -> Result<Vec<f32>, Failure> {
    let waiting = Waiting::new("assessing");
    let positions: Vec<_> = read.positions.iter().map(|one| &one.position).collect();
    let leaves =
        assessor.leaves(&positions, weights, context.interrupt.flag()).ok_or(Failure::Interrupted)?;
    drop(waiting);
    Ok(Forms::new(&leaves, &[], weights).values(&[]))
}

pub(super) fn disagreements(
    arguments: &DisagreementsArguments,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let weights = Weights::read(&arguments.positions.weights_file).map_err(Failure::usage)?;
    let read = arguments.positions.read(1, context)?;
    let values = assess(arguments.assess, &read, &weights, context)?;
    let ranks = |numbers: &dyn Fn(usize) -> f64| share_below((0..values.len()).map(numbers).collect());
    let ours = ranks(&|index| values[index].into());
    let theirs = ranks(&|index| read.positions[index].assessment.0);
    let mut order: Vec<usize> = (0..values.len()).collect();
    let apart = |index: usize| (ours[index] - theirs[index]).abs();
    order.sort_by(|&one, &other| apart(other).total_cmp(&apart(one)));
    for index in order.into_iter().take(arguments.most) {
        let one = &read.positions[index];
        let epd = Epd::from_position(&one.position, EnPassantMode::Legal);
        writeln!(
            context.out,
            "{epd} c0 \"assessed {:+.2}\"; c1 \"ours {:+.2}\"; c2 \"{:.0} % of all below by them, {:.0} % by us\";",
            one.assessment.0,
            values[index] / 100.0,
            100.0 * theirs[index],
            100.0 * ours[index]
        )?;
    }
    Ok(())
}

/// For each number the share of numbers below it, equals counting half.
fn share_below(numbers: Vec<f64>) -> Vec<f64> {
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    let share = |number: &f64| {
        let below = sorted.partition_point(|other| other < number);
        let up_to = sorted.partition_point(|other| other <= number);
        (below + up_to) as f64 / (2 * sorted.len()) as f64
    };
    numbers.iter().map(share).collect()
}

pub(super) fn grain(arguments: &GrainArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let weights = Weights::read(&arguments.positions.weights_file).map_err(Failure::usage)?;
    let read = arguments.positions.read(1, context)?;
    let values = assess(arguments.assess, &read, &weights, context)?;
    let at = |grain: u32| {
        let grain = f64::from(grain);
        let pairs = values.iter().zip(&read.positions).map(|(&value, one)| Assessed {
            x: (f64::from(value) / grain).round() * grain,
            y: one.assessment.0,
            weight: one.weight,
        });
        Concordance::of(&pairs.collect::<Vec<_>>())
    };
    let found: Vec<(u32, Concordance)> = arguments.grains.iter().map(|&grain| (grain, at(grain))).collect();
    if arguments.json {
        let rows: Vec<_> = found
            .iter()
            .map(|(grain, one)| json!({ "grain": grain, "tau_a": one.tau_a(), "tau_b": one.tau_b() }))
            .collect();
        writeln!(context.out, "{}", json!({ "n": values.len(), "grains": rows }))?;
        return Ok(());
    }
    writeln!(context.out, "{}", counted(&read))?;
    writeln!(context.out, "{:>12} {:>8} {:>8}", "centipawns", "tau_a", "tau_b")?;
    for (grain, one) in found {
        let [tau_a, tau_b] = [one.tau_a(), one.tau_b()].map(|tau| tau.unwrap_or(0.0));
        writeln!(context.out, "{grain:>12} {tau_a:>8.4} {tau_b:>8.4}")?;
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
