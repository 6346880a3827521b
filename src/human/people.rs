use shakmaty::MoveList;

use super::{HumanDecision, HumanModel, ln_prior};
use crate::oracle::Look;

/// A decision seen by people of every Elo: how likely each of them is to play each move. In between, chances run straight.
#[derive(Clone, Debug)]
pub struct People {
    /// For each Elo of [`People::ELOS`], how likely each move is, in the order of the look.
    chances: Vec<Vec<f64>>,
}

/// The least Elo, and the step to the next.
const FIRST: f64 = 600.0;
const STEP: f64 = 100.0;
/// First ideas change slowly with Elo: they are asked for at every other Elo, and taken to run straight in between.
const IDEAS: usize = 2;

impl People {
    /// How many Elos are asked.
    pub const COUNT: usize = 25;

    /// Those Elos.
    pub fn elos() -> impl Iterator<Item = f64> {
        (0..People::COUNT).map(|number| FIRST + STEP * number as f64)
    }

    /// How people see what a search has looked at: what moves cost is the same to all of them, which is not so of tables.
    pub fn new(model: &HumanModel, look: &Look) -> People {
        let moves: MoveList = look.moves().iter().map(|prospect| prospect.m).collect();
        let asked: Vec<Vec<f64>> = People::elos()
            .step_by(IDEAS)
            .map(|elo| ln_prior(model.prior(), look.position(), look.lead_up(), &moves, elo))
            .collect();
        let mut decision = HumanDecision::new(model.prior(), look, FIRST, &[1.0]);
        let chances = People::elos().enumerate().map(|(number, elo)| {
            let (one, part) = (number / IDEAS, (number % IDEAS) as f64 / IDEAS as f64);
            let (one, two) = (&asked[one], &asked[(one + 1).min(asked.len() - 1)]);
            decision.ln_v = one.iter().zip(two).map(|(one, two)| one + part * (two - one)).collect();
            decision.probabilities(&model.parameters().person(elo))
        });
        People { chances: chances.collect() }
    }

    /// How likely people of an Elo are to play each move.
    pub fn chances(&self, elo: f64) -> Vec<f64> {
        let (number, part) = place(elo);
        let pairs = self.chances[number].iter().zip(&self.chances[number + 1]);
        pairs.map(|(one, two)| one + part * (two - one)).collect()
    }

    /// Something for each Elo that is asked, from how likely each move is.
    pub fn each<T>(&self, of: impl Fn(&[f64]) -> T) -> Vec<T> {
        self.chances.iter().map(|chances| of(chances)).collect()
    }

    /// What a number that is known for each Elo that is asked is at another.
    pub fn between(numbers: &[f64], elo: f64) -> f64 {
        let (number, part) = place(elo);
        numbers[number] + part * (numbers[number + 1] - numbers[number])
    }
}

/// Between which two Elos one lies, and how far from the first.
fn place(elo: f64) -> (usize, f64) {
    let steps = ((elo - FIRST) / STEP).clamp(0.0, (People::COUNT - 1) as f64);
    let number = (steps as usize).min(People::COUNT - 2);
    (number, steps - number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Game,
        model::Score,
        oracle::Source,
        search::{Priced, Pricing},
    };

    #[test]
    fn people_in_between_choose_as_the_model_says() {
        let game = Game::new(shakmaty::Chess::default());
        let moves = shakmaty::Position::legal_moves(game.position());
        let priced = moves.iter().enumerate().map(|(place, &m)| Priced {
            m,
            scores: (1..9).map(|depth| Score::Centipawns(-(place as i32 * depth) % 90)).collect(),
        });
        let pricing = Pricing { moves: priced.collect(), depth: 8, ..Pricing::default() };
        let look = Look::by_search(&game, pricing, Source::Search).unwrap();
        let people = People::new(HumanModel::built_in(), &look);
        for elo in [600.0, 1450.0, 1500.0, 2233.0, 3000.0] {
            let exact = HumanModel::built_in().probabilities(&look, elo);
            let ours = people.chances(elo);
            assert!((ours.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (ours, exact) in ours.iter().zip(exact) {
                assert!((ours - exact).abs() < 0.01, "{elo}: {ours} {exact}");
            }
        }
    }
}
