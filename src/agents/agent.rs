//! One who chooses moves: which kinds there are and how one is made, what it is asked about, and what it answers.

use std::{cell::OnceCell, fmt, sync::Arc};

use rand::{Rng, RngExt};
use shakmaty::{Chess, Move, zobrist::Zobrist64};

use super::{Advice, AgentSpec, Analyser, Foresight, HumanPlayer, Hunt, KINDS, OwnMoves};
use crate::{
    game::Game,
    model::{BeliefError, ForeignScale, NoCompetence, NoDecision, NoGrid, NoPreference, Scale},
    oracle::{Budget, Found, Limits, Look, Oracle, Report},
};

/// Why an agent has no move, or can't learn from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AgentError {
    /// The oracle knows nothing of the position.
    #[error("the oracle can't serve this position; build or add its tables, or use another oracle")]
    NotServed,
    /// There was no time to look so far ahead.
    #[error("there was no time to look so far ahead")]
    OutOfTime,
    /// The rule of the infallible player needs a look by depth to mate.
    #[error("the rule longest-dtm needs depths to mate; give the situation an oracle for them")]
    NoMates,
    /// The position makes no decision.
    #[error(transparent)]
    Decision(#[from] NoDecision),
    /// The agent's competence is on another scale than the position's prices.
    #[error(transparent)]
    Scale(#[from] ForeignScale),
    /// A belief refuses.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The candidates of a reference Analyser can't be laid out.
    #[error(transparent)]
    Grid(#[from] NoGrid),
    /// A number that is no competence.
    #[error(transparent)]
    Competence(#[from] NoCompetence),
    /// κ, n1 or n2.
    #[error(transparent)]
    Preference(#[from] NoPreference),
}

/// One who chooses moves.
pub trait Agent: Send + Sync {
    /// What it would play here, and why. This changes nothing in the agent.
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError>;

    /// Chooses a move.
    fn choose(&self, situation: &Situation<'_>, rng: &mut dyn Rng) -> Result<Move, AgentError> {
        Ok(self.consider(situation)?.draw(rng))
    }
}

/// A kind of agent: its name, what it does, and how one is made.
pub struct AgentKind {
    /// The name by which users choose it, in any capitals.
    pub name: &'static str,
    /// What it plays, in a few words.
    pub help: &'static str,
    /// Keys of the settings it uses. The notation of players accepts only these, and `metric`.
    pub fields: &'static [&'static str],
    /// Outside tables, one part in so many of the time for a move is spent on judging the opponent's moves. 0: none, and
    /// nothing is learned there.
    pub judging_divisor: u32,
    /// Whether its moves in whole games depend on what it knows of the opponent: judging gets more time until that is known.
    pub hunts: bool,
    /// Whether it comments the opponent's moves.
    pub comments: bool,
    /// Whether it shows its level more steadily than chance would.
    pub is_steady: bool,
    /// Makes one for positions that are priced on this scale.
    pub build: Build,
}

/// Makes an agent as a spec has it, for one scale, from what is known when it has to move.
pub type Build = fn(&AgentSpec, Scale, &Knowledge<'_>) -> Result<Box<dyn Agent>, AgentError>;

/// What is known of a game and its players when an agent has to move.
pub struct Knowledge<'a> {
    /// What is believed of the opponent.
    pub opponent: &'a Analyser,
    /// The moves that the agent has made in this game.
    pub own: &'a OwnMoves,
    /// Who has solved endgames, if anybody has.
    pub foresight: Option<&'a Arc<dyn Foresight>>,
    /// What chance has given the agent for the whole game, from 0 to 1: better than how many of its Elo it knows endgames. None
    /// where any of them is meant.
    pub lot: Option<f64>,
}

impl AgentSpec {
    /// The agent, for positions that are priced on this scale: the one place where agents are made.
    pub fn agent(&self, scale: Scale, knowledge: &Knowledge<'_>) -> Result<Box<dyn Agent>, AgentError> {
        match self.limit_strength {
            true => Ok(Box::new(HumanPlayer::playing(self, self.elo.into(), knowledge)?)),
            false => (self.kind.build)(self, scale, knowledge),
        }
    }
}

/// The name of an agent that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': use one of {names}", names = AgentKind::names().join(", "))]
pub struct UnknownAgent(pub String);

impl AgentKind {
    /// A template: a kind says in what it differs, and always how one is built.
    pub(super) const BASE: AgentKind = AgentKind {
        name: "",
        help: "",
        fields: &[],
        judging_divisor: 10,
        hunts: false,
        comments: false,
        is_steady: false,
        build: |_, _, _| Err(AgentError::NotServed),
    };

    /// The kind of this name.
    pub fn find(name: &str) -> Result<&'static AgentKind, UnknownAgent> {
        let found = KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| UnknownAgent(name.to_owned()))
    }

    /// All names, as the notation has them.
    pub fn names() -> Vec<String> {
        KINDS.iter().map(|kind| kind.name.to_ascii_lowercase()).collect()
    }
}

impl PartialEq for AgentKind {
    fn eq(&self, other: &AgentKind) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

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

/// What an agent would play: one move, or lots to be drawn among several.
#[derive(Clone, Debug)]
pub struct Intent {
    lots: Lots,
    /// Why.
    pub why: Why,
    /// What a search for the best move came up with, if there was one: its lines have been told already.
    pub found: Option<Found>,
}

#[derive(Clone, Debug)]
enum Lots {
    /// Each is as likely as another. Never empty.
    Even(Vec<Move>),
    /// Each with its probability; they add up to 1. Never empty.
    Weighted(Vec<(Move, f64)>),
}

/// Why an agent plays what it plays.
#[derive(Clone, Debug, Default)]
pub enum Why {
    /// The rule by which it plays says it all.
    #[default]
    Rule,
    /// What each move promises against this opponent.
    Hunt(Advice),
    /// The traps that moves of a whole game set.
    Traps(Hunt),
    /// The competence `E[c]` that each move would show.
    Shows(Vec<(Move, f64)>),
}

impl Intent {
    /// One of these moves, each as likely as another.
    pub fn even(moves: Vec<Move>) -> Result<Intent, AgentError> {
        if moves.is_empty() {
            return Err(NoDecision::GameOver.into());
        }
        Ok(Intent { lots: Lots::Even(moves), why: Why::Rule, found: None })
    }

    /// One of these moves by their probabilities, which add up to 1.
    pub fn weighted(moves: Vec<(Move, f64)>) -> Result<Intent, AgentError> {
        if moves.is_empty() {
            return Err(NoDecision::GameOver.into());
        }
        Ok(Intent { lots: Lots::Weighted(moves), why: Why::Rule, found: None })
    }

    /// The move that a search has found.
    pub fn found(found: Found) -> Result<Intent, AgentError> {
        let intent = Intent::even(found.best.into_iter().collect())?;
        Ok(Intent { found: Some(found), ..intent })
    }

    /// With what there is to say about it.
    pub fn because(self, why: Why) -> Intent {
        Intent { why, ..self }
    }

    /// Every move that may be played, with its probability, the likeliest first.
    pub fn probabilities(&self) -> Vec<(Move, f64)> {
        let mut all = match &self.lots {
            Lots::Even(moves) => moves.iter().map(|&m| (m, 1.0 / moves.len() as f64)).collect(),
            Lots::Weighted(moves) => moves.clone(),
        };
        all.retain(|&(_, probability)| probability > 0.0);
        all.sort_by(|one, two| two.1.total_cmp(&one.1));
        all
    }

    /// Draws one of the moves.
    pub fn draw(&self, rng: &mut dyn Rng) -> Move {
        match &self.lots {
            Lots::Even(moves) => moves[rng.random_range(0..moves.len())],
            Lots::Weighted(moves) => {
                let mut left: f64 = rng.random();
                let mut last = moves[0].0;
                for &(m, probability) in moves {
                    if probability > 0.0 {
                        last = m;
                        left -= probability;
                        if left < 0.0 {
                            break;
                        }
                    }
                }
                last
            }
        }
    }
}
