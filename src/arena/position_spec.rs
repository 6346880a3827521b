//! Positions by name, by FEN, or by material and state.

use std::{fmt, str::FromStr};

use shakmaty::{Chess, Position, Role};

use crate::{
    model::{State, Value},
    notation::{self, FenError, read_position},
};

/// A position, or a kind of positions, as the user asked for it.
#[derive(Clone, Debug, PartialEq)]
pub enum PositionSpec {
    /// One that has a name.
    Named(NamedPosition),
    /// One given by its FEN.
    Fen(Box<Chess>),
    /// Drawn by chance.
    Random(RandomSpec),
}

/// Positions that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPosition {
    /// Where every game begins.
    Start,
    /// Browne against BELLE, December 1978, first game: queen against rook, won in 31.
    BrowneBelle1,
    /// The second game, won in 31 too.
    BrowneBelle2,
}

impl NamedPosition {
    /// All of them.
    pub const ALL: [NamedPosition; 3] =
        [NamedPosition::Start, NamedPosition::BrowneBelle1, NamedPosition::BrowneBelle2];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            NamedPosition::Start => "startpos",
            NamedPosition::BrowneBelle1 => "browne-belle-1",
            NamedPosition::BrowneBelle2 => "browne-belle-2",
        }
    }

    /// The FEN.
    pub fn fen(self) -> &'static str {
        match self {
            NamedPosition::Start => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            // Haworth 2003, Appendix B.
            NamedPosition::BrowneBelle1 => "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
            NamedPosition::BrowneBelle2 => "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
        }
    }

    /// Whether the position comes with the conditions of its published experiment: to conversion, without the
    /// 50-move rule and that on repetition (Haworth & Andrist, §6).
    pub fn is_experiment(self) -> bool {
        self != NamedPosition::Start
    }
}

/// Positions of some material and value, all alike: `KQKR:win:31`, `KQKR:win:25+`, `KRBKR:draw`. The value and the depth are those
/// of the side that is named first, which is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomSpec {
    /// The men of the side named first, its king included.
    pub first: Vec<Role>,
    /// The men of the other side, its king included.
    pub second: Vec<Role>,
    /// The value for the side named first; any if none is given.
    pub value: Option<Value>,
    /// The depth of a win or loss; any if none is given.
    pub depth: Option<u16>,
    /// Whether greater depths will do too.
    pub or_deeper: bool,
}

impl RandomSpec {
    /// Whether a position with this state, for the side named first, is one of those asked for.
    pub fn admits(&self, state: State) -> bool {
        self.value.is_none_or(|value| value == state.value())
            && self.depth.is_none_or(|depth| {
                state.depth().is_some_and(|of| of.0 == depth || self.or_deeper && of.0 > depth)
            })
    }

    /// The material, as it was named.
    pub fn material(&self) -> String {
        self.first.iter().chain(&self.second).map(|role| role.upper_char()).collect()
    }
}

/// Text that names no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} at \"{word}\"; name a position by a FEN, startpos, browne-belle-1, browne-belle-2, or as in KQKR:win:31"
)]
pub struct PositionSpecError {
    /// The word at fault.
    pub word: String,
    /// What is wrong with it.
    pub what: String,
}

impl FromStr for PositionSpec {
    type Err = PositionSpecError;

    fn from_str(text: &str) -> Result<PositionSpec, PositionSpecError> {
        let text = text.trim();
        if let Some(named) = NamedPosition::ALL.into_iter().find(|named| named.name() == text) {
            return Ok(PositionSpec::Named(named));
        }
        if text.contains('/') {
            let wrong = |error: FenError| PositionSpecError {
                word: text.to_owned(),
                what: format!("{} ({})", error.what, error.cause),
            };
            return Ok(PositionSpec::Fen(Box::new(read_position(text).map_err(wrong)?)));
        }
        random(text).map(PositionSpec::Random)
    }
}

fn random(text: &str) -> Result<RandomSpec, PositionSpecError> {
    let wrong = |word: &str, what: &str| PositionSpecError { word: word.to_owned(), what: what.to_owned() };
    let mut words = text.split(':');
    let material = words.next().unwrap_or_default();
    let roles: Option<Vec<Role>> = material.chars().map(Role::from_char).collect();
    let roles = roles.filter(|_| material.chars().all(|letter| letter.is_ascii_uppercase()));
    let kings = |roles: &[Role]| roles.iter().filter(|&&role| role == Role::King).count();
    let Some(roles) = roles.filter(|roles| roles.first() == Some(&Role::King) && kings(roles) == 2) else {
        return Err(wrong(material, "no position and no material"));
    };
    let border = roles.iter().rposition(|&role| role == Role::King).unwrap_or_default();
    let (first, second) = roles.split_at(border);
    let (value_word, depth_word) = (words.next(), words.next());
    if let Some(word) = words.next() {
        return Err(wrong(word, "nothing may follow the depth"));
    }
    let value = match value_word {
        None => None,
        Some("win") => Some(Value::Win),
        Some("draw") => Some(Value::Draw),
        Some("loss") => Some(Value::Loss),
        Some(word) => return Err(wrong(word, "a value is win, draw or loss")),
    };
    let or_deeper = depth_word.is_some_and(|word| word.ends_with('+'));
    let depth =
        match (depth_word, value) {
            (None, _) => None,
            (Some(word), Some(Value::Draw)) => return Err(wrong(word, "a draw has no depth")),
            (Some(word), _) => {
                let number = word.strip_suffix('+').unwrap_or(word).parse();
                Some(number.map_err(|_| {
                    wrong(word, "a depth is a whole number of moves, with a + if more will do")
                })?)
            }
        };
    Ok(RandomSpec { first: first.to_vec(), second: second.to_vec(), value, depth, or_deeper })
}

impl fmt::Display for RandomSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.material())?;
        if let Some(value) = self.value {
            write!(f, ":{value}")?;
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ":{depth}{}", if self.or_deeper { "+" } else { "" }))
    }
}

impl fmt::Display for PositionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionSpec::Named(named) => f.write_str(named.name()),
            PositionSpec::Fen(position) => f.write_str(&notation::fen(position)),
            PositionSpec::Random(spec) => spec.fmt(f),
        }
    }
}

impl PositionSpec {
    /// The position, if it is a single one.
    pub fn single(&self) -> Option<Chess> {
        match self {
            PositionSpec::Named(named) => read_position(named.fen()).ok(),
            PositionSpec::Fen(position) => Some((**position).clone()),
            PositionSpec::Random(_) => None,
        }
    }

    /// Whether the two sides have the same men, so that colours may be exchanged.
    pub fn is_balanced(&self) -> bool {
        match self {
            PositionSpec::Random(spec) => {
                let sorted = |roles: &[Role]| {
                    let mut roles = roles.to_vec();
                    roles.sort_unstable();
                    roles
                };
                sorted(&spec.first) == sorted(&spec.second)
            }
            _ => self.single().is_some_and(|position| {
                let men = position.board().material();
                men.white == men.black
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn positions_are_read_and_given_back() {
        for text in [
            "startpos",
            "browne-belle-1",
            "KQKR:win:31",
            "KRBKR:draw",
            "KQKR",
            "8/8/8/8/8/k7/8/K6R w - - 0 1",
        ] {
            assert_eq!(text.parse::<PositionSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn every_named_position_is_legal_with_white_to_move() {
        for named in NamedPosition::ALL {
            assert_eq!(read_position(named.fen()).unwrap().turn(), Color::White, "{}", named.name());
        }
    }

    #[test]
    fn the_word_that_is_wrong_is_pointed_at() {
        for (text, word) in [
            ("browne-belle-3", "browne-belle-3"),
            ("KQKR:won", "won"),
            ("KQKR:win:x", "x"),
            ("KQKR:draw:3", "3"),
            ("KQKR:win:3:w", "w"),
            ("QKKR:win", "QKKR"),
            ("KQR", "KQR"),
            ("", ""),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ] {
            assert_eq!(text.parse::<PositionSpec>().unwrap_err().word, word);
        }
    }

    #[test]
    fn a_state_is_admitted_if_value_and_depth_are_those_asked_for() {
        let Ok(PositionSpec::Random(spec)) = "KQKR:win:31".parse() else { panic!("not random") };
        assert!(spec.admits(State::win(31)));
        assert!(!spec.admits(State::win(30)) && !spec.admits(State::loss(31)) && !spec.admits(State::Draw));
    }

    #[test]
    fn sides_with_the_same_men_may_be_exchanged() {
        for (text, balanced) in
            [("KQKR", false), ("KRKR:draw", true), ("startpos", true), ("browne-belle-1", false)]
        {
            assert_eq!(text.parse::<PositionSpec>().unwrap().is_balanced(), balanced, "{text}");
        }
    }
}
