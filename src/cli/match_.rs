use std::{collections::HashSet, fs, num::NonZero, ops::ControlFlow, path::Path, time::Duration};

use shakmaty::{Color, Position};

pub use super::match_arguments::Arguments;
use super::{Context, Failure, match_report, plans, progress::Progress};
use crate::{
    agents::{AgentSpec, Plies, Rule},
    arena::{
        Cut, Entry, Headers, LotteryError, Match, MatchError, MatchEvent, Observer, Opening, PgnFile,
        PlayerSpec, PositionSpec, RandomSpec, Resumed, Schedule, Seating, Simulation, Summary, draw,
        pairings, pgn_text, today,
    },
    console,
    endgame::{Material, Tables},
    engine::Tolerance,
    external::Engine,
    markov::Quarry,
    model::{Metric, Scale},
    oracle::TableOracle,
    simulation::ContestError,
    statistics::{Sprt, SprtVerdict},
};

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let test = match (arguments.elo0, arguments.elo1) {
        (Some(_), Some(_)) if arguments.players.len() > 2 => {
            return Err(Failure::usage("a sequential test is for two players: leave out --elo0 and --elo1"));
        }
        (Some(elo0), Some(elo1)) => {
            Some(Sprt::new(elo0, elo1, arguments.alpha, arguments.beta).map_err(Failure::usage)?)
        }
        _ => None,
    };
    let schedule = schedule(arguments, context)?;
    let headers = arguments.headers();
    let mut entries = Vec::new();
    let mut pgn = None;
    if let Some(path) = &arguments.pgn {
        if arguments.resume {
            let resumed = Resumed::read(path, &headers, &schedule).map_err(Failure::failed)?;
            let there = resumed.entries.len();
            console::tell(format_args!("{}: {there} games are there already", path.display()));
            if let Some(Cut { bytes, copy }) = &resumed.cut {
                let (path, copy) = (path.display(), copy.display());
                console::tell(format_args!("{path}: moved an unfinished game of {bytes} bytes to {copy}"));
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
    entries.sort_by_key(|entry| entry.scheduled.number);
    match outcome {
        // What was played before Ctrl-C is worth showing.
        Err(Failure::Interrupted) if entries.is_empty() => return outcome,
        Ok(()) | Err(Failure::Interrupted) => {}
        Err(_) => return outcome,
    }
    match_report::write(arguments, &headers, test, &entries, &schedule, context)?;
    outcome
}

pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
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
    let schedule = Schedule::new(openings, arguments.games as usize, swap, arguments.seed)
        .between(pairings(arguments.players.len(), arguments.format));
    Ok(if arguments.shuffle { schedule.shuffled() } else { schedule })
}

/// A position for each game, or pair of games.
fn draw_positions(
    arguments: &Arguments,
    spec: &RandomSpec,
    context: &Context<'_>,
) -> Result<Vec<Opening>, Failure> {
    let tables = context.tables()?;
    let metric = arguments.base(&context.config).agent.metric;
    let count = arguments.games as usize;
    context.with_client(|client| match draw(spec, metric, count, arguments.seed, &tables, client) {
        Ok(openings) => Ok(Ok(openings)),
        Err(LotteryError::Tables(error)) => Err(error),
        Err(error) => Ok(Err(Failure::usage(error))),
    })?
}

/// Makes sure that engines start and that tables are there for games that begin in them: a program or table that is not
/// there is a slip of the user's, not a fault to be counted in every game.
fn prepare(
    arguments: &Arguments,
    schedule: &Schedule,
    agents: &[AgentSpec],
    tables: &Tables,
    context: &Context<'_>,
) -> Result<(), Failure> {
    for player in &arguments.players {
        if let PlayerSpec::Engine(engine) = player {
            Engine::start(&engine.command, context.interrupt.flag()).map_err(Failure::failed)?;
        }
    }
    let mut metrics: Vec<Metric> = agents.iter().map(|agent| agent.metric).collect();
    if agents.iter().any(|agent| agent.rule == Rule::LongestDtm) {
        metrics.push(Metric::Dtm);
    }
    metrics.sort();
    metrics.dedup();
    let boards = schedule.openings().iter().map(|opening| opening.game.position().board());
    let materials: HashSet<Material> = boards
        .filter_map(Material::of)
        .flat_map(|(material, _)| material.closure())
        .filter(|material| !agents.is_empty() && material.men() > 2)
        .collect();
    for material in materials {
        for &metric in &metrics {
            context.with_client(|client| tables.require(material, metric, client))?;
        }
    }
    Ok(())
}

/// What has to be worked out for those who hunt to the end.
fn quarries(schedule: &Schedule, seating: &Seating<'_>) -> Result<Vec<Quarry>, Failure> {
    let mut quarries: Vec<Quarry> = Vec::new();
    for number in 0..schedule.games() {
        let (game, opening) = schedule.game(number);
        let Some((material, exchanged)) = Material::of(opening.game.position().board()) else { continue };
        if material.men() < 3 {
            continue;
        }
        for (color, player) in [(Color::White, game.white()), (Color::Black, game.black())] {
            let Some(agent) = seating.agent(player).filter(|agent| agent.predator_plies == Plies::Exact)
            else {
                continue;
            };
            let hunter = if exchanged { !color } else { color };
            let model = agent.opponent_model(Scale::Table).map_err(Failure::usage)?;
            let quarry = Quarry::new(material, agent.metric, hunter, model, 0.0);
            let candidates = match agent.opponent_competence {
                Some(c) => vec![(c.get(), 1.0)],
                // A plan for each of the competences that may come up takes too long.
                None if !seating.plans.may_solve(material) => continue,
                None => agent.analyser().map_err(Failure::usage)?.belief(Scale::Table).mixture().candidates(),
            };
            let new = plans::quarries(&quarry, &candidates).into_iter().filter(|new| !quarries.contains(new));
            quarries.extend(new.collect::<Vec<_>>());
        }
    }
    Ok(quarries)
}

/// A Predator hunts for errors: one who never gives up value makes none that count in a draw.
fn warn(arguments: &Arguments, schedule: &Schedule, seating: &Seating<'_>) {
    let in_tables = |opening: &Opening| Material::of(opening.game.position().board()).is_some();
    if arguments.is_experiment() || !schedule.openings().iter().any(in_tables) {
        return;
    }
    for &(one, two) in schedule.pairings() {
        for (hunter, prey) in [(one, two), (two, one)] {
            if let (Some(hunts), Some(keeps)) = (seating.agent(hunter), seating.agent(prey))
                && hunts.kind.name == "Predator"
                && keeps.kind.fields.contains(&"keep_value")
                && keeps.keep_value
            {
                let prey = &arguments.players[prey];
                console::tell(format_args!(
                    "note: {prey} never gives up the value of a position that tables know, so that the predator can win \
                     nothing there; with keep_value=false it does"
                ));
            }
        }
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
        |summary: &Summary| test.is_some_and(|test| summary.sprt(test).verdict != SprtVerdict::Undecided);
    if decided(&summary) {
        return Ok(());
    }
    let done: HashSet<usize> = entries.iter().map(|entry| entry.scheduled.number).collect();
    let tables = context.tables()?;
    let rules = arguments.rules();
    let mut seating =
        Seating::new(&arguments.players, &arguments.base(&context.config), &rules, tables.clone());
    seating.tolerance = Tolerance {
        margin: Duration::from_millis(arguments.margin),
        stall: Duration::from_secs(arguments.stall),
    };
    let agents: Vec<AgentSpec> =
        (0..arguments.players.len()).filter_map(|player| seating.agent(player)).collect();
    let watched = &seating.base.agent;
    prepare(arguments, schedule, &agents, &tables, context)?;
    plans::require(context, &seating.plans, &quarries(schedule, &seating)?)?;
    warn(arguments, schedule, &seating);
    let concurrency = arguments.concurrency.map_or_else(cores, usize::from);
    if let (true, true, None, [one, other], 2) =
        (entries.is_empty(), pgn.is_none(), test, &agents[..], arguments.players.len())
    {
        let simulation = Simulation::new(schedule, [one, other], watched, rules, &tables, false);
        if let Some(simulation) = simulation.map_err(Failure::usage)? {
            *entries = simulate(&simulation, concurrency, context)?;
            return Ok(());
        }
    }
    let analyser = watched.analyser().map_err(Failure::usage)?;
    let observer = Observer::new(TableOracle::new(tables.clone(), watched.metric), analyser);
    let game = Match {
        schedule,
        rules,
        arbiter: Some(&*tables),
        observer: Some(&observer),
        controls: arguments.controls(),
        margin: seating.tolerance.margin,
        concurrency,
        make: &|player| seating.seat(player),
        cancel: seating.cancel.clone(),
    };
    let progress = Progress::new(schedule.games() as u64, entries.len() as u64, "games");
    let date = today();
    let mut failure = None;
    let mut told = HashSet::new();
    let result = game.run(&done, &|| context.interrupt.raised(), |event| {
        let (scheduled, record) = match event {
            MatchEvent::Game(scheduled, record) => (scheduled, record),
            // What agents remark on their moves is for chess programs; engines are only ever blamed.
            MatchEvent::Remark(player, text) => {
                let engine = matches!(arguments.players[player], PlayerSpec::Engine(_));
                if engine && told.insert((player, text.clone())) {
                    progress.say(&format!("{}: {text}", headers.names[player]));
                }
                return ControlFlow::Continue(());
            }
        };
        if let Some(fault) = &record.fault {
            let culprit =
                record.ending.outcome.winner().map_or("", |winner| {
                    &headers.names[winner.fold_wb(scheduled.black(), scheduled.white())]
                });
            progress.say(&format!("game {}: {culprit}: {fault}", scheduled.round()));
        }
        if let Some(pgn) = pgn
            && let Err(error) = pgn.write(&pgn_text(headers, scheduled, &record, &date))
        {
            failure = Some(Failure::failed(format!("cannot write the game to the PGN file: {error}")));
            return ControlFlow::Break(());
        }
        let entry = Entry::new(scheduled, &record);
        if scheduled.players == [0, 1] {
            summary.add(&entry);
        }
        entries.push(entry);
        let tally = summary.tally();
        progress.step(&match arguments.players.len() {
            2 => format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses),
            players => format!("{players} players"),
        });
        if decided(&summary) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
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
