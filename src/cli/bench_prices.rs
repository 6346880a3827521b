//! `errare bench --prices`: what pricing all moves of a position costs, and how good the prices are, beside other engines.

use shakmaty::Chess;

use super::{Context, Failure, bench::Arguments, oracle_flags::engine_command};
use crate::{
    game::Game,
    model::Preference,
    oracle::{Budget, EngineOracle, Look, Oracle, SearchOracle},
    statistics::{Assessed, Concordance, Moments},
};

/// Depth of the prices where nobody says otherwise.
const DEFAULT_DEPTH: u32 = 8;
/// κ of the evaluation scale, in pawns.
const KAPPA: f64 = 0.1;

/// Who prices, and how it did.
struct Side<'a> {
    name: String,
    oracle: &'a dyn Oracle,
    budget: Budget,
    seconds: Vec<f64>,
    depths: Vec<f64>,
    nodes: u64,
    /// Mean |Δ ln w| of each position.
    errors: Vec<f64>,
    /// Kendall's τ of each position.
    taus: Vec<f64>,
}

impl<'a> Side<'a> {
    fn new(name: String, oracle: &'a dyn Oracle, budget: Budget) -> Side<'a> {
        Side {
            name,
            oracle,
            budget,
            seconds: Vec::new(),
            depths: Vec::new(),
            nodes: 0,
            errors: Vec::new(),
            taus: Vec::new(),
        }
    }
}

pub(super) fn run(
    arguments: &Arguments,
    positions: &[Chess],
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let time = arguments.time();
    let depth = arguments.depth.or(time.is_none().then_some(DEFAULT_DEPTH));
    let budget = Budget { depth, time, control: context.control(), ..Budget::default() };
    let engines = arguments
        .engines
        .iter()
        .map(|text| EngineOracle::start(&engine_command(text)?, &context.control()).map_err(Failure::failed))
        .collect::<Result<Vec<_>, _>>()?;
    let [exact, quick] = [(); 2].map(|()| SearchOracle::new(arguments.searcher()));
    let in_quick_way = Budget { quick: true, ..budget.clone() };
    let mut sides = vec![
        Side::new("errare, exact".to_owned(), &exact, budget.clone()),
        Side::new("errare, quick".to_owned(), &quick, in_quick_way),
    ];
    for engine in &engines {
        sides.push(Side::new(engine.name().to_owned(), engine, budget.clone()));
    }
    for position in positions {
        let game = Game::new(position.clone());
        let truth = match (arguments.truth, engines.first()) {
            (Some(depth), Some(engine)) => {
                let budget = Budget { control: context.control(), ..Budget::depth(depth) };
                engine.look(&game, &budget)
            }
            _ => None,
        };
        for side in &mut sides {
            side.oracle.forget();
            let Some(look) = side.oracle.look(&game, &side.budget) else { continue };
            context.check_interrupt()?;
            side.seconds.push(look.cost().time.as_secs_f64());
            side.depths.push(f64::from(look.cost().depth));
            side.nodes += look.cost().nodes;
            if let Some(truth) = &truth {
                let prices = compare(&look, truth)?;
                side.errors.extend(
                    Moments::of(prices.iter().map(|(ours, true_)| (ours - true_).abs())).map(|m| m.mean),
                );
                let assessed: Vec<_> = prices.iter().map(|&(x, y)| Assessed { x, y, weight: 1.0 }).collect();
                side.taus.extend(Concordance::of(&assessed).tau_b());
            }
        }
        context.check_interrupt()?;
    }
    write_report(&sides, arguments.truth.is_some(), positions.len(), context)
}

/// ln w of every move in two looks at a position.
fn compare(look: &Look, truth: &Look) -> Result<Vec<(f64, f64)>, Failure> {
    let preference = Preference::evaluation(KAPPA).map_err(Failure::failed)?;
    let ln_price = |look: &Look, worth: f64| preference.ln_price_of_evaluation(worth, look.outcome().worth());
    let prices = look.moves().iter().filter_map(|prospect| {
        let same = truth.moves().iter().find(|other| other.m == prospect.m)?;
        Some((ln_price(look, prospect.outcome.worth()), ln_price(truth, same.outcome.worth())))
    });
    Ok(prices.collect())
}

fn write_report(
    sides: &[Side<'_>],
    compared: bool,
    count: usize,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    writeln!(context.out, "all moves of {count} positions; ± is twice the standard error")?;
    write!(context.out, "{:>9} {:>7} {:>9} {:>6}", "seconds", "times", "nodes/s", "depth")?;
    if compared {
        write!(context.out, "  {:>15}  {:>15}", "|Δ ln w|", "tau")?;
    }
    writeln!(context.out, "  who")?;
    let first: f64 = sides[0].seconds.iter().sum();
    for side in sides {
        let seconds: f64 = side.seconds.iter().sum();
        let depth = Moments::of(side.depths.iter().copied()).map_or(0.0, |depths| depths.mean);
        let (times, speed) = (seconds / first, side.nodes as f64 / seconds);
        write!(context.out, "{seconds:>9.2} {times:>7.2} {speed:>9.0} {depth:>6.1}")?;
        if compared {
            write!(context.out, "  {:>15}  {:>15}", with_error(&side.errors), with_error(&side.taus))?;
        }
        writeln!(context.out, "  {}", side.name)?;
    }
    Ok(())
}

fn with_error(numbers: &[f64]) -> String {
    Moments::of(numbers.iter().copied()).map_or_else(String::new, |moments| {
        format!("{:.3} ± {:.3}", moments.mean, 2.0 * moments.standard_error.unwrap_or(0.0))
    })
}
