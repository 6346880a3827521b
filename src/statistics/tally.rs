use std::ops::AddAssign;

use serde::Serialize;

use crate::model::Value;

/// Wins, draws and losses of one side of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same games as the other side sees them.
    pub fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign<Value> for Tally {
    fn add_assign(&mut self, result: Value) {
        match result {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }
}

/// How often a pair of games with reversed colours brought 0, ½, 1, 1½ and 2 points: the pentanomial.
///
/// The two games of a pair share an opening and so are not independent; pairs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair with these two results.
    pub fn add(&mut self, first: Value, second: Value) {
        let half_points = (2.0 * (first.points() + second.points())) as usize;
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_by_their_points() {
        let mut pairs = Pairs::default();
        pairs.add(Value::Win, Value::Win);
        pairs.add(Value::Win, Value::Loss);
        pairs.add(Value::Draw, Value::Draw);
        pairs.add(Value::Loss, Value::Draw);
        assert_eq!(pairs, Pairs([0, 1, 2, 0, 1]));
    }
}
