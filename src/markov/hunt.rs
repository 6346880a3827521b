use shakmaty::Color;

use super::{
    kernel::{Edge, Ground, Kernel},
    survey::survey,
};
use crate::{
    agents::{Aim, Expectation},
    endgame::{StoreError, Walk},
    model::{Depth, Model, Outcome},
};

/// The moves that the Predator, looking 2 plies ahead, chooses in every position of an endgame: of the optimal ones those
/// after which the opponent's reply is expected to be worst. The opponent plays as R_c with the probabilities given
/// with each c, and is not learned about.
pub(super) fn hunt(
    walk: &Walk,
    ground: &Ground,
    hunter: Color,
    opponent: &Model,
    candidates: &[(f64, f64)],
    tolerance: f64,
) -> Result<Kernel, StoreError> {
    let nothing = Expectation::default();
    let after_reply = survey(walk, ground, !hunter, opponent, candidates, &None, |replies| {
        let mut sum = nothing;
        for &(state, probability) in replies.iter().filter(|(_, probability)| *probability > 0.0) {
            sum.add(probability, Expectation::certain(Outcome::Table(-state)));
        }
        Some(sum)
    })?;
    let after_reply = &after_reply;
    Kernel::build(walk, ground, hunter, || {
        let (mut optimal, mut expectations) = (Vec::new(), Vec::new());
        move |edges: &[Edge], chosen: &mut Vec<usize>| {
            let Some(best) = edges.iter().map(|edge| edge.outcome).max() else { return };
            optimal.clear();
            optimal.extend((0..edges.len()).filter(|&number| edges[number].outcome == best));
            expectations.clear();
            expectations.extend(optimal.iter().map(|&number| {
                let reached = best.depth() == Some(Depth(0));
                let replies =
                    edges[number].next.filter(|_| !reached).and_then(|next| after_reply[next as usize]);
                replies.unwrap_or_else(|| Expectation::certain(Outcome::Table(best)))
            }));
            // States do not tell which draws are simpler: traps to come are left out of account.
            let aim = Aim { root: best.value(), tolerance, tries: 0.0 };
            let best = aim.best(&expectations);
            chosen.extend(best.into_iter().map(|index| optimal[index]));
        }
    })
}
