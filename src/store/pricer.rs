use std::fmt;

use serde::{Deserialize, Serialize};

/// Who priced and how: prices of one pricer can be compared, and a position has one look by each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pricer {
    /// The program with its version, by the name that it gives itself.
    pub engine: String,
    /// What was set of it.
    pub options: String,
    /// What a look may cost: `depth 8`.
    pub budget: String,
}

/// The number of a pricer in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PricerId(pub(super) i64);

impl fmt::Display for Pricer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pricer { engine, options, budget } = self;
        write!(f, "{engine}, {budget}")?;
        if options.is_empty() { Ok(()) } else { write!(f, ", {options}") }
    }
}

impl fmt::Display for PricerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
