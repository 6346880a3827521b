//! `errare fit`: weights fitted to the results of games.

use std::{fs::File, path::PathBuf, sync::Arc};

use clap::Args;
use shakmaty::{KnownOutcome, Position};

use super::{Context, Failure, eval, progress::Waiting};
use crate::{
    console, directories,
    evaluation::{FitSettings, TrainingPosition, Weights, fit},
    notation::{GameScore, Games, Ply},
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
    for path in &arguments.games {
        let file = File::open(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        for game in Games::new(file) {
            match game {
                Ok(score) => collect(&score, &begun_with, &mut positions),
                Err(bad) => console::tell(format_args!("errare: {}, {bad}", path.display())),
            }
        }
    }
    if positions.is_empty() {
        return Err(Failure::usage(
            "no quiet position of a finished game found; name PGN files with results",
        ));
    }
    writeln!(context.out, "{} positions", positions.len())?;
    let settings = FitSettings { steps: arguments.steps, ..FitSettings::default() };
    let waiting = Waiting::new("fitting");
    let (before, after) = fit(&positions, &mut weights, settings, &mut |step, error| {
        log::info!("step {step}: {error:.6}");
    });
    drop(waiting);
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
