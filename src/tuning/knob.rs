use std::{collections::HashSet, fmt};

use crate::evaluation::{Pair, Weights};

/// A number that is tuned, and the weights of the evaluation that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// What it is called.
    pub name: String,
    /// Where it stands by the weights that it was made of.
    pub usual: f64,
    /// What it counts in.
    pub unit: KnobUnit,
    /// Half weights that are multiples of the knob.
    parts: Vec<(HalfWeight, f64)>,
}

/// What a knob counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobUnit {
    /// The weight itself, in centipawns.
    Centipawns,
    /// All weights of a group together, in percent of what they are.
    Percent,
}

impl fmt::Display for KnobUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KnobUnit::Centipawns => "cp",
            KnobUnit::Percent => "%",
        })
    }
}

/// The middlegame part (0) or the endgame part (1) of a weight: twice its index, and the part.
pub(super) type HalfWeight = usize;

/// Weights in floating point, as they are while they are tuned: middlegame and endgame parts in turn.
pub(super) fn halves(weights: &Weights) -> Vec<f64> {
    weights.pairs().iter().flat_map(|pair| [pair.middlegame(), pair.endgame()]).map(f64::from).collect()
}

/// No weight may be greater: the file of weights holds no more.
const GREATEST: f64 = 9_999.0;

/// Text that names nothing that could be tuned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KnobError {
    /// No weight is called so.
    #[error(
        "no weight is called '{0}' or begins so; 'errare eval --weights' lists them all, 'all' means each of them"
    )]
    Unknown(String),
    /// A weight in two knobs.
    #[error("'{0}' is named twice: a weight can follow one knob only")]
    Twice(String),
    /// A weight that is 0 has no multiples.
    #[error("'{0}' is zero, so it can't be scaled; name its halves with 'all' or other weights")]
    Zero(String),
}

/// Features that correspond to those of Gomboc 2004, Table 12, as far as we have them: Crafty scales the safety of its own king and
/// of the other one differently, we have the shelter of pawns and the attack by pieces.
pub const TABLE_12: &str = "king safety=king.attack+king.weak_square+king.check+king.attacked_with_queen,\
    king shelter=king.shelter+king.storm+king.open_file,king tropism=king.tropism,blocked pawn=pawn.blocked+passed.blocked,\
    passed pawn=passed.rank+passed.protected+passed.safe_step+passed.free_way+passed.own_king+passed.enemy_king+\
passed.unstoppable,pawn structure=pawn.isolated+pawn.isolated_open+pawn.doubled+pawn.backward+pawn.backward_open+\
pawn.phalanx+pawn.supported,material.bishop,material.knight,rook.seventh,rook.open_file,rook.behind_own_passed";

impl Knob {
    /// Reads what is to be tuned: `all` for every half of every weight, `table-12`, or names with commas between them. A
    /// name is that of a weight, or the beginning of the names of several; `name=one+two` puts several together.
    pub fn read(text: &str, weights: &Weights) -> Result<Vec<Knob>, KnobError> {
        match text.trim() {
            "all" => Ok(Knob::every_half(weights)),
            "table-12" => Knob::read(TABLE_12, weights),
            text => {
                let knobs: Vec<Knob> =
                    text.split(',').map(|one| Knob::of(one.trim(), weights)).collect::<Result<_, _>>()?;
                let mut seen = HashSet::new();
                for (half, _) in knobs.iter().flat_map(|knob| &knob.parts) {
                    if !seen.insert(half) {
                        return Err(KnobError::Twice(Weights::names()[half / 2].clone()));
                    }
                }
                Ok(knobs)
            }
        }
    }

    fn every_half(weights: &Weights) -> Vec<Knob> {
        let knob = |(half, usual): (usize, f64)| {
            let stage = if half % 2 == 0 { "middlegame" } else { "endgame" };
            let name = format!("{} {stage}", Weights::names()[half / 2]);
            Knob { name, usual, unit: KnobUnit::Centipawns, parts: vec![(half, 1.0)] }
        };
        halves(weights).into_iter().enumerate().map(knob).collect()
    }

    fn of(text: &str, weights: &Weights) -> Result<Knob, KnobError> {
        let (name, patterns) = text.split_once('=').unwrap_or((text, text));
        let mut indices = Vec::new();
        for pattern in patterns.split('+').map(str::trim) {
            let group = format!("{pattern}.");
            let named = |full: &String| full == pattern || full.starts_with(&group);
            let before = indices.len();
            indices.extend((0..Weights::names().len()).filter(|&index| named(&Weights::names()[index])));
            if indices.len() == before || pattern.is_empty() {
                return Err(KnobError::Unknown(pattern.to_owned()));
            }
        }
        let all = halves(weights);
        let (usual, unit) = match indices[..] {
            // Middlegame and endgame keep their proportion; the knob shows their mean.
            [index] => ((all[2 * index] + all[2 * index + 1]) / 2.0, KnobUnit::Centipawns),
            _ => (100.0, KnobUnit::Percent),
        };
        if usual == 0.0 {
            return Err(KnobError::Zero(name.trim().to_owned()));
        }
        let parts = indices.iter().flat_map(|index| [2 * index, 2 * index + 1]);
        let parts = parts.map(|half| (half, all[half] / usual)).collect();
        Ok(Knob { name: name.trim().to_owned(), usual, unit, parts })
    }

    pub(super) fn parts(&self) -> &[(HalfWeight, f64)] {
        &self.parts
    }
}

/// These weights, with every knob turned to its value.
pub fn turned(weights: &Weights, knobs: &[Knob], values: &[f64]) -> Weights {
    let mut all = halves(weights);
    for (knob, value) in knobs.iter().zip(values) {
        knob.parts.iter().for_each(|&(half, factor)| all[half] = factor * value);
    }
    let mut turned = weights.clone();
    for (index, pair) in all.chunks_exact(2).enumerate() {
        let part = |value: f64| value.round().clamp(-GREATEST, GREATEST) as i32;
        turned.set(index, Pair::new(part(pair[0]), part(pair[1])));
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_turn_a_weight_a_group_or_a_half() {
        let weights = Weights::default();
        let index = |name: &str| Weights::names().iter().position(|other| other == name).unwrap();
        let [bishop, rook] = ["material.bishop", "mobility.rook.3"].map(index);
        let knobs = Knob::read("material.bishop, rooks=mobility.rook+rook.seventh", &weights).unwrap();
        assert_eq!(knobs[1].name, "rooks");
        assert_eq!((knobs[0].unit, knobs[1].unit), (KnobUnit::Centipawns, KnobUnit::Percent));
        let usual: Vec<f64> = knobs.iter().map(|knob| knob.usual).collect();
        assert_eq!(turned(&weights, &knobs, &usual), weights);
        let other = turned(&weights, &knobs, &[2.0 * usual[0], 0.0]);
        assert_eq!(other.pairs()[bishop].endgame(), 2 * weights.pairs()[bishop].endgame());
        assert_eq!(other.pairs()[rook], Pair::new(0, 0));
        let all = Knob::read("all", &weights).unwrap();
        assert_eq!(all.len(), 2 * Weights::names().len());
    }

    #[test]
    fn table_12_has_eleven_features() {
        assert_eq!(Knob::read("table-12", &Weights::default()).unwrap().len(), 11);
    }

    #[test]
    fn what_cannot_be_tuned_is_named() {
        let read = |text| Knob::read(text, &Weights::default()).unwrap_err();
        assert_eq!(read("material.bishop,pear"), KnobError::Unknown("pear".into()));
        assert_eq!(read("mobility,mobility.rook"), KnobError::Twice("mobility.rook.0".into()));
    }
}
