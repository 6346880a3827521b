use std::{io::Write, sync::Arc};

use clap::Args;
use serde_json::json;
use shakmaty::{Chess, Color, Move, Position, Square, fen::Fen};

use super::{
    Context, Failure,
    explain_agents::{Explained, Explanation, evaluated, hunt, hunt_object},
    explain_beyond::Beyond,
    model_flags::{ModelFlags, as_json, competence},
    oracle_flags::OracleFlags,
    plans,
    progress::Waiting,
};
use crate::{
    agents::{AgentSpec, Foresight, Plies, Why},
    endgame::{Material, Tables},
    game::Game,
    human::HumanModel,
    markov::Quarry,
    model::{Metric, Outcome, Scale, State},
    notation,
    oracle::{Budget, Look, Oracle, OracleChain, TableOracle},
};

/// Everything that is known of one position: value, every move, what each agent would play
///
/// Tables say it where they serve; elsewhere the search looks, or another engine. With --competence, also what every move
/// costs a player of that competence, how likely he is to play it, and what each agent would play: R_c and E_c of that
/// competence, and the Predator against R_c. With --elo, how likely people of that Elo are to play each move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare explain 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1'
  errare explain '8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1' --competence 20 --kappa 0
  errare explain '8/8/8/8/8/2k5/2p5/2K5 w - - 0 1' --metric dtm --json
  errare explain '7k/8/8/8/8/8/1R4n1/1K6 b - - 0 1' --metric dtd
  errare explain 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3' --competence 1 --depth 8
  errare explain 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3' --elo 1200
  errare explain 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' --engine stockfish --depth 12")]
pub struct Arguments {
    /// The position
    fen: Fen,
    /// What depths count: dtc, dtm or dtz (default: as in engine.toml); dtr, dtd: say also under which rule the win stands, or in
    /// how many moves the draw can be forced
    #[arg(long)]
    metric: Option<Metric>,
    /// Explain what players of this competence do: a number, inf or -inf
    #[arg(long, value_parser = competence, allow_hyphen_values = true, value_name = "C")]
    competence: Option<f64>,
    /// Explain what people of this Elo do
    #[arg(long, value_parser = clap::value_parser!(u32).range(400..=3200), conflicts_with = "competence")]
    elo: Option<u32>,
    /// How far the Predator looks: auto, 2, 4, 6 or exact
    #[arg(long, default_value = "2")]
    plies: Plies,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    oracle: OracleFlags,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let asked = arguments.metric.unwrap_or(context.config.play.metric);
    let metric = if Metric::AIMS.contains(&asked) { asked } else { context.config.play.metric };
    let position = notation::position(&arguments.fen).map_err(Failure::usage)?;
    let tables = context.tables()?;
    prepare(&position, metric, &tables, context)?;
    if asked != metric {
        prepare(&position, asked, &tables, context)?;
    }
    let game = Game::new(position.clone());
    let by_tables = TableOracle::new(tables.clone(), metric);
    let outside = arguments.oracle.oracle(context)?;
    let oracle = OracleChain::new([&by_tables as &dyn Oracle, &*outside]);
    let mut budget = arguments.oracle.budget(context);
    if arguments.elo.is_some() && !arguments.oracle.is_limited() {
        // As deep as the model of people was made with.
        budget.depth = Some(HumanModel::built_in().calibration().made.depth);
    }
    let waiting = Waiting::new("looking at every move");
    let Some(look) = oracle.look(&game, &budget) else {
        context.check_interrupt()?;
        return Err(Failure::failed(over(&position)));
    };
    // Whoever decides looks on where the first look was had.
    let scale = look.scale();
    let looks_on: &dyn Oracle = if scale == Scale::Table { &by_tables } else { &*outside };
    let base = AgentSpec { metric, predator_plies: arguments.plies, ..context.config.play.clone() };
    let spec = arguments.model.spec(&base, true)?;
    let explanation = match arguments.competence.filter(|_| !look.moves().is_empty()) {
        Some(c) => {
            let foresight = foresight(arguments, &spec, c, &position, &tables, context)?;
            Some(Explanation::new(&game, &look, looks_on, &budget, spec, c, foresight.as_ref())?)
        }
        None => None,
    };
    drop(waiting);
    let mut moves = look.best_first();
    moves.sort_by(|one, two| {
        two.outcome.compare(one.outcome).then_with(|| look.san(one.m).cmp(&look.san(two.m)))
    });
    let hunted = match arguments.elo.filter(|_| scale == Scale::Evaluation) {
        Some(elo) => Some(hunt(&game, &look, looks_on, &budget, &context.config.play, elo as u16)?),
        None => None,
    };
    let by_people = arguments.elo.map(|elo| HumanModel::built_in().probabilities(&look, elo.into()));
    let chances = |m: &Move| match (&explanation, &by_people) {
        (Some(explanation), _) => explanation.of(m),
        (None, Some(probabilities)) => {
            let place = look.moves().iter().position(|prospect| prospect.m == *m);
            place.map(|place| (None, probabilities[place]))
        }
        (None, None) => None,
    };
    let explained: Vec<Explained> = moves
        .iter()
        .map(|prospect| {
            let beyond = Beyond::after(&tables, &position, prospect.m);
            Explained::new(&look, prospect, chances(&prospect.m), beyond)
        })
        .collect();
    let line = if scale == Scale::Table { line(&game, metric, &by_tables) } else { Vec::new() };
    if arguments.json {
        let state = look.outcome().state();
        let mut object = json!({
            "fen": arguments.fen.to_string(), "scale": scale, "source": look.source().to_string(),
            "metric": look.metric().map(Metric::name),
            "value": state.map(State::value), "depth": state.and_then(State::depth),
            "moves": explained.iter().map(Explained::object).collect::<Vec<_>>(),
            "line": line,
        });
        Beyond::of(&tables, &position).add_to(&mut object);
        if let Outcome::Evaluation(score) = look.outcome() {
            object["evaluation"] = score.pawns().into();
            object["search_depth"] = look.cost().depth.into();
        }
        if let Some(elo) = arguments.elo {
            object["elo"] = elo.into();
        }
        if let Some(Why::Traps(hunt)) = hunted.as_ref().map(|intent| &intent.why) {
            object["predator"] = hunt_object(&look, hunt);
        }
        if let Some(explanation) = &explanation {
            object["competence"] = as_json(explanation.competence());
            object["agents"] = explanation.agents();
        }
        writeln!(context.out, "{object}")?;
        return Ok(());
    }
    print_board(&position, context.out)?;
    print_value(&position, &look, &tables, context.out)?;
    if explanation.is_some() {
        writeln!(context.out, "    {:<8} {:<12} {:>10} {:>12}", "", "", "price", "probability")?;
    }
    if let Some(elo) = arguments.elo {
        writeln!(context.out, "    {:<8} {:<12} {:>12}", "", "", format!("Elo {elo} plays"))?;
    }
    for explained in &explained {
        explained.print(context.out)?;
    }
    if let Some(explanation) = &explanation {
        explanation.print(context.out)?;
    }
    if let Some(intent) = &hunted
        && let Some(&(m, _)) = intent.probabilities().first()
    {
        let words = match &intent.why {
            Why::Traps(hunt) => hunt.words(&|m| look.san(m), m),
            _ => None,
        };
        writeln!(
            context.out,
            "\n  Predator      {}",
            words.unwrap_or_else(|| format!("{}: no trap worth a word", look.san(m)))
        )?;
    }
    if !line.is_empty() {
        writeln!(context.out, "\n{}", line.join(" "))?;
    }
    Ok(())
}

fn over(position: &Chess) -> &'static str {
    if position.is_checkmate() {
        "this is checkmate: there is no move to explain"
    } else {
        "this is stalemate: there is no move to explain"
    }
}

/// Who knows what the Predator's moves promise to the end, where that is asked for.
fn foresight(
    arguments: &Arguments,
    spec: &AgentSpec,
    c: f64,
    position: &Chess,
    tables: &Arc<Tables>,
    context: &Context<'_>,
) -> Result<Option<Arc<dyn Foresight>>, Failure> {
    let Some(located) = tables.locate(position, spec.metric).filter(|_| arguments.plies == Plies::Exact)
    else {
        return Ok(None);
    };
    let model = spec.opponent_model(Scale::Table).map_err(Failure::usage)?;
    let (material, hunter) = (located.table.material(), located.to_move);
    let quarry = Quarry::new(material, spec.metric, hunter, model, c);
    let foreseer = plans::foreseer(tables);
    plans::require(context, &foreseer.plans, &plans::quarries(&quarry, &[(c, 1.0)]))?;
    Ok(Some(Arc::new(foreseer)))
}

/// Makes sure of the tables of this position and of those a move can lead to.
fn prepare(position: &Chess, metric: Metric, tables: &Tables, context: &Context<'_>) -> Result<(), Failure> {
    let Some((material, _)) = Material::of(position.board()) else { return Ok(()) };
    for material in material.subgames().into_iter().chain([material]) {
        if tables.may_build(material) && material.men() > 2 {
            context.with_client(|client| tables.require(material, metric, client))?;
        }
    }
    Ok(())
}

/// Best play by both sides up to the goal of the metric, in the words of chess players.
fn line(game: &Game, metric: Metric, oracle: &TableOracle) -> Vec<String> {
    let mut line = Vec::new();
    let mut game = game.clone();
    let mut longest = None;
    while let Some(look) = oracle.look(&game, &Budget::default()) {
        // In a table that is right, each pair of moves brings the goal nearer; one that is wrong may go round in circles.
        let depth = || look.outcome().state().and_then(State::depth).map_or(0, |depth| usize::from(depth.0));
        if game.moves().len() > *longest.get_or_insert_with(|| 2 * depth()) {
            break;
        }
        let best = look
            .best_first()
            .into_iter()
            .filter(|prospect| prospect.outcome == look.prospects().best().unwrap_or(prospect.outcome));
        let Some(best) = best.min_by_key(|prospect| look.san(prospect.m)) else { break };
        if best.outcome.state() == Some(State::Draw) {
            break;
        }
        let position = look.position();
        if position.turn() == Color::White {
            line.push(format!("{}.", position.fullmoves()));
        } else if line.is_empty() {
            line.push(format!("{}...", position.fullmoves()));
        }
        line.push(look.san(best.m));
        let reached = match metric {
            Metric::Dtc => best.m.is_capture() || best.m.is_promotion(),
            Metric::Dtm | Metric::Dtr | Metric::Dtd => false,
            Metric::Dtz => best.m.is_zeroing(),
        };
        if reached {
            break;
        }
        game.play(best.m);
    }
    line
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn print_value(position: &Chess, look: &Look, tables: &Tables, out: &mut dyn Write) -> Result<(), Failure> {
    let turn = name(position.turn());
    match (look.outcome(), look.metric()) {
        _ if position.is_checkmate() => writeln!(out, "\n{turn} to move: checkmate")?,
        _ if position.legal_moves().is_empty() => writeln!(out, "\n{turn} to move: stalemate, a draw")?,
        (Outcome::Table(state), Some(metric)) => {
            writeln!(out, "\n{turn} to move: {state} by {metric}")?;
            let indent = turn.len() + 8;
            for other in Metric::AIMS.into_iter().filter(|&other| other != metric) {
                if let Some(state) = tables.probe(position, other) {
                    writeln!(out, "{:>indent$}: {state} by {other}", "")?;
                }
            }
            for line in Beyond::of(tables, position).sentences() {
                writeln!(out, "{:>indent$}: {line}", "")?;
            }
        }
        (outcome, _) => {
            let (cost, source) = (look.cost(), look.source());
            let (value, depth, nodes) = (evaluated(outcome, " pawns"), cost.depth, cost.nodes);
            writeln!(out, "\n{turn} to move: {value} by {source}, depth {depth} plies, {nodes} nodes")?;
        }
    }
    writeln!(out)?;
    Ok(())
}

fn print_board(position: &Chess, out: &mut dyn Write) -> Result<(), Failure> {
    for rank in shakmaty::Rank::ALL.into_iter().rev() {
        write!(out, "  {}", rank.char())?;
        for file in shakmaty::File::ALL {
            let man = position.board().piece_at(Square::from_coords(file, rank));
            write!(out, " {}", man.map_or('.', shakmaty::Piece::char))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "    a b c d e f g h")?;
    Ok(())
}
