//! Move generation: the number of positions after so many plies, as published for these positions at
//! <https://www.chessprogramming.org/Perft_Results>.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use shakmaty::{CastlingMode, Chess, fen::Fen, perft};

#[test]
fn leaves_are_counted_right() {
    for (fen, depth, leaves) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ] {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert_eq!(perft(&position, depth), leaves, "{fen}");
    }
}
