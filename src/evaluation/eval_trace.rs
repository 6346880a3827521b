//! An evaluation as a sparse linear form of its weights: for people to read and for fitting.

use std::sync::Arc;

use shakmaty::{Board, Chess, Position};

use super::{
    FULL_PHASE, all_but_pawns, endgame_scale,
    eval_info::View,
    pawns, taper,
    term_collector::List,
    weights::{Pair, Weights},
};

/// The evaluation of one position, in terms.
#[derive(Clone, Debug)]
pub struct Form {
    board: Board,
    /// How far from the endgame, 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// What is left of the endgame value, in 64ths.
    pub scale: i32,
    /// Terms that are there, by place among [`Weights::names`].
    pub terms: Vec<Term>,
}

/// One term of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Place among [`Weights::names`].
    pub weight: usize,
    /// How often it is there for White.
    pub white: i32,
    /// How often it is there for Black.
    pub black: i32,
}

impl Term {
    /// What the weight is multiplied with, for White.
    pub fn count(self) -> i32 {
        self.white - self.black
    }
}

impl Form {
    /// Takes the evaluation of a position apart.
    pub fn new(position: &Chess, weights: &Arc<Weights>) -> Form {
        let board = position.board();
        let mut list = List::default();
        if let Some(mut view) = View::new(board) {
            let passed = pawns::pawns(&view.pawns, &mut list);
            all_but_pawns(&mut view, position.turn(), passed, &mut list);
        }
        list.0.sort_unstable();
        let mut terms: Vec<Term> = Vec::new();
        for (weight, count) in list.0 {
            let (white, black) = (count.max(0), (-count).max(0));
            match terms.last_mut() {
                Some(last) if last.weight == weight => {
                    last.white += white;
                    last.black += black;
                }
                _ => terms.push(Term { weight, white, black }),
            }
        }
        let endgame = sum(&terms, weights).endgame();
        let scale = endgame_scale(board, endgame, weights);
        Form { board: board.clone(), phase: super::phase(board), scale, terms }
    }

    /// The value in centipawns for White: the very number that the search sees.
    pub fn value(&self, weights: &Weights) -> i32 {
        taper(&self.board, sum(&self.terms, weights), weights)
    }

    /// By how much the value changes with each weight: place, share in the middlegame, share in the endgame. The
    /// value is the sum of shares times weights, up to rounding.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let middlegame = f64::from(self.phase) / f64::from(FULL_PHASE);
        let endgame = (1.0 - middlegame) * f64::from(self.scale) / 64.0;
        self.terms.iter().filter(|term| term.count() != 0).map(move |term| {
            let count = f64::from(term.count());
            (term.weight, count * middlegame, count * endgame)
        })
    }
}

fn sum(terms: &[Term], weights: &Weights) -> Pair {
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
    use crate::evaluation::Evaluator;

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
            let form = Form::new(&position, &weights);
            let value = Evaluator::new(Arc::clone(&weights)).evaluate(&position);
            assert_eq!(form.value(&weights), position.turn().fold_wb(value, -value), "{fen}");
            let linear: f64 = form
                .shares()
                .map(|(weight, middlegame, endgame)| {
                    let pair = weights.pairs()[weight];
                    middlegame * f64::from(pair.middlegame()) + endgame * f64::from(pair.endgame())
                })
                .sum();
            assert!((linear - f64::from(form.value(&weights))).abs() < 2.0, "{fen}: {linear}");
        }
    }

    #[test]
    fn a_position_is_worth_the_same_with_colours_exchanged() {
        let weights = Arc::new(Weights::default());
        let mut evaluator = Evaluator::new(weights);
        for fen in POSITIONS {
            let here = position(fen);
            let there: Chess = here
                .clone()
                .to_setup(shakmaty::EnPassantMode::Legal)
                .into_mirrored()
                .position(CastlingMode::Standard)
                .unwrap();
            assert_eq!(evaluator.evaluate(&here), evaluator.evaluate(&there), "{fen}");
        }
    }
}
