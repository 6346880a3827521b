use std::io::{BufRead, BufReader};

use clap::Args;
use rayon::prelude::*;
use shakmaty::{Chess, Position};

use super::{Context, Failure};
use crate::{
    endgame::{Client, DrawDepths, Material, Tables, prerequisites},
    model::{Depth, Metric, State},
    notation::read_position,
};

/// Value and depth of many positions: a FEN a line in, a JSON object a line out
///
/// Value and depth are those of the side to move; the depth of a draw is null. By dtd the value is that of dtc, the depth
/// null, and a draw has a "draw_depth": in how many of its own moves the side to move, and the other side, can force it, null where
/// it can only hold it. A line that is no position, or that no table serves, gets an object with an error. Missing tables of 3
/// and 4 men are generated first.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare probe < positions.fen
  echo 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' | errare probe --metric dtm
  echo '8/8/8/8/8/1k6/2p5/1K6 w - - 0 1' | errare probe --metric dtd")]
pub struct Arguments {
    /// What depths count: dtc, dtm, dtz, dtr (by the rule) or dtd (to draw) (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
}

/// Bytes of lines that are worked on at once: enough to keep all cores busy, few enough to stream.
const BATCH: usize = 1 << 20;

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let metric = arguments.metric.unwrap_or(context.config.play.metric);
    let tables = context.tables()?;
    let mut input = BufReader::with_capacity(BATCH, std::io::stdin());
    let mut lines: Vec<String> = Vec::new();
    loop {
        lines.clear();
        // As many lines as are there: whoever sends one and waits gets its answer at once.
        loop {
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            lines.push(String::from_utf8_lossy(&line).trim().to_owned());
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        context.check_interrupt()?;
        answer(&lines, metric, &tables, context)?;
    }
}

fn answer(
    lines: &[String],
    metric: Metric,
    tables: &Tables,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let read = |line: &String| read_position(line).map_err(|error| error.to_string());
    let positions: Vec<Result<Chess, String>> = lines.par_iter().map(read).collect();
    let mut materials: Vec<Material> = positions
        .iter()
        .flatten()
        .filter_map(|position| Some(Material::of(position.board())?.0))
        .filter(|&material| material.men() > 2)
        .collect();
    materials.sort();
    materials.dedup();
    for material in materials {
        if !tables.may_build(material) {
            continue;
        }
        let needed = prerequisites(material, metric).into_iter().filter(|_| metric == Metric::Dtd);
        let needed: Vec<_> = needed.chain([(material, metric)]).collect();
        let require = |client: Client<'_>| {
            needed.iter().try_for_each(|&(material, by)| tables.require(material, by, client).map(|_| ()))
        };
        match context.with_client(require) {
            Ok(()) => {}
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            // The positions that need it get an error each; the others an answer.
            Err(failure) => failure.tell(),
        }
    }
    let answers: Vec<String> = lines
        .par_iter()
        .zip(positions)
        .filter(|(line, _)| !line.is_empty())
        .map(|(line, position)| {
            let probed = position.and_then(|position| {
                found(tables, &position, metric).ok_or_else(|| uncovered(&position, metric))
            });
            object(line, metric, probed)
        })
        .collect();
    for answer in answers {
        context.out.write_all(answer.as_bytes())?;
    }
    Ok(context.out.flush()?)
}

/// The state of a position, and how far a draw is from its end where that is asked for.
fn found(tables: &Tables, position: &Chess, metric: Metric) -> Option<(State, Option<DrawDepths>)> {
    if metric != Metric::Dtd {
        return Some((tables.probe(position, metric)?, None));
    }
    match tables.probe(position, Metric::Dtc)? {
        State::Draw => Some((State::Draw, Some(tables.draw_depths(position)?))),
        decided => Some((decided, None)),
    }
}

fn uncovered(position: &Chess, metric: Metric) -> String {
    if position.castles().any() {
        return "tables know no castling rights".to_owned();
    }
    match Material::of(position.board()) {
        Some((material, _)) => format!(
            "no table of {material} by {metric}: 'errare tables build {material} --metric {}' makes it",
            metric.name()
        ),
        None => "too many men for the tables at hand".to_owned(),
    }
}

fn object(line: &str, metric: Metric, probed: Result<(State, Option<DrawDepths>), String>) -> String {
    let fen = serde_json::Value::from(line);
    let number = |depth: Option<Depth>| depth.map_or("null".to_owned(), |depth| depth.to_string());
    match probed {
        Ok((state, draw)) => {
            let depth = number(state.depth().filter(|_| metric != Metric::Dtd));
            let draw = draw.map(|DrawDepths { mover, other }| {
                format!(",\"draw_depth\":{{\"mover\":{},\"other\":{}}}", number(mover), number(other))
            });
            format!(
                "{{\"fen\":{fen},\"metric\":\"{}\",\"value\":\"{}\",\"depth\":{depth}{}}}\n",
                metric.name(),
                state.value(),
                draw.unwrap_or_default()
            )
        }
        Err(error) => format!("{{\"fen\":{fen},\"error\":{}}}\n", serde_json::Value::from(error)),
    }
}
