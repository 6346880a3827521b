//! What came out, for programs: the same objects for `errare analyse --json` and for the page.

use serde_json::{Value, json};

use super::{Apparent, Judged, Side, Worth};
use crate::model::State;

impl Side {
    /// A player on one scale. Where nothing was learned there is no competence.
    pub fn json(&self) -> Value {
        let Apparent { c, interval, informed, elo } = self.apparent;
        let (elo, elo_interval) = elo.unzip();
        json!({
            "moves": self.moves, "outside": self.outside, "all_optimal": self.all_optimal,
            "c": informed.then_some(c), "interval": informed.then_some(interval),
            "elo": elo, "elo_interval": elo_interval,
        })
    }
}

impl Judged {
    /// A move.
    pub fn json(&self) -> Value {
        let (before, after) = self.states().unzip();
        let evaluation = match &self.worth {
            Worth::Table { .. } => None,
            Worth::Evaluation { played, .. } => Some(played.for_white(self.side).to_string()),
        };
        let (white_elo, white_elo_interval) = self.apparent.white.elo.unzip();
        let (black_elo, black_elo_interval) = self.apparent.black.elo.unzip();
        json!({
            "ply": self.ply, "number": self.number, "side": self.side.to_string(), "san": self.san,
            "scale": self.scale(),
            "value": before.map(State::value), "value_after": after.map(State::value),
            "depth_before": before.and_then(State::depth), "depth_after": after.and_then(State::depth),
            "conceded": self.conceded(), "loss": self.loss(), "evaluation": evaluation,
            "mark": self.mark().map(|mark| mark.to_string()), "optimal": self.is_optimal(),
            "optimal_moves": self.optimal, "probability": self.probability, "outside": self.outside,
            "white_c": self.apparent.white.c, "black_c": self.apparent.black.c,
            "white_elo": white_elo, "black_elo": black_elo,
            "white_elo_interval": white_elo_interval, "black_elo_interval": black_elo_interval,
            "white_interval": self.apparent.white.interval, "black_interval": self.apparent.black.interval,
        })
    }
}
