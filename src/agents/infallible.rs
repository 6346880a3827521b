use std::{fmt, str::FromStr};

use rand::Rng;
use shakmaty::{Move, Role};

use super::{Agent, AgentError, Situation, chance};
use crate::model::{NoDecision, Outcome, Prospect};

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

impl Agent for Infallible {
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError> {
        let mut best = optimal(situation.look()?.moves());
        best.sort_by_key(|m| (m.from(), m.to(), m.promotion()));
        let chosen = match self.rule {
            Rule::Uniform => chance::pick(&best, rng),
            Rule::LongestDtm => {
                let mates = situation.mates.ok_or(AgentError::NoMates)?;
                let second = mates.look(situation.position).ok_or(AgentError::NotServed)?;
                let moves = second.moves().iter().filter(|prospect| best.contains(&prospect.m));
                best = optimal(&moves.copied().collect::<Vec<_>>());
                chance::pick(&best, rng)
            }
            Rule::FirstRook => best.iter().find(|m| m.role() == Role::Rook).or(best.first()),
            Rule::First => best.first(),
        };
        chosen.copied().ok_or(AgentError::Decision(NoDecision::GameOver))
    }
}

/// The moves with the best outcome.
fn optimal(moves: &[Prospect]) -> Vec<Move> {
    let best = best(moves);
    moves.iter().filter(|prospect| Some(prospect.outcome) == best).map(|prospect| prospect.m).collect()
}

/// The best outcome of a move; nothing if there is no move.
pub(super) fn best(moves: &[Prospect]) -> Option<Outcome> {
    let better = |a: Outcome, b: Outcome| match (a, b) {
        (Outcome::Table(a), Outcome::Table(b)) => Outcome::Table(a.max(b)),
        (Outcome::Evaluation(a), Outcome::Evaluation(b)) => Outcome::Evaluation(a.max(b)),
        // All prospects of a look are on one scale.
        _ => a,
    };
    moves.iter().map(|prospect| prospect.outcome).reduce(better)
}
