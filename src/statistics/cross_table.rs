//! Everybody's results against everybody else, with ratings.

use std::cmp::Ordering;

use serde::Serialize;

use super::{Rating, Results, Tally, Unbounded, ratings};

/// All players, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossTable {
    /// Sorted by group, rating and points; those without games come last.
    pub players: Vec<Standing>,
}

/// One player's line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The name.
    pub player: String,
    /// The place in the table, from 1.
    pub rank: usize,
    /// The rating, relative to the mean of the group; none without games.
    pub elo: Option<f64>,
    /// Half the length of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Whether the games set no limit to the rating on one side.
    pub unbounded: Option<Unbounded>,
    /// The number, from 1, of the group of players that games connect: ratings compare within it.
    pub group: Option<usize>,
    /// Points of all games.
    pub points: f64,
    /// All games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Mean points a game.
    pub score: Option<f64>,
    /// The mean rating of the opponents, one for each game.
    pub average_opponent: Option<f64>,
    /// The games against each opponent, in the order of the table; who was not met is left out.
    pub opponents: Vec<Opponent>,
}

/// A player's games against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Opponent {
    /// The opponent's name.
    pub player: String,
    /// The opponent's place in the table.
    pub rank: usize,
    /// The games, as the player of the line sees them.
    #[serde(flatten)]
    pub tally: Tally,
}

impl CrossTable {
    /// The table of these results; `names` are those of the players in their order.
    pub fn new(names: &[String], results: &Results) -> CrossTable {
        let ratings = ratings(results);
        let mut order: Vec<usize> = (0..results.players()).collect();
        order.sort_by(|&i, &j| {
            by_rating(ratings[i], ratings[j])
                .then_with(|| points(results.total(j)).total_cmp(&points(results.total(i))))
        });
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        let standing = |(place, &player): (usize, &usize)| {
            let (rating, total) = (ratings[player], results.total(player));
            let opponents = order.iter().zip(1..).filter_map(|(&other, rank)| {
                let tally = results.between(player, other);
                (tally.games() > 0).then(|| Opponent { player: name(other), rank, tally })
            });
            Standing {
                player: name(player),
                rank: place + 1,
                elo: rating.map(|rating| rating.elo),
                elo_error: rating.map(|rating| rating.elo_error),
                unbounded: rating.and_then(|rating| rating.unbounded),
                group: rating.map(|rating| rating.group + 1),
                points: points(total),
                games: total.games(),
                wins: total.wins,
                draws: total.draws,
                losses: total.losses,
                score: (total.games() > 0).then(|| points(total) / total.games() as f64),
                average_opponent: rating.map(|rating| rating.average_opponent),
                opponents: opponents.collect(),
            }
        };
        CrossTable { players: order.iter().enumerate().map(standing).collect() }
    }

    /// The table as rows of fields, a heading first: the figures of each player, then wins, draws and losses against
    /// everyone in the order of the table, empty where two did not meet. The score is a share of 1.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut heading = FIELDS.map(str::to_owned).to_vec();
        for Standing { player, .. } in &self.players {
            heading.extend(["wins", "draws", "losses"].map(|count| format!("{count} against {player}")));
        }
        let mut rows = vec![heading];
        rows.extend(self.players.iter().map(|standing| self.row(standing)));
        rows
    }

    fn row(&self, standing: &Standing) -> Vec<String> {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
        let mut row = vec![
            standing.rank.to_string(),
            standing.player.clone(),
            standing.group.map_or_else(String::new, |group| group.to_string()),
            number(standing.elo),
            number(standing.elo_error),
            standing.unbounded.map_or("", Unbounded::name).to_owned(),
            standing.points.to_string(),
            standing.games.to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
            number(standing.score),
            number(standing.average_opponent),
        ];
        for other in &self.players {
            row.extend(match standing.against(other.rank) {
                Some(Tally { wins, draws, losses }) => [wins, draws, losses].map(|count| count.to_string()),
                None => Default::default(),
            });
        }
        row
    }
}

impl Standing {
    /// All games.
    pub fn total(&self) -> Tally {
        Tally { wins: self.wins, draws: self.draws, losses: self.losses }
    }

    /// The games against the player of that rank, if the two met.
    pub fn against(&self, rank: usize) -> Option<Tally> {
        self.opponents.iter().find(|opponent| opponent.rank == rank).map(|opponent| opponent.tally)
    }
}

/// The heading of the fields that every player has.
const FIELDS: [&str; 13] = [
    "rank",
    "player",
    "group",
    "elo",
    "elo_error",
    "unbounded",
    "points",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "average_opponent",
];

/// Group by group, the higher rating first; differences that come of rounding are none.
fn by_rating(one: Option<Rating>, other: Option<Rating>) -> Ordering {
    let key = |rating: Rating| (rating.group, -(rating.elo * 1e6).round() as i64);
    match (one, other) {
        (Some(one), Some(other)) => key(one).cmp(&key(other)),
        _ => other.is_some().cmp(&one.is_some()),
    }
}

fn points(tally: Tally) -> f64 {
    tally.wins as f64 + 0.5 * tally.draws as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> CrossTable {
        let mut results = Results::new(3);
        results.add_tally(0, 1, Tally { wins: 1, draws: 2, losses: 3 });
        let names = ["Anna", "Bert", "Carl"].map(str::to_owned);
        CrossTable::new(&names, &results)
    }

    #[test]
    fn the_best_come_first_and_those_without_games_last() {
        let names: Vec<_> =
            table().players.into_iter().map(|standing| (standing.rank, standing.player)).collect();
        assert_eq!(names, [(1, "Bert".to_owned()), (2, "Anna".to_owned()), (3, "Carl".to_owned())]);
    }

    #[test]
    fn equal_ratings_are_sorted_by_points() {
        // Who drew everything is as strong as all others; B has drawn more games.
        let mut results = Results::new(3);
        results.add_tally(0, 1, Tally { wins: 0, draws: 2, losses: 0 });
        results.add_tally(1, 2, Tally { wins: 0, draws: 2, losses: 0 });
        let table = CrossTable::new(&["A", "B", "C"].map(str::to_owned), &results);
        assert_eq!(table.players[0].player, "B");
    }

    #[test]
    fn json_has_every_figure_by_name() {
        let json = serde_json::to_value(table()).unwrap();
        let bert = &json["players"][0];
        assert_eq!(bert["player"], "Bert");
        assert_eq!(bert["rank"], 1);
        assert_eq!((&bert["wins"], &bert["draws"], &bert["losses"]), (&3.into(), &2.into(), &1.into()));
        assert_eq!((&bert["points"], &bert["games"]), (&4.0.into(), &6.into()));
        assert!((bert["score"].as_f64().unwrap() - 4.0 / 6.0).abs() < 1e-12);
        assert!(bert["elo"].as_f64().unwrap() > 0.0 && bert["elo_error"].as_f64().unwrap() > 0.0);
        let anna = serde_json::json!([{"player": "Anna", "rank": 2, "wins": 3, "draws": 2, "losses": 1}]);
        assert_eq!(bert["opponents"], anna);
        assert!(json["players"][2]["elo"].is_null());
    }

    #[test]
    fn rows_have_one_field_for_each_of_the_heading() {
        let rows = table().rows();
        assert_eq!(rows.len(), 4);
        assert!(rows.iter().all(|row| row.len() == 13 + 3 * 3));
        assert_eq!(rows[0][13], "wins against Bert");
        assert_eq!(rows[1][13..19], ["", "", "", "3", "2", "1"]);
        assert_eq!(rows[1][..3], ["1", "Bert", "1"]);
        assert_eq!(rows[3][..9], ["3", "Carl", "", "", "", "", "0", "0", "0"]);
    }
}
