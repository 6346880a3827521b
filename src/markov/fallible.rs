use std::sync::Arc;

use shakmaty::Color;

use super::{
    ground::Ground,
    kernel::{Edge, Kernel},
    outlook::{Outlook, Prices},
    play::Play,
};
use crate::{
    endgame::{BlockFileError, Walk},
    model::{Code, Model, choose_alike, side_by_side},
};

/// R_c in every position of an endgame, for all c at once that choose from the same moves.
pub struct Fallible {
    kernel: Arc<Kernel>,
    codes: Vec<Code>,
    prices: Prices,
    /// One of them.
    c: f64,
}

/// A finite competence so great that some preferences can't be told from 0 in floating point.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("competence {0} is too great for an exact chain: use inf or -inf")]
pub struct TooCompetent(pub f64);

/// Logarithms of preferences may differ by so much: products with lengths stay within floating point.
const WIDEST: f64 = 1200.0;

impl Fallible {
    /// The moves that R_c and its like choose from.
    pub fn new(
        walk: &Walk,
        ground: &Ground,
        mover: Color,
        model: &Model,
        c: f64,
    ) -> Result<Fallible, BlockFileError> {
        let table = walk.table();
        let prices = Prices::new(model, table.deepest(mover), table.deepest(!mover));
        let kernel = Kernel::build(walk, ground, mover, || {
            let mut outlook = Outlook::default();
            let prices = &prices;
            move |edges: &[Edge], chosen: &mut Vec<usize>| {
                outlook.clear();
                edges.iter().for_each(|edge| outlook.add(Code::of(edge.outcome)));
                outlook.price(prices);
                let mut played = [false; Code::COUNT];
                outlook.chosen(c).iter().for_each(|code| played[code.place()] = true);
                let is_played = |edge: &Edge| played[Code::of(edge.outcome).place()];
                chosen.extend((0..edges.len()).filter(|&number| is_played(&edges[number])));
            }
        })?;
        let codes = kernel.target_codes(ground);
        Ok(Fallible { kernel: Arc::new(kernel), codes, prices, c })
    }

    /// Whether R_c chooses from the same moves.
    pub fn serves(&self, c: f64) -> bool {
        choose_alike(self.c, c)
    }

    /// R_c; it must be one that this serves.
    pub fn play(&self, c: f64) -> Result<Play, TooCompetent> {
        if c.is_infinite() || c == 0.0 {
            return Ok(Play::even(self.kernel.clone()));
        }
        let weights = side_by_side(self.prices.ln_prices(), c, WIDEST).ok_or(TooCompetent(c))?;
        Ok(Play::weighted(self.kernel.clone(), &self.codes, &weights))
    }
}
