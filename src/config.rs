//! `engine.toml`: every setting, its default, and where it is looked for.

use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::{
    Spanned, Table, Value as Toml,
    de::{DeTable, DeValue},
};

use crate::{
    agents::{AgentSpec, FIELDS, Setting},
    directories,
    endgame::TableConfig,
    evaluation::Evaluation,
    search::SearchSettings,
};

/// All settings. The defaults are those of the embedded `engine.toml`.
#[derive(Clone, Debug)]
pub struct Config {
    /// Endgame tables.
    pub tables: TableConfig,
    /// The protocol.
    pub uci: UciConfig,
    /// The search.
    pub search: SearchConfig,
    /// Who plays, and what is believed of the opponent.
    pub play: AgentSpec,
    /// What is remembered of opponents.
    pub profiles: ProfileConfig,
    /// Numbers out of their range that were replaced by the nearest, in words.
    pub corrections: Vec<String>,
}

/// Section `[search]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchConfig {
    /// Transposition table, in MiB.
    pub hash: u32,
    /// Threads that search together.
    pub threads: u16,
    /// Best lines that are shown.
    pub multi_pv: u16,
    /// What evaluates: empty for the built-in network, `hand-crafted`, or a file of weights or of a network.
    pub weights: String,
}

/// Section `[profiles]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileConfig {
    /// Whether opponents are remembered.
    pub enabled: bool,
    /// Where; empty for the default place.
    pub path: String,
}

/// Section `[uci]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UciConfig {
    /// Where to log to; empty for standard error.
    pub log_file: String,
    /// Of everything left to chance; 0 for another one each time.
    pub seed: u32,
    /// What a move loses on its way to the other side's clock, in milliseconds.
    pub move_overhead: u32,
    /// Whether answers name the reply to think about in the opponent's time.
    pub ponder: bool,
}

impl UciConfig {
    /// Several programs keep spins in 32 bits with a sign.
    pub const SEED: RangeInclusive<i64> = 0..=i32::MAX as i64;
}

/// What a whole number in a section may be.
fn range(section: &str, key: &str) -> Option<RangeInclusive<i64>> {
    Some(match (section, key) {
        ("tables", "syzygy_men") => TableConfig::SYZYGY_MEN,
        ("tables", "build_men") => TableConfig::BUILD_MEN,
        ("tables", "memory") => TableConfig::MEMORY,
        ("uci", "seed") => UciConfig::SEED,
        ("uci", "move_overhead") => SearchSettings::MOVE_OVERHEAD,
        ("search", "hash") => SearchSettings::HASH,
        ("search", "threads") => SearchSettings::THREADS,
        ("search", "multi_pv") => SearchSettings::MULTI_PV,
        ("play", key) => match &FIELDS.iter().find(|field| field.key == key)?.setting {
            Setting::Count { range, .. } => range.clone(),
            _ => return None,
        },
        _ => return None,
    })
}

/// What is wrong with a settings file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file was named but can't be read.
    #[error("cannot read {path}: {source}; check the name given with --config")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not what it should be.
    #[error("{path}:{line}: {what}; 'errare settings' prints every setting with its default")]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The key or text at fault.
        what: String,
    },
}

impl Config {
    /// The embedded `engine.toml`.
    pub const DEFAULT_TEXT: &str = include_str!("../engine.toml");

    /// What holds if nothing is said.
    pub fn built_in() -> Result<Config, ConfigError> {
        Config::parse(Path::new("engine.toml"), "")
    }

    /// The defaults, overlaid with `given`, or else with the first `engine.toml` that is found in
    /// the working directory, beside the program, or in the user's configuration directory.
    pub fn load(given: Option<&Path>) -> Result<Config, ConfigError> {
        let found = given.map(Path::to_owned).or_else(|| places().into_iter().find(|path| path.is_file()));
        let Some(path) = found else { return Config::built_in() };
        let text = directories::read_regular(&path)
            .map_err(|source| ConfigError::Unreadable { path: path.clone(), source })?;
        Config::parse(&path, &text)
    }

    /// The defaults, overlaid with `text`; `path` is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
        let wrong = |offset: usize, what: String| ConfigError::Wrong {
            path: path.to_owned(),
            line: 1 + text[..offset.min(text.len())].matches('\n').count(),
            what,
        };
        let mut settings: Table = toml::from_str(Config::DEFAULT_TEXT)
            .map_err(|error| wrong(0, format!("the built-in settings are damaged: {}", error.message())))?;
        let given = DeTable::parse(text)
            .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        let mut corrections = Vec::new();
        let mut correct = |offset: usize, what: String| corrections.push(wrong(offset, what).to_string());
        overlay(&mut settings, given.get_ref(), "", &mut correct)
            .map_err(|(offset, what)| wrong(offset, what))?;
        let sections: Sections = settings
            .try_into()
            .map_err(|error: toml::de::Error| wrong(0, error.message().replace('\n', " ")))?;
        let mut play = AgentSpec::default();
        for (key, value) in &sections.play {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let place = given.get_ref().get("play").and_then(|play| play.get_ref().as_table());
            let place = place.and_then(|play| play.get_key_value(key.as_str()));
            let offset = place.map_or(0, |(key, _)| key.span().start);
            play.set(key, &text).map_err(|what| wrong(offset, format!("'{key}' in [play]: {what}")))?;
        }
        let Sections { tables, uci, mut search, profiles, .. } = sections;
        if let Err(error) = Evaluation::read(&search.weights) {
            let what = format!("'weights' in [search]: {error}: the built-in network is used");
            corrections.push(wrong(text.find("weights").unwrap_or(0), what).to_string());
            search.weights.clear();
        }
        Ok(Config { tables, uci, search, play, profiles, corrections })
    }
}

/// The sections of the file. What is in `[play]` an [`AgentSpec`] reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sections {
    tables: TableConfig,
    uci: UciConfig,
    search: SearchConfig,
    play: Table,
    profiles: ProfileConfig,
}

/// Where an `engine.toml` may lie, the strongest first.
fn places() -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from("engine.toml")];
    if let Some(folder) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        places.push(folder.join("engine.toml"));
    }
    if let Some(folder) = directories::config() {
        places.push(folder.join("engine.toml"));
    }
    places
}

/// Lays the `given` settings over the defaults. An error is an offset into the text and what is wrong there.
fn overlay(
    settings: &mut Table,
    given: &DeTable<'_>,
    section: &str,
    correct: &mut dyn FnMut(usize, String),
) -> Result<(), (usize, String)> {
    for (key, value) in given {
        let name = key.get_ref();
        let Some(default) = settings.get_mut(name.as_ref()) else {
            let known: Vec<_> = settings.keys().map(String::as_str).collect();
            let place = if section.is_empty() { String::new() } else { format!(" in [{section}]") };
            return Err((
                key.span().start,
                format!("unknown setting '{name}'{place} (known: {})", known.join(", ")),
            ));
        };
        replace(default, value, section, name, correct)?;
    }
    Ok(())
}

/// The number in the range that is nearest to a text of digits, however many.
fn nearest(digits: &str, range: RangeInclusive<i64>) -> i64 {
    let huge = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
    digits.parse().unwrap_or(huge).clamp(*range.start(), *range.end())
}

fn replace(
    default: &mut Toml,
    value: &Spanned<DeValue<'_>>,
    section: &str,
    name: &str,
    correct: &mut dyn FnMut(usize, String),
) -> Result<(), (usize, String)> {
    let replacement = match (&mut *default, value.get_ref()) {
        (Toml::Table(inner), DeValue::Table(table)) => return overlay(inner, table, name, correct),
        (Toml::String(_), DeValue::String(text)) => Some(Toml::String(text.to_string())),
        (Toml::Boolean(_), DeValue::Boolean(flag)) => Some(Toml::Boolean(*flag)),
        (Toml::Integer(_), DeValue::Integer(number)) => {
            let said = number.as_str();
            let nearest = nearest(said, range(section, name).unwrap_or(i64::MIN..=i64::MAX));
            if said.parse() != Ok(nearest) {
                correct(value.span().start, format!("'{name}' can't be {said}: {nearest} is used"));
            }
            Some(Toml::Integer(nearest))
        }
        (Toml::Float(_), DeValue::Integer(number)) => number.as_str().parse().ok().map(Toml::Float),
        (Toml::Float(_), DeValue::Float(number)) => number.as_str().parse().ok().map(Toml::Float),
        _ => None,
    };
    let kind = default.type_str();
    *default = replacement.ok_or_else(|| (value.span().start, format!("'{name}' must be of type {kind}")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Config::parse(Path::new("engine.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn the_built_in_settings_are_complete() {
        let config = Config::parse(Path::new("engine.toml"), "").unwrap();
        assert_eq!(config.tables.build_men, 4);
        assert_eq!(config.play, AgentSpec::default(), "engine.toml says what holds if nothing is said");
    }

    #[test]
    fn a_setting_of_the_agent_that_makes_no_sense_is_refused_by_name_and_line() {
        for (text, what) in
            [("agent = \"joho\"", "there is no agent 'joho'"), ("kappa = -1.0", "'kappa' in [play]")]
        {
            let message = message(&format!("[play]\nhorizon = 3\n{text}\n"));
            assert!(message.starts_with("engine.toml:3: ") && message.contains(what), "{message}");
        }
    }

    #[test]
    fn a_number_out_of_range_is_replaced_by_the_nearest_and_the_engine_goes_on() {
        let text = "[search]\nhash = 4294967295\nthreads = 65535\n[play]\nhorizon = 65535\n[uci]\n\
                    seed = -99999999999999999999\n";
        let config = Config::parse(Path::new("engine.toml"), text).unwrap();
        assert_eq!((config.search.hash, config.search.threads), (65_536, 256));
        assert_eq!((config.play.horizon, config.uci.seed), (500, 0));
        assert_eq!(config.corrections.len(), 4);
        let hash = config.corrections.iter().find(|line| line.starts_with("engine.toml:2: ")).unwrap();
        assert!(hash.contains("'hash' can't be 4294967295: 65536 is used"), "{hash}");
    }

    #[test]
    fn line_ends_of_another_system_and_its_paths_are_read() {
        let text =
            "\u{feff}[tables]\r\npath = 'C:\\Users\\Ada\\tables'\r\nsyzygy = \"D:\\\\syzygy;E:\\\\more\"\r\n";
        let config = Config::parse(Path::new("engine.toml"), text).unwrap();
        assert_eq!(config.tables.path, "C:\\Users\\Ada\\tables");
        assert_eq!(config.tables.syzygy, "D:\\syzygy;E:\\more");
    }

    #[test]
    fn a_file_replaces_only_what_it_names() {
        let config = Config::parse(Path::new("engine.toml"), "[tables]\nbuild_men = 5\n").unwrap();
        assert_eq!(config.tables.build_men, 5);
        assert_eq!(config.tables.memory, 4096);
    }

    #[test]
    fn an_unknown_key_is_refused_by_name_and_line() {
        let message = message("# mine\n[tables]\npaht = \"x\"\n");
        assert!(message.starts_with("engine.toml:3: unknown setting 'paht' in [tables]"), "{message}");
    }

    #[test]
    fn a_value_of_the_wrong_type_is_refused_by_name_and_line() {
        let message = message("[tables]\nmemory = \"much\"\n");
        assert!(message.starts_with("engine.toml:2: 'memory' must be of type integer"), "{message}");
    }

    #[test]
    fn broken_syntax_is_refused_by_line() {
        let message = message("[tables]\nmemory = \n");
        assert!(message.starts_with("engine.toml:2: "), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}
