//! `errare store`: what is kept of priced decisions.

use clap::{Args, Subcommand};
use serde_json::json;

use super::{Context, Failure, oracle_flags::engine_command, progress::Progress, rate_flags::store_location};
use crate::{
    game::{Game, LeadUp},
    rating::Analyst,
    report::csv_line,
    store::{Kept, PackedLook, Stock, Store},
};

/// What is kept of priced decisions: count, check, export and put together
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare store stats
  errare store verify --again 20
  errare store export > decisions.csv
  errare store merge part-1.sqlite part-2.sqlite --store all.sqlite

A store is a file (SQLite) or postgres://…; docs/rating.md describes its tables for those who open it with other tools.")]
pub struct Arguments {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Subcommand)]
enum StoreCommand {
    Stats(StatsArguments),
    Verify(VerifyArguments),
    Export(ExportArguments),
    Merge(MergeArguments),
}

#[derive(Args)]
struct Location {
    /// The store (default: store.sqlite in the user's folder for data)
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
}

/// How many positions each pricer has priced, and how far jobs are
#[derive(Args)]
struct StatsArguments {
    #[command(flatten)]
    location: Location,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Check that every look can be read and fits its position
#[derive(Args)]
struct VerifyArguments {
    #[command(flatten)]
    location: Location,
    /// Price so many positions of each pricer again, and see whether the same comes out
    #[arg(long, value_name = "N", default_value_t = 0)]
    again: u64,
    /// An engine that has priced, for --again
    #[arg(long, value_name = "PATH")]
    engine: Vec<String>,
    /// Take out what is damaged: it is priced again when it is needed
    #[arg(long)]
    repair: bool,
}

/// Every move of every position with its values by depth: a row for each move, or a JSON object a line for each position
#[derive(Args)]
struct ExportArguments {
    #[command(flatten)]
    location: Location,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Take over all looks of other stores
#[derive(Args)]
struct MergeArguments {
    /// The other stores
    #[arg(required = true, value_name = "FROM")]
    from: Vec<String>,
    #[command(flatten)]
    location: Location,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    match &arguments.command {
        StoreCommand::Stats(arguments) => stats(arguments, context),
        StoreCommand::Verify(arguments) => verify(arguments, context),
        StoreCommand::Export(arguments) => export(arguments, context),
        StoreCommand::Merge(arguments) => merge(arguments, context),
    }
}

impl Location {
    fn open(&self) -> Result<Store, Failure> {
        Store::open_existing(&store_location(self.store.as_deref())?).map_err(Failure::failed)
    }
}

fn stats(arguments: &StatsArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut store = arguments.location.open()?;
    let stock = store.stock()?;
    let jobs = store.jobs()?;
    let size = store.size()?;
    let looks: u64 = stock.iter().map(|stock| stock.looks).sum();
    let each = if looks == 0 { 0.0 } else { size as f64 / looks as f64 };
    if arguments.json {
        let pricers = stock.iter().map(|Stock { pricer, looks, bytes, .. }| {
            json!({"engine": pricer.engine, "options": pricer.options, "budget": pricer.budget, "looks": looks, "bytes": bytes})
        });
        let jobs = jobs.iter().map(|job| json!({"kind": job.kind, "state": job.state, "count": job.count}));
        let object = json!({
            "store": store.location(), "bytes": size, "looks": looks, "bytes_per_look": each,
            "pricers": pricers.collect::<Vec<_>>(), "jobs": jobs.collect::<Vec<_>>(),
        });
        return Ok(writeln!(context.out, "{object}")?);
    }
    writeln!(context.out, "{looks} looks in {} KiB, {each:.0} bytes each", size / 1024)?;
    for Stock { pricer, looks, bytes, .. } in &stock {
        let packed = if *looks == 0 { 0.0 } else { *bytes as f64 / *looks as f64 };
        writeln!(context.out, "  {looks:>9}  {pricer} ({packed:.0} bytes packed)")?;
    }
    for job in &jobs {
        writeln!(context.out, "  {:>9}  jobs to {}: {}", job.count, job.kind, job.state)?;
    }
    Ok(())
}

fn verify(arguments: &VerifyArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut store = arguments.location.open()?;
    let stock = store.stock()?;
    let progress = Progress::new(stock.iter().map(|stock| stock.looks).sum(), 0, "looks");
    let (mut sound, mut damaged) = (0u64, 0u64);
    let mut again: Vec<(usize, Kept)> = Vec::new();
    store.each(|store, kept| -> Result<(), Failure> {
        context.check_interrupt()?;
        progress.step("");
        match unpack(kept) {
            Ok(_) => sound += 1,
            Err(error) => {
                damaged += 1;
                progress.say(&format!("errare: {}: {error}", kept.position));
                if arguments.repair {
                    store.remove(kept.pricer, &kept.position)?;
                }
                return Ok(());
            }
        }
        let number = stock.iter().position(|stock| stock.id == kept.pricer);
        if let Some(number) = number
            && arguments.again > 0
            && sound.is_multiple_of(stock[number].looks.div_ceil(arguments.again).max(1))
        {
            again.push((number, kept.clone()));
        }
        Ok(())
    })?;
    progress.finish();
    let differ = price_again(arguments, &stock, &again, context)?;
    let taken = if arguments.repair && damaged > 0 { "; they were taken out" } else { "" };
    writeln!(context.out, "{sound} looks are sound, {damaged} are damaged{taken}")?;
    match (damaged > 0 && !arguments.repair, differ) {
        (true, _) => Err(Failure::failed("--repair takes out what is damaged")),
        (_, 0) => Ok(()),
        (_, differ) => Err(Failure::failed(format!("{differ} looks differ when they are priced again"))),
    }
}

/// Prices some positions again; how many differ.
fn price_again(
    arguments: &VerifyArguments,
    stock: &[Stock],
    again: &[(usize, Kept)],
    context: &mut Context<'_>,
) -> Result<u64, Failure> {
    if again.is_empty() {
        return Ok(0);
    }
    let engines = known_engines(&arguments.engine, context)?;
    let (mut same, mut differ, mut unknown) = (0u64, 0u64, 0u64);
    for (number, stock) in stock.iter().enumerate() {
        let mine: Vec<&Kept> = again.iter().filter(|(of, _)| *of == number).map(|(_, kept)| kept).collect();
        let Some(analyst) = Analyst::like(&stock.pricer, &engines) else {
            unknown += mine.len() as u64;
            continue;
        };
        let oracle = analyst.oracle(&context.control()).map_err(Failure::failed)?;
        let budget = analyst.budget(context.control());
        for kept in mine {
            oracle.forget();
            let position = kept.position.position().map_err(Failure::failed)?;
            let look = oracle.look(&Game::new(position), &budget).and_then(|look| PackedLook::new(&look));
            context.check_interrupt()?;
            if look.as_ref() == Some(&kept.look) { same += 1 } else { differ += 1 }
        }
    }
    writeln!(context.out, "priced again: {same} are the same, {differ} differ")?;
    if unknown > 0 {
        writeln!(context.out, "{unknown} were not priced again: name their engine with --engine")?;
    }
    Ok(differ)
}

/// Engines by the names that they give themselves.
pub fn known_engines(
    paths: &[String],
    context: &Context<'_>,
) -> Result<Vec<(String, crate::external::EngineCommand)>, Failure> {
    let known = |path: &String| {
        let command = engine_command(path)?;
        let analyst =
            Analyst { engine: Some(command.clone()), depth: Some(1), nodes: None, exact: false, lines: None };
        let name = analyst.pricer(&context.control()).map_err(Failure::failed)?.engine;
        Ok((name, command))
    };
    paths.iter().map(known).collect()
}

fn unpack(kept: &Kept) -> Result<crate::oracle::Look, String> {
    let position = kept.position.position().map_err(|error| error.to_string())?;
    kept.look.unpack(&position, LeadUp::default()).map_err(|error| error.to_string())
}

fn export(arguments: &ExportArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut store = arguments.location.open()?;
    let stock = store.stock()?;
    if !arguments.json {
        writeln!(context.out, "engine,options,budget,position,move,choice,pawns_by_depth")?;
    }
    store.each(|_, kept| -> Result<(), Failure> {
        context.check_interrupt()?;
        let Some(Stock { pricer, .. }) = stock.iter().find(|stock| stock.id == kept.pricer) else {
            return Ok(());
        };
        let look = unpack(kept).map_err(|error| Failure::failed(format!("{}: {error}", kept.position)))?;
        let moves = look.moves().iter().enumerate().map(|(place, prospect)| {
            let scores: Vec<String> = look.scores(&prospect.m).iter().map(ToString::to_string).collect();
            (look.uci(prospect.m), place + 1, scores)
        });
        if arguments.json {
            let moves: Vec<_> = moves
                .map(|(m, choice, scores)| json!({"move": m, "choice": choice, "pawns_by_depth": scores}))
                .collect();
            let object = json!({
                "engine": pricer.engine, "options": pricer.options, "budget": pricer.budget,
                "position": kept.position.as_str(), "moves": moves,
            });
            return Ok(writeln!(context.out, "{object}")?);
        }
        for (m, choice, scores) in moves {
            let cells = [
                pricer.engine.clone(),
                pricer.options.clone(),
                pricer.budget.clone(),
                kept.position.to_string(),
                m,
                choice.to_string(),
                scores.join(" "),
            ];
            writeln!(context.out, "{}", csv_line(cells))?;
        }
        Ok(())
    })
}

fn merge(arguments: &MergeArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut store = Store::open(&store_location(arguments.location.store.as_deref())?)?;
    let mut different = 0;
    for from in &arguments.from {
        context.check_interrupt()?;
        let mut other = Store::open_existing(from)?;
        let merged = store.merge(&mut other)?;
        writeln!(context.out, "{from}: {} new looks, {} known", merged.new, merged.known)?;
        different += merged.different;
    }
    match different {
        0 => Ok(()),
        _ => Err(Failure::failed(format!(
            "{different} looks differ from those of the same pricer that were there, which have stayed; \
             'errare store verify --again' shows which are right"
        ))),
    }
}
