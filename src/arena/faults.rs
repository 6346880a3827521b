use serde::Serialize;

use crate::engine::FaultKind;

/// How often each fault was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Illegal moves.
    pub illegal: u64,
    /// Crashes.
    pub crash: u64,
    /// Stalls.
    pub stall: u64,
    /// Losses on time.
    pub time: u64,
}

impl Faults {
    /// One more.
    pub fn add(&mut self, kind: FaultKind) {
        *match kind {
            FaultKind::Illegal => &mut self.illegal,
            FaultKind::Crash => &mut self.crash,
            FaultKind::Stall => &mut self.stall,
            FaultKind::Time => &mut self.time,
        } += 1;
    }

    /// All together.
    pub fn total(self) -> u64 {
        self.illegal + self.crash + self.stall + self.time
    }

    /// Those of two players.
    pub fn plus(self, other: Faults) -> Faults {
        Faults {
            illegal: self.illegal + other.illegal,
            crash: self.crash + other.crash,
            stall: self.stall + other.stall,
            time: self.time + other.time,
        }
    }
}
