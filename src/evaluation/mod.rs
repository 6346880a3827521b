//! Static evaluation: by a small network that was learned from assessed positions, or by hand-crafted terms whose weights have
//! names and can be replaced at run time.

mod accumulators;
mod bitboards;
mod eval_info;
mod eval_trace;
mod hand_crafted;
mod king;
mod network;
mod network_file;
mod passed;
mod pawns;
mod pieces;
mod scale;
mod source;
mod term_collector;
mod terms;
mod threats;
mod weights;

use shakmaty::{Chess, Color, Position};

use accumulators::Accumulators;
use hand_crafted::HandCrafted;

pub use eval_trace::{EvalTrace, TracedTerm};
pub use network::{CENTIPAWNS, EvalNetwork, Feature, MEN, NetworkParameters, STAGES, View, WIDTH, stage};
pub use network_file::EvalNetworkError;
pub use source::Evaluation;
pub use weights::{Pair, Weights, WeightsError};

/// The game phase with all pieces on the board; 0 is an endgame of pawns alone.
pub const FULL_PHASE: i32 = 24;

/// The scale factor of an endgame that is worth what it seems.
const FULL_SCALE: i32 = 64;

/// No static evaluation is beyond this: greater values are mates and tablebase wins.
const EVAL_MAX: i32 = 20_000;

/// Evaluates positions for one thread of a search.
pub struct Evaluator {
    hand_crafted: HandCrafted,
    accumulators: Option<Accumulators>,
}

impl Evaluator {
    /// An evaluator that has seen nothing yet.
    pub fn new(evaluation: &Evaluation) -> Evaluator {
        let network = evaluation.network().map(|network| Accumulators::new(network.clone()));
        Evaluator { hand_crafted: HandCrafted::new(evaluation.weights().clone()), accumulators: network }
    }

    /// The static evaluation in centipawns, for the side to move. Positions that differ little from the last one evaluated at
    /// this ply, or at the one before, are evaluated faster by a network; the value is the same.
    pub fn evaluate(&mut self, position: &Chess, ply: usize) -> i32 {
        match &mut self.accumulators {
            // How a bare king is mated is a matter of technique, of which the terms know and the network does not.
            Some(accumulators) if !has_bare_king(position) => {
                let value = accumulators.evaluate(position, ply);
                self.hand_crafted.scale_down(position.board(), position.turn().fold_wb(value, -value), value)
            }
            _ => self.hand_crafted.evaluate(position),
        }
    }
}

fn has_bare_king(position: &Chess) -> bool {
    Color::ALL.into_iter().any(|color| !position.board().by_color(color).more_than_one())
}
