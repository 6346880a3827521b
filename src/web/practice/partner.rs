use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    agents::{AgentSpec, KINDS, Setting, field},
    web::error::Refusal,
};

/// With whom a visitor plays: an agent, and how strong it is if that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// The agent's name.
    pub agent: String,
    /// A person of this Elo, by results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<u16>,
    /// Of competence c where tables are at hand …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<f64>,
    /// … and elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_c: Option<f64>,
}

/// What players call people of an Elo, from it up.
const WORDS: [(u16, &str); 7] = [
    (0, "beginner"),
    (1300, "casual player"),
    (1400, "weaker club player"),
    (1500, "club player"),
    (1650, "strong club player"),
    (1800, "tournament player"),
    (1950, "expert"),
];

fn words(elo: u16) -> &'static str {
    WORDS.iter().rev().find(|(from, _)| elo >= *from).map_or("beginner", |(_, words)| words)
}

impl Partner {
    /// All that is set of it; `base` holds where nothing is said.
    pub fn spec(&self, base: &AgentSpec) -> Result<AgentSpec, Refusal> {
        let mut spec = AgentSpec { limit_strength: self.elo.is_some(), ..base.clone() };
        let elo = self.elo.map(|elo| elo.to_string());
        let [c, game_c] = [self.c, self.game_c].map(|c| c.map(|c| c.to_string()));
        let given = [
            ("agent", Some(self.agent.clone())),
            ("elo", elo),
            ("competence", c),
            ("game_competence", game_c),
        ];
        for (key, value) in given.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            spec.set(key, &value).map_err(|what| Refusal::bad(format!("the partner's {key}: {what}")))?;
            if key != "agent" && !spec.kind.fields.contains(&key) {
                return Err(Refusal::bad(format!("{} has no {key}", spec.kind)));
            }
        }
        Ok(spec)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let name = KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(&self.agent));
        let name = name.map_or(self.agent.as_str(), |kind| kind.name);
        match (self.elo, self.c, self.game_c) {
            (Some(elo), ..) => format!("{name}, {} {elo}", words(elo)),
            (None, Some(c), Some(game_c)) => format!("{name}, c = {c} in endgames, {game_c} elsewhere"),
            (None, Some(c), None) | (None, None, Some(c)) => format!("{name}, c = {c}"),
            (None, None, None) => name.to_owned(),
        }
    }
}

/// Between levels that are offered.
const STEP: usize = 50;

/// Who may be chosen, and at which levels.
pub fn choices() -> Value {
    let agents = KINDS.iter().map(|kind| {
        let sets = |key| kind.fields.contains(&key);
        json!({ "name": kind.name, "help": kind.help, "elo": sets("elo"), "c": sets("competence") })
    });
    let levels: Vec<Value> = match field("elo").map(|field| &field.setting) {
        Some(Setting::Count { range, .. }) => {
            range.clone().step_by(STEP).map(|elo| json!({ "elo": elo, "words": words(elo as u16) })).collect()
        }
        _ => Vec::new(),
    };
    json!({ "agents": agents.collect::<Vec<_>>(), "levels": levels })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partner(text: &str) -> Partner {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_partner_is_set_as_chess_programs_set_it() {
        let spec = partner(r#"{"agent": "player", "elo": 1500}"#).spec(&AgentSpec::default()).unwrap();
        assert!(spec.limit_strength && spec.elo == 1500 && spec.kind.name == "Player");
        let spec =
            partner(r#"{"agent": "emulator", "c": 5.5, "game_c": 0.5}"#).spec(&AgentSpec::default()).unwrap();
        assert_eq!(
            (spec.limit_strength, spec.competence.table.get(), spec.competence.evaluation.get()),
            (false, 5.5, 0.5)
        );
    }

    #[test]
    fn what_can_not_be_set_is_refused() {
        for text in [
            r#"{"agent": "engine:/bin/sh"}"#,
            r#"{"agent": "player", "elo": 9999}"#,
            r#"{"agent": "predator", "elo": 1500}"#,
            r#"{"agent": "search", "c": 3.0}"#,
        ] {
            assert!(partner(text).spec(&AgentSpec::default()).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Partner>(r#"{"agent": "player", "hash": 100000}"#).is_err());
    }

    #[test]
    fn levels_have_words_that_players_know() {
        assert_eq!(partner(r#"{"agent": "player", "elo": 1500}"#).name(), "Player, club player 1500");
        assert!(choices()["levels"].as_array().is_some_and(|levels| levels.len() > 10));
    }
}
