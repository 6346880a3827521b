use shakmaty::Color;

use crate::model::{Depth, State};

/// A state as a small number: 0 to 127 a win in so many moves, 128 a draw, 256 − d a loss in d; better states are less.
///
/// It is the papers' numbering with room for every depth that tables have.
pub type Code = u16;

/// How many codes there are.
pub const CODES: usize = 257;

const DRAW: Code = 128;
const LOSS: Code = 256;
const DEEPEST: Code = 127;

/// The code of a state. Tables hold no greater depths than fit.
#[inline]
pub fn encode(state: State) -> Code {
    match state {
        State::Win(Depth(depth)) => depth.min(DEEPEST),
        State::Draw => DRAW,
        State::Loss(Depth(depth)) => LOSS - depth.min(DEEPEST),
    }
}

/// The state of a code.
#[inline]
pub fn decode(code: Code) -> State {
    match code {
        ..DRAW => State::win(code),
        DRAW => State::Draw,
        _ => State::loss(LOSS - code),
    }
}

/// The same state as the other side sees it.
#[inline]
pub fn reverse(code: Code) -> Code {
    LOSS - code
}

/// A code of the mover's as White sees it, and the reverse.
pub fn seen_by(color: Color, code: Code) -> Code {
    if color == Color::White { code } else { reverse(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_the_order_of_attraction_and_reverse_as_states_do() {
        for code in 0..CODES as Code {
            assert_eq!(encode(decode(code)), code);
            assert_eq!(decode(reverse(code)), -decode(code));
            assert!(code == 0 || decode(code) < decode(code - 1));
        }
    }
}
