//! Which game is played when, and by whom with which colour.

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use shakmaty::{Color, Position};

use super::opening::Opening;

/// A game of a match: its number, who plays it, and who has White in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScheduledGame {
    /// Counted from 0.
    pub number: usize,
    /// The opening's round, counted from 0: the pair, if colours are reversed.
    pub pair: usize,
    /// The players A and B of this game, by their numbers.
    pub players: [usize; 2],
    /// The colour that A has.
    pub a_color: Color,
    /// Which of the pairings of a match with more than two players this is, counted from 0.
    pairing: Option<usize>,
    /// Whether colours are reversed, so that pairs have two games.
    paired: bool,
}

impl ScheduledGame {
    /// The player who has White.
    pub fn white(self) -> usize {
        self.players[usize::from(self.a_color == Color::Black)]
    }

    /// The player who has Black.
    pub fn black(self) -> usize {
        self.players[usize::from(self.a_color == Color::White)]
    }

    /// The tag `Round`: the round, with more than two players the pairing, and in a match in pairs the game of the pair.
    pub fn round(self) -> String {
        let parts = [Some(self.pair), self.pairing, self.paired.then_some(self.number % 2)];
        let parts: Vec<String> = parts.into_iter().flatten().map(|part| (part + 1).to_string()).collect();
        parts.join(".")
    }
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    openings: Vec<Opening>,
    pairings: Vec<(usize, usize)>,
    games: usize,
    swap: bool,
    seed: u64,
}

impl Schedule {
    /// So many games of two players from these openings in turn (there must be one), each opening twice with colours
    /// reversed if `swap`. A has the side to move first.
    pub fn new(openings: Vec<Opening>, games: usize, swap: bool, seed: u64) -> Schedule {
        Schedule { openings, pairings: vec![(0, 1)], games, swap, seed }
    }

    /// The same number of games from the same openings for each of these pairs of players (there must be one).
    pub fn between(self, pairings: Vec<(usize, usize)>) -> Schedule {
        Schedule { pairings, ..self }
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

    /// The pairs of players that meet.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// All games.
    pub fn games(&self) -> usize {
        self.games * self.pairings.len()
    }

    /// Whether games come in pairs.
    pub fn is_paired(&self) -> bool {
        self.swap
    }

    /// The game of this number, and where it begins. All pairings play an opening before the next one's turn comes.
    pub fn game(&self, number: usize) -> (ScheduledGame, &Opening) {
        let unit = if self.swap { number / 2 } else { number };
        let (pair, pairing) = (unit / self.pairings.len(), unit % self.pairings.len());
        let opening = &self.openings[pair % self.openings.len()];
        let first = opening.game.position().turn();
        let scheduled = ScheduledGame {
            number,
            pair,
            players: self.pairings[pairing].into(),
            a_color: if self.swap && number % 2 == 1 { !first } else { first },
            pairing: (self.pairings.len() > 1).then_some(pairing),
            paired: self.swap,
        };
        (scheduled, opening)
    }

    /// Reads a `Round` back: the number of the game.
    pub(super) fn number_of(&self, round: &str) -> Option<usize> {
        let parts: Option<Vec<usize>> =
            round.split('.').map(|part| part.parse::<usize>().ok()?.checked_sub(1)).collect();
        let mut parts = parts?.into_iter();
        let pair = parts.next()?;
        let pairing = if self.pairings.len() > 1 { parts.next()? } else { 0 };
        let game = if self.swap { parts.next()? } else { 0 };
        let unit = pair.checked_mul(self.pairings.len())?.checked_add(pairing)?;
        let number = if self.swap { unit.checked_mul(2)?.checked_add(game)? } else { unit };
        // Only what is written so is read so.
        Some(number).filter(|&number| parts.next().is_none() && self.game(number).0.round() == round)
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
            .map(|(scheduled, opening)| {
                (opening.name.as_str(), scheduled.a_color.is_white(), scheduled.round())
            })
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
                assert_eq!(schedule.number_of(&schedule.game(number).0.round()), Some(number));
            }
            let three = schedule.between(vec![(0, 1), (0, 2), (1, 2)]);
            for number in 0..30 {
                assert_eq!(three.number_of(&three.game(number).0.round()), Some(number));
            }
            for text in ["", "0", "1.0", "1.3", "x", "-", "99999999999999999999"] {
                assert_eq!(self::schedule(swap).number_of(text), None, "{text}");
            }
        }
    }

    #[test]
    fn all_pairs_of_players_meet_in_each_opening_with_both_colours() {
        let schedule = schedule(true).between(vec![(0, 1), (0, 2), (1, 2)]);
        assert_eq!(schedule.games(), 30);
        let games: Vec<_> = (0..7)
            .map(|number| schedule.game(number))
            .map(|(scheduled, opening)| {
                (opening.name.as_str(), scheduled.white(), scheduled.black(), scheduled.round())
            })
            .collect();
        assert_eq!(games[0], ("one", 0, 1, "1.1.1".to_owned()));
        assert_eq!(games[1], ("one", 1, 0, "1.1.2".to_owned()));
        assert_eq!(games[5], ("one", 2, 1, "1.3.2".to_owned()));
        assert_eq!(games[6], ("two", 0, 1, "2.1.1".to_owned()));
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
