use std::sync::Arc;

use shakmaty::Color;

use super::{
    code::{CODES, Code, encode},
    kernel::{Edge, Ground, Kernel},
    outlook::{Outlook, Prices},
    play::Play,
};
use crate::{
    endgame::{StoreError, Walk},
    model::Model,
};

/// R_c in every position of an endgame, for all finite c of one sign at once: they choose from the same moves.
pub struct Fallible {
    kernel: Arc<Kernel>,
    codes: Vec<Code>,
    prices: Prices,
    /// The least and the greatest of all finite prices.
    range: (f64, f64),
    kind: Kind,
}

/// Competences that choose from the same moves. With κ = 0+ prices of 0 and ∞ count otherwise for each sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AntiInfallible,
    Negative,
    Random,
    Positive,
    Infallible,
}

impl Kind {
    fn of(c: f64) -> Kind {
        match c {
            f64::INFINITY => Kind::Infallible,
            f64::NEG_INFINITY => Kind::AntiInfallible,
            c if c > 0.0 => Kind::Positive,
            c if c < 0.0 => Kind::Negative,
            _ => Kind::Random,
        }
    }
}

/// A finite competence so great that some preferences can't be told from 0 in floating point.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("competence {0} is too great for an exact chain: use inf or -inf")]
pub struct TooCompetent(pub f64);

/// ln of preferences is kept within ± this.
const GREATEST: f64 = 600.0;

impl Fallible {
    /// The moves that R_c and its like choose from.
    pub fn new(
        walk: &Walk,
        ground: &Ground,
        mover: Color,
        model: &Model,
        c: f64,
    ) -> Result<Fallible, StoreError> {
        let table = walk.table();
        let prices = Prices::new(model, table.deepest(mover), table.deepest(!mover));
        let kind = Kind::of(c);
        let kernel = Kernel::build(walk, ground, mover, || {
            let mut outlook = Outlook::default();
            let prices = &prices;
            move |edges: &[Edge], chosen: &mut Vec<usize>| {
                outlook.clear();
                edges.iter().for_each(|edge| outlook.add(encode(edge.outcome)));
                outlook.price(prices);
                let mut played = [false; CODES];
                match kind {
                    Kind::Infallible => {
                        outlook.chosen(c).take(1).for_each(|code| played[usize::from(code)] = true)
                    }
                    Kind::AntiInfallible => {
                        outlook
                            .chosen(c)
                            .last()
                            .into_iter()
                            .for_each(|code| played[usize::from(code)] = true);
                    }
                    _ => outlook.chosen(c).for_each(|code| played[usize::from(code)] = true),
                }
                chosen.extend(
                    (0..edges.len()).filter(|&number| played[usize::from(encode(edges[number].outcome))]),
                );
            }
        })?;
        let codes = kernel.target_codes(ground);
        let finite = (codes.iter().map(|&code| prices.ln_price(code))).filter(|price| price.is_finite());
        let range = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), price| (low.min(price), high.max(price)));
        Ok(Fallible { kernel: Arc::new(kernel), codes, prices, range, kind })
    }

    /// Whether R_c chooses from the same moves.
    pub fn serves(&self, c: f64) -> bool {
        Kind::of(c) == self.kind
    }

    /// R_c; it must be one that this serves.
    pub fn play(&self, c: f64) -> Result<Play, TooCompetent> {
        if c.is_infinite() || c == 0.0 {
            return Ok(Play::even(self.kernel.clone()));
        }
        let (low, high) = self.range;
        let middle = (low + high) / 2.0;
        if (c * (high - middle)).abs() > GREATEST {
            return Err(TooCompetent(c));
        }
        // Where prices of 0 or ∞ may be paid, there is no other.
        let preference = |price: f64| if price.is_finite() { (-c * (price - middle)).exp() } else { 1.0 };
        let weights: Vec<f64> =
            (0..CODES as Code).map(|code| preference(self.prices.ln_price(code))).collect();
        Ok(Play::weighted(self.kernel.clone(), &self.codes, &weights))
    }
}
