use std::io::Write;

use clap::Args;
use serde_json::json;
use shakmaty::{Chess, Color, Move, Position, Square, fen::Fen, san::SanPlus, uci::UciMove};

use super::{
    Context, Failure,
    explain_agents::Explanation,
    model_flags::{ModelFlags, as_json, competence},
};
use crate::{
    endgame::{self, Material, Tables},
    model::{Metric, State},
    oracle::TableOracle,
};

/// Everything the tables know of one position: value, depth, every move, the principal line
///
/// With --competence, also what every move costs a player of that competence, how likely he is to play it, and what
/// each agent would play: R_c, E_c, and the Predator against R_c.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare explain 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1'
  errare explain '8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1' --competence 20 --kappa 0
  errare explain '8/8/8/8/8/2k5/2p5/2K5 w - - 0 1' --metric dtm --json")]
pub struct Arguments {
    /// The position
    fen: Fen,
    /// What depths count: dtc, dtm or dtz (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
    /// Explain what players of this competence do: a number, inf or -inf
    #[arg(long, value_parser = competence, allow_hyphen_values = true, value_name = "C")]
    competence: Option<f64>,
    /// How far the Predator looks: 2, 4, 6
    #[arg(long, default_value_t = 2)]
    plies: u32,
    #[command(flatten)]
    model: ModelFlags,
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
    let explanation = match arguments.competence {
        Some(c) => {
            let oracle = TableOracle::new(tables.clone(), metric);
            Explanation::new(&position, &oracle, arguments.model.model()?, c, arguments.plies)?
        }
        None => None,
    };
    if arguments.json {
        let mut object = json!({
            "fen": arguments.fen.to_string(), "metric": metric.name(),
            "value": state.value(), "depth": state.depth(),
            "moves": moves.iter().map(|explained| json!({
                "uci": UciMove::from_standard(explained.m).to_string(), "san": explained.san,
                "value": explained.outcome.value(), "depth": explained.outcome.depth(), "optimal": explained.optimal,
            })).collect::<Vec<_>>(),
            "line": line(&position, metric, &tables),
        });
        if let Some(explanation) = &explanation {
            object["competence"] = as_json(explanation.competence());
            object["agents"] = explanation.agents();
            for (explained, object) in moves.iter().zip(object["moves"].as_array_mut().into_iter().flatten())
            {
                if let Some((cost, probability)) = explanation.of(&explained.m) {
                    object["price"] = as_json(cost);
                    object["probability"] = probability.into();
                }
            }
        }
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
    if explanation.is_some() {
        writeln!(context.out, "    {:<8} {:<12} {:>10} {:>12}", "", "", "price", "probability")?;
    }
    for Explained { m, san, outcome, optimal } in &moves {
        let mark = if *optimal { "*" } else { " " };
        match explanation.as_ref().and_then(|explanation| explanation.of(m)) {
            Some((price, probability)) => writeln!(
                context.out,
                "  {mark} {san:<8} {:<12} {price:>10.2} {probability:>12.6}",
                outcome.to_string()
            )?,
            None => writeln!(context.out, "  {mark} {san:<8} {outcome}")?,
        }
    }
    if let Some(explanation) = &explanation {
        explanation.print(context.out)?;
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
