//! A match for people: text, CSV, a picture.

use std::{
    fmt::Display,
    io::{self, Write},
};

use serde_json::json;

use super::{
    Context, Failure,
    match_::{Arguments, cannot_write},
};
use crate::{
    arena::{Entry, Headers, Schedule, Summary},
    directories,
    model::Value,
    report::{Chart, Series, SeriesStyle, csv_cell, csv_line},
    statistics::{CrossTable, Moments, Results, Sprt, SprtState, SprtVerdict, Strength},
};

/// Bars of a histogram, at most.
const BARS: usize = 40;

/// All that was asked for about a match.
pub fn write(
    arguments: &Arguments,
    headers: &Headers,
    test: Option<Sprt>,
    entries: &[Entry],
    schedule: &Schedule,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let mut whole = Summary::new(schedule.is_paired());
    entries.iter().for_each(|entry| whole.add(entry));
    if let Some(path) = &arguments.svg {
        let chart = length_chart(&whole, &headers.names);
        directories::write_whole(path, chart.to_svg().as_bytes())
            .map_err(|error| cannot_write(path, &error))?;
    }
    if arguments.csv {
        return Ok(write_csv(entries, &headers.names, context.out)?);
    }
    let report = |one: usize, two: usize| {
        let mut summary = Summary::new(schedule.is_paired());
        entries
            .iter()
            .filter(|entry| entry.scheduled.players == [one, two])
            .for_each(|entry| summary.add(entry));
        let players = [one, two].map(|player| headers.notations[player].as_str());
        summary.report(players, arguments.seed, test, &arguments.within)
    };
    let object = match (schedule.pairings(), arguments.json) {
        ([(0, 1)], false) => {
            return Ok(write_text(&whole, &headers.names, test, &arguments.within, context.out)?);
        }
        ([(0, 1)], true) => serde_json::to_value(report(0, 1)).map_err(io::Error::from)?,
        (pairings, as_json) => {
            let table = cross_table(entries, &headers.names);
            if !as_json {
                return Ok(write!(context.out, "{}", table.text())?);
            }
            json!({
                "games": entries.len(), "seed": arguments.seed, "format": arguments.format.name(),
                "notations": headers.notations, "players": table.players,
                "pairings": pairings.iter().map(|&(one, two)| report(one, two)).collect::<Vec<_>>(),
            })
        }
    };
    writeln!(context.out, "{object}")?;
    Ok(())
}

fn cross_table(entries: &[Entry], names: &[String]) -> CrossTable {
    let mut results = Results::new(names.len());
    for entry in entries {
        let [one, two] = entry.scheduled.players;
        results.add(one, two, entry.value());
    }
    CrossTable::new(names, &results)
}

fn write_text(
    summary: &Summary,
    names: &[String],
    test: Option<Sprt>,
    within: &[usize],
    out: &mut dyn Write,
) -> io::Result<()> {
    let tally = summary.tally();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(out, "   {:width$}  {:>6} {:>6} {:>6} {:>8}", "player", "won", "drawn", "lost", "score")?;
    for (letter, name, tally) in [("A", &names[0], tally), ("B", &names[1], tally.reversed())] {
        let points = tally.wins as f64 + tally.draws as f64 / 2.0;
        let score = 100.0 * points / tally.games().max(1) as f64;
        let (won, drawn, lost) = (tally.wins, tally.draws, tally.losses);
        writeln!(out, "{letter}  {name:width$}  {won:>6} {drawn:>6} {lost:>6} {score:>7.2}%")?;
    }
    writeln!(out)?;
    if let Some(strength) = summary.strength() {
        write_strength(&strength, if summary.is_paired() { "pairs" } else { "games" }, out)?;
    }
    if summary.is_paired() {
        let [worst, bad, even, good, best] = summary.pairs().0;
        writeln!(out, "pairs (0 ½ 1 1½ 2) {worst} {bad} {even} {good} {best}")?;
    }
    if let Some(test) = test {
        write_sprt(&summary.sprt(test), out)?;
    }
    let lengths = summary.lengths();
    if let Some(moments) = lengths.moments() {
        write_moments("length          ", &moments, out)?;
        write!(out, ", from {} to {}", moments.min, moments.max)?;
        for &moves in within {
            write!(out, ", {} of {} within {moves}", lengths.within(moves), lengths.games())?;
        }
        writeln!(out)?;
    }
    for ((letter, moments), together) in
        ["A", "B"].into_iter().zip(summary.competence()).zip(summary.together())
    {
        if let Some(moments) = moments {
            write_moments(&format!("competence of {letter} "), &moments, out)?;
            write!(out, ", over {} games", moments.count)?;
            match together {
                Some(all) => writeln!(out, "; all together {:.2} ± {:.2}", all.mean(), all.deviation())?,
                None => writeln!(out)?,
            }
        }
    }
    let reasons: Vec<_> =
        summary.reasons().iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    writeln!(out, "ended by           {}", reasons.join(", "))?;
    for (letter, faults) in ["A", "B"].into_iter().zip(summary.faults()) {
        if faults.total() > 0 {
            let (illegal, crash, stall, time) = (faults.illegal, faults.crash, faults.stall, faults.time);
            writeln!(
                out,
                "faults of {letter}        illegal moves {illegal}, crashes {crash}, stalls {stall}, losses on time {time}"
            )?;
        }
    }
    Ok(())
}

fn write_moments(of: &str, moments: &Moments, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{of}   mean {:.2}", moments.mean)?;
    if let (Some(sd), Some(error)) = (moments.sd, moments.standard_error) {
        write!(out, " ± {error:.2} (standard error), deviation {sd:.2}")?;
    }
    Ok(())
}

fn write_strength(strength: &Strength, unit: &str, out: &mut dyn Write) -> io::Result<()> {
    let (score, elo) = (strength.score_interval, strength.elo_interval);
    writeln!(
        out,
        "score of A         {:.2}%, 95 % interval {:.2}% to {:.2}% (by {unit})",
        100.0 * strength.score,
        100.0 * score.low,
        100.0 * score.high
    )?;
    writeln!(
        out,
        "Elo difference     {}, {} to {}",
        signed(strength.elo),
        signed(elo.low),
        signed(elo.high)
    )?;
    writeln!(out, "A is stronger      with probability {:.2}%", 100.0 * strength.superiority)
}

fn signed(elo: f64) -> String {
    match elo {
        elo if elo == f64::INFINITY => "+∞".to_owned(),
        elo if elo == f64::NEG_INFINITY => "−∞".to_owned(),
        elo => format!("{elo:+.1}").replace('-', "−"),
    }
}

fn write_sprt(state: &SprtState, out: &mut dyn Write) -> io::Result<()> {
    let Sprt { elo0, elo1, alpha, beta } = state.test;
    let verdict = match state.verdict {
        SprtVerdict::Undecided => "undecided".to_owned(),
        SprtVerdict::H0 => format!("{elo0} accepted"),
        SprtVerdict::H1 => format!("{elo1} accepted"),
    };
    writeln!(
        out,
        "sequential test    {elo0} against {elo1} logistic Elo, α = {alpha}, β = {beta}: log-likelihood ratio {:.3} in \
         [{:.3}, {:.3}], {verdict}",
        state.llr, state.lower, state.upper
    )
}

/// A line for each game.
fn write_csv(entries: &[Entry], names: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "game,round,white,black,opening,result,score_a,length,reason,fault,c_a,c_b")?;
    for entry in entries {
        let scheduled = entry.scheduled;
        let score = match entry.value() {
            Value::Win => "1",
            Value::Draw => "0.5",
            Value::Loss => "0",
        };
        let fault = entry.fault().map_or("", |(culprit, _)| ["a", "b"][culprit]);
        let [c_a, c_b] = entry.competence.map(|c| csv_cell(c.map(|c| format!("{c:.4}"))));
        let cells: [&dyn Display; _] = [
            &(scheduled.number + 1),
            &scheduled.round(),
            &names[scheduled.white()],
            &names[scheduled.black()],
            &entry.opening,
            &entry.ending.outcome,
            &score,
            &entry.length,
            &entry.ending.reason,
            &fault,
            &c_a,
            &c_b,
        ];
        writeln!(out, "{}", csv_line(cells))?;
    }
    Ok(())
}

/// A histogram of the lengths of games.
fn length_chart(summary: &Summary, names: &[String]) -> Chart {
    let lengths = summary.lengths();
    let bins = lengths.histogram(BARS);
    let width = bins.first().map_or(1, |bin| bin.to - bin.from + 1) as f64;
    let bars = bins.iter().map(|bin| (bin.from as f64 + width / 2.0, bin.games as f64)).collect();
    let moments = lengths.moments();
    let subtitle = match moments {
        Some(Moments { count, mean, sd: Some(sd), .. }) => {
            format!("{count} games, mean {mean:.1} moves, standard deviation {sd:.1}")
        }
        _ => format!("{} games", lengths.games()),
    };
    let top = bins.iter().map(|bin| bin.games).max().unwrap_or(1) as f64;
    let mut series = vec![Series { name: String::new(), points: bars, mark: SeriesStyle::Bars(width) }];
    if let Some(Moments { mean, .. }) = moments {
        let points = vec![(mean, 0.0), (mean, top)];
        series.push(Series { name: "mean".to_owned(), points, mark: SeriesStyle::Dashed });
    }
    Chart {
        title: names.join(" against "),
        subtitle,
        x_label: "length of the game in moves".to_owned(),
        y_label: "games".to_owned(),
        series,
        y_range: None,
    }
}
