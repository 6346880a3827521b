//! What the options are set to.

use crate::{config::Config, engine, human::EloPrior};

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

    /// Takes over what `UCI_Opponent` says: title, rating, human or computer, and the name. The title does not matter.
    pub fn meet(&mut self, opponent: &str) {
        self.opponent = opponent.to_owned();
        let words: Vec<_> = opponent.split_whitespace().collect();
        let name = if words.len() > 3 { &words[3..] } else { &[] };
        self.engine.opponent_name = name.join(" ");
        let rating = words.get(1).and_then(|word| word.parse().ok()).filter(|rating| *rating > 0);
        self.engine.opponent_prior = match words.get(2).copied() {
            Some("computer") => EloPrior::Computer(rating),
            Some(_) => EloPrior::Person(rating),
            None => EloPrior::Unknown,
        };
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
    fn the_opponent_is_told_by_rating_kind_and_name() {
        let mut settings = OptionValues::initial();
        for (said, name, prior) in [
            ("GM 2800 human Gary Kasparov", "Gary Kasparov", EloPrior::Person(Some(2800))),
            ("none none computer Shredder", "Shredder", EloPrior::Computer(None)),
            ("none none human", "", EloPrior::Person(None)),
            ("", "", EloPrior::Unknown),
        ] {
            settings.meet(said);
            assert_eq!(settings.engine.opponent_name, name, "{said}");
            assert_eq!(settings.engine.opponent_prior, prior, "{said}");
        }
    }
}
