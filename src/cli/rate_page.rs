//! Charts of ratings, and one page with all of it.

use super::{
    rate_answers::Found,
    rate_output::{COLUMNS, cells, notes},
};
use crate::{
    rating::CareerPoint,
    report::{Chart, Series, SeriesStyle, escape},
};

/// More distributions than this can't be told apart in one chart.
const MOST_DENSITIES: usize = 7;
/// More intervals than this can't be told apart.
const MOST_INTERVALS: usize = 60;
/// Nothing is drawn where a density is less than this part of its greatest.
const NEGLIGIBLE: f64 = 1e-3;

/// All charts, with the names of their files.
pub fn charts(found: &Found) -> Vec<(&'static str, Chart)> {
    let mut charts = Vec::new();
    let rated: Vec<_> = found.ratings.iter().filter(|(rating, _)| rating.c.is_some()).collect();
    if (1..=MOST_DENSITIES).contains(&rated.len()) {
        let series = rated.iter().filter_map(|(rating, belief)| {
            let density = belief.as_ref()?.density();
            let greatest = density.iter().map(|point| point.1).fold(0.0, f64::max);
            let points = density.into_iter().filter(|point| point.1 > NEGLIGIBLE * greatest).collect();
            Some(Series { name: rating.who.clone(), points, mark: SeriesStyle::Line })
        });
        charts.push((
            "competence.svg",
            Chart {
                title: "What is believed of c".to_owned(),
                subtitle: format!("posterior density; prices by {}", found.pricer),
                x_label: "apparent competence c".to_owned(),
                y_label: "density".to_owned(),
                series: series.collect(),
                y_range: Some((0.0, 0.0)),
            },
        ));
    }
    if (2..=MOST_INTERVALS).contains(&rated.len()) {
        let numbered = || rated.iter().enumerate();
        let points = numbered().filter_map(|(number, (rating, _))| Some((number as f64 + 1.0, rating.c?)));
        let ends = numbered().filter_map(|(_, (rating, _))| rating.c_interval);
        charts.push((
            "ratings.svg",
            Chart {
                title: "c of each, with 95 % intervals".to_owned(),
                subtitle: "in the order of the table".to_owned(),
                x_label: "row of the table".to_owned(),
                y_label: "apparent competence c".to_owned(),
                series: vec![Series {
                    name: String::new(),
                    points: points.collect(),
                    mark: SeriesStyle::Intervals(ends.collect()),
                }],
                y_range: None,
            },
        ));
    }
    if let Some((name, window, points)) = &found.career {
        // Of the games of a day, or of a year where more is not known, the last says it.
        let points: Vec<&CareerPoint> =
            points.chunk_by(|one, next| one.date == next.date).filter_map(<[_]>::last).collect();
        charts.push((
            "career.svg",
            Chart {
                title: format!("{name}: c over the last {window} games"),
                subtitle: format!("band: 95 %; prices by {}", found.pricer),
                x_label: "year".to_owned(),
                y_label: "apparent competence c".to_owned(),
                series: vec![Series {
                    name: "c".to_owned(),
                    points: points.iter().map(|point| (point.year, point.c)).collect(),
                    mark: SeriesStyle::Band(points.iter().map(|point| point.c_interval).collect()),
                }],
                y_range: None,
            },
        ));
        let elos: Vec<(f64, f64)> =
            points.iter().filter_map(|point| Some((point.year, f64::from(point.elo?)))).collect();
        if elos.len() > 1 {
            charts.push((
                "career-elo.svg",
                Chart {
                    title: format!("{name}: Elo by the tags"),
                    subtitle: "of the same games".to_owned(),
                    x_label: "year".to_owned(),
                    y_label: "Elo".to_owned(),
                    series: vec![Series { name: String::new(), points: elos, mark: SeriesStyle::Points }],
                    y_range: None,
                },
            ));
        }
    }
    if let Some((name, games)) = &found.opponents {
        let of_result = |name: &str, wanted: f64| Series {
            name: name.to_owned(),
            points: games
                .iter()
                .filter(|one| score(&one.result, one.colour) == Some(wanted))
                .map(|one| (one.opponent_c, one.c))
                .collect(),
            mark: SeriesStyle::Points,
        };
        let most = games.iter().map(|one| one.c.max(one.opponent_c)).fold(0.0, f64::max);
        let least = games.iter().map(|one| one.c.min(one.opponent_c)).fold(most, f64::min);
        charts.push((
            "opponents.svg",
            Chart {
                title: format!("{name}: c and that of the opponent, game by game"),
                subtitle: format!(
                    "{} games; one game says little: see the intervals in the table",
                    games.len()
                ),
                x_label: "c of the opponent".to_owned(),
                y_label: format!("c of {name}"),
                series: vec![
                    of_result("won", 1.0),
                    of_result("lost", 0.0),
                    of_result("drawn", 0.5),
                    Series {
                        name: "equal".to_owned(),
                        points: vec![(least, least), (most, most)],
                        mark: SeriesStyle::Dashed,
                    },
                ],
                y_range: None,
            },
        ));
    }
    charts
}

/// What a player of a colour has scored.
fn score(result: &str, colour: &str) -> Option<f64> {
    match (result, colour) {
        ("1-0", "white") | ("0-1", "black") => Some(1.0),
        ("0-1", "white") | ("1-0", "black") => Some(0.0),
        ("1/2-1/2", _) => Some(0.5),
        _ => None,
    }
}

const STYLE: &str = "body{font:15px/1.5 Helvetica,Arial,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse;margin:1em 0;font-variant-numeric:tabular-nums}\
th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid #e4e4e4;white-space:nowrap}\
th:first-child,td:first-child{text-align:left;white-space:normal}th{border-bottom:2px solid #444}\
figure{margin:1.5em 0;overflow-x:auto}p.note{color:#555;max-width:50em;margin:.4em 0}";

/// One page that needs nothing else.
pub fn page(found: &Found) -> String {
    let mut body = String::new();
    let title = format!("Ratings from {}", found.games);
    body.push_str(&format!("<h1>{}</h1>\n", escape(&title)));
    let rows = found.ratings.iter().map(|(rating, _)| cells(rating).to_vec());
    body.push_str(&table(&COLUMNS, rows));
    for note in notes(found) {
        body.push_str(&format!("<p class=\"note\">{}</p>\n", escape(&note)));
    }
    body.push_str(
        "<p class=\"note\">c, the apparent competence, says how sharply a player prefers the moves that the engine finds better: 0 \
         plays at random. Intervals hold 95 %. \"exp.\": what people of that Elo would have done in the same positions; z: by how many \
         standard deviations the engine's first choice was played more often than that.</p>\n",
    );
    for (_, chart) in charts(found) {
        body.push_str(&format!("<figure>{}</figure>\n", chart.to_svg()));
    }
    if !found.comparisons.is_empty() {
        body.push_str("<h2>Compared</h2>\n");
        let rows = found.comparisons.iter().map(|one| {
            let (low, high) = one.interval;
            vec![
                one.a.clone(),
                one.b.clone(),
                format!("{:.4}", one.a_above_b),
                format!("{:+.3} ({low:+.2} to {high:+.2})", one.difference),
            ]
        });
        body.push_str(&table(&["A", "B", "P(c of A above c of B)", "difference"], rows));
    }
    if let Some((name, games)) = &found.opponents {
        body.push_str(&format!("<h2>{}, game by game</h2>\n", escape(name)));
        let rows = games.iter().map(|one| {
            let (own, other) = (one.c_interval, one.opponent_interval);
            vec![
                one.game.clone(),
                one.result.clone(),
                one.colour.to_owned(),
                format!("{:.2} ({:.2}-{:.2})", one.c, own.0, own.1),
                format!("{:.2} ({:.2}-{:.2})", one.opponent_c, other.0, other.1),
            ]
        });
        body.push_str(&table(&["game", "result", "colour", "c", "opponent"], rows));
    }
    if !found.moves.is_empty() {
        body.push_str("<h2>Move by move</h2>\n");
        let rows = found.moves.iter().map(|row| {
            let percent = |share: Option<f64>| {
                share.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share))
            };
            vec![
                format!("{}: {} {}", row.game, row.number, row.played),
                row.best.clone(),
                row.rank.to_string(),
                format!("{:.2}", row.error),
                percent(row.chance.map(|chance| chance.0)),
                percent(row.chance.map(|chance| chance.1)),
                row.z.map_or_else(String::new, |z| format!("{z:+.1}")),
            ]
        });
        let heads = ["move", "first choice", "choice", "gives up", "chance", "chance of first", "z so far"];
        body.push_str(&table(&heads, rows));
    }
    if let Some(profile) = &found.profile {
        body.push_str("<h2>Which agent chooses like this</h2>\n");
        let rows = profile.agents.iter().map(|agent| {
            vec![
                agent.engine.clone(),
                agent.depth.to_string(),
                format!("{:.4}", agent.probability),
                format!("{:.3} ± {:.3}", agent.c, agent.deviation),
            ]
        });
        body.push_str(&table(&["engine", "depth", "probability", "c"], rows));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        escape(&title)
    )
}

fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String], tag: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
    let rows: String = rows.map(|row| line(&row, "td")).collect();
    format!("<table>\n{}{rows}</table>\n", line(&heads, "th"))
}
