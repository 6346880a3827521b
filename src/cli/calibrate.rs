//! `errare calibrate`: the human model fitted to rated games.

use std::{
    fs::File,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use rayon::prelude::*;

use super::{Context, Failure, oracle_flags::OracleFlags, progress::Progress};
use crate::{
    calibration::{PriceFile, PriceHeader, PriorSettings, RatedGame, RatedMove, Sample, SampleSettings, learn_prior},
    notation::{GameScore, Games},
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
    prices: Option<PathBuf>,
    /// Learn which moves people come upon from all games, and write it here
    #[arg(long, value_name = "FILE")]
    learn_prior: Option<PathBuf>,
    /// How often the games are gone through for it
    #[arg(long, default_value_t = 3.0)]
    epochs: f64,
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
    if let Some(path) = &arguments.learn_prior {
        return learn(arguments, path, context);
    }
    let settings =
        SampleSettings { per_band: arguments.per_band, first_ply: FIRST_PLY, seed: arguments.seed };
    let mut sample = Sample::new(settings);
    read(&arguments.games, context, &mut |score| sample.offer(score))?;
    price(arguments, sample.into_moves(), context)
}

/// Bad games that are named; the others are counted.
const NAMED: usize = 3;

/// Reads all games of some files.
fn read(files: &[PathBuf], context: &Context<'_>, take: &mut dyn FnMut(&GameScore)) -> Result<(), Failure> {
    let progress = Progress::without_end("games read");
    for path in files {
        let file = File::open(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        let mut bad_games = 0;
        for game in Games::new(file) {
            context.check_interrupt()?;
            match game {
                Ok(score) => take(&score),
                Err(bad) => {
                    bad_games += 1;
                    if bad_games <= NAMED {
                        progress.say(&format!("errare: {}, {bad}", path.display()));
                    }
                }
            }
            progress.step("");
        }
        if bad_games > NAMED {
            let more = bad_games - NAMED;
            progress.say(&format!("errare: {}: {more} more games can't be read and are skipped", path.display()));
        }
    }
    progress.finish();
    Ok(())
}

fn learn(arguments: &Arguments, path: &Path, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut games = Vec::new();
    read(&arguments.games, context, &mut |score| games.extend(RatedGame::new(score)))?;
    let settings = PriorSettings { epochs: arguments.epochs, seed: arguments.seed };
    let begun = Instant::now();
    let network = learn_prior(&games, settings, &mut |so_far| {
        eprintln!(
            "{:>6.0} s, step {} of {}: learning {:.4} ({:.3}), judging {:.4} ({:.3})",
            begun.elapsed().as_secs_f64(),
            so_far.step,
            so_far.steps,
            so_far.learning.mean(),
            so_far.learning.hit_rate(),
            so_far.judging.mean(),
            so_far.judging.hit_rate()
        );
        !context.interrupt.raised()
    });
    let network = match network {
        Some(network) => network,
        None if context.interrupt.raised() => return Err(Failure::Interrupted),
        None => return Err(Failure::failed("there is no move of a rated player to learn from")),
    };
    std::fs::write(path, network.to_bytes())
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))
}

/// Prices what has no prices yet.
fn price(arguments: &Arguments, moves: Vec<RatedMove>, context: &mut Context<'_>) -> Result<(), Failure> {
    let budget = Budget { quick: true, ..arguments.oracle.budget(context) };
    let oracles = (0..arguments.threads.max(1))
        .map(|_| arguments.oracle.oracle_with(1, context))
        .collect::<Result<Vec<_>, _>>()?;
    let header = PriceHeader::new(oracles[0].name(), budget.depth.unwrap_or(0));
    let file = PriceFile::open(arguments.prices.as_deref().unwrap_or(Path::new("prices.jsonl")), &header).map_err(Failure::failed)?;
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
