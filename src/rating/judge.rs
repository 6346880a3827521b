use super::{Candidate, Selection};
use crate::{
    human::{EloBelief, HumanModel, People},
    model::{Belief, Grid, Model, NoPreference, PerScale, Policy, Preference, Scale},
    oracle::Look,
};

/// How decisions are judged.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// How players are taken to see positions.
    pub models: PerScale<Model>,
    /// Candidates for c.
    pub grids: PerScale<Grid>,
    /// Which positions count.
    pub selection: Selection,
    /// What people are like; without them nothing is said of Elo.
    pub people: Option<&'a HumanModel>,
}

/// What one decision says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The scale of c.
    pub scale: Scale,
    /// What the best move is worth, in pawns (by tables: points).
    pub best: f64,
    /// What the move played gave up, in pawns.
    pub error: f64,
    /// Which choice of the pricer's it was, from 1.
    pub rank: usize,
    /// For each candidate c, ln P of the move played.
    pub ln_c: Vec<f64>,
    /// What people of every Elo would have done.
    pub people: Option<ByElo>,
}

/// What people would have done in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct ByElo {
    /// For each Elo that a belief considers, ln P of the move played.
    pub ln_elo: Vec<f64>,
    /// For each Elo of [`People`], what is to be expected.
    pub expected: Vec<Expectation>,
    /// For the player's own Elo, if the tags have it: what was to be expected, and the chance of the move played.
    pub own: Option<(Expectation, f64)>,
}

/// What is to be expected of a player in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectation {
    /// The chance that the pricer's first choice is played.
    pub first: f64,
    /// The expected error, in pawns.
    pub error: f64,
    /// The variance of the error.
    pub variance: f64,
}

/// Evaluations are cut off here when errors are added up: who is ten pawns down has lost, by however much.
const DECIDED: f64 = 10.0;

impl Expectation {
    fn new(chances: &[f64], errors: &[f64]) -> Expectation {
        let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
            chances.iter().zip(errors).map(|(chance, &error)| chance * of(error)).sum()
        };
        let error = mean(&|error| error);
        let variance = mean(&|one| (one - error).powi(2));
        Expectation { first: chances.first().copied().unwrap_or(0.0), error, variance }
    }
}

/// κ of the prices of evaluations, in pawns, as the literature has it, and of depths.
const KAPPA: PerScale<f64> = PerScale { table: 1.0, evaluation: 0.1 };

impl Judge<'static> {
    /// As ratings are made unless something else is said.
    pub fn usual() -> Result<Judge<'static>, NoPreference> {
        let model = |preference| Model { preference, policy: Policy::FREE };
        Ok(Judge {
            models: PerScale {
                table: model(Preference::table(KAPPA.table)?),
                evaluation: model(Preference::evaluation(KAPPA.evaluation)?),
            },
            grids: PerScale::new_with(Grid::usual),
            selection: Selection::default(),
            people: Some(HumanModel::built_in()),
        })
    }
}

impl Judge<'_> {
    /// What a decision says; nothing if it does not count, or the move is none of the position.
    pub fn judge(&self, candidate: &Candidate, look: &Look) -> Option<Judged> {
        let scale = look.scale();
        let place = look.moves().iter().position(|prospect| prospect.m == candidate.m)?;
        let best = look.outcome().worth();
        if scale == Scale::Evaluation && !self.selection.admits(best) {
            return None;
        }
        let decision = self.models.get(scale).decide(look.prospects()).ok()?;
        let ln_c = Belief::ln_likelihoods(self.grids.get(scale), &decision, &candidate.m)?;
        let cut = |worth: f64| worth.clamp(-DECIDED, DECIDED);
        let errors: Vec<f64> =
            look.moves().iter().map(|prospect| cut(best) - cut(prospect.outcome.worth())).collect();
        let worth = look.moves()[place].outcome;
        let better = look.moves().iter().filter(|other| other.outcome.compare(worth).is_gt()).count();
        // Of equal moves only one is the first choice.
        let rank = if place == 0 { 1 } else { (better + 1).max(2) };
        let people = self.people.filter(|_| scale == Scale::Evaluation).map(|model| {
            let people = People::new(model, look);
            let own = candidate.record.elo(candidate.side()).map(|elo| {
                let chances = people.chances(elo.into());
                (Expectation::new(&chances, &errors), chances[place])
            });
            let expected = people.each(|chances| Expectation::new(chances, &errors));
            let ln_elo = EloBelief::unknown().ln_likelihoods(&people, place);
            ByElo { ln_elo, expected, own }
        });
        Some(Judged { scale, best, error: errors[place], rank, ln_c, people })
    }
}
