//! An evaluation term by term, for people to read and for tuning: a sparse linear form of the weights.

use std::sync::Arc;

use shakmaty::{Board, Chess, Color, Position};

use super::{
    FULL_PHASE, FULL_SCALE,
    eval_info::EvalInfo,
    hand_crafted::{all_but_pawns, endgame_scale, taper},
    king, pawns,
    term_collector::TermList,
    weights::{Pair, Weights},
};

/// The evaluation of one position, term by term.
#[derive(Clone, Debug)]
pub struct EvalTrace {
    board: Board,
    /// Game phase, from 0 for the endgame to [`FULL_PHASE`].
    pub phase: i32,
    /// The factor of the endgame value, in 64ths: less than 64 in drawish endgames.
    pub scale: i32,
    /// The terms that occur, in the order of [`Weights::names`].
    pub terms: Vec<TracedTerm>,
}

/// A term of an evaluation and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedTerm {
    /// Index among [`Weights::names`].
    pub weight: usize,
    /// How often it occurs for White.
    pub white: i32,
    /// How often it occurs for Black.
    pub black: i32,
}

impl TracedTerm {
    /// White's occurrences less Black's: what the weight is multiplied by.
    pub fn count(self) -> i32 {
        self.white - self.black
    }
}

impl EvalTrace {
    /// Evaluates a position and keeps the terms.
    pub fn new(position: &Chess, weights: &Arc<Weights>) -> EvalTrace {
        let board = position.board();
        let (mut list, mut phase) = (TermList::default(), 0);
        if let Some(mut info) = EvalInfo::new(board) {
            let structure = pawns::pawns(&info.pawns, &mut list);
            for color in Color::ALL {
                king::shelter(&info.pawns, *info.kings.get(color), color, &mut list);
            }
            all_but_pawns(&mut info, position.turn(), structure, &mut list);
            phase = info.phase();
        }
        list.0.sort_unstable();
        let mut terms: Vec<TracedTerm> = Vec::new();
        for (weight, count) in list.0 {
            let (white, black) = (count.max(0), (-count).max(0));
            match terms.last_mut() {
                Some(last) if last.weight == weight => {
                    last.white += white;
                    last.black += black;
                }
                _ => terms.push(TracedTerm { weight, white, black }),
            }
        }
        let endgame = sum(&terms, weights).endgame();
        let scale = endgame_scale(board, endgame, weights);
        EvalTrace { board: board.clone(), phase, scale, terms }
    }

    /// The value in centipawns for White: the same number that the search sees.
    pub fn value(&self, weights: &Weights) -> i32 {
        taper(&self.board, self.phase, sum(&self.terms, weights), weights)
    }

    /// The value's derivatives: for each weight that occurs its index, and by how much the value changes with its
    /// middlegame and with its endgame part. The value is the sum of shares times weights, up to rounding.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let middlegame = f64::from(self.phase) / f64::from(FULL_PHASE);
        let endgame = (1.0 - middlegame) * f64::from(self.scale) / f64::from(FULL_SCALE);
        self.terms.iter().filter(|term| term.count() != 0).map(move |term| {
            let count = f64::from(term.count());
            (term.weight, count * middlegame, count * endgame)
        })
    }
}

fn sum(terms: &[TracedTerm], weights: &Weights) -> Pair {
    let mut sum = Pair::default();
    for term in terms {
        sum += weights.pairs[term.weight] * term.count();
    }
    sum
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::evaluation::{Evaluation, Evaluator};

    const POSITIONS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
        "8/5k2/8/3b4/8/P1B5/1PK5/8 b - - 0 1",
        "8/8/8/4k3/8/8/8/4KQ2 w - - 0 1",
        "4k3/P7/8/8/8/8/7p/K7 b - - 0 1",
    ];

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn terms_add_up_to_the_evaluation() {
        let weights = Arc::new(Weights::default());
        for fen in POSITIONS {
            let position = position(fen);
            let trace = EvalTrace::new(&position, &weights);
            let value = Evaluator::new(&Evaluation::HandCrafted(Arc::clone(&weights))).evaluate(&position, 0);
            assert_eq!(trace.value(&weights), position.turn().fold_wb(value, -value), "{fen}");
            let linear: f64 = trace
                .shares()
                .map(|(weight, middlegame, endgame)| {
                    let pair = weights.pairs()[weight];
                    middlegame * f64::from(pair.middlegame()) + endgame * f64::from(pair.endgame())
                })
                .sum();
            assert!((linear - f64::from(trace.value(&weights))).abs() < 2.0, "{fen}: {linear}");
        }
    }

    #[test]
    fn the_evaluation_is_the_same_with_colours_exchanged() {
        let weights = Arc::new(Weights::default());
        let mut evaluator = Evaluator::new(&Evaluation::HandCrafted(weights));
        for fen in POSITIONS {
            let original = position(fen);
            let mirrored: Chess = original
                .clone()
                .to_setup(shakmaty::EnPassantMode::Legal)
                .into_mirrored()
                .position(CastlingMode::Standard)
                .unwrap();
            assert_eq!(evaluator.evaluate(&original, 0), evaluator.evaluate(&mirrored, 0), "{fen}");
        }
    }
}
