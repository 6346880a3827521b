use rayon::prelude::*;
use shakmaty::Color;

use super::{
    kernel::Ground,
    outlook::{Outlook, Prices},
};
use crate::{
    endgame::{Index, StoreError, Walk},
    model::{Code, Model, State},
};

/// What is to be said of every position with a fallible side to move, from the states that its move leads to and their
/// probabilities. It plays as R_c with the probabilities given with each c. Positions without a move get `none`.
pub fn survey<T: Clone + Send + Sync>(
    walk: &Walk,
    ground: &Ground,
    mover: Color,
    model: &Model,
    candidates: &[(f64, f64)],
    none: &T,
    say: impl Fn(&[(State, f64)]) -> T + Sync,
) -> Result<Vec<T>, StoreError> {
    let table = walk.table();
    let prices = Prices::new(model, table.deepest(mover), table.deepest(!mover));
    let (pairs, per_pair) = (walk.indexer().king_pairs(), walk.indexer().per_king_pair());
    let parts: Vec<Vec<T>> = (0..pairs)
        .into_par_iter()
        .map_init(
            || (Outlook::default(), Vec::new(), Vec::new(), Vec::new()),
            |(outlook, sums, scratch, states), pair| {
                let mut part = Vec::with_capacity(per_pair);
                for index in pair * per_pair..(pair + 1) * per_pair {
                    outlook.clear();
                    if ground.counts(mover, index)
                        && let Some(board) = walk.board(mover, index as Index)
                    {
                        walk.each_step(&board, index as Index, mover, |step| {
                            outlook.add(Code::of(step.outcome));
                        })?;
                    }
                    if outlook.codes().is_empty() {
                        part.push(none.clone());
                        continue;
                    }
                    outlook.price(&prices);
                    sums.clear();
                    sums.resize(outlook.codes().len(), 0.0);
                    for &(c, share) in candidates {
                        outlook.add_probabilities(c, share, sums, scratch);
                    }
                    states.clear();
                    states.extend(
                        outlook.codes().iter().zip(sums.iter()).map(|(code, &sum)| (code.state(), sum)),
                    );
                    part.push(say(states));
                }
                Ok(part)
            },
        )
        .collect::<Result<_, StoreError>>()?;
    Ok(parts.concat())
}
