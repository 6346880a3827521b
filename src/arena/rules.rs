//! By which rules games are played.

use std::{fmt, str::FromStr};

use super::agreement::Agreement;

/// How far a game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// To mate, or another end that the laws of chess know.
    #[default]
    Mate,
    /// To mate or the first change of material whose value is known from tables.
    Conversion,
}

impl Until {
    /// As flags and PGN have it.
    pub fn name(self) -> &'static str {
        match self {
            Until::Mate => "mate",
            Until::Conversion => "conversion",
        }
    }
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Until, String> {
        let known = [Until::Mate, Until::Conversion].into_iter().find(|until| until.name() == text);
        known.ok_or_else(|| format!("games are played until mate or until conversion, not '{text}'"))
    }
}

/// By which rules games are played. Mate, stalemate and dead positions always end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// 50 moves without capture or pawn move are a draw.
    pub fifty: bool,
    /// A position that occurs for the third time is a draw.
    pub repetition: bool,
    /// A game that reaches the tables from outside them ends there.
    pub adjudicate: bool,
    /// When games end by the players' own scores.
    pub agreement: Agreement,
    /// How far games are played.
    pub until: Until,
    /// Games of more moves by each side are draws.
    pub max_moves: usize,
}

impl Rules {
    /// As chess is played, but that tables adjudicate.
    pub const CHESS: Rules = Rules {
        fifty: true,
        repetition: true,
        adjudicate: true,
        agreement: Agreement { won: None, drawn: None },
        until: Until::Mate,
        max_moves: 10_000,
    };

    /// As the experiments of the papers are played: until the material changes, however long that takes.
    pub const CONVERSION: Rules = Rules {
        fifty: false,
        repetition: false,
        adjudicate: false,
        until: Until::Conversion,
        ..Rules::CHESS
    };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CHESS
    }
}

/// A list of what holds, the same for the same rules.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { fifty, repetition, adjudicate, agreement: Agreement { won, drawn }, until, max_moves } =
            *self;
        for (holds, name) in [(fifty, "50 moves"), (repetition, "repetition"), (adjudicate, "tables")] {
            if holds {
                write!(f, "{name}, ")?;
            }
        }
        for (points, name) in [(won, "resign"), (drawn, "draw")] {
            if let Some(points) = points {
                write!(f, "{name} {points}, ")?;
            }
        }
        if max_moves != Rules::CHESS.max_moves {
            write!(f, "at most {max_moves} moves, ")?;
        }
        f.write_str(until.name())
    }
}
