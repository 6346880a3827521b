use shakmaty::san::SanPlus;

use super::ReproduceError;
use crate::{
    agents::{HuntSettings, Predator, Situation, Speculation},
    game::Game,
    model::{Competence, Mixture, Model, Scale},
    notation::read_position,
    oracle::Oracle,
};

/// What Black's moves promise against players of one competence.
pub struct Position<'a> {
    game: Game,
    oracle: &'a dyn Oracle,
    settings: HuntSettings,
    opponent: Model,
}

impl<'a> Position<'a> {
    /// A position, against players who see positions by `opponent`. All moves that lose up to `most` in depth are
    /// candidates.
    pub fn new(
        fen: &str,
        oracle: &'a dyn Oracle,
        opponent: Model,
        most: f64,
    ) -> Result<Position<'a>, ReproduceError> {
        let broken = || ReproduceError::BuiltIn(format!("position {fen}"));
        let position = read_position(fen).map_err(|_| broken())?;
        let speculation = Speculation { most, value_margin: 0.0, depth_margin: 0.0, risk_value: false };
        let settings = HuntSettings { speculation: Some(speculation), ..HuntSettings::default() };
        Ok(Position { game: Game::new(position), oracle, settings, opponent })
    }

    /// The expected depth after White's reply to each candidate, against R_c.
    pub fn expectations(&self, c: f64) -> Result<Vec<(String, f64)>, ReproduceError> {
        let competence = Competence::new(c, Scale::Table).unwrap_or(Competence::infallible(Scale::Table));
        let (settings, opponent) = (self.settings, self.opponent);
        let predator = Predator { settings, opponent, mixture: Mixture::from(competence), foresight: None };
        let advice = predator.advise(&Situation::new(&self.game, self.oracle))?;
        Ok(advice
            .candidates
            .iter()
            .map(|candidate| {
                let san = SanPlus::from_move(self.game.position().clone(), candidate.m).to_string();
                (san, candidate.depth.unwrap_or(0.0))
            })
            .collect())
    }

    /// Expectation of one move less that of another.
    pub fn lead(&self, one: &str, other: &str, c: f64) -> Result<f64, ReproduceError> {
        let all = self.expectations(c)?;
        let of = |san: &str| all.iter().find(|(known, _)| known == san).map_or(0.0, |(_, depth)| *depth);
        Ok(of(one) - of(other))
    }

    /// By how much one move is ever better than another, for c up to 50.
    pub fn greatest_lead(&self, one: &str, other: &str) -> Result<f64, ReproduceError> {
        let mut greatest = f64::NEG_INFINITY;
        for step in 1..=500 {
            greatest = self.lead(one, other, f64::from(step) / 10.0)?.max(greatest);
        }
        Ok(greatest)
    }

    /// The best moves from c near 0 up to 50 and where each takes over from the one before: the root of the difference
    /// of their expectations.
    pub fn best(&self, among: impl Fn(&str) -> bool) -> Result<Vec<(String, f64)>, ReproduceError> {
        let mut found: Vec<(String, f64)> = Vec::new();
        // κ = 0+ has a jump at 0 itself.
        let mut before = 1e-6;
        for step in 0..=500 {
            let c = (f64::from(step) / 10.0).max(1e-6);
            let options = self.expectations(c)?.into_iter().filter(|(san, _)| among(san));
            let Some((best, _)) = options.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            match found.last() {
                Some((last, _)) if *last == best => {}
                None => found.push((best, 0.0)),
                Some((last, _)) => {
                    let root = self.root(&best, last, before, c)?;
                    found.push((best, root));
                }
            }
            before = c;
        }
        Ok(found)
    }

    fn root(&self, rising: &str, falling: &str, mut low: f64, mut high: f64) -> Result<f64, ReproduceError> {
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if self.lead(rising, falling, middle)? > 0.0 { high = middle } else { low = middle }
        }
        Ok((low + high) / 2.0)
    }
}
