use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What a depth counts. Depths of wins are in the winner's moves and ignore the 50-move rule.
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
    /// Depth by the rule: the least k such that the win stands if a draw may be claimed after k moves of each side
    /// without capture or pawn move (Haworth 2000, 2001; Haworth 2003, §9.4). Unlike the other depths it need not
    /// fall with every good move: it speaks of the longest phase to come, not of the way to its end.
    Dtr,
    /// Depth to draw, of a drawn position and for the side that presses for the draw: in how many of its moves it can
    /// bring about, whatever the other side does, stalemate or a change of material into an endgame that is drawn (or
    /// better for it). A draw that can't be forced so is only held (Haworth & Andrist, §8: "draws forced in d moves").
    Dtd,
}

impl Metric {
    /// All metrics, in the order in which they are listed to users.
    pub const ALL: [Metric; 5] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::Dtr, Metric::Dtd];

    /// Those that measure wins: their tables know the value of every position.
    pub const OF_WINS: [Metric; 4] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::Dtr];

    /// Those that a player can aim at: every best move of the winner brings the goal nearer.
    pub const AIMS: [Metric; 3] = [Metric::Dtc, Metric::Dtm, Metric::Dtz];

    /// The lower-case name, as in file names and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Dtc => "dtc",
            Metric::Dtm => "dtm",
            Metric::Dtz => "dtz",
            Metric::Dtr => "dtr",
            Metric::Dtd => "dtd",
        }
    }

    /// Reads the name of a metric that a player can aim at.
    pub fn aim(text: &str) -> Result<Metric, UnknownMetric> {
        let unknown = || UnknownMetric { given: text.to_owned(), known: "dtc, dtm or dtz" };
        text.parse().ok().filter(|metric| Metric::AIMS.contains(metric)).ok_or_else(unknown)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Metric::Dtc => "DTC",
            Metric::Dtm => "DTM",
            Metric::Dtz => "DTZ",
            Metric::Dtr => "DTR",
            Metric::Dtd => "DTD",
        })
    }
}

/// The name of a metric that does not exist, or can't be used here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no metric '{given}' here: use {known}")]
pub struct UnknownMetric {
    given: String,
    known: &'static str,
}

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Metric, UnknownMetric> {
        let known = "dtc, dtm, dtz, dtr or dtd";
        let found = Metric::ALL.into_iter().find(|metric| metric.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownMetric { given: text.to_owned(), known })
    }
}
