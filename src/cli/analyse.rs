use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde_json::json;
use shakmaty::Color;

use super::{
    Context, Failure, analyse_text, game_files::open_games, model_flags::ModelFlags,
    oracle_flags::OracleFlags, progress::Progress,
};
use crate::{
    agents::AgentSpec,
    analysis::{self, Analysis, AnalysisSettings, Judged, Needs},
    directories,
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
    #[arg(long, value_parser = Metric::aim)]
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
    /// Draw E[c] and the value of the game against the move number, pictures of each game in this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the games with comments to this file, which may be that of the games; one that can't be read is kept as it is
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
    let mut session = Session {
        arguments,
        spec: &spec,
        metric,
        settings,
        tables: context.tables()?,
        outside: match arguments.only_tables {
            true => None,
            false => Some(arguments.oracle.oracle(context)?),
        },
        unsaid: Unsaid::default(),
    };
    // The games may be read from the file that is written: it is replaced when all is done, or not at all.
    let Some(path) = &arguments.pgn else { return session.run(None, context) };
    let mut failure = None;
    let written = directories::write_whole_with(path, |file| {
        let mut file = BufWriter::new(file);
        if let Err(error) = session.run(Some(&mut file), context) {
            failure = Some(error);
            return Err(io::ErrorKind::Interrupted.into());
        }
        file.flush()
    });
    match (failure, written) {
        (Some(failure), _) => Err(failure),
        (None, written) => written.map_err(cannot_write(path)),
    }
}

/// What all games of a file have in common.
struct Session<'a> {
    arguments: &'a Arguments,
    spec: &'a AgentSpec,
    metric: Metric,
    settings: AnalysisSettings,
    tables: Arc<Tables>,
    outside: Option<Box<dyn Oracle>>,
    unsaid: Unsaid,
}

/// Games of which nothing could be said, and for how many of them a table would help.
#[derive(Default)]
struct Unsaid {
    games: usize,
    tables: BTreeMap<Material, usize>,
}

impl Session<'_> {
    /// Each game is told, and written to `pgn`, as soon as it is done: a file may have a million.
    fn run(&mut self, mut pgn: Option<&mut dyn Write>, context: &mut Context<'_>) -> Result<(), Failure> {
        let arguments = self.arguments;
        let (source, length) = open_games(&arguments.games)?;
        let mut games = Games::new(source);
        let by_tables = TableOracle::new(self.tables.clone(), self.metric);
        let progress = match length {
            Some(length) => Progress::new(length, 0, "bytes"),
            None => Progress::without_end("games"),
        };
        let (mut told, mut skipped) = (0_usize, Vec::new());
        let cannot = arguments.pgn.as_deref().map(cannot_write);
        self.begin(context.out)?;
        for index in 0.. {
            let Some(game) = games.next() else { break };
            let text = match game {
                Ok(score) => {
                    let (notes, missing) = self.prepare(&score, context)?;
                    let oracles = std::iter::once(&by_tables as &dyn Oracle).chain(self.outside.as_deref());
                    let oracle = OracleChain::new(oracles);
                    let analysis =
                        analysis::analyse(&score, &oracle, &self.settings).map_err(Failure::failed)?;
                    let done = Done { number: index + 1, score, analysis, notes };
                    context.check_interrupt()?;
                    self.draw(&done)?;
                    self.tell(&done, &missing, told, context.out)?;
                    told += 1;
                    analysis::annotate(&done.score, &done.analysis.moves)
                }
                Err(bad) => {
                    progress.say(&format!("errare: {bad}"));
                    let text = format!("{}\n\n", bad.text);
                    skipped.push(json!({"game": bad.number, "players": bad.players, "error": bad.what}));
                    text
                }
            };
            if let (Some(pgn), Some(cannot)) = (&mut pgn, &cannot) {
                pgn.write_all(text.as_bytes()).map_err(cannot)?;
            }
            let so_far = format!("{} games", index + 1);
            match length {
                Some(_) => progress.advance(games.consumed(), &so_far),
                None => progress.step(""),
            }
            context.check_interrupt()?;
        }
        progress.finish();
        self.end(&skipped, context.out)?;
        match told {
            0 => Err(Failure::failed(format!("no games in {}", arguments.games.display()))),
            _ => Ok(()),
        }
    }

    fn begin(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (arguments, spec) = (self.arguments, self.spec);
        if arguments.json {
            let head = json!({
                "metric": self.metric.name(), "grid": arguments.grid.to_string(), "kappa": spec.kappa.table,
                "game_grid": arguments.game_grid.to_string(), "game_kappa": spec.kappa.evaluation,
                "keep_value": spec.opponent_keeps_value,
            });
            // The object goes on with the games, which are written one by one.
            write!(out, "{},\"games\":[", head.to_string().trim_end_matches('}'))?;
        } else if arguments.csv {
            analyse_text::csv_head(out)?;
        }
        Ok(())
    }

    fn tell(
        &mut self,
        done: &Done,
        missing: &[Material],
        before: usize,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if done.analysis.moves.is_empty() {
            self.unsaid.games += 1;
            missing.iter().for_each(|&material| *self.unsaid.tables.entry(material).or_default() += 1);
        }
        if self.arguments.json {
            let comma = if before > 0 { "," } else { "" };
            write!(out, "{comma}{}", object(done))?;
        } else if self.arguments.csv {
            analyse_text::csv(done, out)?;
        } else if !done.analysis.moves.is_empty() {
            analyse_text::game(done, self.spec, out)?;
        }
        Ok(())
    }

    fn end(&self, skipped: &[serde_json::Value], out: &mut dyn Write) -> Result<(), Failure> {
        if self.arguments.json {
            writeln!(out, "],\"skipped\":{}}}", json!(skipped))?;
        } else if !self.arguments.csv && self.unsaid.games > 0 {
            analyse_text::unsaid(self.unsaid.games, &self.unsaid.tables, self.metric, out)?;
        }
        Ok(())
    }

    /// Makes the tables that a game needs and may have made unasked; notes those that it may not.
    fn prepare(
        &self,
        score: &GameScore,
        context: &Context<'_>,
    ) -> Result<(Vec<String>, Vec<Material>), Failure> {
        let Needs { to_build, missing } = analysis::needs(score, &self.tables, self.metric);
        for material in to_build {
            context.with_client(|client| self.tables.require(material, self.metric, client))?;
        }
        let note = missing_note(&missing, self.metric, self.outside.is_some());
        Ok((note.into_iter().collect(), missing))
    }

    /// Draws the competence that a game showed, and how its value went where evaluations tell it.
    fn draw(&self, game: &Done) -> Result<(), Failure> {
        let Some(folder) = &self.arguments.svg else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        let Done { score, analysis, .. } = game;
        let mut charts = Vec::new();
        // Two scales are two pictures.
        for (scale, by) in [(Scale::Table, "tables"), (Scale::Evaluation, "search")] {
            if analysis.moves.iter().any(|judged| judged.scale() == scale) {
                let chart = analysis::competence_chart(score, analysis, scale);
                charts.push((format!("competence-by-{by}"), chart));
            }
        }
        if analysis.moves.iter().any(|judged| judged.scale() == Scale::Evaluation) {
            charts.push(("value".to_owned(), analysis::value_chart(score, analysis)));
        }
        for (name, chart) in charts {
            let path = folder.join(format!("game-{}-{name}.svg", game.number));
            directories::write_whole(&path, chart.to_svg().as_bytes()).map_err(cannot_write(&path))?;
        }
        Ok(())
    }
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let path = path.display().to_string();
    move |error| Failure::failed(format!("cannot write {path}: {error}"))
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
