//! How well the Elo of people is inferred from their moves: of real players game by game, and of runs of moves by many
//! people of one band, each taken for one player.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
};

use rayon::prelude::*;

use super::{
    Failure,
    calibrate_report::{DECIDED, WIDE_BAND},
};
use crate::{
    calibration::{RatedObservation, RatedPlayer},
    human::{EloBelief, HumanModel},
};

/// Moves from which an Elo is inferred where people are pooled, about those of five games.
const MOVES: usize = 200;
/// Of the interval whose coverage is told.
const MASS: f64 = 0.9;

/// What was inferred of somebody, beside the truth.
struct Inferred {
    band: u32,
    error: f64,
    is_covered: bool,
}

impl Inferred {
    fn new(belief: &EloBelief, truth: f64) -> Inferred {
        let (low, high) = belief.interval(MASS);
        Inferred {
            band: truth as u32 / WIDE_BAND * WIDE_BAND,
            error: belief.mean() - truth,
            is_covered: (low..=high).contains(&truth),
        }
    }
}

fn is_open(one: &RatedObservation) -> bool {
    one.seen.look.outcome().worth().abs() <= DECIDED
}

/// Runs of moves by people of one band, each taken for one player.
pub(super) fn print_pooled(
    observations: &[RatedObservation],
    model: &HumanModel,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut bands: BTreeMap<u32, Vec<&RatedObservation>> = BTreeMap::new();
    for one in observations.iter().filter(|one| is_open(one)) {
        bands.entry(one.elo / WIDE_BAND * WIDE_BAND).or_default().push(one);
    }
    let runs: Vec<&[&RatedObservation]> = bands.values().flat_map(|all| all.chunks_exact(MOVES)).collect();
    let infer = |run: &&[&RatedObservation]| {
        let mut belief = EloBelief::unknown();
        run.iter().for_each(|one| observe(&mut belief, model, one));
        let truth = run.iter().map(|one| f64::from(one.elo)).sum::<f64>() / run.len() as f64;
        Inferred::new(&belief, truth)
    };
    let inferred: Vec<Inferred> = runs.par_iter().map(infer).collect();
    if inferred.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nElo inferred from {MOVES} moves of people of a band")?;
    write_table(&inferred, "runs", out)
}

/// Real players, after so many of their games.
pub(super) fn print_players(
    players: &[RatedPlayer],
    priced: Vec<RatedObservation>,
    after: &[usize],
    model: &HumanModel,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let priced: HashMap<String, RatedObservation> = priced.into_iter().map(|one| (one.key(), one)).collect();
    let infer = |player: &RatedPlayer| -> Option<Vec<Inferred>> {
        let mut belief = EloBelief::unknown();
        let mut inferred = Vec::new();
        for (number, game) in player.games.iter().enumerate() {
            for rated in game {
                // Whoever is not priced to the end does not count.
                let one = priced.get(&rated.key())?;
                if is_open(one) {
                    observe(&mut belief, model, one);
                }
            }
            if after.contains(&(number + 1)) {
                inferred.push(Inferred::new(&belief, player.elo));
            }
        }
        Some(inferred)
    };
    let inferred: Vec<Vec<Inferred>> = players.par_iter().filter_map(infer).collect();
    if inferred.is_empty() {
        return Err(Failure::failed("no player's games are priced to the end"));
    }
    let mut by_games: Vec<Vec<Inferred>> = after.iter().map(|_| Vec::new()).collect();
    for one in inferred.into_iter().flat_map(|player| player.into_iter().enumerate()) {
        by_games[one.0].push(one.1);
    }
    for (games, inferred) in after.iter().zip(&by_games) {
        let noun = if *games == 1 { "game" } else { "games" };
        writeln!(
            out,
            "\nElo inferred from {games} {noun} of a player, from move 9 on, players not used for fitting"
        )?;
        write_table(inferred, "players", out)?;
    }
    Ok(())
}

/// Learns from a move.
fn observe(belief: &mut EloBelief, model: &HumanModel, one: &RatedObservation) {
    // The moves are those of the positions.
    let _ = belief.observe(model, &one.seen.look, &one.seen.m);
}

fn write_table(inferred: &[Inferred], who: &str, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{:>6} {who:>7} {:>8} {:>5} {:>12} {:>14}",
        "Elo", "bias", "±", "mean error", "in 90 % range"
    )?;
    let mut bands: BTreeMap<u32, Vec<&Inferred>> = BTreeMap::new();
    inferred.iter().for_each(|one| bands.entry(one.band).or_default().push(one));
    let bands = bands.into_iter().map(|(band, some)| (band.to_string(), some));
    for (name, some) in bands.chain([("all".to_owned(), inferred.iter().collect())]) {
        let count = some.len() as f64;
        let bias = some.iter().map(|one| one.error).sum::<f64>() / count;
        let error = (some.iter().map(|one| one.error.powi(2)).sum::<f64>() / count).sqrt();
        let uncertain = ((error.powi(2) - bias.powi(2)).max(0.0) / (count - 1.0).max(1.0)).sqrt();
        let covered = 100.0 * some.iter().filter(|one| one.is_covered).count() as f64 / count;
        writeln!(
            out,
            "{name:>6} {:>7} {bias:>+8.0} {uncertain:>5.0} {error:>12.0} {covered:>12.0} %",
            some.len()
        )?;
    }
    Ok(())
}
