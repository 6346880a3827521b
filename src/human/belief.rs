use super::{HumanModel, People};
use crate::{
    model::{Belief, BeliefError, Grid, Scale},
    oracle::Look,
};
use serde::{Deserialize, Serialize};
use shakmaty::Move;

/// What is believed about how a person plays: like people of which Elo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloBelief(Belief);

/// Elos that are considered: the least, the greatest, how many.
const GRID: (f64, f64, usize) = (600.0, 3000.0, 49);
/// Deviation of an Elo that is known: less than a step of the grid.
const KNOWN: f64 = 25.0;
/// How far from a person's own Elo the people are whose play his resembles: those of one Elo differ by more than chance. Standard deviation,
/// from the errors that remain when many games are known.
pub(super) const PERSONAL: f64 = 150.0;
/// So many moves say enough, …
const SETTLED_MOVES: u64 = 30;
/// … or as many as leave no more than this standard deviation.
const SETTLED_DEVIATION: f64 = 300.0;
/// However unlikely a model finds a move: people do such things.
const LEAST: f64 = 1e-6;

impl EloBelief {
    /// Nothing is known: one Elo is as likely as another.
    pub fn unknown() -> EloBelief {
        // The grid is sound: three constants.
        let grid = Grid::evenly(GRID.0, GRID.1, GRID.2).unwrap_or_else(|_| Grid::usual(Scale::Evaluation));
        EloBelief(Belief::uniform(grid, Scale::Evaluation))
    }

    /// The Elo is known.
    pub fn certain(elo: f64) -> EloBelief {
        EloBelief::expecting(elo, KNOWN)
    }

    /// Before the first move: about so strong, give or take a deviation.
    pub fn expecting(elo: f64, deviation: f64) -> EloBelief {
        let unknown = EloBelief::unknown();
        let elo = elo.clamp(GRID.0, GRID.1);
        match Belief::normal(*unknown.0.grid(), Scale::Evaluation, elo, deviation) {
            Ok(belief) => EloBelief(belief),
            Err(_) => unknown,
        }
    }

    fn elos(&self) -> Vec<f64> {
        self.0.grid().candidates().collect()
    }

    /// How likely people of each Elo are to play the move of this number, as logarithms.
    pub fn ln_likelihoods(&self, people: &People, place: usize) -> Vec<f64> {
        let known = people.each(|chances| chances[place].max(LEAST).ln());
        self.elos().into_iter().map(|elo| People::between(&known, elo)).collect()
    }

    /// Learns from a move of a whole game. Nothing is learned where there is no choice, or where tables know the truth:
    /// people know some endgames by heart and others not at all.
    pub fn observe(&mut self, model: &HumanModel, look: &Look, m: &Move) -> Result<(), BeliefError> {
        match says_something(look) {
            true => self.observe_among(&People::new(model, look), look, m),
            false => Ok(()),
        }
    }

    fn observe_among(&mut self, people: &People, look: &Look, m: &Move) -> Result<(), BeliefError> {
        match look.moves().iter().position(|prospect| prospect.m == *m) {
            Some(place) => self.0.learn(&self.ln_likelihoods(people, place), 1),
            None => Ok(()),
        }
    }

    /// The expected Elo after each of these moves of one decision.
    pub fn means_after(
        &self,
        model: &HumanModel,
        look: &Look,
        moves: impl Iterator<Item = Move>,
    ) -> Result<Vec<(Move, f64)>, BeliefError> {
        // The same people see all moves, and asking them is what takes time.
        let people = says_something(look).then(|| People::new(model, look));
        let mean = |m: Move| {
            let mut after = self.clone();
            people.as_ref().map_or(Ok(()), |people| after.observe_among(people, look, &m))?;
            Ok((m, after.mean()))
        };
        moves.map(mean).collect()
    }

    /// Whether more moves would hardly change what is thought of the player.
    pub fn is_settled(&self) -> bool {
        self.observed() >= SETTLED_MOVES || self.deviation() < SETTLED_DEVIATION
    }

    /// Learns from so many moves whose ln P, one for each Elo, were added up elsewhere.
    pub fn learn(&mut self, ln_likelihoods: &[f64], moves: u64) -> Result<(), BeliefError> {
        self.0.learn(ln_likelihoods, moves)
    }

    /// Adds what was learned elsewhere of the same person.
    pub fn merge(&mut self, other: &EloBelief) -> Result<(), BeliefError> {
        self.0.merge(&other.0)
    }

    /// Moves that it has learned from.
    pub fn observed(&self) -> u64 {
        self.0.observed()
    }

    /// The expected Elo.
    pub fn mean(&self) -> f64 {
        self.0.mean()
    }

    /// Its standard deviation.
    pub fn deviation(&self) -> f64 {
        self.0.deviation()
    }

    /// Between which Elos that of the person lies, with probability `mass` at least: however many moves are known, it is not surer than how
    /// far people of one Elo differ.
    pub fn interval(&self, mass: f64) -> (f64, f64) {
        let alike = |distance: f64| (-0.5 * (distance / PERSONAL).powi(2)).exp();
        let known = self.probabilities();
        let of_person =
            |elo: f64| known.iter().map(|&(like, probability)| probability * alike(elo - like)).sum();
        let probabilities: Vec<f64> = self.elos().into_iter().map(of_person).collect();
        Belief::given(*self.0.grid(), self.0.scale(), &probabilities)
            .as_ref()
            .unwrap_or(&self.0)
            .interval(mass)
    }

    /// Each Elo with its probability.
    pub fn probabilities(&self) -> Vec<(f64, f64)> {
        self.elos().into_iter().zip(self.0.probabilities()).collect()
    }
}

/// Whether a choice was made that tells people of one Elo from those of another.
fn says_something(look: &Look) -> bool {
    look.scale() == Scale::Evaluation && look.moves().len() > 1
}
