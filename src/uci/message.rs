//! The seam to `vampirc-uci`: the messages that it reads and prints well.
//!
//! `go`, `position` and `setoption` are not among them. It loses `ponder` and `movetime` beside clocks, wants six
//! fields in a FEN, panics at a depth above 255, and takes the word `Value` in an option's name for the keyword. It is
//! only ever given text that was put together here, so that no input can make it panic.

use vampirc_uci::{UciMessage, UciOptionConfig, parse_one};

use crate::agents::Setting;

use super::{
    option_values::OptionValues,
    options::{EMPTY, OptionKind, OptionRow},
    scan::{UciCommand, Words},
};

/// Reads a command that has at most one argument.
pub(super) fn simple(word: &str, mut arguments: Words<'_>) -> Option<UciCommand> {
    let text = match (word, arguments.next()) {
        ("uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit", _) => word.to_owned(),
        ("debug", Some(switch @ ("on" | "off"))) => format!("debug {switch}"),
        _ => return None,
    };
    match parse_one(&text) {
        UciMessage::Uci => Some(UciCommand::Uci),
        UciMessage::Debug(on) => Some(UciCommand::Debug(on)),
        UciMessage::IsReady => Some(UciCommand::IsReady),
        UciMessage::UciNewGame => Some(UciCommand::NewGame),
        UciMessage::Stop => Some(UciCommand::Stop),
        UciMessage::PonderHit => Some(UciCommand::PonderHit),
        UciMessage::Quit => Some(UciCommand::Quit),
        _ => None,
    }
}

/// The answer to `uci`: who we are, and the options with `initial` values, up to `uciok`.
pub(super) fn introduction(table: &[OptionRow], initial: &OptionValues) -> Vec<String> {
    let name = format!("Errare {}", env!("CARGO_PKG_VERSION"));
    let mut messages = vec![UciMessage::id_name(&name), UciMessage::id_author("the Errare developers")];
    messages.extend(table.iter().map(|row| UciMessage::Option(declaration(row, initial))));
    messages.push(UciMessage::UciOk);
    messages.iter().map(UciMessage::to_string).collect()
}

/// The answer to `isready`.
pub(super) fn ready() -> String {
    UciMessage::ReadyOk.to_string()
}

fn declaration(row: &OptionRow, initial: &OptionValues) -> UciOptionConfig {
    let name = row.name.to_owned();
    match &row.kind {
        OptionKind::Agent(field) => declared(name, &field.setting, &initial.engine.agent),
        OptionKind::Other(setting) => declared(name, setting, initial),
        OptionKind::Button(_) => UciOptionConfig::Button { name },
    }
}

fn declared<S>(name: String, setting: &Setting<S>, initial: &S) -> UciOptionConfig {
    match setting {
        Setting::Flag { get, .. } => UciOptionConfig::Check { name, default: Some(get(initial)) },
        Setting::Count { range, get, .. } => UciOptionConfig::Spin {
            name,
            default: Some(get(initial)),
            min: Some(*range.start()),
            max: Some(*range.end()),
        },
        Setting::Word { words, get, .. } => {
            UciOptionConfig::Combo { name, default: Some(get(initial)), var: words() }
        }
        Setting::Text { get, .. } => {
            // An empty default can't be seen on the line.
            let default = Some(get(initial)).filter(|text| !text.is_empty());
            UciOptionConfig::String { name, default: default.or_else(|| Some(EMPTY.to_owned())) }
        }
    }
}
