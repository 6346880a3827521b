//! `errare tune`: weights by concordance, and how well assessments of positions agree.

use std::{fs, path::PathBuf};

use clap::{Args, Subcommand};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{
    Context, Failure, game_files::read_games, tune_assess, tune_measures, tune_network, tune_weights,
};
use crate::{notation::GameScore, tuning::AssessedPositions};

/// Tune the evaluation: find weights with which it orders positions as somebody does who knows better.
///
/// Positions come as EPD (nag "$14"; or c0 "+/="; or ce 35; centipawns for the side to move; c9 "1-0"; the result of the game; c8 17; a number
/// by which the player to move is known, who then is in one part of the data only), as lines of FEN,assessment[,weight], or as
/// games: those with glyphs of assessment, or with --by-result all finished ones.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  errare tune assessed.epd --out mine.toml --svg paths.svg\n  \
errare tune games.pgn --by-result --by logistic --out mine.toml\n  \
errare tune assessed.epd --by ascent --tune table-12 --start 50 --iterations 600 --sample 32768 --keep paths/\n  \
errare match 'search:weights=mine.toml' search --games 100"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<TuneCommand>,
    #[command(flatten)]
    tuning: tune_weights::Flags,
}

#[derive(Subcommand)]
enum TuneCommand {
    Tau(tune_measures::TauArguments),
    Depths(tune_measures::DepthsArguments),
    Features(tune_measures::FeaturesArguments),
    Disagreements(tune_measures::DisagreementsArguments),
    Grain(tune_measures::GrainArguments),
    Assess(tune_assess::Arguments),
    Network(tune_network::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    match &arguments.command {
        None => tune_weights::run(&arguments.tuning, context),
        Some(TuneCommand::Tau(arguments)) => tune_measures::tau(arguments, context),
        Some(TuneCommand::Depths(arguments)) => tune_measures::depths(arguments, context),
        Some(TuneCommand::Features(arguments)) => tune_measures::features(arguments, context),
        Some(TuneCommand::Disagreements(arguments)) => tune_measures::disagreements(arguments, context),
        Some(TuneCommand::Grain(arguments)) => tune_measures::grain(arguments, context),
        Some(TuneCommand::Assess(arguments)) => tune_assess::run(arguments, context),
        Some(TuneCommand::Network(arguments)) => tune_network::run(arguments, context),
    }
}

/// Where assessed positions come from.
#[derive(Args)]
pub(super) struct PositionFlags {
    /// Assessed positions (EPD, or FEN,assessment) or games
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The assessment is how the game ended, whatever else is said
    #[arg(long)]
    by_result: bool,
    /// Of each game take about so many positions, by chance, where results count
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    per_game: f64,
    /// Take "unclear" and "with compensation" for equal
    #[arg(long)]
    unclear_is_equal: bool,
    /// Take only games with this text in the tag Annotator
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Weights to begin with instead of the built-in ones
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    pub weights_file: String,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "it must be a number above 0".to_owned())
}

/// Files with these endings have a position on each line; all others are games.
const LINES: [&str; 2] = ["epd", "csv"];

impl PositionFlags {
    /// Reads them all.
    pub fn read(&self, seed: u64, context: &Context<'_>) -> Result<AssessedPositions, Failure> {
        if self.files.is_empty() {
            return Err(Failure::usage("no file named: 'errare tune --help' says what can be read"));
        }
        let mut read = AssessedPositions::default();
        read.unclear_is_equal = self.unclear_is_equal;
        read.by_result = self.by_result;
        let (lines, games): (Vec<PathBuf>, Vec<PathBuf>) = self.files.iter().cloned().partition(|path| {
            path.extension().is_some_and(|ending| LINES.iter().any(|line| ending.eq_ignore_ascii_case(line)))
        });
        for path in lines {
            let name = path.display();
            let text = fs::read_to_string(&path)
                .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
            read.read_lines(&text).map_err(|error| Failure::failed(format!("{name}, {error}")))?;
        }
        let mut rng = Pcg64::seed_from_u64(seed);
        read_games(&games, context, &mut |_, score| {
            if self.is_by_annotator(&score) {
                match self.by_result {
                    true => {
                        let chance = (self.per_game / score.plies.len().max(1) as f64).min(1.0);
                        read.read_results(&score, &mut || rng.random_bool(chance));
                    }
                    false => read.read_glyphs(&score),
                }
            }
            Ok(())
        })?;
        if read.positions.len() < 2 {
            let remedy = "write nag, c0 or ce after each position, or use --by-result for games";
            return Err(Failure::failed(format!("no two assessed positions found: {remedy}")));
        }
        Ok(read)
    }

    fn is_by_annotator(&self, score: &GameScore) -> bool {
        self.annotator.as_ref().is_none_or(|name| score.tag("Annotator").contains(name.as_str()))
    }
}

/// How many there are, and what was left out.
pub(super) fn counted(read: &AssessedPositions) -> String {
    let AssessedPositions { positions, unclear, repeated, over, .. } = read;
    format!(
        "{} positions; left out: {unclear} unclear, {repeated} repeated, {over} with the game over",
        positions.len()
    )
}
