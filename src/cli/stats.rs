use std::{collections::BTreeMap, io::Write};

use clap::Args;
use serde_json::json;
use shakmaty::Color;

use super::{Context, Failure, progress::Waiting, tables};
use crate::{
    endgame::{Material, Statistics},
    model::{Metric, State, Value},
};

/// Arguments of `tables stats`.
#[derive(Args)]
pub struct Arguments {
    /// Endgames by their men
    #[arg(required = true, value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// What depths count: dtc, dtm, dtz, dtr (by the rule) or dtd (to draw)
    #[arg(long, default_value = "dtc")]
    metric: Metric,
    /// How many of the deepest positions and zugzwangs to show
    #[arg(long, default_value_t = 10, value_name = "N")]
    show: usize,
    /// One JSON object a table
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let library = context.tables()?;
    for &material in &arguments.materials {
        let walk = tables::walk(context, &library, material, arguments.metric)?;
        let waiting = Waiting::new("counting positions");
        let statistics =
            Statistics::collect(&walk, arguments.show, context.interrupt.flag()).map_err(Failure::failed)?;
        drop(waiting);
        let Some(statistics) = statistics else { return Err(Failure::Interrupted) };
        if arguments.json {
            writeln!(context.out, "{}", as_json(material, arguments.metric, &statistics))?;
        } else {
            print(material, arguments.metric, &statistics, context.out)?;
        }
    }
    Ok(())
}

fn side(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

fn as_json(material: Material, metric: Metric, statistics: &Statistics) -> serde_json::Value {
    let sides = [Color::White, Color::Black].map(|mover| {
        let count = |value: Value| statistics.total(mover, value);
        let depths = |value: Value| -> BTreeMap<String, u64> {
            let states = statistics.by_state(mover).iter().filter(|(state, _)| state.value() == value);
            states.filter_map(|(state, count)| Some((format!("{:03}", state.depth()?.0), *count))).collect()
        };
        json!({
            "to_move": side(mover), "win": count(Value::Win), "draw": count(Value::Draw), "loss": count(Value::Loss),
            "win_by_depth": depths(Value::Win), "loss_by_depth": depths(Value::Loss),
        })
    });
    let deepest: Vec<_> = [Color::White, Color::Black]
        .iter()
        .map(|&winner| {
            let (depth, classes, fens) = statistics.deepest(winner);
            let who = if metric == Metric::Dtd { "presser" } else { "winner" };
            json!({who: side(winner), "depth": depth.0, "classes": classes, "positions": fens})
        })
        .collect();
    json!({
        "material": material.to_string(), "metric": metric.name(), "positions": sides,
        "deepest": deepest,
        "mutual_zugzwangs": {"classes": statistics.zugzwangs().0, "positions": statistics.zugzwangs().1},
    })
}

fn print(
    material: Material,
    metric: Metric,
    statistics: &Statistics,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if metric == Metric::Dtd {
        return print_draws(material, statistics, out);
    }
    writeln!(out, "{material} by {metric}: legal positions of the full board")?;
    writeln!(out, "{:<14} {:>14} {:>14} {:>14}", "to move", "win", "draw", "loss")?;
    for mover in [Color::White, Color::Black] {
        let [win, draw, loss] =
            [Value::Win, Value::Draw, Value::Loss].map(|value| statistics.total(mover, value));
        writeln!(out, "{:<14} {win:>14} {draw:>14} {loss:>14}", side(mover))?;
    }
    for winner in [Color::White, Color::Black] {
        let (depth, classes, fens) = statistics.deepest(winner);
        if classes == 0 {
            continue;
        }
        writeln!(out, "\n{} wins by depth (winner to move, loser to move):", side(winner))?;
        for level in 0..=depth.0 {
            let with = |mover, state| statistics.by_state(mover).get(&state).copied().unwrap_or(0);
            let (winning, losing) = (with(winner, State::win(level)), with(!winner, State::loss(level)));
            writeln!(out, "{level:>5} {winning:>14} {losing:>14}")?;
        }
        writeln!(out, "deepest, winner to move: {classes} up to symmetry")?;
        list(fens, classes, out)?;
    }
    let (zugzwangs, fens) = statistics.zugzwangs();
    writeln!(out, "\nmutual zugzwangs: {zugzwangs} up to symmetry")?;
    list(fens, zugzwangs, out)
}

/// Drawn positions by how soon the side that is not to move can force the draw.
fn print_draws(material: Material, statistics: &Statistics, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{material} by DTD: drawn positions of the full board, the other side to move")?;
    writeln!(out, "{:<14} {:>14} {:>14}", "pressing", "forced", "only held")?;
    for presser in [Color::White, Color::Black] {
        let [forced, held] = [Value::Loss, Value::Draw].map(|value| statistics.total(!presser, value));
        writeln!(out, "{:<14} {forced:>14} {held:>14}", side(presser))?;
    }
    for presser in [Color::White, Color::Black] {
        let (depth, classes, fens) = statistics.deepest(presser);
        if classes == 0 {
            continue;
        }
        writeln!(out, "\nforced by {}, in so many of its moves:", side(presser))?;
        for level in 0..=depth.0 {
            let count = statistics.by_state(!presser).get(&State::loss(level)).copied().unwrap_or(0);
            writeln!(out, "{level:>5} {count:>14}")?;
        }
        writeln!(out, "deepest: {classes} up to symmetry")?;
        list(fens, classes, out)?;
    }
    Ok(())
}

/// Positions, and how many more there are.
fn list(fens: &[String], of: u64, out: &mut dyn Write) -> Result<(), Failure> {
    for fen in fens {
        writeln!(out, "  {fen}")?;
    }
    let more = of.saturating_sub(fens.len() as u64);
    if more > 0 {
        writeln!(out, "  … and {more} more (--show)")?;
    }
    Ok(())
}
