use std::sync::Arc;

use super::{Context, Failure, progress};
use crate::{
    endgame::Tables,
    markov::{Foreseer, HuntingGround, Plans, PredictError, Quarry, knots},
};

/// Has plans worked out that are not there yet: a bar is shown, and Ctrl-C ends it. The last ground they were worked out on is
/// given back, since making one takes long.
pub fn require(
    context: &Context<'_>,
    plans: &Plans,
    quarries: &[Quarry],
) -> Result<Option<HuntingGround>, Failure> {
    let _hurry = context.interrupt.hurry();
    let mut ground = None;
    for quarry in quarries {
        let bar = progress::bar(1, "moves");
        bar.set_message(format!("{} against c = {}", quarry.material, quarry.c));
        let progress = |done: u32, of: u32| {
            bar.set_length(of.into());
            bar.set_position(done.into());
        };
        let solved = plans.require(quarry, &mut ground, context.interrupt.flag(), &progress);
        bar.finish_and_clear();
        solved.map_err(|error| match error {
            PredictError::Cancelled => Failure::Interrupted,
            error => Failure::failed(error),
        })?;
    }
    Ok(ground)
}

/// One quarry for each plan that these candidates for its competence need.
pub fn quarries(quarry: &Quarry, candidates: &[(f64, f64)]) -> Vec<Quarry> {
    let finite = knots(candidates).into_iter().filter(|(c, _)| c.is_finite());
    finite.map(|(c, _)| Quarry { c, ..quarry.clone() }).collect()
}

/// One who tells what the plans of these tables say, and makes none.
pub fn foreseer(tables: &Arc<Tables>) -> Foreseer {
    Foreseer { plans: Arc::new(Plans::new(tables.clone())), makes: false }
}
