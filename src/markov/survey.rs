use rayon::prelude::*;
use shakmaty::Color;

use super::{
    ground::Ground,
    kernel::{Edge, PART, collect_edges},
    outlook::{Outlook, Prices},
};
use crate::{
    endgame::{BlockFileError, Walk},
    model::{Code, Model},
};

/// What is to be said of every position with a fallible side to move, from its moves and their probabilities. It plays as
/// R_c with the probabilities given with each c. By spot; positions without a move get `none`.
pub fn survey<T: Clone + Send + Sync>(
    walk: &Walk,
    ground: &Ground,
    mover: Color,
    model: &Model,
    candidates: &[(f64, f64)],
    none: &T,
    say: impl Fn(&[(Edge, f64)]) -> T + Sync,
) -> Result<Vec<T>, BlockFileError> {
    let table = walk.table();
    let prices = Prices::new(model, table.deepest(mover), table.deepest(!mover));
    let rows = ground.size(mover);
    let parts: Vec<Vec<T>> = (0..rows.div_ceil(PART))
        .into_par_iter()
        .map_init(
            || (Outlook::default(), Vec::new(), Vec::new(), Vec::new(), Vec::new()),
            |(outlook, sums, scratch, edges, replies), number| {
                let mut part = Vec::with_capacity(PART);
                let mut by_code = [0.0; Code::COUNT];
                for spot in number * PART..rows.min((number + 1) * PART) {
                    outlook.clear();
                    edges.clear();
                    collect_edges(walk, ground, mover, spot, edges)?;
                    edges.iter().for_each(|edge: &Edge| outlook.add(Code::of(edge.outcome)));
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
                    for (place, (code, sum)) in outlook.codes().iter().zip(sums.iter()).enumerate() {
                        by_code[code.place()] = sum / outlook.weight(place);
                    }
                    replies.clear();
                    replies.extend(edges.iter().map(|&edge| (edge, by_code[Code::of(edge.outcome).place()])));
                    part.push(say(replies));
                    outlook.codes().iter().for_each(|code| by_code[code.place()] = 0.0);
                }
                Ok(part)
            },
        )
        .collect::<Result<_, BlockFileError>>()?;
    let mut all = Vec::with_capacity(rows);
    // Each part is given back as soon as it has been moved.
    parts.into_iter().for_each(|part| all.extend(part));
    Ok(all)
}
