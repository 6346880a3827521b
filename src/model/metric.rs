use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What a depth counts towards. All depths are in the winner's moves and ignore the 50-move rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Depth to conversion: mate or change of material, promotion included. A pawn push is no conversion.
    #[default]
    Dtc,
    /// Depth to mate.
    Dtm,
    /// Depth to the next capture or pawn move by either side, or mate.
    Dtz,
}

impl Metric {
    /// All metrics, in the order in which they are listed to users.
    pub const ALL: [Metric; 3] = [Metric::Dtc, Metric::Dtm, Metric::Dtz];

    /// The lower-case name, as in file names and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Dtc => "dtc",
            Metric::Dtm => "dtm",
            Metric::Dtz => "dtz",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Metric::Dtc => "DTC",
            Metric::Dtm => "DTM",
            Metric::Dtz => "DTZ",
        })
    }
}

/// The name of a metric that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown metric '{0}': use dtc, dtm or dtz")]
pub struct UnknownMetric(pub String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Metric, UnknownMetric> {
        Metric::ALL
            .into_iter()
            .find(|metric| metric.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownMetric(text.to_owned()))
    }
}
