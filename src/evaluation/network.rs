//! A small network that evaluates positions, such as are called NNUE: each side sees the men from where it stands, both views go
//! through the same layer, and how their sums are weighed depends on how many men are left.

use std::sync::{Arc, LazyLock};

use shakmaty::{Board, Color, Piece, Square};
use wide::{i16x16, i32x8};

/// Width of the hidden layer, of each side's half.
pub const WIDTH: usize = 256;
/// What a side can see: own and other men by role and square.
pub const MEN: usize = 2 * 6 * 64;
/// Numbers of men are told apart in so many stages.
pub const STAGES: usize = 8;

/// What 1 is in the hidden layer, ...
pub(super) const UNIT: i32 = 255;
/// ... and among the weights of the output.
pub(super) const OUTPUT_UNIT: i32 = 64;
/// What an output of 1 is worth, in centipawns. Of a side that has it, ln of the odds rises by 1.
pub const CENTIPAWNS: i32 = 160;

/// How a side sees the board: the ranks from its own side, the files so that its king stands on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    color: Color,
    turn: u8,
}

/// The number of a man as a side sees him.
pub type Feature = u16;

impl View {
    /// Of a side whose king stands here.
    #[inline]
    pub fn of(color: Color, king: Square) -> View {
        let files = if king as u8 & 4 != 0 { 7 } else { 0 };
        View { color, turn: files ^ color.fold_wb(0, 56) }
    }

    /// A man on a square.
    #[inline]
    pub fn feature(self, square: Square, piece: Piece) -> Feature {
        let side = if piece.color == self.color { 0 } else { 6 };
        (side + piece.role as u16 - 1) * 64 + u16::from(square as u8 ^ self.turn)
    }
}

/// The stage of a position.
#[inline]
pub fn stage(board: &Board) -> usize {
    ((board.occupied().count().max(1) - 1) * STAGES / 32).min(STAGES - 1)
}

/// The network as it is learned: for each man what he adds to a side's half of the hidden layer, the bias of that layer, for each stage the
/// weights of the half of the side to move and of the other, and last the biases of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParameters {
    rows: Vec<[f32; WIDTH]>,
}

/// The rows of [`NetworkParameters`] behind those of the men.
const BIAS: usize = MEN;
const OUTPUT: usize = BIAS + 1;
const OUTPUT_BIAS: usize = OUTPUT + 2 * STAGES;

impl NetworkParameters {
    /// Rows of [`WIDTH`] numbers.
    pub const ROWS: usize = OUTPUT_BIAS + 1;
    /// No parameter may be greater, lest sums of small integers overflow.
    pub const MOST: f32 = 127.0 / OUTPUT_UNIT as f32;

    /// All nought.
    pub fn blank() -> NetworkParameters {
        NetworkParameters { rows: vec![[0.0; WIDTH]; NetworkParameters::ROWS] }
    }

    /// What a man adds.
    pub fn man(&self, feature: Feature) -> &[f32; WIDTH] {
        &self.rows[usize::from(feature)]
    }

    /// What the hidden layer is without men.
    pub fn bias(&self) -> &[f32; WIDTH] {
        &self.rows[BIAS]
    }

    /// The weights of a stage, of the half of the side to move and of the other.
    pub fn output(&self, stage: usize) -> [&[f32; WIDTH]; 2] {
        [&self.rows[OUTPUT + 2 * stage], &self.rows[OUTPUT + 2 * stage + 1]]
    }

    /// What is added at a stage.
    pub fn output_bias(&self, stage: usize) -> f32 {
        self.rows[OUTPUT_BIAS][stage]
    }

    /// All the same, to be changed.
    pub fn man_mut(&mut self, feature: Feature) -> &mut [f32; WIDTH] {
        &mut self.rows[usize::from(feature)]
    }

    /// See [`bias`](Self::bias).
    pub fn bias_mut(&mut self) -> &mut [f32; WIDTH] {
        &mut self.rows[BIAS]
    }

    /// The weights of one half at a stage: 0 of the side to move, 1 of the other.
    pub fn output_mut(&mut self, stage: usize, half: usize) -> &mut [f32; WIDTH] {
        &mut self.rows[OUTPUT + 2 * stage + half]
    }

    /// See [`output_bias`](Self::output_bias).
    pub fn output_bias_mut(&mut self, stage: usize) -> &mut f32 {
        &mut self.rows[OUTPUT_BIAS][stage]
    }

    /// All numbers in a row.
    pub fn numbers(&self) -> &[f32] {
        self.rows.as_flattened()
    }

    /// All numbers in a row, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        self.rows.as_flattened_mut()
    }
}

/// The network as it plays: small integers.
#[derive(Debug, PartialEq, Eq)]
pub struct EvalNetwork {
    pub(super) men: Box<[[i16; WIDTH]]>,
    pub(super) output: Box<[[[i16; WIDTH]; 2]]>,
    pub(super) output_bias: [i32; STAGES],
    pub(super) checksum: u32,
    /// The file that it was read from; empty for the built-in one.
    pub(super) file: String,
}

static BUILT_IN: LazyLock<Arc<EvalNetwork>> = LazyLock::new(|| {
    // That it is sound is tested.
    let network = EvalNetwork::from_bytes(include_bytes!("network.bin"), String::new());
    Arc::new(network.unwrap_or_else(|error| {
        log::error!("built-in network: {error}");
        EvalNetwork::blank()
    }))
});

impl EvalNetwork {
    /// The built-in one.
    pub fn built_in() -> Arc<EvalNetwork> {
        Arc::clone(&BUILT_IN)
    }

    /// One that takes all positions for equal.
    fn blank() -> EvalNetwork {
        EvalNetwork {
            men: vec![[0; WIDTH]; MEN + 1].into(),
            output: vec![[[0; WIDTH]; 2]; STAGES].into(),
            output_bias: [0; STAGES],
            checksum: 0,
            file: String::new(),
        }
    }

    /// What was learned, in small integers.
    pub fn new(parameters: &NetworkParameters) -> EvalNetwork {
        let mut network = EvalNetwork::blank();
        let round = |value: f32, unit: i32| (value * unit as f32).round() as i16;
        for (row, learned) in network.men.iter_mut().zip(&parameters.rows) {
            *row = learned.map(|value| round(value, UNIT));
        }
        for (stage, halves) in network.output.iter_mut().enumerate() {
            *halves = parameters.output(stage).map(|half| half.map(|value| round(value, OUTPUT_UNIT)));
        }
        for (stage, bias) in network.output_bias.iter_mut().enumerate() {
            *bias = (parameters.output_bias(stage) * (UNIT * OUTPUT_UNIT) as f32).round() as i32;
        }
        network.checksum = network.checksum_of();
        network
    }

    /// The file that it was read from; empty for the built-in one.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What tells it from others.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    pub(super) fn row(&self, feature: Feature) -> &[i16; WIDTH] {
        &self.men[usize::from(feature)]
    }

    pub(super) fn bias(&self) -> &[i16; WIDTH] {
        &self.men[MEN]
    }

    /// The value in centipawns for the side to move, from the sums of its half and of the other's.
    pub(super) fn value(&self, stage: usize, own: &[i16; WIDTH], other: &[i16; WIDTH]) -> i32 {
        let [own_weights, other_weights] = &self.output[stage];
        let sum = squares(own, own_weights).wrapping_add(squares(other, other_weights));
        let output = i64::from(sum / UNIT) + i64::from(self.output_bias[stage]);
        (output * i64::from(CENTIPAWNS) / i64::from(UNIT * OUTPUT_UNIT)) as i32
    }
}

/// Σ weight · clamped²: the product of the first two fits 16 bits, since no weight is beyond 127.
#[inline(always)]
fn squares(sums: &[i16; WIDTH], weights: &[i16; WIDTH]) -> i32 {
    let (nought, unit) = (i16x16::ZERO, i16x16::splat(UNIT as i16));
    let mut total = i32x8::ZERO;
    for (&sums, &weights) in sums.as_chunks().0.iter().zip(weights.as_chunks().0) {
        let clamped = i16x16::new(sums).max(nought).min(unit);
        // Products of neighbours are added at once, for which processors have an instruction that compilers don't find.
        total += (clamped * i16x16::new(weights)).dot(clamped);
    }
    total.reduce_add()
}
