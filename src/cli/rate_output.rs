//! Ratings as text, JSON and comma-separated values.

use std::io::Write;

use serde_json::{Value, json};

use super::{
    Failure,
    rate_answers::{Found, MoveRow},
};
use crate::{
    rating::{Rating, multiple_tests},
    report::{csv_cell, csv_line},
};

/// The object that other programs read.
pub fn json(found: &Found) -> Value {
    let ratings: Vec<&Rating> = found.ratings.iter().map(|(rating, _)| rating).collect();
    json!({
        "games": found.counts.games, "games_twice": found.counts.twice, "pricer": found.pricer, "kappa": found.kappa,
        "decisions_priced_now": found.counts.priced, "decisions_unpriced": found.counts.unpriced,
        "elo_calibrated": found.calibrated,
        "ratings": ratings,
        "warning": warning(found),
        "comparisons": found.comparisons,
        "career": found.career.as_ref().map(|(name, window, points)| json!({
            "player": name, "window": window, "points": points,
        })),
        "opponents": found.opponents.as_ref().map(|(name, games)| json!({"player": name, "games": games})),
        "moves": found.moves.iter().map(move_object).collect::<Vec<_>>(),
        "profile": found.profile,
        "benchmark": found.benchmark.as_ref().map(|(depth, rating)| json!({"judged_at": depth, "rating": rating})),
    })
}

fn move_object(row: &MoveRow) -> Value {
    json!({
        "game": row.game, "number": row.number, "player": row.player, "elo": row.elo, "played": row.played,
        "first_choice": row.best, "value": row.value, "error": row.error, "choice": row.rank,
        "probability": row.chance.map(|chance| chance.0), "probability_of_first": row.chance.map(|chance| chance.1),
        "z_so_far": row.z,
    })
}

/// A row for each that was rated; for each decision, point or game if such a question was asked.
pub fn csv(found: &Found, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some((_, _, points)) = &found.career {
        writeln!(out, "date,year,games,decisions,c,c_low,c_high,elo")?;
        for point in points {
            let numbers = [point.year, point.c, point.c_interval.0, point.c_interval.1]
                .map(|number| number.to_string());
            let [year, c, low, high] = numbers;
            let cells = [
                point.date.clone(),
                year,
                point.games.to_string(),
                point.decisions.to_string(),
                c,
                low,
                high,
                csv_cell(point.elo),
            ];
            writeln!(out, "{}", csv_line(cells))?;
        }
        return Ok(());
    }
    if let Some((_, games)) = &found.opponents {
        writeln!(out, "game,date,result,colour,c,c_low,c_high,opponent_c,opponent_low,opponent_high")?;
        for one in games {
            let mut cells =
                vec![one.game.clone(), one.date.clone(), one.result.clone(), one.colour.to_owned()];
            let (own, other) = (one.c_interval, one.opponent_interval);
            cells.extend(
                [one.c, own.0, own.1, one.opponent_c, other.0, other.1].map(|number| number.to_string()),
            );
            writeln!(out, "{}", csv_line(cells))?;
        }
        return Ok(());
    }
    if !found.moves.is_empty() {
        writeln!(
            out,
            "game,number,player,elo,played,first_choice,value,error,choice,probability,probability_of_first,z_so_far"
        )?;
        for row in &found.moves {
            let cells = [
                row.game.clone(),
                row.number.clone(),
                row.player.clone(),
                csv_cell(row.elo),
                row.played.clone(),
                row.best.clone(),
                row.value.to_string(),
                row.error.to_string(),
                row.rank.to_string(),
                csv_cell(row.chance.map(|chance| chance.0)),
                csv_cell(row.chance.map(|chance| chance.1)),
                csv_cell(row.z),
            ];
            writeln!(out, "{}", csv_line(cells))?;
        }
        return Ok(());
    }
    writeln!(out, "{}", csv_line(Rating::columns()))?;
    for (rating, _) in &found.ratings {
        writeln!(out, "{}", csv_line(rating.cells()))?;
    }
    Ok(())
}

/// What must be said of the z-scores.
pub fn warning(found: &Found) -> Option<String> {
    let scores = found.z_scores();
    let greatest = scores.iter().map(|z| z.abs()).fold(0.0, f64::max);
    (!scores.is_empty()).then(|| multiple_tests(scores.len(), greatest))
}

/// What a table shows of a rating, with the heads of its columns.
pub const COLUMNS: [&str; 10] =
    ["", "games", "moves", "c", "95 %", "Elo", "95 %", "match % (exp.)", "error (exp.)", "z"];

/// The cells of a row of that table.
pub fn cells(rating: &Rating) -> [String; COLUMNS.len()] {
    let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    [
        rating.who.clone(),
        rating.games.to_string(),
        rating.decisions.to_string(),
        or(rating.c.map(|c| format!("{c:.3}"))),
        or(rating.c_interval.map(|(low, high)| format!("{low:.2}-{high:.2}"))),
        or(rating.elo.map(|elo| format!("{elo:.0}"))),
        or(rating.elo_interval.map(|(low, high)| format!("{low:.0}-{high:.0}"))),
        or(rating.matches.map(|share| {
            let expected =
                rating.expected_match.map_or_else(String::new, |share| format!(" ({})", percent(share)));
            percent(share) + &expected
        })),
        or(rating.mean_error.map(|error| {
            let expected = rating.expected_error.map_or_else(String::new, |error| format!(" ({error:.3})"));
            format!("{error:.3}{expected}")
        })),
        or(rating
            .z
            .map(|z| format!("{z:+.1}{}", if rating.expected_for == Some("inferred") { "*" } else { "" }))),
    ]
}

/// What stands under the table of ratings.
pub fn notes(found: &Found) -> Vec<String> {
    let counts = &found.counts;
    let mut notes = vec![format!(
        "{} games, {} decisions looked at ({} priced now); prices by {}, κ = {}.",
        counts.games, counts.candidates, counts.priced, found.pricer, found.kappa
    )];
    if counts.twice > 0 {
        notes.push(format!("{} games stand in the files twice and count once.", counts.twice));
    }
    if counts.unpriced > 0 {
        notes.push(format!("{} decisions are not priced and don't count.", counts.unpriced));
    }
    if !found.calibrated {
        notes.push(
            "The model of people was fitted to other prices: what is said of Elo and expectations is a hint."
                .to_owned(),
        );
    }
    let ratings = || found.ratings.iter().map(|(rating, _)| rating);
    if ratings().any(|rating| rating.expected_for == Some("inferred")) {
        notes.push(
            "* expected of the Elo inferred from the same moves, for want of tags: that draws z towards 0."
                .to_owned(),
        );
    }
    for rating in ratings() {
        if let Some(table) = &rating.table {
            let (low, high) = table.c_interval;
            notes.push(format!(
                "{}: {} decisions in endgames that tables know, c {:.1} ({low:.0}-{high:.0}) on the scale of tables.",
                rating.who, table.decisions, table.c
            ));
        }
    }
    notes.extend(warning(found));
    notes
}

/// For people.
pub fn text(found: &Found, out: &mut dyn Write) -> Result<(), Failure> {
    let rows: Vec<[String; COLUMNS.len()]> = std::iter::once(COLUMNS.map(str::to_owned))
        .chain(found.ratings.iter().map(|(rating, _)| cells(rating)))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(column, cell)| match column {
                0 => format!("{cell:<width$}", width = width(0)),
                _ => format!("{cell:>width$}", width = width(column)),
            })
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    writeln!(out)?;
    for note in notes(found) {
        writeln!(out, "{note}")?;
    }
    if !found.comparisons.is_empty() {
        writeln!(out)?;
    }
    for one in &found.comparisons {
        let (low, high) = one.interval;
        writeln!(
            out,
            "c of {} above that of {}: probability {:.4}; difference {:+.3} ({low:+.2} to {high:+.2})",
            one.a, one.b, one.a_above_b, one.difference
        )?;
    }
    if let Some((name, window, points)) = &found.career {
        writeln!(out, "\n{name}: c over the last {window} games")?;
        // A year is told by its last point.
        let mut last = points.iter().peekable();
        while let Some(point) = last.next() {
            if last.peek().is_none_or(|next| next.year.floor() > point.year.floor()) {
                let (low, high) = point.c_interval;
                let elo = point.elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
                writeln!(out, "  {}  c {:.3} ({low:.2}-{high:.2})  Elo {elo}", point.date, point.c)?;
            }
        }
    }
    if let Some((name, games)) = &found.opponents {
        writeln!(out, "\n{name}: c, and that of the opponents")?;
        for one in games {
            let (own, other) = (one.c_interval, one.opponent_interval);
            writeln!(
                out,
                "  {} {}, {}: {:.2} ({:.2}-{:.2}), opponent {:.2} ({:.2}-{:.2})",
                one.game, one.result, one.colour, one.c, own.0, own.1, one.opponent_c, other.0, other.1
            )?;
        }
    }
    let mut game = "";
    for row in &found.moves {
        if row.game != game {
            writeln!(out, "\n{}", row.game)?;
            game = &row.game;
        }
        let chance = row.chance.map_or_else(String::new, |(chance, first)| {
            format!("  chance {:5.1} %, of the first choice {:5.1} %", 100.0 * chance, 100.0 * first)
        });
        let z = row.z.map_or_else(String::new, |z| format!("  z so far {z:+.1}"));
        writeln!(
            out,
            "  {:>6} {:<8} choice {:>2} ({:<7}), gives up {:.2}{chance}{z}",
            row.number, row.played, row.rank, row.best, row.error
        )?;
    }
    if let Some(profile) = &found.profile {
        writeln!(out, "\nWhich agent chooses like this, over {} decisions", profile.decisions)?;
        for agent in &profile.agents {
            writeln!(
                out,
                "  {} at depth {}: probability {:.4}, c {:.3} ± {:.3}",
                agent.engine, agent.depth, agent.probability, agent.c, agent.deviation
            )?;
        }
        writeln!(
            out,
            "  c over all {:.3}; by the weights that were given {:.3}",
            profile.c, profile.weighted_c
        )?;
    }
    if let Some((depth, rating)) = &found.benchmark {
        let (low, high) = rating.c_interval.unwrap_or_default();
        writeln!(
            out,
            "\nThe pricer's own first choices, judged by itself at {depth}: c {:.3} ({low:.2}-{high:.2}), gives up {:.3} pawns at a \
             move, {} decisions",
            rating.c.unwrap_or_default(),
            rating.mean_error.unwrap_or_default(),
            rating.decisions
        )?;
    }
    Ok(())
}
