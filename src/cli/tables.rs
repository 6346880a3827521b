use clap::{Args, Subcommand};
use shakmaty::Color;

use super::{Context, Failure, progress::Progress};
use crate::{
    console,
    endgame::{Material, Table, Tables, Verdict, Walk, measure_speed, memory, open, prerequisites, verify},
    model::Metric,
};

/// Make, show and check endgame tables
///
/// A table holds value and depth of every position of some material of 3 to 5 men, pawns included. Tables of 3 and 4
/// men are also made by themselves when they are needed; nothing is ever downloaded.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare tables build KQKR                   depth to conversion of queen against rook
  errare tables build --men 4 --metric dtm   depth to mate of everything with 3 and 4 men
  errare tables stats KBBKN                  how deep, how many, which positions
  errare tables verify                       recompute all tables from their successors")]
pub struct Arguments {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Generate tables, and before them those they need
    Build(Selection),
    /// List the tables that are there
    List,
    /// Positions by value and depth, deepest positions, mutual zugzwangs
    Stats(super::stats::Arguments),
    /// Recompute every position from its successors
    Verify(Selection),
}

/// Work of fewer seconds is not announced.
const LONG: u64 = 10;

/// Which tables.
#[derive(Args)]
struct Selection {
    /// Endgames by their men, such as KQKR or KBBKN (verify: all that are there, by every metric, if none is named)
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// All endgames with 3 to so many men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    men: Option<u8>,
    /// What depths count: dtc, dtm, dtz, dtr (by the rule) or dtd (to draw) (default: dtc)
    #[arg(long)]
    metric: Option<Metric>,
    /// Cores to use (0: all)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1024))]
    threads: u64,
}

impl Selection {
    fn materials(&self) -> Vec<Material> {
        let all = self.men.into_iter().flat_map(|men| (3..=usize::from(men)).flat_map(Material::with_men));
        all.chain(self.materials.iter().copied()).collect()
    }

    fn metric(&self) -> Metric {
        self.metric.unwrap_or(Metric::Dtc)
    }

    /// The tables that are named, or else all that are there.
    fn tables(&self, tables: &Tables) -> Vec<(Material, Metric)> {
        if self.men.is_some() || !self.materials.is_empty() {
            return self.materials().into_iter().map(|material| (material, self.metric())).collect();
        }
        let metrics = self.metric.map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
        present(tables).filter(|(_, metric)| metrics.contains(metric)).collect()
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        rayon::ThreadPoolBuilder::new().num_threads(self.threads as usize).build().map_err(Failure::failed)
    }
}

pub fn run(arguments: Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    match arguments.command {
        TablesCommand::Build(selection) => build(&selection, context),
        TablesCommand::List => list(context),
        TablesCommand::Stats(arguments) => super::stats::run(&arguments, context),
        TablesCommand::Verify(selection) => check(&selection, context),
    }
}

fn build(selection: &Selection, context: &mut Context<'_>) -> Result<(), Failure> {
    let tables = context.tables()?;
    let pool = selection.pool()?;
    let metric = selection.metric();
    if selection.materials().is_empty() {
        return Err(Failure::usage(
            "say which: 'errare tables build KQKR', or --men 4 for all with 3 and 4 men",
        ));
    }
    measure_speed();
    for material in selection.materials() {
        announce(&tables, material, metric, pool.current_num_threads());
        let table = context.with_client(|client| pool.install(|| tables.build(material, metric, client)))?;
        if open(tables.folder(), material, metric).map_err(Failure::failed)?.is_none() {
            let folder = tables.folder().display();
            return Err(Failure::failed(format!("{material} was made, but can't be stored in {folder}")));
        }
        writeln!(context.out, "{material:<6} {metric}: {}", extent(&table))?;
    }
    Ok(())
}

/// How deep a table goes.
fn extent(table: &Table) -> String {
    let [white, black] = [Color::White, Color::Black].map(|color| table.deepest(color));
    match table.metric() {
        Metric::Dtd => format!("draws forced by White to depth {white:>3}, by Black to {black:>3}"),
        _ => format!("wins to depth {white:>3}, losses to {black:>3}"),
    }
}

/// Says what will be made, before that takes minutes.
fn announce(tables: &Tables, material: Material, metric: Metric, threads: usize) {
    let missing = tables.missing(material, metric);
    let time = tables.estimate(material, metric).as_secs() / threads.max(1) as u64;
    if time < LONG {
        return;
    }
    let names: Vec<String> = missing.iter().map(|(needed, by)| format!("{needed} by {by}")).collect();
    let needed = missing.iter().map(|&(needed, by)| memory(needed, by)).max().unwrap_or_default() >> 20;
    let time = if time < 100 { format!("{time} s") } else { format!("{} min", time.div_ceil(60)) };
    console::tell(format_args!(
        "to be made: {}; {needed} MiB of memory, about {time} on {threads} thread{}",
        names.join(", "),
        if threads == 1 { "" } else { "s" }
    ));
}

/// The tables that there are files of.
fn present(tables: &Tables) -> impl Iterator<Item = (Material, Metric)> {
    let all = (3..=5).flat_map(Material::with_men);
    let all = all.flat_map(|material| Metric::ALL.map(|metric| (material, metric)));
    all.filter(|&(material, metric)| !matches!(open(tables.folder(), material, metric), Ok(None)))
}

fn list(context: &mut Context<'_>) -> Result<(), Failure> {
    let tables = context.tables()?;
    writeln!(context.out, "tables in {}", tables.folder().display())?;
    let (present, mut found): (Vec<_>, usize) = (present(&tables).collect(), 0);
    let progress = Progress::new(present.len() as u64, 0, "tables");
    for (material, metric) in present {
        context.check_interrupt()?;
        // A table is only called one if all its blocks are what was written.
        let checked = open(tables.folder(), material, metric)
            .and_then(|table| table.map(|table| table.check().map(|()| table)).transpose());
        progress.step("");
        match checked {
            Ok(None) => {}
            Ok(Some(table)) => {
                found += 1;
                writeln!(context.out, "{material:<6} {metric}  {}", extent(&table))?;
            }
            Err(error) => writeln!(context.out, "{error}")?,
        }
    }
    progress.finish();
    writeln!(context.out, "{found} tables")?;
    Ok(())
}

fn check(selection: &Selection, context: &mut Context<'_>) -> Result<(), Failure> {
    let tables = context.tables()?;
    let pool = selection.pool()?;
    let (selected, mut wrong) = (selection.tables(&tables), 0);
    if selected.is_empty() {
        writeln!(context.out, "no tables in {}", tables.folder().display())?;
    }
    for (material, metric) in selected {
        let walk = walk(context, &tables, material, metric)?;
        let progress = Progress::new(walk.indexer().king_pairs() as u64, 0, "king pairs");
        let name = format!("{material} by {metric}");
        let interrupt = &context.interrupt;
        let verdict = pool.install(|| verify(&walk, interrupt.flag(), &|| progress.step(&name)));
        progress.finish();
        match verdict.map_err(Failure::failed)? {
            Verdict::Sound(positions) => {
                writeln!(context.out, "{material:<6} {metric}: {positions} positions, all sound")?;
            }
            Verdict::Wrong(disagreement) => {
                wrong += 1;
                writeln!(context.out, "{material:<6} {metric}: WRONG: {disagreement}")?;
            }
            Verdict::Cancelled => return Err(Failure::Interrupted),
        }
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::failed(format!("{wrong} tables are wrong"))) }
}

/// A table that is on disk, ready to be walked over.
pub(super) fn walk(
    context: &Context<'_>,
    tables: &Tables,
    material: Material,
    metric: Metric,
) -> Result<Walk, Failure> {
    let table = context.with_client(|client| tables.require(material, metric, client))?;
    for (needed, by) in prerequisites(material, metric) {
        context.with_client(|client| tables.require(needed, by, client))?;
    }
    Walk::new(table, tables).map_err(Failure::failed)
}
