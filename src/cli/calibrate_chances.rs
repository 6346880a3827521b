//! `errare calibrate --chances`: what becomes of positions, fitted to the results of rated games.

use std::path::Path;

use rayon::prelude::*;

use super::{
    Context, Failure,
    calibrate::{Arguments, FIRST_PLY, write},
    game_files::read_games,
    progress::Progress,
};
use crate::{
    calibration::{KnownResult, RatedPosition, fit_chances},
    human::{ChanceModel, Standing},
    oracle::Oracle,
    statistics::Moments,
};

/// How deep a position is searched if nobody says otherwise.
const USUAL_DEPTH: u32 = 6;
/// Fewer games tell nothing.
const MIN_GAMES: usize = 1000;

pub(super) fn run(arguments: &Arguments, path: &Path, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut positions = Vec::new();
    let mut number = 0;
    read_games(&arguments.games, context, &mut |_, score| {
        number += 1;
        positions.extend(RatedPosition::draw(&score, FIRST_PLY, arguments.seed.wrapping_add(number)));
        Ok(())
    })?;
    let budget = arguments.oracle.budget(context);
    let depth = if arguments.oracle.is_limited() { budget.depth } else { None }.unwrap_or(USUAL_DEPTH);
    let progress = Progress::new(positions.len() as u64, 0, "positions");
    let threads = arguments.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let shares: Vec<_> = positions
        .chunks(positions.len().div_ceil(threads).max(1))
        .map(|share| Ok((share, arguments.oracle.oracle_with(1, context)?)))
        .collect::<Result<_, Failure>>()?;
    let control = &budget.control;
    let evaluate = |(share, oracle): (&[RatedPosition], Box<dyn Oracle>)| {
        let mut results = Vec::new();
        for position in share {
            oracle.forget();
            let known = position.evaluate(&*oracle, depth, control);
            if control.is_stopped() {
                return Err(Failure::Interrupted);
            }
            results.extend(known.map(|known| (position.is_judging, known)));
            progress.step("");
        }
        Ok(results)
    };
    let results: Vec<Vec<(bool, KnownResult)>> =
        shares.into_par_iter().map(evaluate).collect::<Result<_, Failure>>()?;
    progress.finish();
    let (judged, fitted): (Vec<_>, Vec<_>) =
        results.into_iter().flatten().partition(|(is_judging, _)| *is_judging);
    let [judged, fitted] =
        [judged, fitted].map(|part| part.into_iter().map(|(_, known)| known).collect::<Vec<KnownResult>>());
    if fitted.len() < MIN_GAMES || judged.len() < 2 {
        return Err(Failure::failed(format!(
            "there are {} games with a result and both Elos; at least {MIN_GAMES} are needed",
            fitted.len()
        )));
    }
    let (model, errors) = fit_chances(&fitted);
    write(path, toml::to_string(&model).map_err(Failure::failed)?.as_bytes())?;
    print(&model, &errors, &judged, context)
}

/// Bounds of Elo differences and of material by which results are told apart.
const DIFFERENCES: [f64; 4] = [-1000.0, -200.0, 200.0, 1000.0];
const MATERIALS: [f64; 4] = [0.0, 0.35, 0.7, 1.01];

fn print(
    model: &ChanceModel,
    errors: &[f64],
    judged: &[KnownResult],
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let names =
        ["a pawn", "  full board", "400 Elo", "  full board", "ln t", "  full board", "  400 Elo of both"];
    for ((name, value), error) in names.iter().zip(model.to_row()).zip(errors) {
        writeln!(context.out, "{name:<18} {value:>7.3} ± {error:.3}")?;
    }
    let ln = judged.iter().map(|known| model.slope(&known.standing, known.points).0);
    if let Some(ln) = Moments::of(ln) {
        let error = ln.standard_error.unwrap_or(f64::NAN);
        let (games, mean) = (judged.len(), ln.mean);
        writeln!(context.out, "\n{games} games of players not fitted to: mean ln P {mean:.4} ± {error:.4}")?;
    }
    writeln!(context.out, "\nElo difference  material     games   points          expected")?;
    for elos in DIFFERENCES.windows(2) {
        for materials in MATERIALS.windows(2) {
            let within = |known: &&KnownResult| {
                let Standing { elos: [own, other], material, .. } = known.standing;
                (elos[0]..elos[1]).contains(&(own - other))
                    && (materials[0]..materials[1]).contains(&material)
            };
            let some: Vec<&KnownResult> = judged.iter().filter(within).collect();
            let points = Moments::of(some.iter().map(|known| known.points));
            let expected = Moments::of(some.iter().map(|known| model.chances(&known.standing).points()));
            let (Some(points), Some(expected)) = (points, expected) else { continue };
            let (low, high) = (materials[0], materials[1].min(1.0));
            let error = points.standard_error.unwrap_or(f64::NAN);
            writeln!(
                context.out,
                "{:>6} to {:>4}  {low:.2} to {high:.2}  {:>6}   {:.3} ± {error:.3}   {:.3}",
                elos[0],
                elos[1],
                some.len(),
                points.mean,
                expected.mean
            )?;
        }
    }
    Ok(())
}
