use std::fmt;

/// A date as far as it is known: a year, perhaps a month, perhaps a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: Option<u32>,
    /// The day, from 1.
    pub day: Option<u32>,
}

impl Date {
    /// A date such as `1978.07.18`, `1978-07` or `1978.??.??`; nothing if it has no year.
    pub fn read(text: &str) -> Option<Date> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = parts.next()?.parse().ok().filter(|year| *year <= 9999)?;
        let mut within = |most| parts.next()?.parse().ok().filter(|number| (1..=most).contains(number));
        Some(Date { year, month: within(12), day: within(31) })
    }

    /// The first and the last month that may be meant, counted from the year 0.
    pub fn months(self) -> (u32, u32) {
        let january = self.year * 12;
        self.month.map_or((january, january + 11), |month| (january + month - 1, january + month - 1))
    }

    /// The date as a number of years; unknown months and days count as the middle.
    pub fn years(self) -> f64 {
        let month = self.month.map_or(6.5, f64::from);
        let day = self.day.map_or(15.0, f64::from);
        f64::from(self.year) + (month - 1.0) / 12.0 + (day - 1.0) / 365.0
    }
}

/// With points, as in PGN, and without what is not known.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.year)?;
        let known = self.month.into_iter().chain(self.day.filter(|_| self.month.is_some()));
        known.into_iter().try_for_each(|number| write!(f, ".{number:02}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_years() {
        for text in ["1978.07.01", "1978.??.??", "1978-07-01", "1978"] {
            assert!((Date::read(text).unwrap().years() - 1978.5).abs() < 0.01, "{text}");
        }
        assert_eq!(Date::read("????.??.??"), None);
        assert_eq!(Date::read("1978.13.01").unwrap().to_string(), "1978");
        assert_eq!(Date::read("1978/07/18").unwrap().to_string(), "1978.07.18");
    }
}
