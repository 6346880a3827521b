//! What becomes of a position between people: chances to win, draw and lose by its value, the men that are left to err with,
//! and how strong the two players are.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use shakmaty::Board;

use super::{along, perceived};
use crate::search::{ALL_MEN, men};

/// Chances to win, to draw and to lose; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

/// What chances depend on, seen by one of the players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// What the position is worth, in pawns.
    pub pawns: f64,
    /// How much is left on the board; see [`material`].
    pub material: f64,
    /// The Elo of the player, and of the opponent.
    pub elos: [f64; 2],
}

/// How chances follow from a [`Standing`]: an ordered logistic model. With
/// `u = value · pawns + elo · (difference of Elo) / 400` a game is won with chance `1 / (1 + exp(t − u))` and lost with chance
/// `1 / (1 + exp(t + u))`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceModel {
    /// Positions of as many games that it was fitted to.
    pub games: u64,
    /// What a pawn counts: on an empty board, and what a full one adds.
    pub value: [f64; 2],
    /// What 400 Elo count: on an empty board, and what a full one adds.
    pub elo: [f64; 2],
    /// ln t: on an empty board between players of 2000, what a full board adds, and what 400 Elo of both add.
    pub ln_draw: [f64; 3],
}

/// What is built in, made by `errare calibrate --chances`.
static BUILT_IN: LazyLock<ChanceModel> = LazyLock::new(|| {
    ChanceModel::parse(include_str!("chances.toml"))
        .unwrap_or_else(|error| unreachable!("the built-in chances are damaged: {error}"))
});

/// No greater difference of Elo stands in the games that chances were learned from.
const MOST_ELO: f64 = 800.0;

/// How much is left on the board to err with: 1 at the start of a game, 0 with bare kings.
pub fn material(board: &Board) -> f64 {
    (men(board) as f64 / ALL_MEN as f64).min(1.0)
}

impl Chances {
    /// Points to be expected.
    pub fn points(self) -> f64 {
        self.win + self.draw / 2.0
    }
}

impl ChanceModel {
    /// The one that is built in.
    pub fn built_in() -> &'static ChanceModel {
        &BUILT_IN
    }

    /// Where a fit begins.
    pub fn blank() -> ChanceModel {
        ChanceModel { games: 0, value: [0.8, 0.0], elo: [1.0, 0.0], ln_draw: [0.0; 3] }
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<ChanceModel, String> {
        toml::from_str(text).map_err(|error| error.message().replace('\n', " "))
    }

    /// The chances of a player.
    pub fn chances(&self, standing: &Standing) -> Chances {
        let [u, t] = self.scores(standing);
        let (win, loss) = (logistic(u - t), logistic(-u - t));
        Chances { win, draw: 1.0 - win - loss, loss }
    }

    /// What a difference of Elo is worth in a level position, in pawns.
    pub fn advantage(&self, material: f64, elos: [f64; 2]) -> f64 {
        let [_, difference, material, _] = Standing { pawns: 0.0, material, elos }.features();
        difference * (self.elo[0] + self.elo[1] * material) / (self.value[0] + self.value[1] * material)
    }

    /// u and t.
    fn scores(&self, standing: &Standing) -> [f64; 2] {
        let [pawns, difference, material, level] = standing.features();
        let u = (self.value[0] + self.value[1] * material) * pawns
            + (self.elo[0] + self.elo[1] * material) * difference;
        let t = (self.ln_draw[0] + self.ln_draw[1] * material + self.ln_draw[2] * level).exp();
        [u, t]
    }

    /// All numbers in one row.
    pub(crate) fn to_row(&self) -> Vec<f64> {
        [&self.value[..], &self.elo, &self.ln_draw].concat()
    }

    /// The reverse of `to_row`.
    pub(crate) fn from_row(row: &[f64], games: u64) -> ChanceModel {
        let [value, more_value, elo, more_elo, draw, more_draw, level] =
            std::array::from_fn(|place| row.get(place).copied().unwrap_or_default());
        ChanceModel {
            games,
            value: [value, more_value],
            elo: [elo, more_elo],
            ln_draw: [draw, more_draw, level],
        }
    }

    /// ln of the chance of a result (1, ½ or 0 points), and how it changes with each number of the row.
    pub(crate) fn slope(&self, standing: &Standing, points: f64) -> (f64, Vec<f64>) {
        let [u, t] = self.scores(standing);
        let (win, loss) = (logistic(u - t), logistic(-u - t));
        let (ln, by_u, by_t) = match points {
            points if points > 0.75 => (win.ln(), 1.0 - win, win - 1.0),
            points if points < 0.25 => (loss.ln(), loss - 1.0, loss - 1.0),
            _ => {
                let draw = (1.0 - win - loss).max(f64::MIN_POSITIVE);
                let [won, lost] = [win, loss].map(|chance| chance * (1.0 - chance));
                (draw.ln(), (lost - won) / draw, (lost + won) / draw)
            }
        };
        let [pawns, difference, material, level] = standing.features();
        let by_ln_t = by_t * t;
        let gradient = [
            by_u * pawns,
            by_u * pawns * material,
            by_u * difference,
            by_u * difference * material,
            by_ln_t,
            by_ln_t * material,
            by_ln_t * level,
        ];
        (ln, gradient.to_vec())
    }
}

impl Standing {
    /// Pawns (three or four more are no great matter), the difference of Elo, material, and the level of both, as they count.
    fn features(&self) -> [f64; 4] {
        let [own, other] = self.elos;
        let difference = (own - other).clamp(-MOST_ELO, MOST_ELO) / 400.0;
        [perceived(self.pawns), difference, self.material, along((own + other) / 2.0)]
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(pawns: f64, material: f64, elos: [f64; 2]) -> f64 {
        ChanceModel::built_in().chances(&Standing { pawns, material, elos }).points()
    }

    #[test]
    fn chances_are_fair_and_rise_with_value_and_strength() {
        for material in [0.1, 0.5, 1.0] {
            assert!((points(0.0, material, [2000.0; 2]) - 0.5).abs() < 1e-9);
            assert!(points(1.0, material, [2000.0; 2]) > points(0.5, material, [2000.0; 2]));
            assert!(points(0.0, material, [2200.0, 1800.0]) > points(0.0, material, [2000.0; 2]));
            let chances =
                ChanceModel::built_in().chances(&Standing { pawns: 9.0, material, elos: [2400.0, 1000.0] });
            assert!(chances.draw >= 0.0 && (chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_level_position_with_more_men_promises_more_against_a_weaker_player() {
        assert!(points(0.0, 0.8, [2600.0, 1600.0]) > points(0.0, 0.1, [2600.0, 1600.0]) + 0.03);
    }

    #[test]
    fn an_advantage_in_strength_makes_up_for_pawns() {
        for material in [0.0, 0.3, 0.5] {
            let elos = [2100.0, 2000.0];
            let advantage = ChanceModel::built_in().advantage(material, elos);
            assert!(
                advantage > 0.1 && (points(-advantage, material, elos) - 0.5).abs() < 0.01,
                "{advantage}"
            );
        }
    }

    #[test]
    fn slopes_are_those_of_the_likelihood() {
        let model = ChanceModel {
            value: [0.5, 0.3],
            elo: [0.4, 0.9],
            ln_draw: [0.2, -0.5, 0.1],
            ..ChanceModel::blank()
        };
        let standing = Standing { pawns: 0.7, material: 0.6, elos: [2100.0, 1850.0] };
        for points in [0.0, 0.5, 1.0] {
            let (ln, gradient) = model.slope(&standing, points);
            for (place, slope) in gradient.into_iter().enumerate() {
                let mut row = model.to_row();
                row[place] += 1e-6;
                let next = ChanceModel::from_row(&row, 0).slope(&standing, points).0;
                assert!(((next - ln) / 1e-6 - slope).abs() < 1e-4, "{points} {place}");
            }
        }
    }
}
