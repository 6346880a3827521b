//! The options: one table, from which their declaration, their parsing and their documentation come.

mod table;

use std::fmt::Write;

use crate::agents::{Field, Setting};

use super::{option_values::OptionValues, scan::quote};

pub use table::table;

/// An option.
pub struct OptionRow {
    /// What chess programs show. Those hide names that begin with `UCI_` from people.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// What it may be set to, and how.
    pub kind: OptionKind,
}

/// What is behind an option. The value at the start is the default.
pub enum OptionKind {
    /// A setting of the agent.
    Agent(&'static Field),
    /// Any other setting.
    Other(Setting<OptionValues>),
    /// Something to be done.
    Button(Effect),
}

/// What is to be done after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing has changed.
    None,
    /// Make the settings known.
    Configure,
    /// Forget what was learned in searches.
    ClearHash,
}

/// Why an option can't be set.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("setoption: there is no option '{0}'; 'uci' lists all of them")]
    Unknown(String),
    /// There is, but it can't have this value.
    #[error("setoption: {name} cannot be '{value}': {cause}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was sent.
        value: String,
        /// What would be right.
        cause: String,
    },
}

/// Sets the option of this name (capitals don't matter). Without a value, only a button does anything.
pub fn set(
    table: &[OptionRow],
    settings: &mut OptionValues,
    name: &str,
    value: Option<&str>,
) -> Result<Effect, OptionError> {
    let row = table.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| OptionError::Unknown(quote(name)))?;
    let wrong = |value, cause| OptionError::Value { name: row.name, value: quote(value), cause };
    match (&row.kind, value) {
        (OptionKind::Button(effect), _) => return Ok(*effect),
        (_, None) => return Ok(Effect::None),
        (OptionKind::Agent(field), Some(value)) => field
            .setting
            .set(&mut settings.engine.agent, text_of(value))
            .map_err(|cause| wrong(value, cause))?,
        (OptionKind::Other(setting), Some(value)) => {
            setting.set(settings, text_of(value)).map_err(|cause| wrong(value, cause))?
        }
    }
    Ok(Effect::Configure)
}

/// What programs send for an empty text.
pub(super) const EMPTY: &str = "<empty>";

fn text_of(value: &str) -> &str {
    if value == EMPTY { "" } else { value }
}

/// The table for people, in Markdown, with the values of `initial` as defaults.
pub fn markdown(table: &[OptionRow], initial: &OptionValues) -> String {
    let mut text = String::from(
        "# Options\n\n\
         Printed by `errare options`. Chess programs show these in the engine's settings; `setoption` sets them.\n\n\
         | option | kind | default | values | meaning |\n|---|---|---|---|---|\n",
    );
    for OptionRow { name, help, kind } in table {
        let (kind, default, values) = match kind {
            OptionKind::Agent(field) => described(&field.setting, &initial.engine.agent),
            OptionKind::Other(setting) => described(setting, initial),
            OptionKind::Button(_) => ("button", String::new(), String::new()),
        };
        // Writing to a string can't fail.
        let _ = writeln!(text, "| `{name}` | {kind} | {default} | {values} | {help} |");
    }
    text
}

/// The kind, the default and the possible values of a setting.
fn described<S>(setting: &Setting<S>, initial: &S) -> (&'static str, String, String) {
    let (kind, values) = match setting {
        Setting::Flag { .. } => ("check", "true, false".to_owned()),
        Setting::Count { range, .. } => ("spin", format!("{} to {}", range.start(), range.end())),
        Setting::Word { words, .. } => ("combo", words().join(", ")),
        Setting::Text { .. } => ("string", "any text".to_owned()),
    };
    (kind, setting.get(initial), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One option of each kind, since the real table need not have all.
    const SAMPLE: &[OptionRow] = &[
        OptionRow {
            name: "Flag",
            help: "",
            kind: OptionKind::Other(Setting::Flag {
                get: |settings| settings.ponder,
                set: |settings, value| settings.ponder = value,
            }),
        },
        OptionRow {
            name: "Two Words",
            help: "",
            kind: OptionKind::Other(Setting::Count {
                range: 1..=9,
                get: |settings| settings.engine.seed.into(),
                set: |settings, value| settings.engine.seed = value as u32,
            }),
        },
        OptionRow {
            name: "Text",
            help: "",
            kind: OptionKind::Other(Setting::Text {
                get: |settings| settings.log_file.clone(),
                set: |settings, value| {
                    settings.log_file = value.to_owned();
                    Ok(())
                },
            }),
        },
        OptionRow { name: "Press", help: "", kind: OptionKind::Button(Effect::ClearHash) },
    ];

    fn after(name: &str, value: Option<&str>) -> (Result<Effect, String>, OptionValues) {
        let mut settings = OptionValues { log_file: "before".to_owned(), ..OptionValues::initial() };
        let effect = set(SAMPLE, &mut settings, name, value).map_err(|error| error.to_string());
        (effect, settings)
    }

    #[test]
    fn each_kind_takes_its_values() {
        assert!(after("Flag", Some("true")).1.ponder);
        assert!(after("flag", Some("True")).1.ponder);
        assert_eq!(after("two words", Some("9")).1.engine.seed, 9);
        assert_eq!(after("Text", Some("a  b")).1.log_file, "a  b");
        assert_eq!(after("Text", Some("<empty>")).1.log_file, "");
        assert_eq!(after("Press", None).0, Ok(Effect::ClearHash));
    }

    #[test]
    fn a_wrong_value_changes_nothing_and_the_remedy_is_told() {
        for (name, value, remedy) in [
            ("Flag", "yes", "true or false"),
            ("Two Words", "0", "from 1 to 9"),
            ("Two Words", "10", "from 1 to 9"),
            ("Two Words", "99999999999999999999", "from 1 to 9"),
            ("Two Words", "1.5", "from 1 to 9"),
            ("Nothing", "1", "'uci' lists"),
        ] {
            let (effect, settings) = after(name, Some(value));
            let message = effect.unwrap_err();
            assert!(message.contains(remedy), "{message}");
            assert_eq!(settings, after("Flag", None).1, "{name} {value}");
        }
    }

    #[test]
    fn only_a_button_does_anything_without_a_value() {
        for name in ["Flag", "Two Words", "Text"] {
            let (effect, settings) = after(name, None);
            assert_eq!(effect, Ok(Effect::None));
            assert_eq!(settings.log_file, "before");
        }
    }

    #[test]
    fn names_and_values_contain_no_words_of_the_protocol() {
        let initial = OptionValues::initial();
        for row in table() {
            let value = match &row.kind {
                OptionKind::Agent(Field { setting: Setting::Word { words, .. }, .. }) => {
                    assert!(words().iter().all(|word| !word.contains(' ')), "{}", row.name);
                    words().join(" ")
                }
                OptionKind::Other(setting @ Setting::Text { .. }) => setting.get(&initial),
                _ => String::new(),
            };
            for word in row.name.split(' ').chain(value.split(' ')) {
                let reserved = ["name", "type", "default", "min", "max", "var", "value"];
                assert!(!reserved.contains(&word), "{}: {word}", row.name);
            }
        }
    }

    #[test]
    fn what_is_read_from_an_option_can_be_written_to_it() {
        let mut settings = OptionValues { ponder: true, ..OptionValues::initial() };
        settings.engine.seed = 3;
        let before = settings.clone();
        for row in table() {
            let value = match &row.kind {
                OptionKind::Agent(field) => field.setting.get(&settings.engine.agent),
                OptionKind::Other(setting) => setting.get(&settings),
                OptionKind::Button(_) => continue,
            };
            set(table(), &mut settings, row.name, Some(&value)).unwrap();
        }
        assert_eq!(settings, before);
    }
}
