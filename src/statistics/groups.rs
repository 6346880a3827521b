//! Which players can be compared: by games at all, and by points in both directions.

use super::Results;

/// Players that games connect, directly or through others; a player without games is in none. The groups are in
/// the order of their first players, the players of a group in their own order.
pub(super) fn connected(results: &Results) -> Vec<Vec<usize>> {
    let met = |i: usize, j: usize| results.between(i, j).games() > 0;
    let everyone: Vec<usize> = (0..results.players()).collect();
    classes(&everyone, met).into_iter().filter(|group| group.len() > 1).collect()
}

/// The parts of a connected group within which everybody has taken a point off everybody else, directly or by a
/// chain of others. Ratings of greatest likelihood are finite if and only if there is one part.
// Ford 1957, 'Solution of a ranking problem from binary comparisons'.
pub(super) fn comparable(results: &Results, group: &[usize]) -> Vec<Vec<usize>> {
    classes(group, |i, j| scored(results, i, j))
}

/// Whether `i` has taken at least half a point off `j`.
pub(super) fn scored(results: &Results, i: usize, j: usize) -> bool {
    let tally = results.between(i, j);
    tally.wins + tally.draws > 0
}

/// Divides `members` into those that reach each other along `step`.
fn classes(members: &[usize], step: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = (0..members.len()).map(|from| reach(members, from, &step)).collect();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (here, from_here) in reached.iter().enumerate() {
        let mutual: Vec<usize> =
            (0..members.len()).filter(|&there| from_here[there] && reached[there][here]).collect();
        // Each class is found from its first member.
        if mutual.first() == Some(&here) {
            classes.push(mutual.into_iter().map(|place| members[place]).collect());
        }
    }
    classes
}

/// Which members can be reached from the one at place `from`, itself included.
fn reach(members: &[usize], from: usize, step: &impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut seen = vec![false; members.len()];
    seen[from] = true;
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        for there in 0..members.len() {
            if !seen[there] && step(members[here], members[there]) {
                seen[there] = true;
                open.push(there);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn games_connect_players_through_others() {
        let mut results = Results::new(6);
        results.add(0, 4, Value::Win);
        results.add(4, 2, Value::Win);
        results.add(1, 5, Value::Loss);
        assert_eq!(connected(&results), [vec![0, 2, 4], vec![1, 5]]);
    }

    #[test]
    fn points_must_go_both_ways_to_compare() {
        let mut results = Results::new(4);
        for (winner, loser) in [(0, 1), (1, 2), (2, 3), (3, 1)] {
            results.add(winner, loser, Value::Win);
        }
        assert_eq!(comparable(&results, &[0, 1, 2, 3]), [vec![0], vec![1, 2, 3]]);
        results.add(3, 0, Value::Draw);
        assert_eq!(comparable(&results, &[0, 1, 2, 3]), [vec![0, 1, 2, 3]]);
    }
}
