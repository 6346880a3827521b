use super::{Agent, AgentError, AgentKind, Intent, Situation};

/// Plays the strongest move that it finds, without a thought for the opponent.
#[derive(Clone, Copy, Debug)]
pub struct Search;

pub(super) const KIND: AgentKind = AgentKind {
    name: "Search",
    help: "the strongest move, without a thought for the opponent",
    judging_divisor: 0,
    build: |_, _, _| Ok(Box::new(Search)),
    ..AgentKind::BASE
};

impl Agent for Search {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        // What tables know needs no search: of moves that are as good, any.
        match situation.seen() {
            Some(look) => Intent::even(look.prospects().optimal().collect()),
            None => Intent::found(situation.best()?),
        }
    }
}
