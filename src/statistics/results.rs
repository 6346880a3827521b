//! The results of any number of players against each other.

use super::Tally;
use crate::model::Value;

/// Wins, draws and losses of every player against every other. Players are counted from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    players: usize,
    /// Row by row: those of player i against j are at i · players + j.
    tallies: Vec<Tally>,
}

impl Results {
    /// So many players without games.
    pub fn new(players: usize) -> Results {
        Results { players, tallies: vec![Tally::default(); players * players] }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Where the games of `i` against `j` are, if they can have any.
    fn place(&self, i: usize, j: usize) -> Option<usize> {
        (i < self.players && j < self.players && i != j).then_some(i * self.players + j)
    }

    /// Adds a game between `i` and `j` that ended so for `i`; nothing if these are not two of the players.
    pub fn add(&mut self, i: usize, j: usize, result: Value) {
        let mut tally = Tally::default();
        tally += result;
        self.add_tally(i, j, tally);
    }

    /// Adds games between `i` and `j`, as `i` sees them; nothing if these are not two of the players.
    pub fn add_tally(&mut self, i: usize, j: usize, tally: Tally) {
        for (place, tally) in [(self.place(i, j), tally), (self.place(j, i), tally.reversed())] {
            if let Some(sum) = place.and_then(|place| self.tallies.get_mut(place)) {
                *sum = joined(*sum, tally);
            }
        }
    }

    /// The games of `i` against `j`, as `i` sees them.
    pub fn between(&self, i: usize, j: usize) -> Tally {
        self.place(i, j).and_then(|place| self.tallies.get(place)).copied().unwrap_or_default()
    }

    /// All games of `i`.
    pub fn total(&self, i: usize) -> Tally {
        (0..self.players).map(|j| self.between(i, j)).fold(Tally::default(), joined)
    }

    /// All pairs i < j that met, with the games of i against j.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, Tally)> {
        (0..self.players)
            .flat_map(|i| (i + 1..self.players).map(move |j| (i, j)))
            .map(|(i, j)| (i, j, self.between(i, j)))
            .filter(|(_, _, tally)| tally.games() > 0)
    }
}

fn joined(one: Tally, other: Tally) -> Tally {
    Tally { wins: one.wins + other.wins, draws: one.draws + other.draws, losses: one.losses + other.losses }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_players_see_the_same_games() {
        let mut results = Results::new(3);
        results.add(2, 0, Value::Win);
        results.add(0, 2, Value::Draw);
        results.add_tally(1, 0, Tally { wins: 2, draws: 3, losses: 4 });
        assert_eq!(results.between(2, 0), Tally { wins: 1, draws: 1, losses: 0 });
        assert_eq!(results.between(0, 2), Tally { wins: 0, draws: 1, losses: 1 });
        assert_eq!(results.total(0), Tally { wins: 4, draws: 4, losses: 3 });
        let pairs: Vec<_> = results.pairs().map(|(i, j, tally)| (i, j, tally.games())).collect();
        assert_eq!(pairs, [(0, 1, 9), (0, 2, 2)]);
    }

    #[test]
    fn a_game_needs_two_players() {
        let mut results = Results::new(2);
        results.add(0, 0, Value::Win);
        results.add(0, 2, Value::Win);
        assert_eq!(results, Results::new(2));
        assert_eq!(results.between(5, 0), Tally::default());
    }
}
