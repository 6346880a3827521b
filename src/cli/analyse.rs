use std::{fs::File, path::PathBuf};

use clap::Args;
use serde_json::json;

use super::{Context, Failure, analyse_text, model_flags::ModelFlags};
use crate::{
    analysis::{self, Analysis, Judged, Needs, Score, Settings},
    endgame::{Material, Tables},
    model::{Grid, Metric},
    oracle::TableOracle,
};

/// Both players' apparent competence, move by move, from the games of a PGN file
///
/// Every position that endgame tables know is judged: depth before and after the move, what was conceded, how likely
/// the move was, and the competence c that both players have shown so far. Marks as in the literature: ° the only
/// legal move, " the only one that keeps the value, ' the only optimal one. Missing tables of 3 and 4 men are
/// generated first; a game that can't be read is named and skipped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare analyse games.pgn
  errare analyse games.pgn --grid '0(0.01)50' --kappa 0 --moves 50
  errare analyse games.pgn --svg pictures --pgn annotated.pgn
  errare analyse games.pgn --json > games.json")]
pub struct Arguments {
    /// The games; - for standard input
    games: PathBuf,
    /// Candidates for c, from(step)to
    #[arg(long, default_value = "0(1)50")]
    grid: Grid,
    /// What depths count: dtc, dtm or dtz (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
    /// Count at most so many moves of each side
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    #[command(flatten)]
    model: ModelFlags,
    /// Draw E[c] against the move number, a picture for each game in this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the games with comments to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Print a row for each move
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// A game with what came out of it.
pub struct Done {
    pub number: usize,
    pub score: Score,
    pub analysis: Analysis,
    pub notes: Vec<String>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let metric = arguments.metric.unwrap_or(context.config.tables.metric);
    let model = arguments.model.model()?;
    let settings = Settings { model, grid: arguments.grid, moves: arguments.moves.unwrap_or(usize::MAX) };
    let games = if arguments.games.as_os_str() == "-" {
        analysis::read(std::io::stdin())
    } else {
        let file = File::open(&arguments.games).map_err(|error| {
            Failure::failed(format!("cannot read {}: {error}", arguments.games.display()))
        })?;
        analysis::read(file)
    };
    let tables = context.tables()?;
    let oracle = TableOracle::new(tables.clone(), metric);
    let mut done = Vec::new();
    let mut skipped = Vec::new();
    for (index, game) in games.into_iter().enumerate() {
        if context.interrupt.raised() {
            return Err(Failure::Interrupted);
        }
        let score = match game {
            Ok(score) => score,
            Err(bad) => {
                eprintln!("errare: {bad}");
                skipped.push(bad);
                continue;
            }
        };
        let notes = prepare(&score, &tables, metric, context)?;
        let analysis = analysis::analyse(&score, &oracle, &settings).map_err(Failure::failed)?;
        done.push(Done { number: index + 1, score, analysis, notes });
    }
    write_files(arguments, &done)?;
    if arguments.json {
        let object = json!({
            "metric": metric.name(), "grid": arguments.grid.to_string(), "kappa": model.preference.kappa(),
            "keep_value": model.policy.keep_value,
            "games": done.iter().map(object).collect::<Vec<_>>(),
            "skipped": skipped.iter().map(|bad| json!({
                "game": bad.number, "players": bad.players, "error": bad.what,
            })).collect::<Vec<_>>(),
        });
        writeln!(context.out, "{object}")?;
    } else if arguments.csv {
        analyse_text::csv(&done, context.out)?;
    } else {
        let model = format!(
            "{metric}, candidates c = {}, κ = {}{}",
            arguments.grid,
            analyse_text::kappa(model.preference.kappa()),
            if model.policy.keep_value { ", value kept" } else { "" }
        );
        for game in &done {
            analyse_text::game(game, &model, context.out)?;
        }
    }
    Ok(())
}

/// Makes the tables that a game needs and may have made unasked; notes those that it may not.
fn prepare(
    score: &Score,
    tables: &Tables,
    metric: Metric,
    context: &Context<'_>,
) -> Result<Vec<String>, Failure> {
    let Needs { to_build, missing } = analysis::needs(score, tables, metric);
    for material in to_build {
        context.with_client(|client| tables.require(material, metric, client))?;
    }
    Ok(missing_note(&missing, metric).into_iter().collect())
}

fn missing_note(missing: &[Material], metric: Metric) -> Option<String> {
    let names: Vec<String> = missing.iter().map(Material::to_string).collect();
    (!names.is_empty()).then(|| {
        format!(
            "phases with {} are skipped, for want of tables: 'errare tables build {} --metric {}' makes them",
            names.join(", "),
            names.join(" "),
            metric.name()
        )
    })
}

fn write_files(arguments: &Arguments, games: &[Done]) -> Result<(), Failure> {
    let cannot = |path: &std::path::Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::failed(format!("cannot write {path}: {error}"))
    };
    if let Some(path) = &arguments.pgn {
        let text: String = games.iter().map(|game| analysis::annotate(&game.score, &game.analysis)).collect();
        std::fs::write(path, text).map_err(cannot(path))?;
    }
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder).map_err(cannot(folder))?;
        for game in games.iter().filter(|game| !game.analysis.moves.is_empty()) {
            let path = folder.join(format!("game-{}.svg", game.number));
            let svg = analysis::chart(&game.score, &game.analysis).to_svg();
            std::fs::write(&path, svg).map_err(cannot(&path))?;
        }
    }
    Ok(())
}

fn object(game: &Done) -> serde_json::Value {
    let Done { score, analysis, .. } = game;
    let side = |side: &analysis::Side| {
        json!({
            "moves": side.moves, "depth_lost": side.depth_lost, "value_lost": side.value_lost,
            "outside": side.outside, "all_optimal": side.all_optimal,
            "c": side.apparent.c, "interval": side.apparent.interval,
        })
    };
    json!({
        "game": game.number,
        "players": {"white": score.tag("White"), "black": score.tag("Black")},
        "event": score.tag("Event"), "date": score.tag("Date"), "result": score.result,
        "moves": analysis.moves.iter().map(judged).collect::<Vec<_>>(),
        "phases": analysis.phases.iter().map(|phase| json!({
            "material": phase.material.map(|material| material.to_string()),
            "first_move": phase.moves.0, "last_move": phase.moves.1,
            "winner": phase.winner.map(|winner| winner.to_string()), "gain": phase.gain,
        })).collect::<Vec<_>>(),
        "summary": {"white": side(&analysis.sides.white), "black": side(&analysis.sides.black), "gain": gain(analysis)},
        "notes": game.notes,
    })
}

/// Net progress of the winners over all phases; nothing where a phase has none.
pub fn gain(analysis: &Analysis) -> Option<i32> {
    analysis.phases.iter().map(|phase| phase.gain).sum()
}

fn judged(judged: &Judged) -> serde_json::Value {
    json!({
        "ply": judged.ply, "number": judged.number, "side": judged.side.to_string(), "san": judged.san,
        "value": judged.before.value(), "value_after": judged.after.value(),
        "depth_before": judged.before.depth(), "depth_after": judged.after.depth(), "conceded": judged.conceded,
        "mark": judged.mark.map(|mark| mark.to_string()), "optimal": judged.is_optimal(),
        "optimal_moves": judged.optimal, "probability": judged.probability, "outside": judged.outside,
        "white_c": judged.apparent.white.c, "black_c": judged.apparent.black.c,
        "white_interval": judged.apparent.white.interval, "black_interval": judged.apparent.black.interval,
    })
}
