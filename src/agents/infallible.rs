use std::{fmt, str::FromStr};

use shakmaty::{Move, Role};

use super::{Agent, AgentError, AgentKind, Intent, Search, Situation};
use crate::model::Scale;

/// How the infallible player chooses among optimal moves. The papers don't say what theirs did, and it
/// matters: the mean length of a game depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Each is as likely as another.
    #[default]
    Uniform,
    /// The one that is best by depth to mate too (a loser's longest, a winner's shortest), by chance among those.
    LongestDtm,
    /// The first rook move, else the first move, in the order of squares from a1 to h8.
    FirstRook,
    /// The first move in the order of squares from a1 to h8.
    First,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 4] = [Rule::Uniform, Rule::LongestDtm, Rule::FirstRook, Rule::First];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Uniform => "uniform",
            Rule::LongestDtm => "longest-dtm",
            Rule::FirstRook => "first-rook",
            Rule::First => "first",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a rule that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}': use uniform, longest-dtm, first-rook or first")]
pub struct UnknownRule(pub String);

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Rule, UnknownRule> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownRule(text.to_owned()))
    }
}

/// R_∞: always plays a best move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Infallible {
    /// Which of the best moves.
    pub rule: Rule,
}

pub(super) const KIND: AgentKind = AgentKind {
    name: "Infallible",
    help: "always a best move",
    fields: &["rule"],
    build: |spec, scale, _| {
        Ok(match scale {
            Scale::Table => Box::new(Infallible { rule: spec.rule }),
            // Where nobody knows the best moves, the strongest that can be found.
            Scale::Evaluation => Box::new(Search),
        })
    },
    ..AgentKind::BASE
};

impl Agent for Infallible {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let mut best: Vec<Move> = situation.look()?.prospects().optimal().collect();
        best.sort_by_key(|m| (m.from(), m.to(), m.promotion()));
        let first = |found: Option<&Move>| found.copied().into_iter().collect();
        Intent::even(match self.rule {
            Rule::Uniform => best,
            Rule::LongestDtm => {
                let mates = situation.mates.ok_or(AgentError::NoMates)?;
                let second = mates.look(situation.game, &situation.budget).ok_or(AgentError::NotServed)?;
                second.prospects().only(|m| best.contains(m)).optimal().collect()
            }
            Rule::FirstRook => first(best.iter().find(|m| m.role() == Role::Rook).or(best.first())),
            Rule::First => first(best.first()),
        })
    }
}
