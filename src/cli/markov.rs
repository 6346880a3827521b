use std::{io::Write, path::PathBuf, time::Duration};

use clap::Args;
use serde_json::json;
use shakmaty::Color;

use super::{
    Context, Failure,
    model_flags::{ModelFlags, as_json, competence},
    progress::Waiting,
    rank::{self, Ranking},
    tables,
};
use crate::{
    endgame::Material,
    markov::{Chain, Pairing},
    model::Metric,
    report::csv_line,
};

/// An endgame as a Markov chain: expected lengths and chances of a win in time, by depth
///
/// The player of competence c has the won side and moves first; its opponent is infallible unless told otherwise. Moves
/// are averaged over all legal positions of the full board that are equally deep.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare markov KQKR --competence 20,21,22           expected moves to conversion; chance to win in 50 moves
  errare markov KQKR --competence inf --opponent 5   how long a fallible defender holds out
  errare markov KBBKN --competence 10 --within 50,75,100 --csv
  errare markov KRKN --competence 15 --keep-value false --n1 40 --json
  errare markov --rank --competence 5,10,20          which endgames of 3 and 4 men are hardest
  errare markov --rank --men 5 --competence 10 --time 60 --keep ranking.jsonl --svg ranking.svg")]
pub struct Arguments {
    /// An endgame by its men
    #[arg(value_name = "MATERIAL", required_unless_present = "rank")]
    material: Option<Material>,
    /// Rank endgames by difficulty instead: how many times as long as the infallible player R_c is expected to need against
    /// the infallible defender, from a won position taken at random
    #[arg(long, conflicts_with_all = ["material", "opponent", "winner", "within"])]
    rank: bool,
    /// Rank all endgames with 3 to so many men; those of five by depth only
    #[arg(long, default_value_t = 4, requires = "rank", conflicts_with = "material", value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    men: u8,
    /// Rank without exact figures, which take longest
    #[arg(long, requires = "rank", conflicts_with = "material")]
    aggregated: bool,
    /// Rank what can be had in so many minutes: missing tables of five men are made only then
    #[arg(long, requires = "rank", conflicts_with = "material", value_name = "MINUTES")]
    time: Option<f64>,
    /// Keep figures in this file, and go on with those it has
    #[arg(long, requires = "rank", conflicts_with = "material", value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Draw the ranking
    #[arg(long, requires = "rank", conflicts_with = "material", value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Competences of the side that moves first: numbers, inf or -inf
    #[arg(long, required = true, value_delimiter = ',', value_parser = competence, allow_hyphen_values = true)]
    competence: Vec<f64>,
    /// Competence of its opponent
    #[arg(long, default_value = "inf", value_parser = competence, allow_hyphen_values = true, value_name = "C")]
    opponent: f64,
    /// The side that moves first and whose wins are counted: white is the side named first
    #[arg(long, default_value = "white", value_parser = side, value_name = "COLOUR")]
    winner: Color,
    /// What depths count: dtc, dtm or dtz
    #[arg(long, default_value = "dtc", value_parser = Metric::aim)]
    metric: Metric,
    /// Chances to win within so many moves
    #[arg(long, default_value = "50", value_delimiter = ',', value_name = "MOVES", value_parser = clap::value_parser!(u32).range(..=10_000))]
    within: Vec<u32>,
    #[command(flatten)]
    model: ModelFlags,
    /// Print a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values: a line for each c and depth
    #[arg(long)]
    csv: bool,
}

/// Reads a colour.
pub(super) fn side(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err("use white or black".to_owned()),
    }
}

/// What is printed of one chain, by depth from 0.
struct Run {
    c: f64,
    expected_moves: Vec<f64>,
    won_within: Vec<(u32, Vec<f64>)>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let model = arguments.model.model()?;
    let Some(material) = arguments.material else {
        let Arguments { men, metric, json, csv, aggregated, time, .. } = *arguments;
        let ranking = Ranking {
            men,
            competences: &arguments.competence,
            metric,
            model,
            exact: !aggregated,
            time: time.map(|minutes| Duration::from_secs_f64(60.0 * minutes.clamp(0.0, 1e6))),
            keep: arguments.keep.as_deref(),
            svg: arguments.svg.as_deref(),
            json,
            csv,
        };
        return rank::run(&ranking, context);
    };
    let library = context.tables()?;
    let walk = tables::walk(context, &library, material, arguments.metric)?;
    let pairings: Vec<Pairing> =
        arguments.competence.iter().map(|&first| Pairing { first, second: arguments.opponent }).collect();
    let waiting = Waiting::new("working out the chain");
    let chains = Chain::of(&walk, arguments.winner, &model, &pairings, context.interrupt.flag())
        .map_err(Failure::failed)?
        .ok_or(Failure::Interrupted)?;
    let runs: Vec<Run> = chains
        .iter()
        .zip(&arguments.competence)
        .map(|(chain, &c)| Run {
            c,
            expected_moves: chain.by_depth(&chain.expected_moves()),
            won_within: (arguments.within.iter())
                .map(|&moves| (moves, chain.by_depth(&chain.won_within(moves))))
                .collect(),
        })
        .collect();
    drop(waiting);
    if arguments.json {
        let runs: Vec<_> = runs.iter().map(run_as_json).collect();
        let object = json!({
            "material": material.to_string(), "metric": arguments.metric.name(),
            "kappa": model.preference.kappa(), "opponent": as_json(arguments.opponent), "runs": runs,
        });
        return Ok(writeln!(context.out, "{object}")?);
    }
    if arguments.csv { print_csv(&runs, context.out) } else { print(arguments, material, &runs, context.out) }
}

fn run_as_json(run: &Run) -> serde_json::Value {
    // Infinite lengths become null.
    let within: serde_json::Map<String, serde_json::Value> =
        run.won_within.iter().map(|(moves, won)| (moves.to_string(), json!(won))).collect();
    json!({"c": as_json(run.c), "expected_moves": run.expected_moves, "won_within": within})
}

/// A number of moves in at most eleven signs, however many they are.
pub fn moves(moves: f64) -> String {
    if moves < 1e8 || moves.is_infinite() { format!("{moves:.2}") } else { format!("{moves:.4e}") }
}

fn print_csv(runs: &[Run], out: &mut dyn Write) -> Result<(), Failure> {
    let within = runs.first().into_iter().flat_map(|run| &run.won_within);
    let head = ["c", "depth", "expected_moves"].map(str::to_owned).into_iter();
    writeln!(out, "{}", csv_line(head.chain(within.map(|(moves, _)| format!("won_within_{moves}")))))?;
    for run in runs {
        for (depth, moves) in run.expected_moves.iter().enumerate() {
            let within = run.won_within.iter().map(|(_, won)| won[depth]);
            writeln!(out, "{}", csv_line([run.c, depth as f64, *moves].into_iter().chain(within)))?;
        }
    }
    Ok(())
}

fn print(
    arguments: &Arguments,
    material: Material,
    runs: &[Run],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Arguments { metric, opponent, .. } = arguments;
    let name = if arguments.winner == Color::White { "White" } else { "Black" };
    writeln!(out, "{material} by {metric}: {name} to move wins as R_c against R_{opponent}")?;
    writeln!(out, "expected moves, and chance to win within so many, by depth\n")?;
    write!(out, "     ")?;
    for run in runs {
        let width = 11 + 9 * run.won_within.len();
        write!(out, " {:^width$}", format!("c = {}", run.c))?;
    }
    write!(out, "\ndepth")?;
    for run in runs {
        write!(out, "       moves")?;
        for (moves, _) in &run.won_within {
            write!(out, " {:>8}", format!("in {moves}"))?;
        }
    }
    writeln!(out)?;
    let depths = runs.first().map_or(0, |run| run.expected_moves.len());
    for depth in 0..depths {
        write!(out, "{depth:>5}")?;
        for run in runs {
            write!(out, " {:>11}", moves(run.expected_moves[depth]))?;
            for (_, won) in &run.won_within {
                write!(out, " {:>7.2}%", 100.0 * won[depth])?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
