//! A cross table for a terminal.

use super::{CrossTable, Standing, Tally};

/// Longer names are cut.
const NAME: usize = 28;

/// Lines of at most so many characters have room for wins, draws and losses against each opponent; else there are only
/// points and games.
const ROOM: usize = 100;

impl CrossTable {
    /// The table as text: rank, name, rating and its error, points of games, score, and the games against each
    /// opponent, who is named by rank.
    ///
    /// If one player took part in all games of more than two players, only the column of that one is shown, since no
    /// other would say more.
    pub fn text(&self) -> String {
        let wide = aligned(&self.cells(in_full));
        let wide = wide.iter().all(|line| line.chars().count() <= ROOM).then_some(wide);
        let mut lines = wide.unwrap_or_else(|| aligned(&self.cells(of_games)));
        if self.marked() {
            lines.push(
                "* won or lost all games against the others: only a virtual draw bounds the rating"
                    .to_owned(),
            );
        }
        if self.groups() > 1 {
            lines.push("ratings of different groups, which did not meet, cannot be compared".to_owned());
        }
        lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    /// Whether some rating is unbounded.
    fn marked(&self) -> bool {
        self.players.iter().any(|standing| standing.unbounded.is_some())
    }

    fn groups(&self) -> usize {
        self.players.iter().filter_map(|standing| standing.group).max().unwrap_or(0)
    }

    /// The ranks that have a column.
    fn columns(&self) -> Vec<usize> {
        let met = self.players.iter().filter(|standing| standing.games > 0);
        let games: u64 = met.clone().map(|standing| standing.games).sum();
        let everywhere = met.clone().find(|standing| 2 * standing.games == games);
        match everywhere.filter(|_| met.clone().count() > 2) {
            Some(standing) => vec![standing.rank],
            None => met.map(|standing| standing.rank).collect(),
        }
    }

    /// The heading and a line for each player, field by field, with the games against an opponent as `show` has them.
    fn cells(&self, show: fn(Tally) -> String) -> Vec<Vec<String>> {
        let (columns, grouped, marked) = (self.columns(), self.groups() > 1, self.marked());
        let mut heading: Vec<String> = ["#", "player"].map(str::to_owned).to_vec();
        if grouped {
            heading.push("group".to_owned());
        }
        heading.extend(["Elo", "±", "points", "score"].map(str::to_owned));
        heading.extend(columns.iter().map(|rank| rank.to_string()));
        let line = |standing: &Standing| {
            let mut line = vec![standing.rank.to_string(), short(&standing.player)];
            if grouped {
                line.push(standing.group.map_or_else(String::new, |group| group.to_string()));
            }
            let mark = match standing.unbounded {
                Some(_) => "*",
                None if marked => " ",
                None => "",
            };
            line.push(standing.elo.map_or_else(String::new, |elo| format!("{}{mark}", signed(elo))));
            line.push(standing.elo_error.map_or_else(String::new, |error| format!("{error:.1}")));
            line.push(of_games(standing.total()));
            line.push(standing.score.map_or_else(String::new, |score| format!("{:.1}%", 100.0 * score)));
            line.extend(columns.iter().map(|&rank| match standing.against(rank) {
                _ if rank == standing.rank => "·".to_owned(),
                Some(tally) => show(tally),
                None => String::new(),
            }));
            line
        };
        std::iter::once(heading).chain(self.players.iter().map(line)).collect()
    }
}

/// Columns two blanks apart, each as wide as its longest field; names to the left, figures to the right.
fn aligned(cells: &[Vec<String>]) -> Vec<String> {
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        cells.iter().filter_map(|line| line.get(column)).map(|field| field.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |line: &Vec<String>| {
        let fields = line.iter().zip(&widths).enumerate().map(|(column, (field, &width))| match column {
            1 => format!("{field:<width$}"),
            _ => format!("{field:>width$}"),
        });
        fields.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    cells.iter().map(line).collect()
}

/// A name from outside, fit for a column: no control characters, not too long.
fn short(name: &str) -> String {
    let clean = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    match name.chars().count() > NAME {
        true => clean.take(NAME - 1).chain(['…']).collect(),
        false => clean.collect(),
    }
}

/// With its sign; what rounds to 0 has none.
fn signed(elo: f64) -> String {
    let text = format!("{elo:+.1}").replace('-', "−");
    if matches!(text.as_str(), "+0.0" | "−0.0") { "0.0".to_owned() } else { text }
}

fn in_full(Tally { wins, draws, losses }: Tally) -> String {
    format!("+{wins} ={draws} -{losses}")
}

/// Points of games, such as 3½/8.
fn of_games(tally: Tally) -> String {
    let (whole, half) = (tally.wins + tally.draws / 2, tally.draws % 2 == 1);
    let points = match (whole, half) {
        (0, true) => "½".to_owned(),
        (whole, true) => format!("{whole}½"),
        (whole, false) => whole.to_string(),
    };
    format!("{points}/{}", tally.games())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{super::Results, *};

    /// Player, opponent, wins, draws, losses.
    type Row = (usize, usize, u64, u64, u64);

    fn text(names: &[&str], rows: &[Row]) -> String {
        let mut results = Results::new(names.len());
        for &(i, j, wins, draws, losses) in rows {
            results.add_tally(i, j, Tally { wins, draws, losses });
        }
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        CrossTable::new(&names, &results).text()
    }

    fn assert_reads(text: &str, lines: &[&str]) {
        assert_eq!(text.lines().collect::<Vec<_>>(), lines, "\n{text}");
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn a_small_tournament_shows_every_result() {
        let rows = [
            (0, 1, 5, 3, 2),
            (0, 2, 6, 4, 0),
            (0, 3, 8, 1, 1),
            (1, 2, 3, 4, 3),
            (1, 3, 5, 5, 0),
            (2, 3, 4, 2, 4),
        ];
        let names =
            ["player:c=20", "predator", "search:nodes=20000", "An engine from outside with a long name 17.1"];
        assert_reads(
            &text(&names, &rows),
            &[
                "#  player                           Elo     ±  points  score         1         2         3         4",
                "1  player:c=20                   +153.2  87.1   23/30  76.7%         ·  +5 =3 -2  +6 =4 -0  +8 =1 -1",
                "2  predator                       +17.0  73.1   16/30  53.3%  +2 =3 -5         ·  +3 =4 -3  +5 =5 -0",
                "3  search:nodes=20000             −56.4  77.6   12/30  40.0%  +0 =4 -6  +3 =4 -3         ·  +4 =2 -4",
                "4  An engine from outside with…  −113.7  84.9    9/30  30.0%  +1 =1 -8  +0 =5 -5  +4 =2 -4         ·",
            ],
        );
    }

    #[test]
    fn many_players_keep_the_columns_narrow() {
        let names: Vec<String> = (1..=12).map(|number| format!("player {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows: Vec<Row> =
            (0..12).flat_map(|i| (i + 1..12).map(move |j| (i, j, (j - i) as u64 / 2, 3, 2))).collect();
        let text = text(&names, &rows);
        let widths: BTreeSet<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths, BTreeSet::from([117]), "{text}");
        assert_eq!(
            text.lines().nth(11),
            Some(concat!(
                "11  player 11  −24.4  53.4  36½/80  45.6%",
                "  3½/10   3½/9  3½/9  3½/8  3½/8  3½/7  3½/7  3½/6  3½/6  3½/5      ·   1½/5"
            ))
        );
    }

    #[test]
    fn a_gauntlet_has_one_column() {
        let rows = [(0, 1, 4, 3, 3), (0, 2, 5, 5, 0), (0, 3, 1, 2, 7)];
        assert_reads(
            &text(&["new", "one", "two", "three"], &rows),
            &[
                "#  player     Elo      ±  points  score         2",
                "1  three   +210.0  168.7    8/10  80.0%  +7 =2 -1",
                "2  new       −2.6   79.3   15/30  50.0%         ·",
                "3  one      −34.3  147.0   4½/10  45.0%  +3 =3 -4",
                "4  two     −173.0  131.8   2½/10  25.0%  +0 =5 -5",
            ],
        );
    }

    #[test]
    fn what_cannot_be_known_is_said() {
        let rows = [(0, 1, 4, 0, 0), (2, 3, 2, 3, 2)];
        let names = ["all", "none", "left", "right", "absent"];
        assert_reads(
            &text(&names, &rows),
            &[
                "#  player  group      Elo      ±  points   score         1         2         3         4",
                "1  all         1  +223.5*  288.5     4/4  100.0%         ·  +4 =0 -0",
                "2  none        1  −223.5*  288.5     0/4    0.0%  +0 =0 -4         ·",
                "3  left        2     0.0    96.3    3½/7   50.0%                             ·  +2 =3 -2",
                "4  right       2     0.0    96.3    3½/7   50.0%                      +2 =3 -2         ·",
                "5  absent                            0/0",
                "* won or lost all games against the others: only a virtual draw bounds the rating",
                "ratings of different groups, which did not meet, cannot be compared",
            ],
        );
    }

    #[test]
    fn names_do_not_break_the_table() {
        let long = "ü".repeat(29);
        assert_eq!(short(&long), format!("{}…", "ü".repeat(27)));
        assert_eq!(short(&"ü".repeat(28)), "ü".repeat(28));
        assert_eq!(short("two\nlines"), "two lines");
    }

    #[test]
    fn nobody_is_a_heading() {
        assert_eq!(text(&[], &[]), "#  player  Elo  ±  points  score\n");
    }

    #[test]
    fn half_points_are_a_sign() {
        for (wins, draws, losses, expected) in
            [(0, 1, 0, "½/1"), (3, 1, 4, "3½/8"), (2, 2, 0, "3/4"), (0, 0, 2, "0/2")]
        {
            assert_eq!(of_games(Tally { wins, draws, losses }), expected);
        }
    }
}
