//! `errare fit`: weights fitted to the results of games.

use std::{fs::File, ops::ControlFlow, path::PathBuf, sync::Arc};

use clap::Args;
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, KnownOutcome, Position, fen::Fen};

use super::{Context, Failure, eval};
use crate::evaluation::{FitSettings, Sample, Weights, fit};

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
    let mut collector = Collector { weights: Arc::new(weights.clone()), samples: Vec::new() };
    for path in &arguments.games {
        let wrong =
            |error: std::io::Error| Failure::usage(format!("cannot read {}: {error}", path.display()));
        Reader::new(File::open(path).map_err(wrong)?).visit_all_games(&mut collector).map_err(wrong)?;
    }
    if collector.samples.is_empty() {
        return Err(Failure::usage(
            "no quiet position of a finished game found; name PGN files with results",
        ));
    }
    writeln!(context.out, "{} positions", collector.samples.len())?;
    let settings = FitSettings { steps: arguments.steps, ..FitSettings::default() };
    let (before, after) = fit(&collector.samples, &mut weights, settings, &mut |step, error| {
        log::info!("step {step}: {error:.6}");
    });
    writeln!(context.out, "error {before:.6} before, {after:.6} after")?;
    std::fs::write(&arguments.out, weights.to_toml())
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", arguments.out.display())))
}

/// Takes the quiet positions of finished games.
struct Collector {
    weights: Arc<Weights>,
    samples: Vec<Sample>,
}

struct Moves {
    position: Chess,
    quiet: Vec<Chess>,
    points: Option<f64>,
}

/// Nothing is learnt from the opening.
const FIRST_PLY: u32 = 16;

impl Visitor for Collector {
    type Tags = Chess;
    type Movetext = Moves;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let Ok(fen) = Fen::from_ascii(value.as_bytes()) else { return ControlFlow::Break(()) };
            let Ok(position) = fen.into_position(CastlingMode::Chess960) else {
                return ControlFlow::Break(());
            };
            *start = position;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Moves> {
        ControlFlow::Continue(Moves { position: start, quiet: Vec::new(), points: None })
    }

    fn san(&mut self, moves: &mut Moves, san: SanPlus) -> ControlFlow<()> {
        let Ok(m) = san.san.to_move(&moves.position) else { return ControlFlow::Break(()) };
        let late = u32::from(moves.position.fullmoves()) * 2 >= FIRST_PLY;
        if late && !moves.position.is_check() && !m.is_capture() && !m.is_promotion() {
            moves.quiet.push(moves.position.clone());
        }
        moves.position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, moves: &mut Moves, outcome: Outcome) -> ControlFlow<()> {
        moves.points = outcome.known().map(|known| match known {
            KnownOutcome::Draw => 0.5,
            KnownOutcome::Decisive { winner } => winner.fold_wb(1.0, 0.0),
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Moves) {
        if let Some(points) = moves.points {
            self.samples
                .extend(moves.quiet.iter().map(|position| Sample::new(position, points, &self.weights)));
        }
    }
}
