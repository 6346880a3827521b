use std::fmt;

use crate::model::{Prospects, State};

/// The marks of Haworth 2003, Appendix B: how little choice there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// °: the only legal move.
    OnlyLegal,
    /// ": the only move that keeps the value of the position.
    OnlyValue,
    /// ': the only metric-optimal move.
    OnlyOptimal,
}

impl Mark {
    /// The mark of a move that leads to `outcome`, if it deserves one.
    pub fn of(prospects: &Prospects, outcome: State) -> Option<Mark> {
        let states = || prospects.moves().iter().filter_map(|prospect| prospect.outcome.state());
        let best = states().max()?;
        if states().count() == 1 {
            Some(Mark::OnlyLegal)
        } else if outcome.value() != best.value() {
            None
        } else if states().filter(|state| state.value() == best.value()).count() == 1 {
            Some(Mark::OnlyValue)
        } else {
            (outcome == best && states().filter(|&state| state == best).count() == 1)
                .then_some(Mark::OnlyOptimal)
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mark::OnlyLegal => "°",
            Mark::OnlyValue => "\"",
            Mark::OnlyOptimal => "'",
        })
    }
}
