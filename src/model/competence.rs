use std::fmt;

use super::Scale;

/// How well a player chooses: c = 0 plays at random, +∞ is infallible, c < 0 errs on purpose,
/// −∞ always plays a worst move (Haworth 2003, §3). The infinities are proper values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Competence {
    c: f64,
    scale: Scale,
}

/// A text or number that is no competence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no competence: use a number from -1000 to 1000, inf or -inf")]
pub struct NoCompetence(pub String);

/// No finite competence that anybody names is greater: nothing is told apart beyond it.
const MOST: f64 = 1000.0;

impl Competence {
    /// A competence on a scale; only NaN is refused.
    pub fn new(c: f64, scale: Scale) -> Result<Competence, NoCompetence> {
        if c.is_nan() { Err(NoCompetence(c.to_string())) } else { Ok(Competence { c, scale }) }
    }

    /// That of a player of whom nothing is said: about that of a strong person.
    pub fn typical(scale: Scale) -> Competence {
        let c = match scale {
            Scale::Table => 20.0,
            Scale::Evaluation => 1.0,
        };
        Competence { c, scale }
    }

    /// R_∞.
    pub fn infallible(scale: Scale) -> Competence {
        Competence { c: f64::INFINITY, scale }
    }

    /// Reads `20`, `-0.5`, `inf`, `-inf` or `∞`.
    pub fn parse(text: &str, scale: Scale) -> Result<Competence, NoCompetence> {
        let plain = text.trim().replace('∞', "inf").replace('−', "-");
        let c: f64 = plain.parse().map_err(|_| NoCompetence(text.to_owned()))?;
        if c.is_finite() && c.abs() > MOST {
            return Err(NoCompetence(text.to_owned()));
        }
        Competence::new(c, scale).map_err(|_| NoCompetence(text.to_owned()))
    }

    /// The number, never NaN.
    pub fn get(self) -> f64 {
        self.c
    }

    /// Its scale.
    pub fn scale(self) -> Scale {
        self.scale
    }
}

/// The number alone, as [`Competence::parse`] reads it.
impl fmt::Display for Competence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.c.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinities_are_proper_values() {
        let read = |text| Competence::parse(text, Scale::Table).map(Competence::get);
        assert_eq!(read("20"), Ok(20.0));
        assert_eq!(read("inf"), Ok(f64::INFINITY));
        assert_eq!(read("-inf"), Ok(f64::NEG_INFINITY));
        assert_eq!(read("−∞"), Ok(f64::NEG_INFINITY));
        assert_eq!(Competence::infallible(Scale::Table).to_string(), "inf");
    }

    #[test]
    fn what_is_no_number_is_refused_by_name() {
        for text in ["", "nan", "NaN", "strong", "1,5"] {
            assert_eq!(Competence::parse(text, Scale::Table), Err(NoCompetence(text.to_owned())));
        }
    }
}
