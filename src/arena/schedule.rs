//! Which game is played when, and by whom with which colour.

use std::str::FromStr;

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use shakmaty::{Color, Position};

use super::opening::Opening;

/// A game of a match: its number, and who has White in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Counted from 0.
    pub number: usize,
    /// The opening's round, counted from 0: the pair, if colours are reversed.
    pub pair: usize,
    /// The colour that A has.
    pub a_color: Color,
    /// Whether colours are reversed, so that pairs have two games.
    pub paired: bool,
}

impl Slot {
    /// 0 if A has White, 1 if B has.
    pub fn white(self) -> usize {
        usize::from(self.a_color == Color::Black)
    }

    /// The tag `Round`: `pair.game` of a match in pairs, else the number of the game.
    pub fn round(self) -> String {
        match self.paired {
            true => format!("{}.{}", self.pair + 1, self.number % 2 + 1),
            false => (self.number + 1).to_string(),
        }
    }
}

/// Reads a `Round` back: the number of the game, counted from 0, and whether it is one of a pair.
pub(super) fn parse_round(text: &str) -> Option<(usize, bool)> {
    let counted = |text: &str| usize::from_str(text).ok()?.checked_sub(1);
    match text.split_once('.') {
        Some((pair, game)) => {
            Some((counted(pair)?.checked_mul(2)? + counted(game).filter(|&game| game < 2)?, true))
        }
        None => Some((counted(text)?, false)),
    }
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    openings: Vec<Opening>,
    games: usize,
    swap: bool,
    seed: u64,
}

impl Schedule {
    /// So many games from these openings in turn (there must be one), each opening twice with colours reversed if
    /// `swap`. A has the side to move first.
    pub fn new(openings: Vec<Opening>, games: usize, swap: bool, seed: u64) -> Schedule {
        Schedule { openings, games, swap, seed }
    }

    /// The same with the openings in an order that follows from the seed.
    pub fn shuffled(mut self) -> Schedule {
        self.openings.shuffle(&mut Pcg64::seed_from_u64(self.seed));
        self
    }

    /// All openings.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// All games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Whether games come in pairs.
    pub fn is_paired(&self) -> bool {
        self.swap
    }

    /// The game of this number, and where it begins.
    pub fn game(&self, number: usize) -> (Slot, &Opening) {
        let pair = if self.swap { number / 2 } else { number };
        let opening = &self.openings[pair % self.openings.len()];
        let first = opening.game.position().turn();
        let a_color = if self.swap && number % 2 == 1 { !first } else { first };
        (Slot { number, pair, a_color, paired: self.swap }, opening)
    }

    /// What the chances of White (0) and Black (1) in a game follow from: the same whoever plays it, when, and
    /// beside how many others.
    pub fn game_seed(&self, number: usize, side: u64) -> u64 {
        // SplitMix64 (Steele, Lea & Flood 2014): neighbours become unrelated.
        let mut z =
            self.seed.wrapping_add((2 * number as u64 + side + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    fn schedule(swap: bool) -> Schedule {
        let openings = ["one", "two", "three"].map(|name| Opening::from_position(name, Chess::default()));
        Schedule::new(openings.to_vec(), 10, swap, 7)
    }

    #[test]
    fn each_opening_is_played_twice_with_colours_reversed() {
        let schedule = schedule(true);
        let games: Vec<_> = (0..8)
            .map(|number| schedule.game(number))
            .map(|(slot, opening)| (opening.name.as_str(), slot.a_color.is_white(), slot.round()))
            .collect();
        assert_eq!(games[0], ("one", true, "1.1".to_owned()));
        assert_eq!(games[1], ("one", false, "1.2".to_owned()));
        assert_eq!(games[2], ("two", true, "2.1".to_owned()));
        assert_eq!(games[7], ("one", false, "4.2".to_owned()));
    }

    #[test]
    fn without_reversal_a_keeps_the_side_to_move() {
        let schedule = schedule(false);
        assert!((0..10).all(|number| schedule.game(number).0.a_color.is_white()));
        assert_eq!(schedule.game(4).1.name, "two");
    }

    #[test]
    fn rounds_are_read_back() {
        for swap in [false, true] {
            let schedule = schedule(swap);
            for number in 0..10 {
                assert_eq!(parse_round(&schedule.game(number).0.round()), Some((number, swap)));
            }
        }
        for text in ["", "0", "1.0", "1.3", "x", "-", "99999999999999999999"] {
            assert_eq!(parse_round(text), None, "{text}");
        }
    }

    #[test]
    fn every_player_of_every_game_has_its_own_chances() {
        let schedule = schedule(true);
        let mut seeds: Vec<_> =
            (0..1000).flat_map(|number| [0, 1].map(|side| schedule.game_seed(number, side))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
