use serde::{Deserialize, Serialize};

use super::{HumanParameters, Technique};

/// What a file such as `human.toml` says: what people are like, and what that was learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// How it was made.
    pub made: Made,
    /// The parameters.
    pub people: HumanParameters,
    /// Their standard errors.
    pub errors: HumanParameters,
    /// Who chooses like a person of some Elo scores like a player of another.
    #[serde(default)]
    pub levels: Levels,
}

/// How a calibration was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// Who priced the moves.
    pub prices_by: String,
    /// How deep, in plies.
    pub depth: u32,
    /// Moves it was fitted to.
    pub moves: u64,
    /// Moves of endgames that its technique was fitted to.
    pub endgame_moves: u64,
    /// c of the paper's formula for the same moves: at Elo 2000, and what 400 Elo more add to it.
    pub paper_competence: [f64; 2],
    /// The file of first ideas that it goes with, by its checksum.
    pub prior: String,
}

/// Two measures of strength: an agent that chooses its moves as people of one Elo do, and what it scores. No row falls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// Elo by results.
    pub scores_like: Vec<f64>,
    /// Elo by choices, in the same places.
    pub chooses_like: Vec<f64>,
    /// How often such a player calculates to the end, in the same places: people of that strength do not err as often
    /// by results as lots that are drawn anew at every move.
    #[serde(default)]
    pub calculates: Vec<f64>,
    /// How far one sees who calculates, in plies, in the same places: a level is to be the same at every time control.
    #[serde(default)]
    pub plies: Vec<f64>,
    /// How well people must be taken to know endgames so that they win as many of them as people of their Elo do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technique: Option<Technique>,
}

/// What a player of some Elo by results is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Chooses like people of this Elo, …
    pub chooses_like: f64,
    /// … but in this share of cases plays what a search finds, …
    pub calculates: f64,
    /// … so many plies deep, the depth between two whole ones by lot.
    pub plies: f64,
}

/// How far one sees who calculates, where nothing else is said.
const USUAL_PLIES: f64 = 12.0;

impl Levels {
    /// How to score like `elo`. Without measurements that is to choose like it.
    pub fn level(&self, elo: f64) -> Level {
        Level {
            chooses_like: interpolate(&self.scores_like, &self.chooses_like, elo).unwrap_or(elo),
            calculates: interpolate(&self.scores_like, &self.calculates, elo).unwrap_or(0.0).clamp(0.0, 1.0),
            plies: interpolate(&self.scores_like, &self.plies, elo).unwrap_or(USUAL_PLIES).max(1.0),
        }
    }
}

/// A line through points, going on straight beyond the last ones.
fn interpolate(from: &[f64], to: &[f64], at: f64) -> Option<f64> {
    let last = from.len().min(to.len());
    if last < 2 {
        return None;
    }
    let above = from[..last].iter().position(|&place| place >= at).unwrap_or(last - 1).max(1);
    let share = (at - from[above - 1]) / (from[above] - from[above - 1]);
    Some(to[above - 1] + share * (to[above] - to[above - 1]))
}

impl Calibration {
    /// Reads a file.
    pub fn parse(text: &str) -> Result<Calibration, String> {
        let calibration: Calibration =
            toml::from_str(text).map_err(|error| error.message().replace('\n', " "))?;
        let rises = |row: &[f64]| row.windows(2).all(|pair| pair[0] < pair[1]);
        let Levels { scores_like, chooses_like, calculates, plies, .. } = &calibration.levels;
        if calibration.people.ln_depths.is_empty() {
            return Err("ln_depths has no depth".to_owned());
        }
        if scores_like.len() != chooses_like.len() || !rises(scores_like) || !rises(chooses_like) {
            return Err("scores_like and chooses_like must have as many numbers, and rise".to_owned());
        }
        let is_share = |share: &f64| (0.0..=1.0).contains(share);
        if !calculates.is_empty()
            && (calculates.len() != scores_like.len() || !calculates.iter().all(is_share))
        {
            return Err("calculates must have as many numbers as scores_like, from 0 to 1".to_owned());
        }
        let is_depth = |plies: &f64| (1.0..=60.0).contains(plies);
        if !plies.is_empty() && (plies.len() != scores_like.len() || !plies.iter().all(is_depth)) {
            return Err("plies must have as many numbers as scores_like, from 1 to 60".to_owned());
        }
        Ok(calibration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_off_a_line() {
        let levels = Levels {
            scores_like: vec![1000.0, 1400.0, 2000.0],
            chooses_like: vec![800.0, 1600.0, 2200.0],
            calculates: vec![0.0, 0.0, 0.5],
            plies: vec![12.0, 12.0, 15.0],
            technique: None,
        };
        for (scores, chooses_like, calculates, plies) in [
            (1000.0, 800.0, 0.0, 12.0),
            (1200.0, 1200.0, 0.0, 12.0),
            (1700.0, 1900.0, 0.25, 13.5),
            (800.0, 400.0, 0.0, 12.0),
            (2600.0, 2800.0, 1.0, 18.0),
        ] {
            assert_eq!(levels.level(scores), Level { chooses_like, calculates, plies });
        }
        let unmeasured = Level { chooses_like: 1500.0, calculates: 0.0, plies: USUAL_PLIES };
        assert_eq!(Levels::default().level(1500.0), unmeasured);
    }
}
