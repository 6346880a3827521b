use std::sync::{Arc, atomic::AtomicBool};

use crate::{
    agents::AgentError,
    arena::{LotteryError, MatchError},
    endgame::{BlockFileError, Client, Material, MaterialError, Tables, TablesError, Walk},
    model::{Belief, BeliefError, Grid, Metric, Model, NoGrid, NoPreference, Policy, Preference, Scale},
    oracle::TableOracle,
    simulation::ContestError,
};

/// What experiments are made with.
pub struct Lab<'a> {
    /// The tables; those that are needed have been made.
    pub tables: Arc<Tables>,
    /// A κ to use instead of each one that the papers state: to see what depends on it.
    pub kappa: Option<f64>,
    /// Games from each starting position of the match.
    pub games: usize,
    /// Of everything left to chance.
    pub seed: u64,
    /// Raised to end the work.
    pub cancel: &'a AtomicBool,
}

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// A table is not to be had.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A table can't be read.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// A name is no endgame.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// An agent refused.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A belief refused.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// No grid.
    #[error(transparent)]
    Grid(#[from] NoGrid),
    /// No preference.
    #[error(transparent)]
    Preference(#[from] NoPreference),
    /// A simulated game failed.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// There are no such positions.
    #[error(transparent)]
    Lottery(#[from] LotteryError),
    /// A match broke off.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Something embedded is not as it should be.
    #[error("the built-in {0} can't be read: this is a fault of the program")]
    BuiltIn(String),
    /// The work was ended.
    #[error("interrupted")]
    Cancelled,
}

impl Lab<'_> {
    /// Makes sure of the tables that everything here needs. KBBKN, which takes minutes, only if told to.
    pub fn prepare(tables: &Tables, five_men: bool, client: Client<'_>) -> Result<(), TablesError> {
        if let Ok(kqkr) = "KQKR".parse() {
            for metric in [Metric::Dtc, Metric::Dtm] {
                tables.require(kqkr, metric, client)?;
            }
        }
        if let (true, Ok(kbbkn)) = (five_men, "KBBKN".parse()) {
            tables.build(kbbkn, Metric::Dtc, client)?;
        }
        // Where KBBKN is there, what captures in it lead to has to be there too.
        let kbbkn: Result<Material, _> = "KBBKN".parse();
        if let Some(kbbkn) = kbbkn.ok().filter(|&kbbkn| tables.get(kbbkn, Metric::Dtc).is_some()) {
            for subgame in kbbkn.subgames() {
                tables.require(subgame, Metric::Dtc, client)?;
            }
        }
        Ok(())
    }

    /// Tables by a metric.
    pub fn oracle(&self, metric: Metric) -> TableOracle {
        TableOracle::new(self.tables.clone(), metric)
    }

    /// KQKR by DTC, to walk over.
    pub fn kqkr(&self) -> Result<Walk, ReproduceError> {
        let material = "KQKR".parse()?;
        let table = self.tables.get(material, Metric::Dtc).cloned();
        let table = table.ok_or(TablesError::Missing(material, Metric::Dtc))?;
        Ok(Walk::new(table, &self.tables)?)
    }

    /// The κ to use where the papers have this one.
    pub fn kappa(&self, stated: f64) -> f64 {
        self.kappa.unwrap_or(stated)
    }

    /// Players who keep the value, as in all published experiments, with the κ that is stated.
    pub fn model(&self, stated: f64) -> Result<Model, ReproduceError> {
        keeping(self.kappa(stated))
    }

    /// Whether the work was ended.
    pub fn check(&self) -> Result<(), ReproduceError> {
        if self.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            Err(ReproduceError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// Players who keep the value.
pub fn keeping(kappa: f64) -> Result<Model, ReproduceError> {
    Ok(Model { preference: Preference::table(kappa)?, policy: Policy::KEEP_VALUE })
}

/// All candidates equally likely.
pub fn uniform(grid: &str) -> Result<Belief, ReproduceError> {
    Ok(Belief::uniform(grid.parse::<Grid>()?, Scale::Table))
}
