//! What the options are set to.

use crate::{config::Config, engine};

/// The values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValues {
    /// Where to log to; empty for standard error.
    pub log_file: String,
    /// Whether answers name the expected reply.
    pub ponder: bool,
    /// Whether castling is written as the king taking its rook.
    pub chess960: bool,
    /// Whether chances to win, draw and lose are told.
    pub show_wdl: bool,
    /// Who plays, as the GUI has told it.
    pub opponent: String,
    /// What playing depends on.
    pub engine: engine::SeatSettings,
}

impl OptionValues {
    /// The settings at the start.
    pub fn new(config: &Config) -> OptionValues {
        OptionValues {
            log_file: config.uci.log_file.clone(),
            ponder: config.uci.ponder,
            chess960: false,
            show_wdl: false,
            opponent: String::new(),
            engine: engine::SeatSettings::new(config),
        }
    }

    /// Takes over what `UCI_Opponent` says: title, rating, human or computer, and the name, of which only the name
    /// matters.
    pub fn meet(&mut self, opponent: &str) {
        self.opponent = opponent.to_owned();
        let words: Vec<_> = opponent.split_whitespace().collect();
        let name = if words.len() > 3 { &words[3..] } else { &[] };
        self.engine.opponent_name = name.join(" ");
    }

    #[cfg(test)]
    pub(super) fn initial() -> OptionValues {
        OptionValues::new(&Config::built_in().unwrap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_opponent_follows_three_words() {
        let mut settings = OptionValues::initial();
        for (said, name) in [
            ("GM 2800 human Gary Kasparov", "Gary Kasparov"),
            ("none none computer Shredder", "Shredder"),
            ("none none human", ""),
            ("", ""),
        ] {
            settings.meet(said);
            assert_eq!(settings.engine.opponent_name, name, "{said}");
        }
    }
}
