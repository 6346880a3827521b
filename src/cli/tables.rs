use clap::{Args, Subcommand};

use super::{Context, Failure, progress};
use crate::{
    endgame::{Material, Tables, Verdict, Walk, open, verify},
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

/// Which tables.
#[derive(Args)]
struct Selection {
    /// Endgames by their men, such as KQKR or KBBKN
    #[arg(required_unless_present = "men", value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// All endgames with 3 to so many men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    men: Option<u8>,
    /// What depths count: dtc, dtm or dtz
    #[arg(long, default_value = "dtc")]
    metric: Metric,
    /// Cores to use (0: all)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
}

impl Selection {
    fn materials(&self) -> Vec<Material> {
        let all = self.men.into_iter().flat_map(|men| (3..=usize::from(men)).flat_map(Material::with_men));
        all.chain(self.materials.iter().copied()).collect()
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        rayon::ThreadPoolBuilder::new().num_threads(self.threads.into()).build().map_err(Failure::failed)
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
    for material in selection.materials() {
        let table = context
            .with_client(|client| pool.install(|| tables.build(material, selection.metric, client)))?;
        let [white, black] =
            [shakmaty::Color::White, shakmaty::Color::Black].map(|color| table.deepest(color));
        writeln!(
            context.out,
            "{material:<6} {}: wins to depth {white}, losses to depth {black}",
            selection.metric
        )?;
    }
    Ok(())
}

fn list(context: &mut Context<'_>) -> Result<(), Failure> {
    let tables = context.tables()?;
    writeln!(context.out, "tables in {}", tables.folder().display())?;
    let mut found = 0;
    for material in (3..=5).flat_map(Material::with_men) {
        for metric in Metric::ALL {
            match open(tables.folder(), material, metric) {
                Ok(None) => {}
                Ok(Some(table)) => {
                    found += 1;
                    let [white, black] =
                        [shakmaty::Color::White, shakmaty::Color::Black].map(|c| table.deepest(c));
                    writeln!(
                        context.out,
                        "{material:<6} {metric}  wins to depth {white:>3}, losses to {black:>3}"
                    )?;
                }
                Err(error) => writeln!(context.out, "{error}")?,
            }
        }
    }
    writeln!(context.out, "{found} tables")?;
    Ok(())
}

fn check(selection: &Selection, context: &mut Context<'_>) -> Result<(), Failure> {
    let tables = context.tables()?;
    let pool = selection.pool()?;
    let mut wrong = 0;
    for material in selection.materials() {
        let walk = walk(context, &tables, material, selection.metric)?;
        let bar = progress::bar(walk.indexer().king_pairs() as u64, "king pairs");
        bar.set_message(format!("{material} by {}", selection.metric));
        let interrupt = &context.interrupt;
        let verdict = pool.install(|| verify(&walk, interrupt.flag(), &|| bar.inc(1)));
        bar.finish_and_clear();
        match verdict.map_err(Failure::failed)? {
            Verdict::Sound(positions) => {
                writeln!(
                    context.out,
                    "{material:<6} {}: {positions} positions, all sound",
                    selection.metric
                )?;
            }
            Verdict::Wrong(disagreement) => {
                wrong += 1;
                writeln!(context.out, "{material:<6} {}: WRONG: {disagreement}", selection.metric)?;
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
    for subgame in material.subgames() {
        let by = if metric == Metric::Dtm { Metric::Dtm } else { Metric::Dtc };
        context.with_client(|client| tables.require(subgame, by, client))?;
    }
    Walk::new(table, tables).map_err(Failure::failed)
}
