//! The named weights of the evaluation, and TOML files that replace some of them.

use std::{
    collections::HashMap,
    fmt::Write,
    ops::{AddAssign, Mul},
    path::Path,
    sync::{Arc, LazyLock},
};

use serde::Deserialize;
use toml::{Table, Value as Toml};

use super::{FULL_SCALE, scale::SCALES, terms};

/// A tapered weight: a middlegame and an endgame part, in centipawns. They are packed in one word, the endgame
/// in the upper half, so that both are added and multiplied at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair(i32);

impl Pair {
    /// A weight with a middlegame and an endgame part.
    pub const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16).wrapping_add(middlegame))
    }

    /// The middlegame part.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame part.
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    fn mul(self, count: i32) -> Pair {
        Pair(self.0.wrapping_mul(count))
    }
}

/// What is wrong with a file of weights.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum WeightsError {
    /// Not TOML.
    #[error("the weights are not TOML: {0}")]
    Syntax(String),
    /// No weight has this name.
    #[error("no weight is called '{0}'; 'errare eval --weights' lists them all")]
    Unknown(String),
    /// A weight that is not a pair of numbers in range.
    #[error("'{0}' must be [middlegame, endgame] in centipawns, each between -9999 and 9999")]
    NotAPair(String),
    /// A scale factor that is not a number in range.
    #[error("'{0}' must be a number from 0 to 64")]
    NotAScale(String),
    /// A grain that is not a number in range.
    #[error("'{GRAIN}' must be a number of centipawns from 1 to {MOST_GRAIN}")]
    NotAGrain,
}

/// The key of what all evaluations are rounded to: a multiple of so many centipawns (Gomboc 2004, §8.2). 1 if it is not there.
const GRAIN: &str = "grain";
const MOST_GRAIN: i32 = 100;

/// All weights of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pub(super) pairs: Box<[Pair; terms::COUNT]>,
    pub(super) scales: Vec<i32>,
    /// Evaluations are multiples of so many centipawns.
    pub(super) grain: i32,
    /// The file they were read from; empty for the built-in ones.
    file: String,
}

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| terms::names().collect());

/// The built-in weights. That the file is sound and complete is tested.
static BUILT_IN: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let mut weights = Weights {
        pairs: Box::new([Pair::default(); terms::COUNT]),
        scales: vec![FULL_SCALE; SCALES.len()],
        grain: 1,
        file: String::new(),
    };
    if let Err(error) = weights.replace(Weights::DEFAULT_TEXT) {
        log::error!("built-in weights: {error}");
    }
    Arc::new(weights)
});

impl Default for Weights {
    fn default() -> Weights {
        Weights::clone(&BUILT_IN)
    }
}

impl Weights {
    /// The built-in weights as a file.
    pub const DEFAULT_TEXT: &str = include_str!("weights.toml");

    /// The built-in weights, shared.
    pub fn built_in() -> Arc<Weights> {
        Arc::clone(&BUILT_IN)
    }

    /// The built-in weights with those of a file over them; without a name, the built-in ones.
    pub fn read(file: &str) -> Result<Arc<Weights>, String> {
        if file.is_empty() {
            return Ok(Weights::built_in());
        }
        let text = crate::directories::read_regular(Path::new(file))
            .map_err(|error| format!("cannot read {file}: {error}"))?;
        let mut weights = Weights { file: file.to_owned(), ..Weights::default() };
        weights.replace(&text).map_err(|error| format!("{file}: {error}"))?;
        Ok(Arc::new(weights))
    }

    /// The file they were read from; empty for the built-in ones.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The multiple of [`grain`](GRAIN) that is nearest.
    #[inline]
    pub(super) fn round(&self, value: i32) -> i32 {
        match self.grain {
            1 => value,
            grain => (value + value.signum() * (grain / 2)) / grain * grain,
        }
    }

    /// Names of all weights that have a value for the middlegame and one for the endgame, in the order of
    /// [`EvalTrace::terms`](super::EvalTrace::terms).
    pub fn names() -> &'static [String] {
        &NAMES
    }

    /// The weights in the order of [`names`](Self::names).
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.as_slice()
    }

    /// Sets the weight with this index among [`names`](Self::names).
    pub fn set(&mut self, index: usize, pair: Pair) {
        self.pairs[index] = pair;
    }

    /// Replaces the weights that a TOML text names; the others stay as they are.
    pub fn replace(&mut self, text: &str) -> Result<(), WeightsError> {
        let table: Table =
            toml::from_str(text).map_err(|error| WeightsError::Syntax(error.message().to_owned()))?;
        let indices: HashMap<&str, usize> =
            NAMES.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let mut changed = self.clone();
        for (name, value) in flatten("", table) {
            if name == GRAIN {
                changed.grain = value
                    .as_integer()
                    .filter(|grain| (1..=i64::from(MOST_GRAIN)).contains(grain))
                    .ok_or(WeightsError::NotAGrain)? as i32;
            } else if let Some(index) =
                SCALES.iter().position(|scale| name.strip_prefix("scale.") == Some(scale))
            {
                changed.scales[index] = value
                    .as_integer()
                    .filter(|scale| (0..=i64::from(FULL_SCALE)).contains(scale))
                    .ok_or_else(|| WeightsError::NotAScale(name.clone()))?
                    as i32;
            } else {
                let index = *indices.get(name.as_str()).ok_or_else(|| WeightsError::Unknown(name.clone()))?;
                let pair = <[i32; 2]>::deserialize(value)
                    .ok()
                    .filter(|pair| pair.iter().all(|weight| weight.abs() < 10_000))
                    .ok_or_else(|| WeightsError::NotAPair(name.clone()))?;
                changed.pairs[index] = Pair::new(pair[0], pair[1]);
            }
        }
        *self = changed;
        Ok(())
    }

    /// All weights as a file that [`replace`](Self::replace) reads.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# Weights of the evaluation in centipawns: [middlegame, endgame].\n");
        if self.grain != 1 {
            let _ = writeln!(text, "{GRAIN} = {}", self.grain);
        }
        // Names without a section come first; a section is written once, where its first name is.
        let mut sections: Vec<(&str, String)> = vec![("", String::new())];
        for (name, pair) in NAMES.iter().zip(self.pairs.iter()) {
            let (section, key) = name.rsplit_once('.').unwrap_or(("", name));
            let line = format!("{key} = [{}, {}]\n", pair.middlegame(), pair.endgame());
            match sections.iter_mut().find(|(known, _)| *known == section) {
                Some((_, lines)) => lines.push_str(&line),
                None => sections.push((section, line)),
            }
        }
        for (section, lines) in sections {
            let head = if section.is_empty() { String::new() } else { format!("\n[{section}]\n") };
            text.push_str(&head);
            text.push_str(&lines);
        }
        let _ = writeln!(text, "\n# What is left of an endgame advantage, in 64ths.\n[scale]");
        for (name, scale) in SCALES.iter().zip(&self.scales) {
            let _ = writeln!(text, "{name} = {scale}");
        }
        text
    }
}

/// Every leaf of nested tables with its dotted name.
fn flatten(prefix: &str, table: Table) -> Vec<(String, Toml)> {
    let mut leaves = Vec::new();
    for (key, value) in table {
        let name = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            Toml::Table(inner) => leaves.extend(flatten(&name, inner)),
            leaf => leaves.push((name, leaf)),
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_pair_are_kept_apart() {
        let mut pair = Pair::new(-70, 35);
        pair += Pair::new(30, -40) * -3;
        assert_eq!((pair.middlegame(), pair.endgame()), (-160, 155));
    }

    #[test]
    fn the_built_in_file_names_every_weight_and_nothing_else() {
        let table: Table = toml::from_str(Weights::DEFAULT_TEXT).unwrap();
        let mut named: Vec<String> = flatten("", table).into_iter().map(|(name, _)| name).collect();
        let mut all: Vec<String> =
            NAMES.iter().cloned().chain(SCALES.iter().map(|scale| format!("scale.{scale}"))).collect();
        named.sort();
        all.sort();
        assert_eq!(named, all);
        assert_eq!(Weights::default().clone().replace(Weights::DEFAULT_TEXT), Ok(()));
    }

    #[test]
    fn weights_survive_being_written_to_a_file() {
        let mut other = Weights::default();
        other.pairs.fill(Pair::default());
        other.replace(&Weights::default().to_toml()).unwrap();
        assert_eq!(other.pairs, Weights::default().pairs);
    }

    #[test]
    fn a_file_replaces_what_it_names_and_refuses_what_it_misnames() {
        let mut weights = Weights::default();
        weights.replace("[bishop]\npair = [1, 2]\n").unwrap();
        let index = Weights::names().iter().position(|name| name == "bishop.pair").unwrap();
        assert_eq!(weights.pairs()[index], Pair::new(1, 2));
        let untouched = weights.clone();
        assert_eq!(
            weights.replace("[bishop]\npear = [1, 2]"),
            Err(WeightsError::Unknown("bishop.pear".into()))
        );
        assert_eq!(weights.replace("tempo = 3"), Err(WeightsError::NotAPair("tempo".into())));
        assert_eq!(
            weights.replace("[scale]\nminor_alone = 65"),
            Err(WeightsError::NotAScale("scale.minor_alone".into()))
        );
        assert_eq!(weights.replace("grain = 0"), Err(WeightsError::NotAGrain));
        assert_eq!(weights, untouched);
    }

    #[test]
    fn evaluations_can_be_rounded() {
        let mut weights = Weights::default();
        weights.replace("grain = 10").unwrap();
        assert_eq!([-16, -15, -4, 4, 5, 123].map(|value| weights.round(value)), [-20, -20, 0, 0, 10, 120]);
        let mut again = Weights::default();
        again.replace(&weights.to_toml()).unwrap();
        assert_eq!(again, weights);
    }
}
