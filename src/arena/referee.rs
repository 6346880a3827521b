//! When a game is over, and who has won it.

use std::fmt;

use shakmaty::{Chess, Color, KnownOutcome, Position};

use crate::{endgame::Tables, engine::FaultKind, game::Game, model::Value};

use super::{
    play::Note,
    rules::{Rules, Until},
};

/// Who knows the value of a position, if anyone does.
pub trait Arbiter: Sync {
    /// The value for the side to move.
    fn value(&self, position: &Chess) -> Option<Value>;
}

impl Arbiter for Tables {
    fn value(&self, position: &Chess) -> Option<Value> {
        Tables::value(self, position)
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Mate.
    Checkmate,
    /// No move and no check.
    Stalemate,
    /// Nobody can mate.
    InsufficientMaterial,
    /// The 50-move rule.
    FiftyMoves,
    /// The third occurrence of a position.
    Repetition,
    /// Conversion, in a game that was played so far.
    Conversion,
    /// The tables know the rest.
    Adjudication,
    /// The players agree about the rest.
    Agreement,
    /// The game was too long.
    Length,
    /// The loser could not go on as the rules want.
    Fault(FaultKind),
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 13] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::InsufficientMaterial,
        Reason::FiftyMoves,
        Reason::Repetition,
        Reason::Conversion,
        Reason::Adjudication,
        Reason::Agreement,
        Reason::Length,
        Reason::Fault(FaultKind::Illegal),
        Reason::Fault(FaultKind::Crash),
        Reason::Fault(FaultKind::Stall),
        Reason::Fault(FaultKind::Time),
    ];

    /// The name, as in PGN and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::FiftyMoves => "50 moves",
            Reason::Repetition => "repetition",
            Reason::Conversion => "conversion",
            Reason::Adjudication => "adjudication",
            Reason::Agreement => "agreement",
            Reason::Length => "length",
            Reason::Fault(kind) => kind.name(),
        }
    }

    /// The value of the standard tag `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            Reason::Conversion | Reason::Adjudication | Reason::Agreement | Reason::Length => "adjudication",
            Reason::Fault(FaultKind::Illegal) => "rules infraction",
            Reason::Fault(FaultKind::Time) => "time forfeit",
            Reason::Fault(FaultKind::Crash | FaultKind::Stall) => "abandoned",
            _ => "normal",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub outcome: KnownOutcome,
    /// Why.
    pub reason: Reason,
}

impl Ending {
    pub(super) fn draw(reason: Reason) -> Ending {
        Ending { outcome: KnownOutcome::Draw, reason }
    }

    pub(super) fn won(winner: Color, reason: Reason) -> Ending {
        Ending { outcome: KnownOutcome::Decisive { winner }, reason }
    }

    /// The result for one side.
    pub fn value_for(self, side: Color) -> Value {
        match self.outcome.winner() {
            None => Value::Draw,
            Some(winner) if winner == side => Value::Win,
            Some(_) => Value::Loss,
        }
    }
}

/// Watches one game.
pub struct Referee<'a> {
    rules: Rules,
    arbiter: Option<&'a dyn Arbiter>,
    adjudicates: bool,
    /// Plies before the players took over.
    opening: usize,
}

impl<'a> Referee<'a> {
    /// A referee for the game that goes on from here.
    pub fn new(rules: Rules, arbiter: Option<&'a dyn Arbiter>, game: &Game) -> Referee<'a> {
        // Who starts inside the tables wants to play there.
        let known = arbiter.is_some_and(|arbiter| arbiter.value(game.position()).is_some());
        Referee { rules, arbiter, adjudicates: rules.adjudicate && !known, opening: game.moves().len() }
    }

    /// Whether the players' own scores end the game, in which `first` made the first of the moves noted.
    pub fn agreed(&self, first: Color, notes: &[Note]) -> Option<Ending> {
        Some(match self.rules.agreement.value(notes)? {
            Value::Win => Ending::won(first, Reason::Agreement),
            Value::Draw => Ending::draw(Reason::Agreement),
            Value::Loss => Ending::won(!first, Reason::Agreement),
        })
    }

    /// Whether and how the game has ended on the board.
    pub fn ending(&self, game: &Game) -> Option<Ending> {
        let position = game.position();
        let turn = position.turn();
        if position.legal_moves().is_empty() {
            return Some(match position.is_check() {
                true => Ending::won(!turn, Reason::Checkmate),
                false => Ending::draw(Reason::Stalemate),
            });
        }
        let known = |reason| {
            Some(match self.arbiter?.value(position)? {
                Value::Win => Ending::won(turn, reason),
                Value::Draw => Ending::draw(reason),
                Value::Loss => Ending::won(!turn, reason),
            })
        };
        let played = game.moves().len() - self.opening;
        let converted =
            game.moves().last().is_some_and(|m| played > 0 && (m.is_capture() || m.is_promotion()));
        if converted
            && self.rules.until == Until::Conversion
            && let Some(ending) = known(Reason::Conversion)
        {
            return Some(ending);
        }
        if position.is_insufficient_material() {
            return Some(Ending::draw(Reason::InsufficientMaterial));
        }
        if self.rules.fifty && position.halfmoves() >= 100 {
            return Some(Ending::draw(Reason::FiftyMoves));
        }
        if self.rules.repetition && game.repetitions() >= 3 {
            return Some(Ending::draw(Reason::Repetition));
        }
        if self.adjudicates
            && let Some(ending) = known(Reason::Adjudication)
        {
            return Some(ending);
        }
        (played >= self.rules.max_moves.saturating_mul(2)).then_some(Ending::draw(Reason::Length))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::notation::read_position;

    /// Knows queen or rook against bare king, as won, and nothing else.
    struct BareKing;

    impl Arbiter for BareKing {
        fn value(&self, position: &Chess) -> Option<Value> {
            let count = |color| position.board().by_color(color).count();
            match (count(position.turn()), count(!position.turn())) {
                (2, 1) => Some(Value::Win),
                (1, 2) => Some(Value::Loss),
                _ => None,
            }
        }
    }

    fn ending(rules: Rules, fen: &str, moves: &str) -> Option<Ending> {
        let mut game = Game::new(read_position(fen).unwrap());
        let referee = Referee::new(rules, Some(&BareKing), &game);
        for uci in moves.split_ascii_whitespace() {
            assert_eq!(referee.ending(&game), None, "before {uci}");
            let m = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        referee.ending(&game)
    }

    #[test]
    fn a_capture_ends_a_game_to_conversion_for_what_it_is_worth() {
        let rules = Rules { until: Until::Conversion, adjudicate: false, ..Rules::default() };
        let ending = ending(rules, "8/8/8/8/7k/8/2r5/K1Q5 w - - 0 1", "c1c2").unwrap();
        assert_eq!(ending, Ending::won(Color::White, Reason::Conversion));
    }

    #[test]
    fn adjudication_ends_a_game_that_enters_the_tables() {
        let rules = Rules::default();
        let ending = ending(rules, "8/8/8/8/7k/8/2r5/K1Q5 w - - 0 1", "c1c2").unwrap();
        assert_eq!(ending, Ending::won(Color::White, Reason::Adjudication));
    }

    #[test]
    fn without_either_the_game_goes_on() {
        let rules = Rules { adjudicate: false, ..Rules::default() };
        assert_eq!(ending(rules, "8/8/8/8/7k/8/2r5/K1Q5 w - - 0 1", "c1c2"), None);
    }

    #[test]
    fn a_game_that_starts_inside_the_tables_is_played() {
        assert_eq!(ending(Rules::default(), "8/8/8/8/7k/8/2Q5/K7 w - - 0 1", "c2c3"), None);
    }

    #[test]
    fn mate_and_stalemate_end_every_game() {
        assert_eq!(
            ending(Rules::default(), "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8"),
            Some(Ending::won(Color::White, Reason::Checkmate))
        );
        assert_eq!(
            ending(Rules::default(), "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7"),
            Some(Ending::draw(Reason::Stalemate))
        );
    }

    #[test]
    fn fifty_moves_and_repetition_can_be_switched_off() {
        let fen = "8/8/8/8/7k/8/2r5/K1Q5 w - - 98 80";
        assert_eq!(ending(Rules::default(), fen, "c1d1 c2d2"), Some(Ending::draw(Reason::FiftyMoves)));
        assert_eq!(ending(Rules { fifty: false, ..Rules::default() }, fen, "c1d1 c2d2"), None);
        let (fen, moves) = ("8/8/8/8/7k/8/2r5/K1Q5 w - - 0 1", "c1d1 c2d2 d1c1 d2c2 c1d1 c2d2 d1c1 d2c2");
        assert_eq!(ending(Rules::default(), fen, moves), Some(Ending::draw(Reason::Repetition)));
        assert_eq!(ending(Rules { repetition: false, ..Rules::default() }, fen, moves), None);
    }

    #[test]
    fn a_mate_on_the_hundredth_ply_is_a_mate() {
        let mate = ending(Rules::default(), "7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a8");
        assert_eq!(mate, Some(Ending::won(Color::White, Reason::Checkmate)));
    }

    #[test]
    fn a_dead_position_is_a_draw() {
        let rules = Rules::default();
        assert_eq!(
            ending(rules, "8/8/8/8/8/3k4/1r6/K5N1 w - - 0 1", "a1b2"),
            Some(Ending::draw(Reason::InsufficientMaterial))
        );
    }

    #[test]
    fn a_game_may_be_too_long() {
        let rules = Rules { max_moves: 1, ..Rules::default() };
        let fen = "8/8/8/8/7k/8/2r5/K1Q5 w - - 0 1";
        assert_eq!(ending(rules, fen, "c1d1 c2d2"), Some(Ending::draw(Reason::Length)));
    }
}
