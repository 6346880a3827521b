//! Who meets whom when there are more than two players.

use std::{fmt, str::FromStr};

/// Which players of a match meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Everyone meets everyone else.
    #[default]
    RoundRobin,
    /// The first player meets everyone else, and nobody else meets.
    Gauntlet,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::RoundRobin, Format::Gauntlet];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a format that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format '{0}': use round-robin or gauntlet")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// Every pair of players that meet, once, in the order of play; players are counted from 0 and a pair's first
/// has the smaller number. Two players are one pair in either format, fewer are none.
///
/// A round robin goes by rounds, in each of which everyone has one opponent (or, when the number of players
/// is odd, one of them rests): a match that is ended early has given all players about as many games.
pub fn pairings(players: usize, format: Format) -> Vec<(usize, usize)> {
    match format {
        Format::Gauntlet => (1..players).map(|other| (0, other)).collect(),
        Format::RoundRobin => round_robin(players),
    }
}

/// The circle method: one player keeps the seat, all others move on by one seat each round, and those who sit
/// opposite each other play.
// Schurig 1886; the tables known by Berger's name (1893) are of the same kind.
fn round_robin(players: usize) -> Vec<(usize, usize)> {
    // With an odd number, whoever meets the player that does not exist has a rest.
    let seats = players.next_multiple_of(2);
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut pairs = Vec::with_capacity(players * players.saturating_sub(1) / 2);
    for _ in 1..seats {
        let opposite = circle.iter().zip(circle.iter().rev()).take(seats / 2);
        let met = opposite.map(|(&one, &other)| (one.min(other), one.max(other)));
        pairs.extend(met.filter(|&(_, other)| other < players));
        circle[1..].rotate_right(1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_pair_meets_once() {
        for players in 2..=20 {
            let pairs = pairings(players, Format::RoundRobin);
            let all = (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j)));
            assert_eq!(pairs.len(), players * (players - 1) / 2, "{players} players");
            assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), all.collect(), "{players} players");
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round() {
        for players in 2..=20 {
            for round in pairings(players, Format::RoundRobin).chunks(players / 2) {
                let playing: BTreeSet<usize> = round.iter().flat_map(|&(i, j)| [i, j]).collect();
                assert_eq!(playing.len(), 2 * (players / 2), "{players} players: {round:?}");
            }
        }
    }

    #[test]
    fn four_players_have_three_rounds() {
        let pairs = pairings(4, Format::RoundRobin);
        assert_eq!(pairs, [(0, 3), (1, 2), (0, 2), (1, 3), (0, 1), (2, 3)]);
    }

    #[test]
    fn the_first_player_of_a_gauntlet_meets_all_others() {
        for players in 2..=20 {
            let others = (1..players).map(|other| (0, other));
            assert_eq!(pairings(players, Format::Gauntlet), others.collect::<Vec<_>>());
        }
    }

    #[test]
    fn two_players_are_one_pair_and_fewer_are_none() {
        for format in Format::ALL {
            assert_eq!(pairings(2, format), [(0, 1)]);
            assert_eq!(pairings(1, format), []);
            assert_eq!(pairings(0, format), []);
        }
    }

    #[test]
    fn formats_are_read_by_their_names() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(format.to_string(), format.name());
        }
        assert_eq!("knockout".parse::<Format>(), Err(UnknownFormat("knockout".to_owned())));
    }
}
