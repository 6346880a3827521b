use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of the **winner's** moves to the goal of the metric in use.
///
/// A loser's move that converts and still loses counts 0, so the depth of a position with the
/// loser to move equals that of his best reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Depth(pub u16);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
