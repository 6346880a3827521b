use std::collections::HashMap;

use shakmaty::{Chess, Position, zobrist::Zobrist64};

use super::{Expectation, Situation, expectation::Aim, lookahead::root_value};
use crate::{
    game::Game,
    model::{Depth, Metric, Outcome, State, Value},
    oracle::Look,
};

/// Half-moves without capture or pawn move after which a draw may be claimed.
const LIMIT: u32 = 100;

/// Where the 50-move rule counts in a decided position, smaller differences in expected value are ties: the errors still to
/// come will decide whether there is time enough, and depth is what tells how many are needed.
pub(super) const RULE_MARGIN: f64 = 0.05;

/// What the rules on repetition and on 50 moves make of an outcome.
pub(super) struct DrawRules {
    /// The 50-move rule holds, and depths say how long the clock will run.
    fifty: bool,
    /// Positions that were on the board twice: a third time is a draw.
    twice: Vec<Zobrist64>,
}

impl DrawRules {
    pub fn new(situation: &Situation<'_>, look: &Look) -> DrawRules {
        // A depth tells how long the clock will run only if it counts to the next zeroing move: DTZ
        // always, DTC where there is no pawn.
        let counts_to_zeroing = match look.metric() {
            Some(Metric::Dtz) => true,
            Some(Metric::Dtc) => look.position().board().pawns().is_empty(),
            Some(Metric::Dtm | Metric::Dtr | Metric::Dtd) | None => false,
        };
        let mut times: HashMap<Zobrist64, u32> = HashMap::new();
        for &key in situation.history {
            *times.entry(key).or_default() += 1;
        }
        let twice = times.into_iter().filter(|&(_, times)| times >= 2).map(|(key, _)| key).collect();
        DrawRules { fifty: situation.fifty && counts_to_zeroing, twice }
    }

    /// What the side to move plays for if its best move has this outcome.
    pub fn aim(&self, best: Outcome, position: &Chess, tolerance: f64) -> Aim {
        let clock = if self.fifty { position.halfmoves().min(LIMIT) } else { 0 };
        let tries = if best.state().is_some() { f64::from(LIMIT - clock) / 2.0 } else { 0.0 };
        let root = root_value(best);
        let by_clock = self.fifty && root != Value::Draw;
        Aim { root, tolerance: if by_clock { tolerance.max(RULE_MARGIN) } else { tolerance }, tries }
    }

    /// Whether a rule can decide anything within a look of `plies` at a position whose depths go up to `depth`.
    pub fn matter(&self, position: &Chess, plies: u32, depth: u16) -> bool {
        !self.twice.is_empty() || self.fifty && position.halfmoves() + plies + 2 * u32::from(depth) > LIMIT
    }

    /// Whether the rules that count here make a draw of a position that has just come about.
    pub fn drawn(&self, game: &Game) -> bool {
        let position = game.position();
        self.fifty && position.halfmoves() >= LIMIT && !position.is_checkmate()
            || self.twice.contains(&game.key())
    }

    /// Whether a position can be on the board for the third time after one more move: only then is it worth playing it out.
    pub fn repetitions_matter(&self) -> bool {
        !self.twice.is_empty()
    }

    /// What an outcome is worth to the side to move when the halfmove clock stands at `clock`: a win that
    /// can't be reached in time is a draw, for either side.
    pub fn judge(&self, outcome: Outcome, clock: u32) -> Expectation {
        let certain = Expectation::certain(outcome);
        let plies = match outcome {
            Outcome::Table(State::Win(Depth(depth))) => (2 * u32::from(depth)).saturating_sub(1),
            Outcome::Table(State::Loss(Depth(depth))) => 2 * u32::from(depth),
            Outcome::Table(State::Draw) | Outcome::Evaluation(_) => return certain,
        };
        if self.fifty && clock + plies > LIMIT { certain.drawn_by_rule() } else { certain }
    }
}
