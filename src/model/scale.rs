use std::fmt;

use serde::{Deserialize, Serialize};

/// What prices are counted in. Competences on different scales can't be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Depths of endgame tables, in moves (Haworth 2003, §6); c from 0 to about 50.
    Table,
    /// Evaluations, in pawns (Haworth, Regan & Di Fatta 2010, §3.1); c from 0 to about 3.
    Evaluation,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scale::Table => "table",
            Scale::Evaluation => "evaluation",
        })
    }
}

/// A competence, belief or preference met a decision that is priced on the other scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this works on the {mine} scale but was given the {given} scale; use a setting for that scale")]
pub struct ForeignScale {
    /// The scale of the one who refuses.
    pub mine: Scale,
    /// The scale of what it was given.
    pub given: Scale,
}

impl Scale {
    /// Refuses another scale.
    pub fn require(self, given: Scale) -> Result<(), ForeignScale> {
        if self == given { Ok(()) } else { Err(ForeignScale { mine: self, given }) }
    }
}
