//! Which decisions of rated people are looked at: the same number from each band of Elo.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use shakmaty::{Color, Move, Position};

use crate::{
    game::Game,
    notation::{GameScore, player_number},
};

/// A move of a person whose Elo is known, and the game up to it.
#[derive(Clone, Debug)]
pub struct RatedMove {
    /// Who moved.
    pub player: String,
    /// The Elo that the tags give.
    pub elo: u32,
    /// The game as it stood.
    pub game: Game,
    /// What was played.
    pub m: Move,
}

/// Width of a band of Elo.
pub const BAND: u32 = 100;

/// What is drawn from which games.
#[derive(Clone, Copy, Debug)]
pub struct SampleSettings {
    /// Decisions from each band of 100 Elo.
    pub per_band: usize,
    /// At the most from each side of a game.
    pub per_game: usize,
    /// Openings are known by heart: nothing is drawn before this half-move, counted from 0.
    pub first_ply: usize,
    /// Whether players whose moves are for learning are left out.
    pub unlearned: bool,
    /// Of the draws.
    pub seed: u64,
}

/// Takes games one by one and keeps an even draw of their decisions.
pub struct Sample {
    settings: SampleSettings,
    rng: Pcg64,
    bands: BTreeMap<u32, Band>,
}

#[derive(Default)]
struct Band {
    offered: usize,
    kept: Vec<RatedMove>,
}

impl Sample {
    /// Nothing is drawn yet.
    pub fn new(settings: SampleSettings) -> Sample {
        Sample { rng: Pcg64::seed_from_u64(settings.seed), bands: BTreeMap::new(), settings }
    }

    /// Some decisions of each rated player of a game may be taken.
    pub fn offer(&mut self, score: &GameScore) {
        for side in Color::ALL {
            let Some(elo) = score.elo(side) else { continue };
            let player = score.tag(side.fold_wb("White", "Black"));
            if self.settings.unlearned && Part::of(player) == Part::Learning {
                continue;
            }
            let second = usize::from(score.start.turn() != side);
            let mut plies: Vec<usize> =
                (self.settings.first_ply..score.plies.len()).filter(|ply| ply % 2 == second).collect();
            let (plies, _) = plies.partial_shuffle(&mut self.rng, self.settings.per_game);
            for &mut ply in plies {
                self.offer_ply(score, side, elo, ply);
            }
        }
    }

    /// Each decision that was offered has the same chance to be kept.
    fn offer_ply(&mut self, score: &GameScore, side: Color, elo: u32, ply: usize) {
        let band = self.bands.entry(elo / BAND * BAND).or_default();
        band.offered += 1;
        let place = match band.kept.len() < self.settings.per_band {
            true => band.kept.len(),
            false => self.rng.random_range(0..band.offered),
        };
        if place >= self.settings.per_band {
            return;
        }
        let mut game = Game::new(score.start.clone());
        score.plies[..ply].iter().for_each(|ply| game.play(ply.m));
        if game.position().legal_moves().len() < 2 {
            return;
        }
        let player = score.tag(side.fold_wb("White", "Black")).to_owned();
        let drawn = RatedMove { player, elo, game, m: score.plies[ply].m };
        match band.kept.get_mut(place) {
            Some(old) => *old = drawn,
            None => band.kept.push(drawn),
        }
    }

    /// All that was drawn, in random order: the first part of it is as good a sample as the whole.
    pub fn into_moves(mut self) -> Vec<RatedMove> {
        let mut all: Vec<RatedMove> = self.bands.into_values().flat_map(|band| band.kept).collect();
        all.shuffle(&mut self.rng);
        all
    }
}

/// What a player's moves are for, by name: no player serves two ends, lest a model be judged by what it has learned, or one
/// part of it be fitted to what another has learned by heart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Learning which moves people come upon: eight players in ten.
    Learning,
    /// Fitting the parameters: one in ten.
    Fitting,
    /// Judging: one in ten.
    Judging,
}

impl Part {
    /// That of a player.
    pub fn of(player: &str) -> Part {
        match player_number(player).unwrap_or(0) % 10 {
            0 => Part::Judging,
            5 => Part::Fitting,
            _ => Part::Learning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn bands_are_drawn_evenly_and_the_same_by_seed() {
        let game = |elo: u32| format!("{elo} 2300 1-0 2011|A|B|e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5 c3 d6\n");
        let text: String = (0..40).map(|number| game(1500 + 10 * number)).collect();
        let draw = || {
            let mut sample = Sample::new(SampleSettings {
                per_band: 3,
                per_game: 1,
                first_ply: 4,
                unlearned: false,
                seed: 7,
            });
            Games::new(text.as_bytes()).for_each(|score| sample.offer(&score.unwrap()));
            sample.into_moves()
        };
        let moves = draw();
        let band = |elo: u32| moves.iter().filter(|m| m.elo / BAND * BAND == elo).count();
        assert_eq!([1500, 1600, 1700, 1800, 2300].map(band), [3; 5]);
        assert!(moves.iter().all(|m| m.game.moves().len() >= 4 && m.game.position().is_legal(m.m)));
        let played = |moves: &[RatedMove]| moves.iter().map(|m| (m.elo, m.m)).collect::<Vec<_>>();
        assert_eq!(played(&moves), played(&draw()));
    }

    #[test]
    fn a_player_has_one_part_however_the_name_is_written() {
        let names = ["Zimmer,F1", "zimmer, f1", "ZIMMER F1"].map(Part::of);
        assert_eq!(names[0], names[1]);
        assert_eq!(names[0], names[2]);
        for part in [Part::Fitting, Part::Judging] {
            let count = (0..1000).filter(|number| Part::of(&format!("player {number}")) == part).count();
            assert!((70..130).contains(&count), "{count}");
        }
    }
}
