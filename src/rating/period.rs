use std::{fmt, str::FromStr};

use super::Date;

/// A span of time, both ends included, by years or by months: `1971-1981`, `2006.04-2006.12`, `1998.12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    from: Date,
    to: Date,
}

impl Period {
    /// Whether a date lies in it for certain: one whose month is not known does if the whole year does.
    pub fn contains(&self, date: &str) -> bool {
        Date::read(date)
            .map(Date::months)
            .is_some_and(|(first, last)| self.from.months().0 <= first && last <= self.to.months().1)
    }
}

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Period, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let read = |part: &str| {
            Date::read(part).filter(|date| date.day.is_none() && date.to_string() == part.trim())
        };
        match (read(from), read(to)) {
            (Some(from), Some(to)) if from.months().0 <= to.months().1 => Ok(Period { from, to }),
            _ => Err(format!("'{text}' is no period; write it as 1971-1981 or 2006.04-2006.12")),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_as_they_are_written() {
        for text in ["1971-1981", "2006", "2006.04-2006.12", "1998.12", "2005.10-2006"] {
            assert_eq!(text.parse::<Period>().unwrap().to_string(), text);
        }
        for text in
            ["", "x", "1981-1971", "2006.13", "2006.04.01", "2006.12-2006.04", "2006.-2007", "99999999"]
        {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_date_without_a_month_belongs_to_whole_years() {
        let rows = [
            ("2006.04-2006.12", "2006.04.01", true),
            ("2006.04-2006.12", "2006-12-31", true),
            ("2006.04-2006.12", "2006.03.31", false),
            ("2006.04-2006.12", "2006.??.??", false),
            ("2006.04-2007", "2007.??.??", true),
            ("1971-1981", "1981", true),
            ("1971-1981", "1982.01.01", false),
            ("1971-1981", "????.??.??", false),
        ];
        for (period, date, contains) in rows {
            assert_eq!(period.parse::<Period>().unwrap().contains(date), contains, "{date} in {period}");
        }
    }
}
