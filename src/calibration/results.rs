//! What became of positions of rated games.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Color, Position};

use super::Part;
use crate::{
    game::Game,
    human::{ChanceModel, Standing, material},
    notation::GameScore,
    oracle::{Control, Limits, Oracle},
    statistics::maximum,
};

/// A position of a game between rated players, and the result for the side to move.
#[derive(Clone, Debug)]
pub struct RatedPosition {
    /// The game as it stood.
    pub game: Game,
    /// The Elo of the side to move and of the other.
    pub elos: [u32; 2],
    /// Points of the side to move: 1, ½ or 0.
    pub points: f64,
    /// Whether a player is one by whom models are judged.
    pub is_judging: bool,
}

/// What is known of a position whose result is known.
#[derive(Clone, Copy, Debug)]
pub struct KnownResult {
    /// How it stood.
    pub standing: Standing,
    /// Points of the side to move.
    pub points: f64,
}

impl RatedPosition {
    /// One position of a game, drawn by its number and a seed; nothing if a player is unrated, the game has no result or
    /// ends before it has left the opening.
    pub fn draw(score: &GameScore, first_ply: usize, seed: u64) -> Option<RatedPosition> {
        let mut rng = Pcg64::seed_from_u64(seed);
        let white = match score.result.as_str() {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" => 0.5,
            _ => return None,
        };
        let [white_elo, black_elo] = [Color::White, Color::Black].map(|side| score.elo(side));
        let (white_elo, black_elo) = (white_elo?, black_elo?);
        if score.plies.len() <= first_ply {
            return None;
        }
        let ply = rng.random_range(first_ply..score.plies.len());
        let mut game = Game::new(score.start.clone());
        score.plies[..ply].iter().for_each(|ply| game.play(ply.m));
        let turn = game.position().turn();
        let is_judging =
            ["White", "Black"].into_iter().any(|side| Part::of(score.tag(side)) == Part::Judging);
        Some(RatedPosition {
            elos: turn.fold_wb([white_elo, black_elo], [black_elo, white_elo]),
            points: turn.fold_wb(white, 1.0 - white),
            game,
            is_judging,
        })
    }

    /// How it stands, by a search of so many plies; nothing if it can't be searched.
    pub fn evaluate(&self, oracle: &dyn Oracle, depth: u32, control: &Control) -> Option<KnownResult> {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = oracle.best(&self.game, &limits, control, &mut |_| {})?;
        let standing = Standing {
            pawns: found.score.pawns(),
            material: material(self.game.position().board()),
            elos: self.elos.map(f64::from),
        };
        Some(KnownResult { standing, points: self.points })
    }
}

/// Chances by greatest likelihood, with their standard errors as a row.
pub fn fit_chances(results: &[KnownResult]) -> (ChanceModel, Vec<f64>) {
    let found = maximum(results, ChanceModel::blank().to_row(), &[], |result, row| {
        ChanceModel::from_row(row, 0).slope(&result.standing, result.points)
    });
    (ChanceModel::from_row(&found.row, results.len() as u64), found.errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn a_position_is_drawn_with_the_result_of_its_mover() {
        let text = "1500 1900 0-1 2011|A|B|e4 e5 Nf3 Nc6 Bc4 Nf6\n";
        let score = Games::new(text.as_bytes()).next().unwrap().unwrap();
        for seed in 0..20 {
            let drawn = RatedPosition::draw(&score, 2, seed).unwrap();
            let white = drawn.game.position().turn() == Color::White;
            assert_eq!(drawn.elos, if white { [1500, 1900] } else { [1900, 1500] });
            assert_eq!(drawn.points, if white { 0.0 } else { 1.0 });
        }
        assert!(RatedPosition::draw(&score, 6, 1).is_none());
    }

    #[test]
    fn the_chances_behind_results_are_found_again() {
        let truth = ChanceModel {
            value: [0.5, 0.4],
            elo: [0.3, 0.8],
            ln_draw: [0.3, -0.6, 0.2],
            ..ChanceModel::blank()
        };
        let mut rng = Pcg64::seed_from_u64(3);
        let results: Vec<KnownResult> = (0..40_000)
            .map(|_| {
                let standing = Standing {
                    pawns: rng.random_range(-3.0..3.0),
                    material: rng.random_range(0.1..1.0),
                    elos: [rng.random_range(1200.0..2600.0), rng.random_range(1200.0..2600.0)],
                };
                let chances = truth.chances(&standing);
                let lot: f64 = rng.random();
                let points = match lot {
                    lot if lot < chances.win => 1.0,
                    lot if lot < chances.win + chances.draw => 0.5,
                    _ => 0.0,
                };
                KnownResult { standing, points }
            })
            .collect();
        let (found, errors) = fit_chances(&results);
        for ((found, truth), error) in found.to_row().into_iter().zip(truth.to_row()).zip(errors) {
            assert!(error < 0.1 && (found - truth).abs() < 4.0 * error, "{found} ± {error}, not {truth}");
        }
    }
}
