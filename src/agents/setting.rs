use std::ops::RangeInclusive;

/// How one setting among `S` is read and changed, and what it may be set to.
pub enum Setting<S> {
    /// Yes or no.
    Flag {
        /// The value now.
        get: fn(&S) -> bool,
        /// Changes it.
        set: fn(&mut S, bool),
    },
    /// A whole number.
    Count {
        /// The least and the greatest.
        range: RangeInclusive<i64>,
        /// The value now.
        get: fn(&S) -> i64,
        /// Changes it to one in the range.
        set: fn(&mut S, i64),
    },
    /// One of a few words.
    Word {
        /// Which.
        words: fn() -> Vec<String>,
        /// The value now.
        get: fn(&S) -> String,
        /// Changes it, or says why it can't be so.
        set: fn(&mut S, &str) -> Result<(), String>,
    },
    /// Any text that can be read.
    Text {
        /// The value now.
        get: fn(&S) -> String,
        /// Changes it, or says why it can't be so.
        set: fn(&mut S, &str) -> Result<(), String>,
    },
}

impl<S> Setting<S> {
    /// The value now, as text that [`Setting::set`] reads.
    pub fn get(&self, settings: &S) -> String {
        match self {
            Setting::Flag { get, .. } => get(settings).to_string(),
            Setting::Count { get, .. } => get(settings).to_string(),
            Setting::Word { get, .. } | Setting::Text { get, .. } => get(settings),
        }
    }

    /// Sets it, or says why it can't be so.
    pub fn set(&self, settings: &mut S, text: &str) -> Result<(), String> {
        match self {
            Setting::Flag { set, .. } => {
                let value = text.to_ascii_lowercase().parse();
                set(settings, value.map_err(|_| "it must be true or false")?);
            }
            Setting::Count { range, set, .. } => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                let remedy = || format!("it must be an integer from {} to {}", range.start(), range.end());
                set(settings, number.ok_or_else(remedy)?);
            }
            Setting::Word { set, .. } | Setting::Text { set, .. } => set(settings, text)?,
        }
        Ok(())
    }
}
