use std::str::FromStr;

/// What somebody who knows better thinks of a position, as White sees it: the symbols of annotators, the Numeric
/// Annotation Glyphs (NAG) of PGN for them, or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment(pub f64);

/// A text that assesses nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no assessment: write a number, a NAG such as $14, or one of +- +/- += = =+ -/+ -+")]
pub struct AssessmentError(String);

/// Each category from −3 to 3 in all its spellings, the NAGs last.
const CATEGORIES: [(f64, &[&str]); 7] = [
    (3.0, &["+-", "+−", "$18", "$20"]),
    (2.0, &["±", "+/-", "+/−", "$16"]),
    (1.0, &["⩲", "+=", "+/=", "$14"]),
    (0.0, &["=", "$10", "$11", "$12"]),
    (-1.0, &["⩱", "=+", "=/+", "$15"]),
    (-2.0, &["∓", "-/+", "−/+", "$17"]),
    (-3.0, &["-+", "−+", "$19", "$21"]),
];

/// An advantage that is not an advantage of either side: unclear, with compensation, with mutual chances.
const UNCLEAR: [&str; 7] = ["∞", "unclear", "=/∞", "$13", "$44", "$45", "$132"];

impl Assessment {
    /// The category of annotators from −3 to 3 that is nearest.
    pub fn category(self) -> i64 {
        self.0.round().clamp(-3.0, 3.0) as i64
    }

    /// Whether a text says that nobody can say who is better.
    pub fn is_unclear(text: &str) -> bool {
        UNCLEAR.contains(&text.trim().trim_matches('"').trim())
    }
}

impl FromStr for Assessment {
    type Err = AssessmentError;

    fn from_str(text: &str) -> Result<Assessment, AssessmentError> {
        let text = text.trim().trim_matches('"').trim();
        let category = CATEGORIES.iter().find(|(_, spellings)| spellings.contains(&text));
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite());
        category
            .map(|&(value, _)| value)
            .or_else(number)
            .map(Assessment)
            .ok_or_else(|| AssessmentError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_glyphs_and_numbers_are_assessments() {
        for (text, expected) in [
            ("+/=", 1.0),
            ("\"⩲\"", 1.0),
            (" -+", -3.0),
            ("$16", 2.0),
            ("=", 0.0),
            ("-0.35", -0.35),
            ("∓", -2.0),
        ] {
            assert_eq!(text.parse(), Ok(Assessment(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_unclear_is_no_assessment() {
        for text in ["", "∞", "$13", "inf", "NaN", "?"] {
            assert!(text.parse::<Assessment>().is_err(), "{text}");
        }
    }
}
