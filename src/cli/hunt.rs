use std::{io::Write, str::FromStr, sync::Arc};

use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use shakmaty::{Chess, Color, Position};

use super::{
    Context, Failure,
    model_flags::{ModelFlags, as_json, competence},
    plans, progress, tables,
};
use crate::{
    agents::{AgentError, Foresight, HuntSettings, Player, Plies},
    arena::{LotteryError, PositionSpec, draw},
    endgame::{Index, MAX_MEN, Material, Tables, Walk},
    markov::{HuntChances, HuntingGround, PredictError, Quarry, Way},
    model::{Belief, Competence, Grid, Metric, Model, Scale, State, Value},
    oracle::TableOracle,
    simulation::Trial,
    statistics::Share,
};

/// How well the Predator hunts, by how far it looks: chances over many positions, and the best that can be had
///
/// The hunter has the side that does not win: the fallible side is to win in time, or to let a draw slip. Exact where the hunter
/// knows c; where it has to learn it, games are played. The 50-move rule holds from each position on; a game ends when
/// the material changes. Of five men only drawn positions are solved, and who lets go of the draw has lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare hunt browne-belle-2 --competence 18.4 --kappa 0          could BELLE have drawn?
  errare hunt browne-belle-1 KQKR:win:25+ --competence 10,20 --games 1000
  errare hunt KRKN:draw --competence 1,2,5,10 --keep-value false  turning draws into wins
  errare hunt KRBKR:draw --competence 2 --keep-value false        minutes and gigabytes; 'errare tables build KRBKR' first

Ways to hunt (--ways):
  uniform   any optimal move
  2, 4, 6   the optimal move that is best so many plies later
  exact     as `predator:plies=exact` plays, by a plan for this c
  best      as well as can be")]
pub struct Arguments {
    /// Positions, all of one endgame: names, FENs, or kinds to draw from by chance, such as KQKR:win:25+
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<PositionSpec>,
    /// Competences of the fallible side
    #[arg(long, required = true, value_delimiter = ',', value_parser = competence, value_name = "C")]
    competence: Vec<f64>,
    /// How the hunter, who knows c, chooses
    #[arg(long, default_value = "uniform,2,4,exact,best", value_delimiter = ',', value_name = "WAY")]
    ways: Vec<WayName>,
    /// So many positions are drawn
    #[arg(long, default_value_t = 1000, value_name = "N")]
    positions: usize,
    /// Also play so many games against Predators that have to learn c, from these positions in turn
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: u64,
    /// How far those Predators look
    #[arg(long, default_value = "2,exact", value_delimiter = ',', value_name = "PLIES")]
    learning: Vec<Plies>,
    /// What they consider of c, all equally likely at first
    #[arg(long, default_value = "0(1)50")]
    grid: Grid,
    /// Makes what is drawn repeatable
    #[arg(long, default_value_t = 1978, value_name = "N")]
    seed: u64,
    /// What depths count: dtc, dtm or dtz
    #[arg(long, default_value = "dtc", value_parser = Metric::aim)]
    metric: Metric,
    #[command(flatten)]
    model: ModelFlags,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// A way to hunt, by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WayName {
    Uniform,
    Plies(u32),
    Exact,
    Best,
}

impl FromStr for WayName {
    type Err = String;

    fn from_str(text: &str) -> Result<WayName, String> {
        match (text, text.parse()) {
            ("uniform", _) => Ok(WayName::Uniform),
            ("exact", _) => Ok(WayName::Exact),
            ("best", _) => Ok(WayName::Best),
            (_, Ok(plies @ (2 | 4 | 6))) => Ok(WayName::Plies(plies)),
            _ => Err("use uniform, 2, 4, 6, exact or best".to_owned()),
        }
    }
}

impl WayName {
    fn words(self) -> String {
        match self {
            WayName::Uniform => "any optimal move".to_owned(),
            WayName::Plies(plies) => format!("{plies} plies"),
            WayName::Exact => "exact".to_owned(),
            WayName::Best => "best possible".to_owned(),
        }
    }
}

/// Moves of the fallible side before a draw can be claimed.
const MOVES: u32 = 50;

/// Where it is hunted, as colours are in the table and on the board.
struct Preserve {
    name: String,
    material: Material,
    /// The positions and, in the table, the side to move and the number of each.
    starts: Vec<(Chess, Color, Index)>,
    hunter: Color,
    /// The hunter's colour on the board.
    on_board: Color,
    /// The fallible side wins in theory.
    lost: bool,
}

struct HuntRow {
    position: String,
    c: f64,
    way: String,
    chance: f64,
    /// Of games that were played.
    games: Option<Share>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let _hurry = context.interrupt.hurry();
    let model = arguments.model.model()?;
    let library = context.tables()?;
    let preserves = (arguments.position.iter())
        .map(|spec| preserve(spec, arguments, &library, context))
        .collect::<Result<Vec<Preserve>, Failure>>()?;
    let Some(preserve) = preserves.first() else { return Err(Failure::usage("name a position")) };
    let same = |other: &Preserve| {
        (other.material, other.hunter, other.lost) == (preserve.material, preserve.hunter, preserve.lost)
    };
    if !preserves.iter().all(same) {
        return Err(Failure::usage(
            "all positions must be of one endgame and one value, with the same hunter",
        ));
    }
    let walk = tables::walk(context, &library, preserve.material, arguments.metric)?;
    let foreseer = plans::foreseer(&library);
    let quarry = |c: f64| Quarry::new(preserve.material, arguments.metric, preserve.hunter, model, c);
    let counts_moves = quarry(0.0).counts_moves;
    if !counts_moves && preserve.lost {
        return Err(not_drawn());
    }
    if !counts_moves && arguments.games > 0 {
        return Err(Failure::usage("of five men, 'errare match' plays games: leave out --games"));
    }
    let mut wanted: Vec<Quarry> = Vec::new();
    if arguments.ways.contains(&WayName::Exact) {
        wanted.extend(arguments.competence.iter().map(|&c| quarry(c)));
    }
    if arguments.games > 0 && arguments.learning.contains(&Plies::Exact) {
        let belief = Belief::uniform(arguments.grid, Scale::Table);
        wanted.extend(plans::quarries(&quarry(0.0), &belief.mixture().candidates()));
    }
    let mut ground = plans::require(context, &foreseer.plans, &wanted)?;
    let foreseer: Arc<dyn Foresight> = Arc::new(foreseer);
    let mut rows = Vec::new();
    for &c in &arguments.competence {
        let quarry = quarry(c);
        if !ground.as_ref().is_some_and(|ground| ground.serves(&quarry)) {
            // Two would not fit into memory.
            drop(ground.take());
            ground = Some(HuntingGround::new(&walk, &quarry).map_err(Failure::failed)?);
        }
        for &way in &arguments.ways {
            let Some(ground) = &ground else { continue };
            let chances = chances(way, ground, &walk, &quarry, &library, context)?;
            for Preserve { name, starts, .. } in &preserves {
                let sum: f64 = starts.iter().map(|&(_, mover, index)| chances.at(mover, index)).sum();
                let chance = preserve.decided(sum / starts.len() as f64);
                rows.push(HuntRow { position: name.clone(), c, way: way.words(), chance, games: None });
            }
        }
        for &plies in arguments.learning.iter().filter(|_| arguments.games > 0) {
            for preserve in &preserves {
                let won = live(arguments, preserve, plies, c, model, &library, &foreseer, context)?;
                let (position, way) = (preserve.name.clone(), format!("{plies}, learning c"));
                rows.push(HuntRow { position, c, way, chance: won.part(), games: Some(won) });
            }
        }
    }
    rows.sort_by_key(|row| preserves.iter().position(|preserve| preserve.name == row.position));
    let counted = match (counts_moves, preserve.lost) {
        (false, _) => "the fallible side lets go of the draw",
        (true, true) => "the fallible side wins",
        (true, false) => "the hunter wins",
    };
    print(counted, arguments, &preserves, &rows, context.out)
}

impl Preserve {
    /// The chance that is shown: that of the fallible side to win, or in a draw that of the hunter.
    fn decided(&self, hope: f64) -> f64 {
        if self.lost { -hope } else { hope }
    }

    fn winner(&self) -> Color {
        if self.lost { !self.on_board } else { self.on_board }
    }
}

fn chances<'a>(
    way: WayName,
    ground: &'a HuntingGround,
    walk: &Walk,
    quarry: &Quarry,
    library: &Arc<Tables>,
    context: &Context<'_>,
) -> Result<HuntChances<'a>, Failure> {
    let spinner = progress::bar(1, "");
    spinner.set_message(format!("{} against c = {}", way.words(), quarry.c));
    let plan;
    let way = match way {
        WayName::Uniform => Way::Uniform(walk),
        WayName::Plies(plies) => Way::Plies(walk, plies),
        WayName::Exact => {
            let plans = crate::markov::Plans::new(library.clone());
            let found = plans.require(quarry, &mut None, context.interrupt.flag(), &|_, _| {});
            plan = found.map_err(failure)?;
            Way::Plan(&plan)
        }
        WayName::Best => Way::Best,
    };
    let chances = ground.chances(&way, quarry.c, MOVES, context.interrupt.flag()).map_err(failure);
    spinner.finish_and_clear();
    chances
}

fn failure(error: PredictError) -> Failure {
    match error {
        PredictError::Cancelled => Failure::Interrupted,
        error => Failure::failed(error),
    }
}

fn not_drawn() -> Failure {
    Failure::usage("of five men, only drawn positions are solved: name some, such as KRBKR:draw")
}

/// Draws the positions and finds them in the table.
fn preserve(
    spec: &PositionSpec,
    arguments: &Arguments,
    library: &Arc<Tables>,
    context: &Context<'_>,
) -> Result<Preserve, Failure> {
    let positions: Vec<Chess> = match (spec, spec.single()) {
        (_, Some(position)) => vec![position],
        // Before a table is asked for that would not help.
        (PositionSpec::Random(spec), _) if spec.material().len() == MAX_MEN && !spec.admits(State::Draw) => {
            return Err(not_drawn());
        }
        (PositionSpec::Random(spec), _) => {
            let (metric, count) = (arguments.metric, arguments.positions.max(1));
            let drawn = context.with_client(|client| {
                match draw(spec, metric, count, arguments.seed, library, client) {
                    Ok(openings) => Ok(Ok(openings)),
                    Err(LotteryError::Tables(error)) => Err(error),
                    Err(error) => Ok(Err(Failure::usage(error))),
                }
            })??;
            drawn.into_iter().map(|opening| opening.game.position().clone()).collect()
        }
        _ => Vec::new(),
    };
    let Some(first) = positions.first() else { return Err(Failure::usage("there is no such position")) };
    let known = Material::of(first.board()).filter(|(material, _)| material.men() > 2);
    let (material, exchanged) = known.ok_or_else(|| Failure::usage("hunting is solved for 3 to 5 men"))?;
    tables::walk(context, library, material, arguments.metric)?;
    let value = library.value(first).ok_or_else(|| Failure::usage("tables know no castling rights"))?;
    let on_board = if value == Value::Win { !first.turn() } else { first.turn() };
    let hunter = if exchanged { !on_board } else { on_board };
    let mut starts = Vec::new();
    for position in positions {
        let found = library.locate(&position, arguments.metric);
        let located = found.ok_or_else(|| Failure::usage("tables know no castling rights"))?;
        starts.push((position.clone(), located.to_move, located.index));
    }
    Ok(Preserve { name: spec.to_string(), material, starts, hunter, on_board, lost: value != Value::Draw })
}

/// Games against Predators that have to learn c.
#[allow(clippy::too_many_arguments, reason = "all of a game's circumstances")]
fn live(
    arguments: &Arguments,
    preserve: &Preserve,
    plies: Plies,
    c: f64,
    model: Model,
    library: &Arc<Tables>,
    foreseer: &Arc<dyn Foresight>,
    context: &Context<'_>,
) -> Result<Share, Failure> {
    let competence = Competence::new(c, Scale::Table).map_err(Failure::usage)?;
    let oracle = TableOracle::new(library.clone(), arguments.metric);
    let bar = progress::bar(arguments.games, "games");
    let interrupt = &context.interrupt;
    let play = |number: u64| {
        let (start, ..) = &preserve.starts[number as usize % preserve.starts.len()];
        let (plies_ahead, looks) = plies.limits();
        let trial = Trial {
            oracle: &oracle,
            start,
            player: Player { competence, model },
            fallible: !preserve.on_board,
            opponent: model,
            belief: Belief::uniform(arguments.grid, Scale::Table),
            hunting: HuntSettings { plies: plies_ahead, looks, ..HuntSettings::default() },
            foresight: (plies == Plies::Exact).then(|| foreseer.clone()),
            heeds_clock: plies == Plies::Exact,
            moves: MOVES,
        };
        if interrupt.raised() {
            return Ok(0);
        }
        let won = trial.won_by(preserve.winner(), 1, arguments.seed.wrapping_add(number))?;
        bar.inc(1);
        Ok::<_, AgentError>(won.count)
    };
    let counts: Vec<u64> =
        (0..arguments.games).into_par_iter().map(play).collect::<Result<_, _>>().map_err(Failure::failed)?;
    bar.finish_and_clear();
    context.check_interrupt()?;
    Ok(Share { count: counts.into_iter().sum(), of: arguments.games })
}

fn print(
    counted: &str,
    arguments: &Arguments,
    preserves: &[Preserve],
    rows: &[HuntRow],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if arguments.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                let interval = row.games.map(|games| games.interval());
                json!({
                    "position": row.position, "c": as_json(row.c), "way": row.way, "won": row.chance,
                    "games": row.games.map(|games| games.of),
                    "interval": interval.map(|interval| [interval.low, interval.high]),
                })
            })
            .collect();
        let object = json!({"counted": counted, "rows": rows});
        return Ok(writeln!(out, "{object}")?);
    }
    writeln!(out, "{counted} within {MOVES} moves, in per cent")?;
    let mut last = "";
    for row in rows {
        if row.position != last {
            let positions = preserves.iter().find(|preserve| preserve.name == row.position);
            writeln!(out, "\n{}, positions: {}", row.position, positions.map_or(0, |p| p.starts.len()))?;
            last = &row.position;
        }
        let interval = row.games.map(|games| {
            let interval = games.interval();
            format!("  ({:.2}–{:.2}, {} games)", 100.0 * interval.low, 100.0 * interval.high, games.of)
        });
        writeln!(
            out,
            "  c = {:<6} {:<22} {:>8.3}{}",
            row.c,
            row.way,
            100.0 * row.chance,
            interval.unwrap_or_default()
        )?;
    }
    Ok(())
}
