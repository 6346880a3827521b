//! `errare calibrate`: the human model fitted to rated games.

use std::{fs::File, path::PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::{Context, Failure, oracle_flags::OracleFlags, progress::Progress};
use crate::{
    calibration::{PriceFile, PriceHeader, RatedMove, Sample, SampleSettings},
    notation::Games,
    oracle::{Budget, Oracle},
};

/// Fit the model of how people choose to rated games.
#[derive(Args)]
pub(super) struct Arguments {
    /// Games with the players' Elo: PGN, or a line each (WhiteElo BlackElo Result Year|White|Black|moves)
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Where priced decisions are kept: a run that was stopped goes on from there
    #[arg(long, value_name = "FILE")]
    prices: PathBuf,
    /// Decisions from each band of 100 Elo
    #[arg(long, default_value_t = 1500)]
    per_band: usize,
    /// Of all draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions that are priced at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    oracle: OracleFlags,
}

/// Where openings end.
const FIRST_PLY: usize = 16;

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let settings =
        SampleSettings { per_band: arguments.per_band, first_ply: FIRST_PLY, seed: arguments.seed };
    let mut sample = Sample::new(settings);
    let progress = Progress::without_end("games read");
    for path in &arguments.games {
        let file = File::open(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        for game in Games::new(file) {
            context.check_interrupt()?;
            match game {
                Ok(score) => sample.offer(&score),
                Err(bad) => progress.say(&format!("errare: {}, {bad}", path.display())),
            }
            progress.step("");
        }
    }
    progress.finish();
    price(arguments, sample.into_moves(), context)
}

/// Prices what has no prices yet.
fn price(arguments: &Arguments, moves: Vec<RatedMove>, context: &mut Context<'_>) -> Result<(), Failure> {
    let budget = Budget { quick: true, ..arguments.oracle.budget(context) };
    let oracles = (0..arguments.threads.max(1))
        .map(|_| arguments.oracle.oracle_with(1, context))
        .collect::<Result<Vec<_>, _>>()?;
    let header = PriceHeader::new(oracles[0].name(), budget.depth.unwrap_or(0));
    let file = PriceFile::open(&arguments.prices, &header).map_err(Failure::failed)?;
    let open: Vec<&RatedMove> = moves.iter().filter(|rated| !file.has(rated)).collect();
    let progress = Progress::new(moves.len() as u64, (moves.len() - open.len()) as u64, "decisions priced");
    let file = parking_lot::Mutex::new(file);
    let share = open.len().div_ceil(oracles.len()).max(1);
    let work = |(oracle, share): (&Box<dyn Oracle>, &[&RatedMove])| -> Result<(), Failure> {
        for rated in share {
            context_interrupt(&budget)?;
            oracle.forget();
            let Some(look) = oracle.look(&rated.game, &budget) else { continue };
            context_interrupt(&budget)?;
            file.lock().add(rated, look).map_err(Failure::failed)?;
            progress.step("");
        }
        Ok(())
    };
    let shares: Vec<_> = oracles.iter().zip(open.chunks(share)).collect();
    shares.into_par_iter().map(work).collect::<Result<Vec<()>, Failure>>()?;
    progress.finish();
    Ok(())
}

fn context_interrupt(budget: &Budget) -> Result<(), Failure> {
    if budget.control.is_stopped() { Err(Failure::Interrupted) } else { Ok(()) }
}
