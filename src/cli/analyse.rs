use std::{fs::File, io::Read, path::PathBuf};

use clap::Args;
use serde_json::json;
use shakmaty::Color;

use super::{
    Context, Failure, analyse_text, model_flags::ModelFlags, oracle_flags::OracleFlags, progress::Progress,
};
use crate::{
    agents::AgentSpec,
    analysis::{self, Analysis, AnalysisSettings, Judged, Needs},
    endgame::{Material, Tables},
    model::{Grid, Metric, Scale},
    notation::{GameScore, Games},
    oracle::{Oracle, OracleChain, TableOracle},
};

/// Both players' apparent competence, move by move, from the games of a PGN file
///
/// Every move is judged, by endgame tables where they serve and else by our search or another engine: what it gave up, in
/// depth or in pawns, how likely it was, and the competence c that both players have shown so far. Depths and evaluations
/// are two scales of c that can't be compared. Marks as in the literature: ° the only legal move, " the only one that
/// keeps the value, ' the only optimal one. Missing tables of 3 and 4 men are generated first; a game that can't be
/// read is named and skipped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare analyse games.pgn
  errare analyse games.pgn --grid '0(0.01)50' --kappa 0 --moves 50
  errare analyse games.pgn --svg pictures --pgn annotated.pgn
  errare analyse games.pgn --depth 8
  errare analyse games.pgn --engine stockfish --nodes 100000
  errare analyse games.pgn --only-tables
  errare analyse games.pgn --json > games.json")]
pub struct Arguments {
    /// The games; - for standard input
    games: PathBuf,
    /// Candidates for c where tables serve, from(step)to
    #[arg(long, default_value = "0(1)50")]
    grid: Grid,
    /// Candidates for c elsewhere
    #[arg(long, default_value = "0(0.01)3")]
    game_grid: Grid,
    /// What depths count: dtc, dtm or dtz (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
    /// Count at most so many moves of each side
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    oracle: OracleFlags,
    /// Judge only what tables know
    #[arg(long, conflicts_with_all = ["depth", "nodes", "engine"])]
    only_tables: bool,
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
    pub score: GameScore,
    pub analysis: Analysis,
    pub notes: Vec<String>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let metric = arguments.metric.unwrap_or(context.config.play.metric);
    // People do give up value.
    let base = AgentSpec { metric, ..context.config.play.clone() };
    let mut spec = arguments.model.spec(&base, false)?;
    spec.grid.table = arguments.grid;
    spec.grid.evaluation = arguments.game_grid;
    let settings = AnalysisSettings {
        analyser: spec.analyser().map_err(Failure::usage)?,
        moves: arguments.moves.unwrap_or(usize::MAX),
        budget: arguments.oracle.budget(context),
    };
    let pgn: Box<dyn Read> = match arguments.games.as_os_str() == "-" {
        true => Box::new(std::io::stdin()),
        false => Box::new(File::open(&arguments.games).map_err(|error| {
            Failure::failed(format!("cannot read {}: {error}", arguments.games.display()))
        })?),
    };
    let tables = context.tables()?;
    let by_tables = TableOracle::new(tables.clone(), metric);
    let outside = match arguments.only_tables {
        true => None,
        false => Some(arguments.oracle.oracle(context)?),
    };
    let oracles = std::iter::once(&by_tables as &dyn Oracle).chain(outside.as_deref());
    let oracle = OracleChain::new(oracles);
    let progress = Progress::without_end("games");
    let mut done = Vec::new();
    let mut skipped = Vec::new();
    for (index, game) in Games::new(pgn).enumerate() {
        match game {
            Ok(score) => {
                let notes = prepare(&score, &tables, metric, outside.is_some(), context)?;
                let analysis = analysis::analyse(&score, &oracle, &settings).map_err(Failure::failed)?;
                done.push(Done { number: index + 1, score, analysis, notes });
            }
            Err(bad) => {
                progress.say(&format!("errare: {bad}"));
                skipped.push(bad);
            }
        }
        context.check_interrupt()?;
        progress.step("");
    }
    progress.finish();
    write_files(arguments, &done)?;
    if arguments.json {
        let object = json!({
            "metric": metric.name(), "grid": arguments.grid.to_string(), "kappa": spec.kappa.table,
            "game_grid": arguments.game_grid.to_string(), "game_kappa": spec.kappa.evaluation,
            "keep_value": spec.opponent_keeps_value,
            "games": done.iter().map(object).collect::<Vec<_>>(),
            "skipped": skipped.iter().map(|bad| json!({
                "game": bad.number, "players": bad.players, "error": bad.what,
            })).collect::<Vec<_>>(),
        });
        writeln!(context.out, "{object}")?;
    } else if arguments.csv {
        analyse_text::csv(&done, context.out)?;
    } else {
        for game in &done {
            analyse_text::game(game, &spec, context.out)?;
        }
    }
    Ok(())
}

/// Makes the tables that a game needs and may have made unasked; notes those that it may not.
fn prepare(
    score: &GameScore,
    tables: &Tables,
    metric: Metric,
    search: bool,
    context: &Context<'_>,
) -> Result<Vec<String>, Failure> {
    let Needs { to_build, missing } = analysis::needs(score, tables, metric);
    for material in to_build {
        context.with_client(|client| tables.require(material, metric, client))?;
    }
    Ok(missing_note(&missing, metric, search).into_iter().collect())
}

fn missing_note(missing: &[Material], metric: Metric, search: bool) -> Option<String> {
    let names: Vec<String> = missing.iter().map(Material::to_string).collect();
    (!names.is_empty()).then(|| {
        format!(
            "phases with {} are {}, for want of tables: 'errare tables build {} --metric {}' makes them",
            names.join(", "),
            if search { "judged by search" } else { "skipped" },
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
        let text: String =
            games.iter().map(|game| analysis::annotate(&game.score, &game.analysis.moves)).collect();
        std::fs::write(path, text).map_err(cannot(path))?;
    }
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder).map_err(cannot(folder))?;
        for game in games {
            let judged = |scale: &Scale| game.analysis.moves.iter().any(|judged| judged.scale() == *scale);
            let scales: Vec<Scale> = Scale::ALL.into_iter().filter(judged).collect();
            for &scale in &scales {
                // Two scales are two pictures.
                let name = if scales.len() > 1 { format!("-{scale}") } else { String::new() };
                let path = folder.join(format!("game-{}{name}.svg", game.number));
                let svg = analysis::chart(&game.score, &game.analysis, scale).to_svg();
                std::fs::write(&path, svg).map_err(cannot(&path))?;
            }
        }
    }
    Ok(())
}

fn object(game: &Done) -> serde_json::Value {
    let Done { score, analysis, .. } = game;
    let side = |color| {
        let (table, evaluation) = (analysis.sides.table.get(color), analysis.sides.evaluation.get(color));
        let mut object = table.json();
        object["depth_lost"] = table.depth_lost.into();
        object["value_lost"] = table.value_lost.into();
        object["evaluation"] = evaluation.json();
        object["evaluation"]["loss"] = evaluation.loss.into();
        object
    };
    json!({
        "game": game.number,
        "players": {"white": score.tag("White"), "black": score.tag("Black")},
        "white_elo": score.elo(Color::White), "black_elo": score.elo(Color::Black),
        "event": score.tag("Event"), "date": score.tag("Date"), "result": score.result,
        "moves": analysis.moves.iter().map(Judged::json).collect::<Vec<_>>(),
        "phases": analysis.phases.iter().map(|phase| json!({
            "material": phase.material.map(|material| material.to_string()),
            "first_move": phase.moves.0, "last_move": phase.moves.1,
            "winner": phase.winner.map(|winner| winner.to_string()), "gain": phase.gain,
        })).collect::<Vec<_>>(),
        "summary": {
            "white": side(Color::White), "black": side(Color::Black), "gain": gain(analysis),
        },
        "notes": game.notes,
    })
}

/// Net progress of the winners over all phases; nothing where a phase has none.
pub fn gain(analysis: &Analysis) -> Option<i32> {
    analysis.phases.iter().map(|phase| phase.gain).sum()
}
