//! The settings of an agent, one by one: their keys, the names of their options, what they may be set to.
//!
//! A new setting needs: a field of [`AgentSpec`] and its default, an entry in [`FIELDS`], a line in `engine.toml` under
//! `[play]`, and its key in [`AgentKind::fields`] of each agent that uses it.

use std::ops::RangeInclusive;

use super::{AgentKind, AgentSpec, KINDS, Plies, Rule, Setting};
use crate::model::{Competence, Metric, Scale};

/// One setting of an [`AgentSpec`].
pub struct Field {
    /// The key in `engine.toml` and in the notation for players.
    pub key: &'static str,
    /// A shorter key for the notation.
    pub short: Option<&'static str>,
    /// The name of the option in chess programs.
    pub option: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// How it is read and changed.
    pub setting: Setting<AgentSpec>,
}

/// Elos, by results, that a person can be played at.
pub const ELO_RANGE: RangeInclusive<i64> = 1200..=2700;

/// The field of a key, long or short.
pub fn field(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key == key || field.short == Some(key))
}

/// All settings, in the order in which chess programs show them.
pub const FIELDS: &[Field] = &[
    Field {
        key: "agent",
        short: None,
        option: "Agent",
        help: "Who chooses the moves. Predator: what is hardest for this opponent. Player: by \
               chance, at a competence. Emulator: at a steadier one. Coach: at yours, with comments on your moves. \
               Infallible: a best move. Search: the strongest move found, and nothing learned of the opponent.",
        setting: Setting::Word {
            words: || KINDS.iter().map(|kind| kind.name.to_owned()).collect(),
            get: |spec| spec.kind.name.to_owned(),
            set: |spec, text| read(&mut spec.kind, AgentKind::find(text)),
        },
    },
    Field {
        key: "limit_strength",
        short: None,
        option: "UCI_LimitStrength",
        help: "The engine plays as a person of the Elo below: Player, Emulator or Coach, else as Player.",
        setting: Setting::Flag {
            get: |spec| spec.limit_strength,
            set: |spec, value| spec.limit_strength = value,
        },
    },
    Field {
        key: "elo",
        short: None,
        option: "UCI_Elo",
        help: "How strong a person, by results, where UCI_LimitStrength is on. Coach begins with it, then plays at your level.",
        setting: Setting::Count {
            range: ELO_RANGE,
            get: |spec| spec.elo.into(),
            set: |spec, number| spec.elo = number as u16,
        },
    },
    Field {
        key: "human_pace",
        short: None,
        option: "Human Pace",
        help: "Where UCI_LimitStrength is on and a clock runs: the harder a decision is for such a person, the longer it takes.",
        setting: Setting::Flag { get: |spec| spec.human_pace, set: |spec, value| spec.human_pace = value },
    },
    Field {
        key: "competence",
        short: Some("c"),
        option: "Competence",
        help: "Of Player and Emulator, and of Coach before you have moved, where tables are at hand: a number (0 random, \
               20 strong), `inf` or `-inf`.",
        setting: Setting::Text {
            get: |spec| spec.competence.table.to_string(),
            set: |spec, text| read(&mut spec.competence.table, Competence::parse(text, Scale::Table)),
        },
    },
    Field {
        key: "game_competence",
        short: Some("game_c"),
        option: "Game Competence",
        help: "Of Player and Emulator elsewhere, where moves are priced by search: a number (0 random, the higher the \
               stronger), `inf` or `-inf`.",
        setting: Setting::Text {
            get: |spec| spec.competence.evaluation.to_string(),
            set: |spec, text| {
                read(&mut spec.competence.evaluation, Competence::parse(text, Scale::Evaluation))
            },
        },
    },
    Field {
        key: "coach_offset",
        short: None,
        option: "Coach Offset",
        help: "How much better than the person Coach plays, in percent of the person's competence.",
        setting: Setting::Count {
            range: -100..=900,
            get: |spec| spec.coach_offset.into(),
            set: |spec, number| spec.coach_offset = number as i16,
        },
    },
    Field {
        key: "keep_value",
        short: None,
        option: "Keep Value",
        help: "The agent never gives up a win or a draw that tables know of.",
        setting: Setting::Flag { get: |spec| spec.keep_value, set: |spec, value| spec.keep_value = value },
    },
    Field {
        key: "horizon",
        short: None,
        option: "Horizon",
        help: "Wins and losses in so many moves are seen by Player, Emulator and Coach, however weak. 0: none.",
        setting: Setting::Count {
            range: 0..=500,
            get: |spec| spec.horizon.into(),
            set: |spec, number| spec.horizon = number as u16,
        },
    },
    Field {
        key: "variety",
        short: None,
        option: "Emulator Variety",
        help: "Of moves that serve it equally well, Emulator plays the one it has played least; else by chance.",
        setting: Setting::Flag { get: |spec| spec.variety, set: |spec, value| spec.variety = value },
    },
    Field {
        key: "rule",
        short: None,
        option: "Infallible Rule",
        help: "How Infallible chooses among best moves where tables are at hand.",
        setting: Setting::Word {
            words: || Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect(),
            get: |spec| spec.rule.name().to_owned(),
            set: |spec, text| read(&mut spec.rule, text.parse()),
        },
    },
    Field {
        key: "opponent_keeps_value",
        short: None,
        option: "Opponent Keeps Value",
        help: "The opponent is believed never to give up a win or a draw.",
        setting: Setting::Flag {
            get: |spec| spec.opponent_keeps_value,
            set: |spec, value| spec.opponent_keeps_value = value,
        },
    },
    Field {
        key: "opponent_horizon",
        short: None,
        option: "Opponent Horizon",
        help: "The opponent is believed to see wins and losses in so many moves. 0: none.",
        setting: Setting::Count {
            range: 0..=500,
            get: |spec| spec.opponent_horizon.into(),
            set: |spec, number| spec.opponent_horizon = number as u16,
        },
    },
    Field {
        key: "opponent_competence",
        short: Some("opponent_c"),
        option: "Opponent Competence",
        help: "The opponent's competence where tables are at hand, if it is known. Empty: the Predator finds out.",
        setting: Setting::Text {
            get: |spec| spec.opponent_competence.map(|c| c.to_string()).unwrap_or_default(),
            set: |spec, text| {
                let known = (!text.is_empty()).then(|| Competence::parse(text, Scale::Table)).transpose();
                read(&mut spec.opponent_competence, known)
            },
        },
    },
    Field {
        key: "opponent_elo",
        short: None,
        option: "Opponent Elo",
        help: "The opponent's Elo in whole games, if it is known. Empty: the Predator finds out.",
        setting: Setting::Text {
            get: |spec| spec.opponent_elo.map(|elo| elo.to_string()).unwrap_or_default(),
            set: |spec, text| {
                let known = (!text.is_empty()).then(|| elo(text)).transpose();
                read(&mut spec.opponent_elo, known)
            },
        },
    },
    Field {
        key: "speculate",
        short: None,
        option: "Speculate",
        help: "The Predator may give up depth, never value, to set the opponent a harder task.",
        setting: Setting::Flag { get: |spec| spec.speculate, set: |spec, value| spec.speculate = value },
    },
    Field {
        key: "speculation_margin",
        short: Some("margin"),
        option: "Speculation Margin",
        help: "What speculation must be expected to gain: so many moves of depth, or a fiftieth of that in points.",
        setting: Setting::Text {
            get: |spec| spec.speculation_margin.to_string(),
            set: |spec, text| read(&mut spec.speculation_margin, number_from_0(text)),
        },
    },
    Field {
        key: "game_speculation_margin",
        short: Some("game_margin"),
        option: "Game Speculation Margin",
        help: "What the Predator may give up against best play for a trap in a whole game, in percent of winning chances. 0: \
               nothing.",
        setting: Setting::Text {
            get: |spec| spec.game_speculation_margin.to_string(),
            set: |spec, text| read(&mut spec.game_speculation_margin, number_from_0(text)),
        },
    },
    Field {
        key: "predator_plies",
        short: Some("plies"),
        option: "Predator Plies",
        help: "How far the Predator looks ahead: 2, 4 or 6 plies; auto: as many as are quick; exact: to the end, in endgames of 3 and 4 men, which \
               are solved in the background.",
        setting: Setting::Word {
            words: || Plies::ALL.iter().map(Plies::to_string).collect(),
            get: |spec| spec.predator_plies.to_string(),
            set: |spec, text| read(&mut spec.predator_plies, text.parse()),
        },
    },
    Field {
        key: "metric",
        short: None,
        option: "Metric",
        help: "What depths count: moves to conversion (DTC), to mate (DTM), or to the next capture or pawn move (DTZ).",
        setting: Setting::Word {
            words: || ["DTC", "DTM", "DTZ"].map(str::to_owned).to_vec(),
            get: |spec| spec.metric.name().to_ascii_uppercase(),
            set: |spec, text| read(&mut spec.metric, Metric::aim(text)),
        },
    },
    Field {
        key: "draw_depth",
        short: None,
        option: "Draw Depth",
        help: "Draws are told apart by how soon they can be forced: who has less to win takes the nearest, the other plays on.",
        setting: Setting::Flag { get: |spec| spec.draw_depth, set: |spec, value| spec.draw_depth = value },
    },
    Field {
        key: "kappa",
        short: None,
        option: "Kappa",
        help: "Added to each depth before it is priced. 0 stands for the limit 0+.",
        setting: Setting::Text {
            get: |spec| spec.kappa.table.to_string(),
            set: |spec, text| read(&mut spec.kappa.table, number_from_0(text)),
        },
    },
    Field {
        key: "game_kappa",
        short: None,
        option: "Game Kappa",
        help: "Added to each loss of evaluation before it is priced, in pawns.",
        setting: Setting::Text {
            get: |spec| spec.kappa.evaluation.to_string(),
            set: |spec, text| read(&mut spec.kappa.evaluation, number_from_0(text)),
        },
    },
    Field {
        key: "n1",
        short: None,
        option: "N1",
        help: "A draw is priced as a win in so many moves. 0: one more than the deepest win of the material.",
        setting: Setting::Count {
            range: 0..=10_000,
            get: |spec| moves(spec.bounds[0]),
            set: |spec, number| spec.bounds[0] = bound(number),
        },
    },
    Field {
        key: "n2",
        short: None,
        option: "N2",
        help: "A draw is priced as a loss in so many moves. 0: one more than the deepest loss of the material.",
        setting: Setting::Count {
            range: 0..=10_000,
            get: |spec| moves(spec.bounds[1]),
            set: |spec, number| spec.bounds[1] = bound(number),
        },
    },
    Field {
        key: "analyser_grid",
        short: Some("grid"),
        option: "Analyser Grid",
        help: "Competences that are considered for the opponent where tables are at hand: from (step) to.",
        setting: Setting::Text {
            get: |spec| spec.grid.table.to_string(),
            set: |spec, text| read(&mut spec.grid.table, text.parse()),
        },
    },
    Field {
        key: "game_grid",
        short: None,
        option: "Game Grid",
        help: "Competences that are considered for the opponent elsewhere: from (step) to.",
        setting: Setting::Text {
            get: |spec| spec.grid.evaluation.to_string(),
            set: |spec, text| read(&mut spec.grid.evaluation, text.parse()),
        },
    },
];

/// Replaces a setting by what was read, or says why it can't be read.
fn read<T, E: ToString>(setting: &mut T, read: Result<T, E>) -> Result<(), String> {
    *setting = read.map_err(|error| error.to_string())?;
    Ok(())
}

fn number_from_0(text: &str) -> Result<f64, &'static str> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("it must be a number from 0 up")
}

/// An Elo that an opponent may have.
fn elo(text: &str) -> Result<u16, &'static str> {
    let elo = text.trim().parse().ok().filter(|elo| (400..=4000).contains(elo));
    elo.ok_or("it must be an Elo from 400 to 4000, or empty")
}

/// 0 stands for a bound that follows from the material.
fn moves(bound: Option<f64>) -> i64 {
    bound.unwrap_or(0.0) as i64
}

fn bound(moves: i64) -> Option<f64> {
    (moves > 0).then_some(moves as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_from_a_field_can_be_written_to_it() {
        let mut spec = AgentSpec::default();
        for field in FIELDS {
            let text = field.setting.get(&spec);
            let before = spec.clone();
            assert_eq!(field.setting.set(&mut spec, &text), Ok(()), "{}", field.key);
            assert_eq!(spec, before, "{}", field.key);
        }
    }

    #[test]
    fn the_fields_that_agents_heed_exist() {
        for kind in KINDS {
            for key in kind.fields {
                assert!(field(key).is_some(), "{kind}: {key}");
            }
        }
    }
}
