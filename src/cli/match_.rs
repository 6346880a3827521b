use std::{
    collections::HashSet,
    fs,
    num::NonZero,
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use clap::Args;
use shakmaty::Position;

use super::{Context, Failure, match_report, progress};
use crate::{
    agents::Rule,
    arena::{
        AgentContender, AgentSettings, Contender, EngineContender, Entry, Headers, LotteryError, Match,
        MatchError, NoAgent, Observer, Opening, PgnFile, PlayerSpec, PositionSpec, RandomSpec, Resumed,
        Rules, Schedule, Simulation, SimulationError, Summary, TimeControl, Tolerance, Until, agent, draw,
        pgn_text,
        statistics::{Sprt, Verdict},
        today,
    },
    endgame::{Material, Tables},
    external::Engine,
    model::{Grid, Metric},
    oracle::TableOracle,
};

/// Play games between two players, agents or other UCI engines, and say what follows from the results
#[derive(Args)]
#[command(after_help = "\
Players:
  player:c=20                         R_c; also kappa, metric, keep_value, horizon, n1, n2
  emulator:c=15,horizon=3             E_c
  predator:plies=4                    also speculate, margin, c, and the opponent's kappa, n1, n2, …
  infallible:rule=longest-dtm         rules: uniform, longest-dtm, first-rook, first
  search:nodes=20000                  errare's own search; or tc, movetime, depth; hash, threads
  engine:path/to/program,option.Hash=64   another UCI engine; also arg, dir, name, tc, movetime, nodes, depth

Examples:
  errare match player:c=20 infallible --position browne-belle-1 --games 1000
  errare match engine:toga2 engine:glaurung --openings book.pgn --tc 5+0.05 --games 200 --pgn games.pgn
  errare match engine:new engine:old --openings book.epd --tc 8+0.08 --games 20000 --elo0 0 --elo1 5
  errare match predator player:c=15 --position KBBKN:draw --games 500 --svg lengths.svg")]
pub struct Arguments {
    /// The first player
    #[arg(value_name = "A")]
    a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B")]
    b: PlayerSpec,
    /// How many games
    #[arg(long, short = 'n', default_value_t = 100)]
    games: usize,
    /// Where to begin: startpos, browne-belle-1, browne-belle-2, a FEN, or a material and state as KQKR:win:31;
    /// A takes the side to move
    #[arg(long, short, value_name = "POSITION", default_value = "startpos", conflicts_with = "openings")]
    position: PositionSpec,
    /// Where to begin: a file of FEN or EPD lines, or PGN games
    #[arg(long, short, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Take at most so many moves by both sides from a PGN opening
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    plies: usize,
    /// Take openings in an order by chance
    #[arg(long)]
    shuffle: bool,
    /// Play each opening twice, with colours reversed (the default where the sides have the same men)
    #[arg(long, overrides_with = "no_swap")]
    swap: bool,
    /// Let A have the side to move in every game
    #[arg(long)]
    no_swap: bool,
    /// Time for players that think: 5+0.05 or 40/60+0.6 (seconds), movetime=0.1, nodes=20000, depth=8
    #[arg(long, value_name = "TIME", default_value = "10+0.1")]
    tc: TimeControl,
    /// Milliseconds that an engine may exceed its time by
    #[arg(long, value_name = "MS", default_value_t = 100)]
    margin: u64,
    /// Seconds after which an engine that does not answer has stalled
    #[arg(long, value_name = "S", default_value_t = 60)]
    stall: u64,
    /// How far games are played (the browne-belle positions: conversion)
    #[arg(long, value_enum)]
    until: Option<Until>,
    /// Play on after 50 moves without capture or pawn move
    #[arg(long)]
    no_fifty: bool,
    /// Play on after a position occurs for the third time
    #[arg(long)]
    no_repetition: bool,
    /// Play on when a game reaches the tables
    #[arg(long)]
    no_adjudication: bool,
    /// Games of more moves are draws
    #[arg(long, value_name = "MOVES", default_value_t = 10_000)]
    max_moves: usize,
    /// What depths count, for agents that do not say (default: as in engine.toml)
    #[arg(long)]
    metric: Option<Metric>,
    /// κ of agents that do not say, and of those watched; 0 means 0+
    #[arg(long, default_value_t = 1.0)]
    kappa: f64,
    /// Candidates for the competence of those watched
    #[arg(long, value_name = "GRID", default_value = "0(1)50")]
    grid: Grid,
    /// Whether those watched are taken never to concede value (default: in the browne-belle positions)
    #[arg(long, value_name = "BOOL")]
    keep_value: Option<bool>,
    /// Games at once (default: one for each core)
    #[arg(long, short, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// All chance follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop when a sequential test accepts this difference in logistic Elo …
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// … or this one
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Chance of accepting elo1 though elo0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance of accepting elo0 though elo1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Append every game to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go on with the match whose games are in the PGN file
    #[arg(long, requires = "pgn")]
    resume: bool,
    /// Draw a histogram of the lengths
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a line of CSV for each game
    #[arg(long)]
    csv: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let schedule = schedule(arguments, context)?;
    let test = match (arguments.elo0, arguments.elo1) {
        (Some(elo0), Some(elo1)) => {
            Some(Sprt::new(elo0, elo1, arguments.alpha, arguments.beta).map_err(Failure::usage)?)
        }
        _ => None,
    };
    let headers = headers(arguments);
    let mut entries = Vec::new();
    let mut pgn = None;
    if let Some(path) = &arguments.pgn {
        if arguments.resume {
            let resumed = Resumed::read(path, &headers, &schedule).map_err(Failure::failed)?;
            eprintln!("{}: {} games are there already", path.display(), resumed.entries.len());
            if let Some(bytes) = resumed.cut {
                eprintln!("{}: cut off an unfinished game of {bytes} bytes", path.display());
            }
            entries = resumed.entries;
        } else if fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0) {
            return Err(Failure::usage(format!(
                "{} is there already: give --resume to go on with its match, or another --pgn",
                path.display()
            )));
        }
        pgn = Some(PgnFile::append(path).map_err(|error| cannot_write(path, &error))?);
    }
    let outcome = play(arguments, &schedule, &headers, test, context, &mut entries, &mut pgn);
    entries.sort_by_key(|entry| entry.slot.number);
    match outcome {
        // What was played before Ctrl-C is worth showing.
        Err(Failure::Interrupted) if entries.is_empty() => return outcome,
        Ok(()) | Err(Failure::Interrupted) => {}
        Err(_) => return outcome,
    }
    print(arguments, &headers, test, &entries, schedule.is_paired(), context)?;
    outcome
}

fn cannot_write(path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot write {}: {error}", path.display()))
}

fn schedule(arguments: &Arguments, context: &Context<'_>) -> Result<Schedule, Failure> {
    let (openings, balanced) = match &arguments.openings {
        Some(path) => (Opening::read(path, arguments.plies).map_err(Failure::usage)?, true),
        None => {
            let spec = &arguments.position;
            let openings = match (spec, spec.single()) {
                (PositionSpec::Random(random), _) => draw_positions(arguments, random, context)?,
                (_, Some(position)) => vec![Opening::from_position(spec.to_string(), position)],
                (_, None) => return Err(Failure::failed(format!("'{spec}' is no position"))),
            };
            (openings, spec.is_balanced())
        }
    };
    let swap = (balanced || arguments.swap) && !arguments.no_swap;
    let schedule = Schedule::new(openings, arguments.games, swap, arguments.seed);
    Ok(if arguments.shuffle { schedule.shuffled() } else { schedule })
}

/// A position for each game, or pair of games.
fn draw_positions(
    arguments: &Arguments,
    spec: &RandomSpec,
    context: &Context<'_>,
) -> Result<Vec<Opening>, Failure> {
    let tables = context.tables()?;
    let metric = settings(arguments, context).metric;
    let count = arguments.games.max(1);
    context.with_client(|client| match draw(spec, metric, count, arguments.seed, &tables, client) {
        Ok(openings) => Ok(Ok(openings)),
        Err(LotteryError::Tables(error)) => Err(error),
        Err(error) => Ok(Err(Failure::usage(error))),
    })?
}

fn headers(arguments: &Arguments) -> Headers {
    let players = [&arguments.a, &arguments.b];
    Headers {
        event: "errare match".to_owned(),
        names: players.map(PlayerSpec::name),
        notations: players.map(PlayerSpec::to_string),
        controls: players.map(|player| player.thinks().then(|| control(arguments, player))),
        seed: arguments.seed,
    }
}

fn control(arguments: &Arguments, player: &PlayerSpec) -> TimeControl {
    player.budget().unwrap_or(arguments.tc)
}

/// Whether the conditions of a published experiment hold where nothing else is said.
fn is_experiment(arguments: &Arguments) -> bool {
    arguments.openings.is_none()
        && matches!(arguments.position, PositionSpec::Named(named) if named.is_experiment())
}

fn settings(arguments: &Arguments, context: &Context<'_>) -> AgentSettings {
    AgentSettings {
        metric: arguments.metric.unwrap_or(context.config.tables.metric),
        kappa: arguments.kappa,
        opponent_keeps_value: arguments.keep_value.unwrap_or(is_experiment(arguments)),
        grid: arguments.grid,
    }
}

/// Makes sure that engines start and that tables are there for those who play by them: a program or table that is not
/// there is a slip of the user's, not a fault to be counted in every game.
fn prepare(
    arguments: &Arguments,
    schedule: &Schedule,
    settings: &AgentSettings,
    tables: &Tables,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let mut metrics = vec![settings.metric];
    let mut by_tables = false;
    for spec in [&arguments.a, &arguments.b] {
        match spec {
            PlayerSpec::Engine(spec) => {
                Engine::start(&spec.command, context.interrupt.flag()).map_err(Failure::failed)?;
                continue;
            }
            PlayerSpec::Infallible { rule: Some(Rule::LongestDtm), .. } => metrics.push(Metric::Dtm),
            _ => {}
        }
        metrics.push(agent(spec, settings).map_err(Failure::usage)?.1);
        by_tables = true;
    }
    if !by_tables {
        return Ok(());
    }
    let boards = schedule.openings().iter().map(|opening| opening.game.position().board());
    let materials: HashSet<Material> =
        boards.filter_map(Material::of).flat_map(|(material, _)| material.closure()).collect();
    for material in materials {
        for &metric in &metrics {
            context.with_client(|client| tables.require(material, metric, client))?;
        }
    }
    Ok(())
}

fn rules(arguments: &Arguments) -> Rules {
    let experiment = is_experiment(arguments);
    let until = if experiment { Until::Conversion } else { Until::Mate };
    Rules {
        fifty: !arguments.no_fifty && !experiment,
        repetition: !arguments.no_repetition && !experiment,
        adjudicate: !arguments.no_adjudication,
        until: arguments.until.unwrap_or(until),
        max_moves: arguments.max_moves,
    }
}

/// Plays the games that are missing and adds them to the entries and the PGN file.
fn play(
    arguments: &Arguments,
    schedule: &Schedule,
    headers: &Headers,
    test: Option<Sprt>,
    context: &Context<'_>,
    entries: &mut Vec<Entry>,
    pgn: &mut Option<PgnFile>,
) -> Result<(), Failure> {
    let mut summary = Summary::new(schedule.is_paired());
    entries.iter().for_each(|entry| summary.add(entry));
    let decided =
        |summary: &Summary| test.is_some_and(|test| summary.sprt(test).verdict != Verdict::Undecided);
    if decided(&summary) {
        return Ok(());
    }
    let done: HashSet<usize> = entries.iter().map(|entry| entry.slot.number).collect();
    let tables = context.tables()?;
    let cancel = Arc::new(AtomicBool::new(false));
    let tolerance = Tolerance {
        margin: Duration::from_millis(arguments.margin),
        stall: Duration::from_secs(arguments.stall.max(1)),
    };
    let specs = [&arguments.a, &arguments.b];
    let settings = settings(arguments, context);
    let rules = rules(arguments);
    let concurrency = arguments.concurrency.map_or_else(cores, NonZero::get);
    prepare(arguments, schedule, &settings, &tables, context)?;
    if entries.is_empty() && pgn.is_none() && test.is_none() {
        let simulation = Simulation::new(schedule, specs, &settings, rules, &tables, false);
        if let Some(simulation) = simulation.map_err(Failure::usage)? {
            *entries = simulate(&simulation, concurrency, context)?;
            return Ok(());
        }
    }
    let make = |side: usize| -> Result<Box<dyn Contender>, NoAgent> {
        Ok(match specs[side] {
            PlayerSpec::Engine(spec) => {
                Box::new(EngineContender::new(spec.clone(), tolerance, cancel.clone()))
            }
            spec => Box::new(AgentContender::new(spec, settings, &tables, rules)?),
        })
    };
    for side in [0, 1] {
        make(side).map_err(Failure::usage)?;
    }
    let oracle = TableOracle::new(tables.clone(), settings.metric);
    let observer = Observer::new(oracle, settings.watched().map_err(Failure::usage)?, settings.grid);
    let game = Match {
        schedule,
        rules,
        arbiter: Some(&*tables),
        observer: Some(&observer),
        controls: specs.map(|spec| control(arguments, spec)),
        concurrency,
        make: &make,
        cancel: cancel.clone(),
    };
    let bar = progress::bar(schedule.games() as u64, "games");
    bar.set_position(entries.len() as u64);
    let date = today();
    let mut failure = None;
    let result = game.run(&done, &|| context.interrupt.raised(), |slot, record| {
        if let Some(fault) = &record.fault {
            let culprit = record.ending.outcome.winner().map_or("", |winner| {
                let white = slot.white();
                &headers.names[if winner.is_white() { 1 - white } else { white }]
            });
            let line = format!("game {}: {culprit}: {fault}", slot.round());
            bar.suspend(|| eprintln!("{line}"));
        }
        if let Some(pgn) = pgn {
            if let Err(error) = pgn.write(&pgn_text(headers, slot, &record, &date)) {
                failure = Some(Failure::failed(format!("cannot write the game to the PGN file: {error}")));
                return ControlFlow::Break(());
            }
        }
        let entry = Entry::new(slot, &record);
        summary.add(&entry);
        entries.push(entry);
        let tally = summary.tally();
        bar.set_message(format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses));
        bar.inc(1);
        if decided(&summary) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    match (failure, result) {
        (Some(failure), _) => Err(failure),
        (None, Err(MatchError::Interrupted)) => Err(Failure::Interrupted),
        (None, Err(MatchError::Unable(what))) => Err(Failure::failed(what)),
        (None, Ok(())) => Ok(()),
    }
}

fn simulate(
    simulation: &Simulation<'_>,
    threads: usize,
    context: &Context<'_>,
) -> Result<Vec<Entry>, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::failed)?;
    let cancel = context.interrupt.flag();
    pool.install(|| simulation.run(cancel)).map_err(|error| match error {
        SimulationError::Cancelled => Failure::Interrupted,
        SimulationError::Store(error) => Failure::failed(error),
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn print(
    arguments: &Arguments,
    headers: &Headers,
    test: Option<Sprt>,
    entries: &[Entry],
    paired: bool,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let mut summary = Summary::new(paired);
    entries.iter().for_each(|entry| summary.add(entry));
    if let Some(path) = &arguments.svg {
        let chart = match_report::length_chart(&summary, &headers.names);
        fs::write(path, chart.to_svg()).map_err(|error| cannot_write(path, &error))?;
    }
    if arguments.json {
        let report = summary.report(&headers.notations, arguments.seed, test);
        serde_json::to_writer(&mut *context.out, &report).map_err(std::io::Error::from)?;
        writeln!(context.out)?;
    } else if arguments.csv {
        match_report::write_csv(entries, &headers.names, context.out)?;
    } else {
        match_report::write_text(&summary, &headers.names, test, context.out)?;
    }
    Ok(())
}
