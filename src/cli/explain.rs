use std::io::Write;

use clap::Args;
use serde_json::json;
use shakmaty::{Chess, Color, Move, Position, Square, fen::Fen, san::SanPlus, uci::UciMove};

use super::{Context, Failure};
use crate::{
    endgame::{self, Material, Tables},
    model::{Metric, State},
};

/// Everything the tables know of one position: value, depth, every move, the principal line
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare explain 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1'
  errare explain '8/8/8/8/8/2k5/2p5/2K5 w - - 0 1' --metric dtm --json")]
pub struct Arguments {
    /// The position
    fen: Fen,
    /// What depths count: dtc, dtm or dtz (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A move and where it leads, for the mover.
struct Explained {
    m: Move,
    san: String,
    outcome: State,
    optimal: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let metric = arguments.metric.unwrap_or(context.config.tables.metric);
    let position = endgame::position(&arguments.fen)
        .map_err(|error| Failure::usage(format!("'{}' is not a legal position: {error}", arguments.fen)))?;
    let tables = context.tables()?;
    prepare(&position, metric, &tables, context)?;
    let Some(state) = tables.probe(&position, metric) else {
        return Err(Failure::failed(format!(
            "no table by {metric} serves '{}': 'errare tables build' makes those of up to 5 men",
            arguments.fen
        )));
    };
    let moves = explain(&position, metric, &tables);
    if arguments.json {
        let object = json!({
            "fen": arguments.fen.to_string(), "metric": metric.name(),
            "value": state.value(), "depth": state.depth(),
            "moves": moves.iter().map(|explained| json!({
                "uci": UciMove::from_standard(explained.m).to_string(), "san": explained.san,
                "value": explained.outcome.value(), "depth": explained.outcome.depth(), "optimal": explained.optimal,
            })).collect::<Vec<_>>(),
            "line": line(&position, metric, &tables),
        });
        writeln!(context.out, "{object}")?;
        return Ok(());
    }
    print_board(&position, context.out)?;
    writeln!(context.out, "\n{} to move: {state} by {metric}", name(position.turn()))?;
    for other in Metric::ALL.into_iter().filter(|&other| other != metric) {
        if let Some(state) = tables.probe(&position, other) {
            writeln!(
                context.out,
                "{:>width$}: {state} by {other}",
                "",
                width = name(position.turn()).len() + 8
            )?;
        }
    }
    writeln!(context.out)?;
    for Explained { san, outcome, optimal, .. } in &moves {
        let mark = if *optimal { "*" } else { " " };
        writeln!(context.out, "  {mark} {san:<8} {outcome}")?;
    }
    writeln!(context.out, "\n{}", line(&position, metric, &tables).join(" "))?;
    Ok(())
}

/// Makes sure of the tables of this position and of those a move can lead to.
fn prepare(position: &Chess, metric: Metric, tables: &Tables, context: &Context<'_>) -> Result<(), Failure> {
    let Some((material, _)) = Material::of(position.board()) else { return Ok(()) };
    for material in material.subgames().into_iter().chain([material]) {
        if tables.get(material, metric).is_none() && tables.may_build(material) && material.men() > 2 {
            context.with_client(|client| tables.require(material, metric, client))?;
        }
    }
    Ok(())
}

/// All moves that tables can judge, the best first.
fn explain(position: &Chess, metric: Metric, tables: &Tables) -> Vec<Explained> {
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter_map(|m| {
            let outcome = tables.outcome(position, m, metric)?;
            let san = SanPlus::from_move(position.clone(), m).to_string();
            Some(Explained { m, san, outcome, optimal: false })
        })
        .collect();
    moves.sort_by(|a, b| b.outcome.cmp(&a.outcome).then_with(|| a.san.cmp(&b.san)));
    let best = moves.first().map(|explained| explained.outcome);
    for explained in &mut moves {
        explained.optimal = Some(explained.outcome) == best;
    }
    moves
}

/// Best play by both sides up to the goal of the metric, in the words of chess players.
fn line(position: &Chess, metric: Metric, tables: &Tables) -> Vec<String> {
    let mut line = Vec::new();
    let mut position = position.clone();
    let men = position.board().occupied().count();
    while let Some(best) = explain(&position, metric, tables).into_iter().next() {
        let decisive = best.outcome != State::Draw;
        if !decisive {
            break;
        }
        if position.turn() == Color::White {
            line.push(format!("{}.", position.fullmoves()));
        } else if line.is_empty() {
            line.push(format!("{}...", position.fullmoves()));
        }
        line.push(best.san);
        position.play_unchecked(best.m);
        let converted = position.board().occupied().count() < men || best.m.is_promotion();
        if converted && metric == Metric::Dtc || best.m.is_zeroing() && metric == Metric::Dtz {
            break;
        }
    }
    line
}

fn name(color: Color) -> &'static str {
    if color == Color::White { "White" } else { "Black" }
}

fn print_board(position: &Chess, out: &mut dyn Write) -> Result<(), Failure> {
    for rank in shakmaty::Rank::ALL.into_iter().rev() {
        write!(out, "  {}", rank.char())?;
        for file in shakmaty::File::ALL {
            let man = position.board().piece_at(Square::from_coords(file, rank));
            write!(out, " {}", man.map_or('.', shakmaty::Piece::char))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "    a b c d e f g h")?;
    Ok(())
}
