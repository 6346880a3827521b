use shakmaty::{CastlingMode, Chess, EnPassantMode, PositionError, PositionErrorKinds, fen::Fen};

/// Text that is no FEN, or a FEN that no position belongs to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{fen}' is {what}: {cause}; write a position as in '8/8/8/8/8/k7/8/K6R w - - 0 1'")]
pub struct FenError {
    /// What was to be read.
    pub fen: String,
    /// What it is instead of a position.
    pub what: &'static str,
    /// Why.
    pub cause: String,
}

/// The position of a FEN. What does no harm is forgiven:
///
/// - rights to castle without a king and a rook to use them, and an impossible square en passant, since many programs
///   write them by habit: they count as absent;
/// - checks that no game can bring about, since tables count such positions too;
/// - more men than a game can have, since those who ask tables are told that none serves. Where men are put into
///   lists of a fixed length, ask [`playable`] instead.
///
/// Kings or rooks that stand elsewhere than usual but may castle mean Chess960, though nobody said so.
pub fn position(fen: &Fen) -> Result<Chess, FenError> {
    lenient(fen, false).or_else(PositionError::ignore_too_much_material).map_err(|error| illegal(fen, &error))
}

/// As [`position`], but too many men are refused: what plays relies on their number. In `chess960` castling is that of
/// Chess960 even where the men stand as usual.
pub fn playable(fen: &Fen, chess960: bool) -> Result<Chess, FenError> {
    lenient(fen, chess960).map_err(|error| illegal(fen, &error))
}

/// As [`position`], from text.
pub fn read_position(text: &str) -> Result<Chess, FenError> {
    position(&read(text)?)
}

/// As [`playable`], from text.
pub fn read_playable(text: &str) -> Result<Chess, FenError> {
    playable(&read(text)?, false)
}

fn read(text: &str) -> Result<Fen, FenError> {
    text.trim().parse().map_err(|error: shakmaty::fen::ParseFenError| FenError {
        fen: text.to_owned(),
        what: "not a FEN",
        cause: error.to_string(),
    })
}

/// The FEN of a position.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

#[expect(clippy::result_large_err, reason = "the error holds the position that may yet be forgiven")]
fn lenient(fen: &Fen, chess960: bool) -> Result<Chess, PositionError<Chess>> {
    let castles = |mode| {
        let strict = fen.clone().into_position::<Chess>(mode);
        !strict.is_err_and(|error| error.kinds().contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS))
    };
    let unusual = fen.as_setup().castling_rights.any()
        && !castles(CastlingMode::Standard)
        && castles(CastlingMode::Chess960);
    fen.clone()
        .into_position(CastlingMode::from_chess960(chess960 || unusual))
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
}

fn illegal(fen: &Fen, error: &PositionError<Chess>) -> FenError {
    FenError { fen: fen.to_string(), what: "not a legal position", cause: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_no_harm_is_forgiven() {
        for (given, read) in [
            ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            ("4k3/8/8/8/8/8/8/4K2R w - e6 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
            ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "4k3/8/8/8/8/8/8/1K4R1 w K - 0 1"),
            // Two rooks give check at once, on one file.
            ("4R3/8/8/4k3/8/8/4R3/K7 b - - 0 1", "4R3/8/8/4k3/8/8/4R3/K7 b - - 0 1"),
        ] {
            assert_eq!(fen(&read_position(given).unwrap()), read, "{given}");
        }
    }

    #[test]
    fn too_many_men_are_only_for_those_who_allow_them() {
        let crowded: Fen = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/7k/K7 w - - 0 1".parse().unwrap();
        assert!(playable(&crowded, false).is_err());
        let crowded: Fen = "7k/8/8/8/8/8/QQQQQQ2/KQQQQQ2 b - - 0 1".parse().unwrap();
        assert!(position(&crowded).is_ok() && playable(&crowded, false).is_err());
    }

    #[test]
    fn what_is_no_position_is_named() {
        for (text, what) in
            [("nonsense", "not a FEN"), ("8/8/8/8/8/8/8/Kk6 w - - 0 1", "not a legal position")]
        {
            let error = read_position(text).unwrap_err();
            assert!(error.fen == text && error.what == what && error.to_string().contains(text), "{error}");
        }
    }
}
