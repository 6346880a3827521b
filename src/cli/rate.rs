//! `errare rate`: players rated from their games.

use std::path::PathBuf;

use clap::Args;

use super::{
    Context, Failure,
    rate_answers::{self, Answers},
    rate_flags::{PricingFlags, SelectionFlags},
    rate_output as output, rate_page,
    rate_session::{Session, queue},
};
use crate::{
    directories,
    model::{Belief, Grid, PerScale, Scale},
    rating::{By, EloBand, Grouping, Period},
};

/// Rate players from their games: competence c, Elo, move matches, mean error, each beside what was to be expected
///
/// Every move of every decision that counts is priced, by our search or another engine, and kept in a store: a run that was
/// stopped goes on, and a second run takes seconds. Endgames of up to four men are judged by tables, on their own scale of c.
/// A game that can't be read is named and skipped; the same game from two files counts once.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare rate club.pgn
  errare rate club.pgn --by player,year --json
  errare rate games.pgn --by band --bands 2390-2410 --sample 1000 --engine toga2 --depth 10
  errare rate games.pgn --by period --periods 1971-1981,1996-2006 --only-band 2390-2410 --compare
  errare rate korchnoi.pgn --career 'Korchnoi, Viktor' --aliases names.txt --svg charts
  errare rate wch_1948.pgn --opponents 'Keres, Paul' --html keres.html
  errare rate event.pgn --by game --sort c
  errare rate a.pgn --with b.pgn --by set --compare
  errare rate game.pgn --moves
  errare rate games.pgn --shard 3/16 --store part-3.sqlite
  errare rate games.pgn --queue --store postgres://user@host/errare

Aliases are lines such as: Korchnoi, Viktor = Korchnoi,V; Kortschnoj*")]
pub struct Arguments {
    /// The games: PGN, or a line each
    #[arg(value_name = "GAMES", required = true)]
    pub(super) games: Vec<PathBuf>,
    /// A second set of games, for --by set
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    pub(super) with: Vec<PathBuf>,
    /// What is rated: player, game, event, year, period, colour, phase, band, set; with several, each combination
    #[arg(long, value_delimiter = ',', default_value = "player")]
    by: Vec<By>,
    /// These players alone
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only players whose Elo by the tags is in this band
    #[arg(long, value_name = "FROM-TO")]
    only_band: Option<EloBand>,
    /// Other names of players, from a file
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Bands of Elo for --by band (default: each of 100)
    #[arg(long, value_delimiter = ',', value_name = "FROM-TO")]
    bands: Vec<EloBand>,
    /// Spans of time for --by period: years, or months as in 2005.10-2006.06
    #[arg(long, value_delimiter = ',', value_name = "FROM-TO")]
    periods: Vec<Period>,
    /// Tell only of those with at least so many decisions
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_decisions: u64,
    /// The order: c, who or decisions (default: the best first; years, bands and the like in their order)
    #[arg(long, value_parser = ["c", "who", "decisions"])]
    sort: Option<String>,
    /// Take players whose Elo the tags don't have to be of this one
    #[arg(long, value_name = "ELO")]
    pub(super) assume_elo: Option<u32>,
    #[command(flatten)]
    pub(super) selection: SelectionFlags,
    #[command(flatten)]
    pub(super) pricing: PricingFlags,
    /// κ of the prices, in pawns
    #[arg(long, default_value_t = 0.1)]
    pub(super) kappa: f64,
    /// Candidates for c, from(step)to
    #[arg(long, default_value = "0(0.01)3")]
    grid: Grid,
    /// What is believed of c before: uniform, or a normal distribution as in normal:1.2,0.2
    #[arg(long, default_value = "uniform")]
    prior: String,
    /// Say nothing of Elo and of what was to be expected, which is what takes longest once all is priced
    #[arg(long)]
    no_elo: bool,
    /// Price only games of this part of so many, and rate nobody: for many machines, each with a store of its own
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(super) shard: Option<(u32, u32)>,
    /// Enter the games as jobs for 'errare work', and rate nobody yet
    #[arg(long, conflicts_with_all = ["shard", "sample"])]
    queue: bool,
    /// The greater, the sooner 'errare work' takes them
    #[arg(long, default_value_t = 0, requires = "queue")]
    pub(super) priority: i64,
    #[command(flatten)]
    pub(super) answers: Answers,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Print a row for each that is rated
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw charts into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write one page with all tables and charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    let (number, of) = text.split_once('/').ok_or("write it as 3/16")?;
    match (number.parse(), of.parse()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok((number, of)),
        _ => Err(format!("'{text}' is no part; write it as 3/16")),
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    if arguments.by.contains(&By::Period) && arguments.periods.is_empty() {
        return Err(Failure::usage("--by period needs --periods, such as 1971-1981,1996-2006"));
    }
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if arguments.selection.sample.is_none() && !arguments.queue && arguments.games.iter().any(is_stdin) {
        return Err(Failure::usage(
            "standard input can be read only once, and games are counted first: name a file, or draw with --sample",
        ));
    }
    let grouping = Grouping {
        by: arguments.by.clone(),
        aliases: arguments.aliases.as_deref().map(aliases).transpose()?.unwrap_or_default(),
        bands: arguments.bands.clone(),
        periods: arguments.periods.clone(),
        only: arguments.players(),
        only_band: arguments.only_band,
    };
    if arguments.queue {
        return queue(arguments, context);
    }
    let prior = prior(arguments)?;
    let session = Session::new(arguments, context)?;
    let found = rate_answers::find(arguments, &session, &grouping, &prior, context)?;
    if arguments.shard.is_some() {
        return Ok(());
    }
    let found = found.arranged(arguments.min_decisions, arguments.sort.as_deref(), grouping.is_ordered());
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder)?;
        for (name, chart) in rate_page::charts(&found) {
            directories::write_whole(&folder.join(name), chart.to_svg().as_bytes())?;
        }
    }
    if let Some(path) = &arguments.html {
        directories::write_whole(path, rate_page::page(&found).as_bytes())
            .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
    }
    match (arguments.json, arguments.csv) {
        (true, _) => Ok(writeln!(context.out, "{}", output::json(&found))?),
        (_, true) => output::csv(&found, context.out),
        _ => output::text(&found, context.out),
    }
}

fn aliases(path: &std::path::Path) -> Result<crate::rating::Aliases, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    crate::rating::Aliases::parse(&text).map_err(|error| wrong(&error))
}

impl Arguments {
    /// The players who are rated, if not all: a career by itself is that of one.
    fn players(&self) -> Vec<String> {
        match &self.answers.career {
            Some(name) if self.only.is_empty() && self.answers.opponents.is_none() => vec![name.clone()],
            _ => self.only.clone(),
        }
    }

    /// Candidates for c.
    pub(super) fn grids(&self) -> PerScale<Grid> {
        PerScale { table: Grid::usual(Scale::Table), evaluation: self.grid }
    }

    /// Whether people are asked.
    pub(super) fn asks_people(&self) -> bool {
        !self.no_elo
    }
}

fn prior(arguments: &Arguments) -> Result<PerScale<Belief>, Failure> {
    let uniform = crate::rating::uniform(&arguments.grids());
    if arguments.prior == "uniform" {
        return Ok(uniform);
    }
    let wrong =
        || Failure::usage(format!("'{}' is no prior; write uniform or normal:1.2,0.2", arguments.prior));
    let numbers = arguments.prior.strip_prefix("normal:").and_then(|text| text.split_once(','));
    let (mean, deviation) = numbers.ok_or_else(wrong)?;
    let (Ok(mean), Ok(deviation)) = (mean.trim().parse(), deviation.trim().parse()) else {
        return Err(wrong());
    };
    let evaluation =
        Belief::normal(arguments.grid, Scale::Evaluation, mean, deviation).map_err(Failure::usage)?;
    Ok(PerScale { evaluation, ..uniform })
}
