use std::{
    collections::HashSet,
    fs,
    num::NonZero,
    ops::ControlFlow,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use shakmaty::Position;

pub use super::match_arguments::Arguments;
use super::{Context, Failure, match_report, progress};
use crate::{
    agents::Rule,
    arena::{
        AgentContender, AgentSettings, Contender, Cut, EngineContender, Entry, Headers, LotteryError, Match,
        MatchError, NoAgent, Observer, Opening, PgnFile, PlayerSpec, PositionSpec, RandomSpec, Resumed,
        Schedule, SearchContender, Simulation, Summary, Tolerance, agent, draw, pgn_text,
        statistics::{Sprt, Verdict},
        today,
    },
    endgame::{Material, Tables},
    external::Engine,
    model::Metric,
    oracle::TableOracle,
    simulation::ContestError,
};

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let schedule = schedule(arguments, context)?;
    let test = match (arguments.elo0, arguments.elo1) {
        (Some(elo0), Some(elo1)) => {
            Some(Sprt::new(elo0, elo1, arguments.alpha, arguments.beta).map_err(Failure::usage)?)
        }
        _ => None,
    };
    let headers = arguments.headers();
    let mut entries = Vec::new();
    let mut pgn = None;
    if let Some(path) = &arguments.pgn {
        if arguments.resume {
            let resumed = Resumed::read(path, &headers, &schedule).map_err(Failure::failed)?;
            eprintln!("{}: {} games are there already", path.display(), resumed.entries.len());
            if let Some(Cut { bytes, copy }) = &resumed.cut {
                let (path, copy) = (path.display(), copy.display());
                eprintln!("{path}: moved an unfinished game of {bytes} bytes to {copy}");
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
    let metric = arguments.settings(&context.config).metric;
    let count = arguments.games.max(1);
    context.with_client(|client| match draw(spec, metric, count, arguments.seed, &tables, client) {
        Ok(openings) => Ok(Ok(openings)),
        Err(LotteryError::Tables(error)) => Err(error),
        Err(error) => Ok(Err(Failure::usage(error))),
    })?
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
            PlayerSpec::Search(_) => continue,
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
    let settings = arguments.settings(&context.config);
    let rules = arguments.rules();
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
            PlayerSpec::Search(spec) => Box::new(SearchContender::new(spec, tolerance, cancel.clone())),
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
        controls: specs.map(|spec| arguments.control(spec)),
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
        if let Some(pgn) = pgn
            && let Err(error) = pgn.write(&pgn_text(headers, slot, &record, &date))
        {
            failure = Some(Failure::failed(format!("cannot write the game to the PGN file: {error}")));
            return ControlFlow::Break(());
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
        ContestError::Cancelled => Failure::Interrupted,
        error => Failure::failed(error),
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
        let report = summary.report(&headers.notations, arguments.seed, test, &arguments.within);
        serde_json::to_writer(&mut *context.out, &report).map_err(std::io::Error::from)?;
        writeln!(context.out)?;
    } else if arguments.csv {
        match_report::write_csv(entries, &headers.names, context.out)?;
    } else {
        match_report::write_text(&summary, &headers.names, test, &arguments.within, context.out)?;
    }
    Ok(())
}
