//! `errare fit`: weights fitted to the results of games.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use shakmaty::{KnownOutcome, Position};

use super::{Context, Failure, eval, game_files::read_games, progress::Progress};
use crate::{
    directories,
    evaluation::{FitSettings, TrainingPosition, Weights, fit},
    notation::{GameScore, Ply},
};

/// Fit the evaluation's weights to the results of games, such as 'errare match' writes.
#[derive(Args)]
#[command(after_help = "Example:\n  errare fit games.pgn --out mine.toml")]
pub(super) struct Arguments {
    /// Games
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to begin with instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    weights_file: Option<PathBuf>,
    /// Steps of gradient descent
    #[arg(long, default_value_t = FitSettings::default().steps)]
    steps: usize,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut weights = match &arguments.weights_file {
        Some(path) => eval::read(path)?,
        None => Weights::default(),
    };
    let mut positions = Vec::new();
    let begun_with = Arc::new(weights.clone());
    read_games(&arguments.games, context, &mut |_, score| {
        collect(&score, &begun_with, &mut positions);
        Ok(())
    })?;
    if positions.is_empty() {
        return Err(Failure::usage(
            "no quiet position of a finished game found; name PGN files with results",
        ));
    }
    writeln!(context.out, "{} positions", positions.len())?;
    let settings = FitSettings { steps: arguments.steps, ..FitSettings::default() };
    let progress = Progress::new(settings.steps as u64, 0, "steps");
    let mut so_far = String::new();
    let fitted = fit(&positions, &mut weights, settings, &mut |step, error| {
        if let Some(error) = error {
            so_far = format!("error {error:.6}");
        }
        progress.advance(step as u64, &so_far);
        !context.interrupt.raised()
    });
    progress.finish();
    let (before, after) = fitted.ok_or(Failure::Interrupted)?;
    writeln!(context.out, "error {before:.6} before, {after:.6} after")?;
    directories::write_whole(&arguments.out, weights.to_toml().as_bytes())
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", arguments.out.display())))
}

/// Nothing is learnt from the opening.
const FIRST_PLY: u32 = 16;

/// Takes the quiet positions of a finished game.
fn collect(score: &GameScore, weights: &Arc<Weights>, positions: &mut Vec<TrainingPosition>) {
    let points = match KnownOutcome::from_ascii(score.result.as_bytes()) {
        Ok(KnownOutcome::Draw) => 0.5,
        Ok(KnownOutcome::Decisive { winner }) => winner.fold_wb(1.0, 0.0),
        Err(_) => return,
    };
    let mut position = score.start.clone();
    for Ply { m, .. } in &score.plies {
        let late = u32::from(position.fullmoves()) * 2 >= FIRST_PLY;
        if late && !position.is_check() && !m.is_capture() && !m.is_promotion() {
            positions.push(TrainingPosition::new(&position, points, weights));
        }
        position.play_unchecked(*m);
    }
}
