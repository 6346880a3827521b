use std::{fmt::Display, fs::File, path::PathBuf, str::FromStr, sync::Arc};

use clap::Args;
use shakmaty::{Chess, Color, Position, fen::Fen};

use super::{
    Context, Failure,
    game_files::read_games,
    markov::side,
    model_flags::{ModelFlags, competence},
    predict_text::{self, Prediction, PredictionRow},
    progress::Waiting,
    tables,
};
use crate::{
    agents::{HuntSettings, Player},
    analysis,
    endgame::{Material, Tables},
    markov::{Candidates, PredictError, Predictor, Rival, moves_in_time},
    model::{Belief, Competence, Grid, Metric, Model, Scale},
    notation,
    oracle::TableOracle,
    simulation::Trial,
};

/// What to expect of a game against a fallible player: chances, expected length, the 50-move rule
///
/// Exact by position: the fallible side plays as R_c, the other one by each of the rules asked for. Wins are counted of the
/// side that wins in theory; in a drawn position, of the side that is not fallible. The game is over when the material
/// changes. If c is not known but believed, it is one c for the whole game: results are mixed, not moves.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare predict '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --competence 20
  errare predict '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --learn-from game1.pgn --kappa 0 --games 2000
  errare predict '8/8/6k1/6n1/8/4K3/8/3R4 b - - 0 1' --competence 5 --keep-value false    turning a draw into a win
  errare predict 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --fallible black --competence 10       a fallible defender

Rules for the other side (--against):
  uniform        infallible; one optimal move is as likely as another
  predator       2 plies: the optimal move after which the reply is expected to be worst
  best-optimal   the best sequence of optimal moves against exactly this c
  best           the best sequence of moves that keep the value, optimal or not
  a number       R_c of this c")]
pub struct Arguments {
    /// The position; its halfmove clock counts
    fen: Fen,
    /// Competences of the fallible side
    #[arg(long, value_delimiter = ',', value_parser = competence, allow_hyphen_values = true, value_name = "C")]
    competence: Vec<f64>,
    /// Belief about the fallible side's competence from the games of a PGN file in which it had the same colour
    #[arg(long, value_name = "PGN")]
    learn_from: Option<PathBuf>,
    /// Belief about the fallible side's competence from a JSON file
    #[arg(long, value_name = "FILE")]
    belief: Option<PathBuf>,
    /// Candidates for beliefs, all equally likely before anything is known
    #[arg(long, default_value = "0(1)50")]
    grid: Grid,
    /// The side that is fallible (default: the side to move)
    #[arg(long, value_parser = side, value_name = "COLOUR")]
    fallible: Option<Color>,
    /// How the other side plays
    #[arg(
        long,
        default_value = "uniform,predator,best-optimal,best",
        value_delimiter = ',',
        value_name = "RULE"
    )]
    against: Vec<Against>,
    /// Chances to win within so many moves
    #[arg(long, default_value = "50", value_delimiter = ',', value_name = "MOVES", value_parser = clap::value_parser!(u32).range(..=10_000))]
    within: Vec<u32>,
    /// What depths count: dtc or dtm
    #[arg(long, default_value = "dtc", value_parser = Metric::aim)]
    metric: Metric,
    #[command(flatten)]
    model: ModelFlags,
    /// Leave out expected lengths, which take longest
    #[arg(long)]
    no_length: bool,
    /// Also play so many games against a Predator that learns as it plays
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: u64,
    /// Makes those games repeatable
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Print a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values: a line for each number of moves
    #[arg(long)]
    csv: bool,
}

/// A rule for the other side, by name.
#[derive(Clone, Copy)]
struct Against(Rival);

impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Against, String> {
        Ok(Against(match text {
            "uniform" => Rival::Uniform,
            "predator" => Rival::Predator,
            "best-optimal" => Rival::BestOptimal,
            "best" => Rival::Best,
            _ => Rival::Player(
                competence(text)
                    .map_err(|_| "use uniform, predator, best-optimal, best or a competence".to_owned())?,
            ),
        }))
    }
}

/// Whom the forecast is about.
struct Subject {
    name: String,
    candidates: Candidates,
    /// The competence, where it is known.
    known: Option<f64>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let model = arguments.model.model()?;
    let position = notation::position(&arguments.fen).map_err(Failure::usage)?;
    let library = context.tables()?;
    let material = material(&position)?;
    let walk = tables::walk(context, &library, material, arguments.metric)?;
    let located = library.locate(&position, arguments.metric).filter(|_| !position.castles().any());
    let located = located.ok_or_else(|| Failure::usage("tables know no castling rights"))?;
    // The table's White is the side named first.
    let exchanged = located.to_move != position.turn();
    let in_table = |color: Color| if exchanged { !color } else { color };
    let fallible = arguments.fallible.unwrap_or(position.turn());
    let learned = learned(arguments, fallible, model, &library, context)?;
    let subjects = subjects(arguments, learned.as_ref())?;

    let _hurry = context.interrupt.hurry();
    let start = (located.to_move, located.index);
    let mut predictor = Predictor::new(&walk, start, in_table(fallible), model).map_err(Failure::failed)?;
    let winner = in_table(predictor.winner());
    // Pawn moves start the count anew, and no chain keeps it.
    let in_time =
        (!material.has_pawns()).then(|| moves_in_time(position.halfmoves(), position.turn() == winner));
    let longest = arguments.within.iter().copied().chain(in_time).max().unwrap_or(0);
    let waiting = Waiting::new("predicting");
    let mut rows = Vec::new();
    for subject in &subjects {
        for &Against(rival) in &arguments.against {
            let forecast = predictor
                .forecast(&subject.candidates, rival, longest, !arguments.no_length, context.interrupt.flag())
                .map_err(|error| match error {
                    PredictError::Cancelled => Failure::Interrupted,
                    error => Failure::failed(error),
                })?;
            rows.push(PredictionRow::Exact { subject: subject.name.clone(), rival, forecast });
        }
        if let (Some(c), true) = (subject.known, arguments.games > 0) {
            let oracle = TableOracle::new(library.clone(), arguments.metric);
            let moves = in_time.unwrap_or(50);
            rows.extend(live(
                arguments,
                &oracle,
                &position,
                fallible,
                winner,
                c,
                moves,
                model,
                learned.as_ref(),
            )?);
        }
    }
    drop(waiting);
    let answer = Prediction {
        fen: arguments.fen.to_string(),
        metric: arguments.metric,
        state: walk.table().state(located.to_move, located.index).map_err(Failure::failed)?,
        fallible,
        winner,
        model,
        certain: predictor.is_certain(),
        within: arguments.within.clone(),
        in_time,
        rows,
    };
    match (arguments.json, arguments.csv) {
        (true, _) => Ok(writeln!(context.out, "{}", predict_text::json(&answer))?),
        (_, true) => predict_text::csv(&answer, context.out),
        _ => predict_text::print(&answer, context.out),
    }
}

fn material(position: &Chess) -> Result<Material, Failure> {
    match Material::of(position.board()) {
        Some((material, _)) if (3..=4).contains(&material.men()) => Ok(material),
        _ => Err(Failure::usage("exact forecasts are for positions of 3 or 4 men")),
    }
}

/// What games or a file say about the fallible side.
fn learned(
    arguments: &Arguments,
    fallible: Color,
    model: Model,
    library: &Arc<Tables>,
    context: &Context<'_>,
) -> Result<Option<Belief>, Failure> {
    let mut belief: Option<Belief> = match &arguments.belief {
        None => None,
        Some(path) => {
            let wrong = |what: &str, error: &dyn Display| {
                Failure::usage(format!("{} {what}: {error}", path.display()))
            };
            let file = File::open(path).map_err(|error| wrong("can't be read", &error))?;
            Some(serde_json::from_reader(file).map_err(|error| wrong("holds no belief", &error))?)
        }
    };
    let Some(path) = &arguments.learn_from else { return Ok(belief) };
    let oracle = TableOracle::new(library.clone(), arguments.metric);
    let settings = analysis::AnalysisSettings::tables(model, arguments.grid);
    read_games(std::slice::from_ref(path), context, &mut |_, score| {
        for material in analysis::needs(&score, library, arguments.metric).to_build {
            context.with_client(|client| library.require(material, arguments.metric, client))?;
        }
        let analysis = analysis::analyse(&score, &oracle, &settings).map_err(Failure::failed)?;
        let of_game = analysis.players.get(fallible).belief(Scale::Table).clone();
        match &mut belief {
            None => belief = Some(of_game),
            Some(belief) => belief.merge(&of_game).map_err(Failure::usage)?,
        }
        Ok(())
    })?;
    Ok(belief)
}

fn subjects(arguments: &Arguments, learned: Option<&Belief>) -> Result<Vec<Subject>, Failure> {
    let known = arguments.competence.iter().map(|&c| Subject {
        name: format!("c = {c}"),
        candidates: Candidates::one(c),
        known: Some(c),
    });
    let mut subjects: Vec<Subject> = known.collect();
    if let Some(belief) = learned {
        Scale::Table.require(belief.scale()).map_err(Failure::usage)?;
        subjects.push(Subject {
            name: format!("c believed, {:.1} ± {:.1}", belief.mean(), belief.deviation()),
            candidates: Candidates::believed(belief),
            known: None,
        });
    }
    if subjects.is_empty() {
        return Err(Failure::usage(
            "say who is fallible: --competence 20, --learn-from games.pgn or --belief file.json",
        ));
    }
    Ok(subjects)
}

/// Games against a Predator that starts without knowledge, and with what was learned; heeding the clock or not.
#[allow(clippy::too_many_arguments, reason = "all of a game's circumstances")]
fn live(
    arguments: &Arguments,
    oracle: &TableOracle,
    start: &Chess,
    fallible: Color,
    winner: Color,
    c: f64,
    moves: u32,
    model: Model,
    learned: Option<&Belief>,
) -> Result<Vec<PredictionRow>, Failure> {
    let competence = Competence::new(c, Scale::Table).map_err(Failure::usage)?;
    let uniform = Belief::uniform(arguments.grid, Scale::Table);
    let mut rows = Vec::new();
    for (prior, belief) in [("knowing nothing", Some(&uniform)), ("knowing games", learned)] {
        let Some(belief) = belief else { continue };
        for heeds_clock in [false, true] {
            let trial = Trial {
                oracle,
                start,
                player: Player { competence, model },
                fallible,
                opponent: model,
                belief: belief.clone(),
                hunting: HuntSettings::default(),
                foresight: None,
                heeds_clock,
                moves,
            };
            let won = trial.won_by(winner, arguments.games, arguments.seed).map_err(Failure::failed)?;
            rows.push(PredictionRow::Live { subject: format!("c = {c}"), prior, heeds_clock, moves, won });
        }
    }
    Ok(rows)
}
