//! `errare eval`: the static evaluation of a position, term by term and by the network.

use clap::Args;
use shakmaty::{Position, fen::Fen};

use super::{Context, Failure};
use crate::{
    evaluation::{EvalTrace, Evaluation, Evaluator, FULL_PHASE, Weights},
    notation,
};

/// Show the static evaluation of a position by the network that plays and term by term by the hand-crafted one, or all weights.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  errare eval '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'\n  errare eval --weights > mine.toml\n  errare eval --weights-file mine.toml FEN"
)]
pub(super) struct Arguments {
    /// The position
    #[arg(required_unless_present = "weights")]
    fen: Option<Fen>,
    /// Print every weight with its name and value, as a file that --weights-file reads
    #[arg(long)]
    weights: bool,
    /// Weights that replace the built-in ones
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    weights_file: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let weights = Weights::read(&arguments.weights_file).map_err(Failure::usage)?;
    if arguments.weights {
        write!(context.out, "{}", weights.to_toml())?;
    }
    let Some(fen) = arguments.fen else { return Ok(()) };
    let position = notation::playable(&fen, false).map_err(Failure::usage)?;
    let trace = EvalTrace::new(&position, &weights);
    let network = Evaluator::new(&Evaluation::default()).evaluate(&position, 0);
    let network = position.turn().fold_wb(network, -network);
    match arguments.json {
        true => json(&trace, &weights, network, context),
        false => text(&trace, &weights, network, context),
    }
}

fn text(
    trace: &EvalTrace,
    weights: &Weights,
    network: i32,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let out = &mut context.out;
    writeln!(out, "{:<28} {:>5} {:>5}  {:>11}  {:>8}", "term", "white", "black", "weight", "value")?;
    let shares: std::collections::HashMap<_, _> =
        trace.shares().map(|(weight, mg, eg)| (weight, (mg, eg))).collect();
    for term in &trace.terms {
        let pair = weights.pairs()[term.weight];
        let (middlegame, endgame) = shares.get(&term.weight).copied().unwrap_or_default();
        let value = middlegame * f64::from(pair.middlegame()) + endgame * f64::from(pair.endgame());
        let pair = format!("{}/{}", pair.middlegame(), pair.endgame());
        let name = &Weights::names()[term.weight];
        writeln!(out, "{name:<28} {:>5} {:>5}  {pair:>11}  {value:>+8.1}", term.white, term.black)?;
    }
    writeln!(out, "phase {} of {FULL_PHASE}, endgame scaled by {}/64", trace.phase, trace.scale)?;
    writeln!(out, "{:+} centipawns for White by terms", trace.value(weights))?;
    writeln!(out, "{network:+} centipawns for White in play, by the network unless a king is bare")?;
    Ok(())
}

fn json(
    trace: &EvalTrace,
    weights: &Weights,
    network: i32,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let terms: Vec<_> = trace
        .terms
        .iter()
        .map(|term| {
            let pair = weights.pairs()[term.weight];
            serde_json::json!({
                "name": Weights::names()[term.weight],
                "white": term.white,
                "black": term.black,
                "middlegame": pair.middlegame(),
                "endgame": pair.endgame(),
            })
        })
        .collect();
    let object = serde_json::json!({
        "terms": terms, "phase": trace.phase, "full_phase": FULL_PHASE, "scale": trace.scale, "white": trace.value(weights), "network": network,
    });
    writeln!(context.out, "{object}")?;
    Ok(())
}
