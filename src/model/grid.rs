use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Scale;

/// Evenly spaced candidates for a competence, written c_min(δ)c_max as in the papers: `0(1)50`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Grid {
    min: f64,
    max: f64,
    count: usize,
}

/// A text or numbers that make no grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no grid of candidates: {reason}; write it as 0(1)50")]
pub struct NoGrid {
    given: String,
    reason: &'static str,
}

impl Grid {
    /// More candidates than this are refused.
    pub const MOST: usize = 1_000_001;

    /// The candidates that are considered where nobody says otherwise: 0(1)50 and 0(0.01)3.
    pub fn usual(scale: Scale) -> Grid {
        match scale {
            Scale::Table => Grid { min: 0.0, max: 50.0, count: 51 },
            Scale::Evaluation => Grid { min: 0.0, max: 3.0, count: 301 },
        }
    }

    /// c_min(δ)c_max. The step must divide the range.
    pub fn new(min: f64, step: f64, max: f64) -> Result<Grid, NoGrid> {
        let refuse = |reason| Err(NoGrid { given: format!("{min}({step}){max}"), reason });
        if !(min.is_finite() && max.is_finite() && step.is_finite()) {
            return refuse("its numbers must be finite");
        }
        if step <= 0.0 || max < min {
            return refuse("the step must be positive and the end no less than the beginning");
        }
        let steps = (max - min) / step;
        if steps > (Grid::MOST - 1) as f64 {
            return refuse("it has too many candidates");
        }
        // Decimal fractions such as 0.01 divide a range only up to rounding.
        if (steps - steps.round()).abs() > 1e-6 {
            return refuse("the step does not divide the range");
        }
        Ok(Grid { min, max, count: steps.round() as usize + 1 })
    }

    /// `count` candidates evenly spaced on [min, max], both ends included.
    pub fn evenly(min: f64, max: f64, count: usize) -> Result<Grid, NoGrid> {
        let refuse =
            |reason| Err(NoGrid { given: format!("{count} candidates from {min} to {max}"), reason });
        if !(min.is_finite() && max.is_finite() && min <= max) {
            return refuse("its ends must be finite and in order");
        }
        match count {
            1 if min == max => {}
            2..=Grid::MOST if min < max => {}
            _ => return refuse("the number of candidates does not fit the range"),
        }
        Ok(Grid { min, max, count })
    }

    /// How many candidates there are: at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The lowest candidate.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The highest candidate.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The distance of neighbours; 1 if there is one candidate.
    pub fn step(&self) -> f64 {
        if self.count == 1 { 1.0 } else { (self.max - self.min) / (self.count - 1) as f64 }
    }

    /// Candidate number `index`, counted from 0.
    pub fn candidate(&self, index: usize) -> f64 {
        if self.count == 1 {
            return self.min;
        }
        let steps = (self.count - 1) as f64;
        // Both ends and, on a range around it, zero come out exactly.
        (self.min * (steps - index as f64) + self.max * index as f64) / steps
    }

    /// All candidates, ascending.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.count).map(|index| self.candidate(index))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}){}", self.min, self.step(), self.max)
    }
}

impl FromStr for Grid {
    type Err = NoGrid;

    fn from_str(text: &str) -> Result<Grid, NoGrid> {
        let refuse = |reason| NoGrid { given: text.to_owned(), reason };
        let number =
            |part: &str| part.trim().parse::<f64>().map_err(|_| refuse("it does not read as numbers"));
        let (min, rest) = text.split_once('(').ok_or_else(|| refuse("the step in parentheses is missing"))?;
        let (step, max) = rest.split_once(')').ok_or_else(|| refuse("the step in parentheses is missing"))?;
        let (min, step, max) = (number(min)?, number(step)?, number(max)?);
        Grid::new(min, step, max).map_err(|error| NoGrid { given: text.to_owned(), ..error })
    }
}

impl TryFrom<String> for Grid {
    type Error = NoGrid;

    fn try_from(text: String) -> Result<Grid, NoGrid> {
        text.parse()
    }
}

impl From<Grid> for String {
    fn from(grid: Grid) -> String {
        grid.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_notation_is_read_and_written() {
        for (text, count) in
            [("0(1)50", 51), ("0(0.01)50", 5001), ("0(10)50", 6), ("-10(0.5)10", 41), ("7(1)7", 1)]
        {
            let grid: Grid = text.parse().unwrap();
            assert_eq!((grid.to_string().as_str(), grid.len()), (text, count));
        }
    }

    #[test]
    fn candidates_are_the_decimal_numbers_one_expects() {
        let grid: Grid = "0(0.01)50".parse().unwrap();
        assert_eq!(grid.candidate(1), 0.01);
        assert_eq!(grid.candidate(1843), 18.43);
        assert_eq!(grid.candidate(5000), 50.0);
        assert_eq!("-3(0.3)3".parse::<Grid>().unwrap().candidate(10), 0.0);
    }

    #[test]
    fn a_grid_by_number_of_candidates_can_be_written_and_read_again() {
        let grid = Grid::evenly(0.0, 7.0, 41).unwrap();
        assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        for text in
            ["", "50", "0(1", "0(0)50", "0(-1)50", "50(1)0", "0(7)50", "0(1e-9)50", "0(1)inf", "nan(1)50"]
        {
            assert!(text.parse::<Grid>().is_err(), "{text}");
        }
    }
}
