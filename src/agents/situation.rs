use std::cell::OnceCell;

use shakmaty::{Chess, zobrist::Zobrist64};

use super::AgentError;
use crate::{
    game::Game,
    oracle::{Budget, Found, Limits, Look, Oracle, Report},
};

/// What an agent is asked about: a game, who knows about it, what that may cost, and what the rules have counted so far.
#[derive(Clone)]
pub struct Situation<'a> {
    /// The game; its position carries the halfmove clock.
    pub game: &'a Game,
    /// Who says what moves lead to.
    pub oracle: &'a dyn Oracle,
    /// What a look may cost.
    pub budget: Budget,
    /// What a search for the best move alone may cost.
    pub limits: Limits,
    /// Who hears of such a search.
    pub report: Option<&'a dyn Fn(&Report)>,
    /// The oracle's look at the position, if someone has had it already.
    seen: OnceCell<Look>,
    /// Who knows depths to mate, for rules that look twice.
    pub mates: Option<&'a dyn Oracle>,
    /// Whether a draw may be claimed after 50 moves without capture or pawn move.
    pub fifty: bool,
    /// Keys of the earlier positions of the game and the present one, where a draw may be claimed on
    /// the third occurrence of a position; empty where it may not.
    pub history: &'a [Zobrist64],
}

/// As deep as a search goes where nothing limits it.
const USUAL_DEPTH: u32 = 10;

impl<'a> Situation<'a> {
    /// A game in which neither rule counts.
    pub fn new(game: &'a Game, oracle: &'a dyn Oracle) -> Situation<'a> {
        Situation {
            game,
            oracle,
            budget: Budget::default(),
            limits: Limits { depth: Some(USUAL_DEPTH), ..Limits::default() },
            report: None,
            seen: OnceCell::new(),
            mates: None,
            fifty: false,
            history: &[],
        }
    }

    /// The position.
    pub fn position(&self) -> &'a Chess {
        self.game.position()
    }

    /// The same, someone having had a look at the position already.
    pub fn having(self, look: Look) -> Situation<'a> {
        Situation { seen: OnceCell::from(look), ..self }
    }

    /// One look at the position, had once however often it is asked for.
    pub fn look(&self) -> Result<&Look, AgentError> {
        if let Some(look) = self.seen.get() {
            return Ok(look);
        }
        let look = self.oracle.look(self.game, &self.budget).ok_or(AgentError::NotServed)?;
        Ok(self.seen.get_or_init(|| look))
    }

    /// The look, if someone has had it.
    pub fn seen(&self) -> Option<&Look> {
        self.seen.get()
    }

    /// A search for the best move alone.
    pub fn best(&self) -> Result<Found, AgentError> {
        let mut report = |report: &Report| {
            if let Some(hear) = self.report {
                hear(report);
            }
        };
        let found = self.oracle.best(self.game, &self.limits, &self.budget.control, &mut report);
        found.ok_or(AgentError::NotServed)
    }
}
