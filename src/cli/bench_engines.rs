//! `errare bench --engine`: how many nodes a second other engines search, on the same positions in the same run.

use std::time::{Duration, Instant};

use shakmaty::Chess;

use super::{Context, Failure, bench::Arguments, oracle_flags::engine_command};
use crate::{
    external::{Engine, GoLimits, Patience},
    game::Game,
    search::{Control, Limits},
    statistics::Moments,
};

/// Time for each position where nobody says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// How much longer an engine may take.
const GRACE: Duration = Duration::from_secs(5);

/// One side of the comparison.
struct Side {
    name: String,
    /// None for ourselves.
    engine: Option<Engine>,
    /// Nodes a second, position by position.
    speeds: Vec<f64>,
}

pub(super) fn run(
    arguments: &Arguments,
    positions: &[Chess],
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    if arguments.depth.is_some() {
        return Err(Failure::usage("engines mean different things by a depth: give --movetime, or --prices"));
    }
    let control = context.control();
    let time = arguments.time().unwrap_or(DEFAULT_TIME);
    let mut searcher = arguments.searcher();
    let mut sides = vec![Side { name: "errare".to_owned(), engine: None, speeds: Vec::new() }];
    for text in &arguments.engines {
        let engine = Engine::start(&engine_command(text)?, control.flag()).map_err(Failure::failed)?;
        for (option, value) in [("Hash", arguments.hash), ("Threads", arguments.threads)] {
            engine.set_option(option, &value.to_string());
        }
        let name = engine.name().unwrap_or(text).to_owned();
        sides.push(Side { name, engine: Some(engine), speeds: Vec::new() });
    }
    for position in positions {
        let game = Game::new(position.clone());
        // In turn, so that all have the same share of whatever else goes on in the machine.
        for side in &mut sides {
            let start = Instant::now();
            let nodes = match &mut side.engine {
                None => {
                    searcher.new_game();
                    let limits = Limits { movetime: Some(time), ..Limits::default() };
                    searcher.search(&game, &limits, &Control::new(), &mut |_| {}).nodes
                }
                Some(engine) => {
                    engine.new_game(control.flag()).map_err(Failure::failed)?;
                    let limits = GoLimits { move_time: Some(time), ..GoLimits::default() };
                    let patience = Patience { stop_after: time + GRACE, grace: GRACE };
                    let answer = engine
                        .go_telling(&game, &limits, patience, control.flag(), &mut |_| {})
                        .map_err(Failure::failed)?;
                    answer.nodes.unwrap_or(0)
                }
            };
            side.speeds.push(nodes as f64 / start.elapsed().as_secs_f64());
            context.check_interrupt()?;
        }
    }
    writeln!(context.out, "{} positions, {} ms each", positions.len(), time.as_millis())?;
    writeln!(context.out, "{:>12} {:>7}  {:>15}  engine", "nodes/s", "times", "ours / theirs")?;
    let ours = sides[0].speeds.clone();
    let total: f64 = ours.iter().sum();
    for Side { name, speeds, .. } in &sides {
        let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
        // The geometric mean of the ratios, with twice its standard error.
        let ratios = Moments::of(ours.iter().zip(speeds).map(|(ours, theirs)| (ours / theirs).ln()));
        let range = ratios.map_or(String::new(), |ratios| {
            let error = 2.0 * ratios.standard_error.unwrap_or(0.0);
            format!("{:.2} to {:.2}", (ratios.mean - error).exp(), (ratios.mean + error).exp())
        });
        writeln!(
            context.out,
            "{mean:>12.0} {:>7.2}  {range:>15}  {name}",
            total / speeds.iter().sum::<f64>()
        )?;
    }
    Ok(())
}
