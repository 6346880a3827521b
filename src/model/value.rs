use std::{fmt, ops::Neg};

use serde::{Deserialize, Serialize};

/// The theoretical value of a position for the side that is asked about.
///
/// Ordered by attractiveness: `Loss < Draw < Win`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The other side wins.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// This side wins.
    Win,
}

impl Value {
    /// Points of a finished game: win 1, draw ½, loss 0.
    pub fn points(self) -> f64 {
        match self {
            Value::Loss => 0.0,
            Value::Draw => 0.5,
            Value::Win => 1.0,
        }
    }
}

/// The value as the other side sees it.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}
