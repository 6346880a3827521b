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
    /// Both scales.
    pub const ALL: [Scale; 2] = [Scale::Table, Scale::Evaluation];

    /// Refuses another scale.
    pub fn require(self, given: Scale) -> Result<(), ForeignScale> {
        if self == given { Ok(()) } else { Err(ForeignScale { mine: self, given }) }
    }
}

/// Something for each scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerScale<T> {
    /// On the scale of tables.
    pub table: T,
    /// On the scale of evaluations.
    pub evaluation: T,
}

impl<T> PerScale<T> {
    /// What `make` makes of each scale.
    pub fn new_with(mut make: impl FnMut(Scale) -> T) -> PerScale<T> {
        PerScale { table: make(Scale::Table), evaluation: make(Scale::Evaluation) }
    }

    /// That of one scale.
    pub fn get(&self, scale: Scale) -> &T {
        match scale {
            Scale::Table => &self.table,
            Scale::Evaluation => &self.evaluation,
        }
    }

    /// That of one scale, to be changed.
    pub fn get_mut(&mut self, scale: Scale) -> &mut T {
        match scale {
            Scale::Table => &mut self.table,
            Scale::Evaluation => &mut self.evaluation,
        }
    }
}
