use std::{fmt::Display, io::Write};

use serde_json::json;
use shakmaty::Color;

use super::{Failure, markov};
use crate::{
    markov::{Forecast, Rival},
    model::{Metric, Model, State},
    report::csv_line,
    statistics::Share,
};

/// All that is to be printed.
pub struct Prediction {
    pub fen: String,
    pub metric: Metric,
    /// For the side to move.
    pub state: State,
    pub fallible: Color,
    pub winner: Color,
    pub model: Model,
    /// The win is certain, only its length is not.
    pub certain: bool,
    pub within: Vec<u32>,
    /// Moves of the winner before a draw can be claimed, where they can be told.
    pub in_time: Option<u32>,
    pub rows: Vec<PredictionRow>,
}

/// One forecast.
pub enum PredictionRow {
    Exact { subject: String, rival: Rival, forecast: Forecast },
    Live { subject: String, prior: &'static str, heeds_clock: bool, moves: u32, won: Share },
}

pub fn name(rival: Rival) -> String {
    match rival {
        Rival::Uniform => "uniform".to_owned(),
        Rival::Predator => "predator".to_owned(),
        Rival::BestOptimal => "best-optimal".to_owned(),
        Rival::Best => "best".to_owned(),
        Rival::Player(c) => format!("R_{c}"),
    }
}

fn color(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

fn live_name(prior: &str, heeds_clock: bool) -> String {
    format!("live predator, {prior}{}", if heeds_clock { ", heeding the clock" } else { "" })
}

pub fn json(answer: &Prediction) -> serde_json::Value {
    let rows = answer.rows.iter().map(|row| match row {
        PredictionRow::Exact { subject, rival, forecast } => json!({
            "subject": subject, "against": name(*rival), "expected_moves": forecast.expected_moves,
            "won_within": forecast.within,
            "won_in_time": answer.in_time.map(|moves| forecast.within[moves as usize]),
        }),
        PredictionRow::Live { subject, prior, heeds_clock, moves, won } => json!({
            "subject": subject, "against": live_name(prior, *heeds_clock), "games": won.of, "moves": moves,
            "won_in_time": won.part(), "standard_error": won.standard_error(),
        }),
    });
    let rows: Vec<_> = rows.collect();
    json!({
        "fen": answer.fen, "metric": answer.metric.name(), "value": answer.state.value(), "depth": answer.state.depth(),
        "fallible": color(answer.fallible), "winner": color(answer.winner), "kappa": answer.model.preference.kappa(),
        "keep_value": answer.model.policy.keep_value, "moves_in_time": answer.in_time, "forecasts": rows,
    })
}

pub fn csv(answer: &Prediction, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "subject,against,moves,won_within,standard_error")?;
    for row in &answer.rows {
        match row {
            PredictionRow::Exact { subject, rival, forecast } => {
                for (moves, won) in forecast.within.iter().enumerate() {
                    let cells: [&dyn Display; _] = [subject, &name(*rival), &moves, won, &""];
                    writeln!(out, "{}", csv_line(cells))?;
                }
            }
            PredictionRow::Live { subject, prior, heeds_clock, moves, won } => {
                let against = live_name(prior, *heeds_clock);
                let cells: [&dyn Display; _] = [subject, &against, moves, &won.part(), &won.standard_error()];
                writeln!(out, "{}", csv_line(cells))?;
            }
        }
    }
    Ok(())
}

pub fn print(answer: &Prediction, out: &mut dyn Write) -> Result<(), Failure> {
    let Prediction { fen, metric, state, model, .. } = answer;
    writeln!(out, "{fen}: {state} for the side to move by {metric}")?;
    writeln!(
        out,
        "{} plays as R_c (κ = {}{}); chances are those of {} to win{}\n",
        color(answer.fallible),
        if model.preference.kappa() == 0.0 { "0+".to_owned() } else { model.preference.kappa().to_string() },
        if model.policy.keep_value { ", value kept" } else { "" },
        color(answer.winner),
        if answer.certain { "" } else { ", by conversion or mate" },
    )?;
    let wide = answer.rows.iter().map(|row| match row {
        PredictionRow::Exact { rival, .. } => name(*rival).len(),
        PredictionRow::Live { prior, heeds_clock, .. } => live_name(prior, *heeds_clock).len(),
    });
    let wide = wide.max().unwrap_or(0).max(7);
    write!(out, "{:<22} {:<wide$} {:>12}", "fallible", "against", "moves")?;
    for moves in &answer.within {
        write!(out, " {:>9}", format!("in {moves}"))?;
    }
    writeln!(out, "  before a claim")?;
    for row in &answer.rows {
        match row {
            PredictionRow::Exact { subject, rival, forecast } => {
                let length = forecast.expected_moves.map_or("-".to_owned(), markov::moves);
                write!(out, "{subject:<22} {:<wide$} {length:>12}", name(*rival))?;
                for &moves in &answer.within {
                    write!(out, " {:>8.2}%", 100.0 * forecast.within[moves as usize])?;
                }
                match answer.in_time {
                    Some(moves) => {
                        writeln!(out, " {:>8.2}% (in {moves})", 100.0 * forecast.within[moves as usize])?;
                    }
                    None => writeln!(out, "        -")?,
                }
            }
            PredictionRow::Live { subject, prior, heeds_clock, moves, won } => {
                write!(out, "{subject:<22} {:<wide$} {:>12}", live_name(prior, *heeds_clock), "-")?;
                answer.within.iter().try_for_each(|_| write!(out, " {:>9}", "-"))?;
                let (part, error) = (100.0 * won.part(), 100.0 * won.standard_error());
                writeln!(out, " {part:>8.2}% ± {error:.2} (in {moves}, {} games)", won.of)?;
            }
        }
    }
    Ok(())
}
