use std::{cmp::Reverse, collections::BTreeMap, fmt::Display, io::Write};

use shakmaty::Color;

use super::{
    Failure,
    analyse::{Done, gain},
};
use crate::{
    agents::AgentSpec,
    analysis::{Apparent, Judged, Side, Worth},
    endgame::Material,
    model::{Metric, Scale, State},
    report::{csv_cell, csv_line},
};

/// A game for people.
pub fn game(game: &Done, spec: &AgentSpec, out: &mut dyn Write) -> Result<(), Failure> {
    let Done { score, analysis, .. } = game;
    let (date, result) = (score.tag("Date"), &score.result);
    writeln!(out, "Game {}: {}, {date}, {result}", game.number, score.tags.players())?;
    for note in &game.notes {
        writeln!(out, "  {note}")?;
    }
    for phase in &analysis.phases {
        let material = phase.material.map_or("?".to_owned(), |material| material.to_string());
        let gain = match (phase.winner, phase.gain) {
            (Some(winner), Some(gain)) => format!("{} wins, gained {gain}", name(winner)),
            (None, _) if phase.gain.is_none() => "the value changed or was a draw".to_owned(),
            _ => "drawn".to_owned(),
        };
        writeln!(out, "  {material}, moves {}-{}: {gain}", phase.moves.0, phase.moves.1)?;
    }
    for run in analysis.moves.chunk_by(|one, next| one.scale() == next.scale()) {
        let Some(scale) = run.first().map(Judged::scale) else { continue };
        let grid = spec.grid.get(scale);
        let kappa = kappa(*spec.kappa.get(scale));
        let lost = match scale {
            Scale::Table => {
                let kept = if spec.opponent_keeps_value { ", value kept" } else { "" };
                writeln!(out, "  by tables: {}, candidates c = {grid}, κ = {kappa}{kept}\n", spec.metric)?;
                "conceded"
            }
            Scale::Evaluation => {
                writeln!(out, "  by search, in pawns: candidates c = {grid}, κ = {kappa}\n")?;
                "lost"
            }
        };
        let before = if scale == Scale::Table { "depth" } else { "worth" };
        writeln!(
            out,
            "  {:<13} {before:>10} {lost:>9} {:>6}  {:<18} {:<18} best",
            "move", "p", "c of White", "c of Black"
        )?;
        let mut lost = [0, 0];
        for judged in run {
            row(judged, &mut lost[judged.side as usize], out)?;
        }
        writeln!(out)?;
    }
    for scale in Scale::ALL {
        let sides = analysis.sides.get(scale);
        if sides.white.moves + sides.black.moves == 0 {
            continue;
        }
        let lost = match scale {
            Scale::Table => ["depth lost", "value lost"],
            Scale::Evaluation => ["pawns lost", "a move"],
        };
        writeln!(
            out,
            "  {:<6} {:>5} {:>11} {:>11}  {:<6} 95 %, by {}",
            "",
            "moves",
            lost[0],
            lost[1],
            "c",
            if scale == Scale::Table { "tables" } else { "search" }
        )?;
        summary(Color::White, &sides.white, scale, out)?;
        summary(Color::Black, &sides.black, scale, out)?;
    }
    if let Some(gain) = gain(analysis).filter(|_| !analysis.phases.is_empty()) {
        writeln!(out, "  depth gained {gain}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(judged: &Judged, lost: &mut i32, out: &mut dyn Write) -> Result<(), Failure> {
    let mark = judged.mark().map_or(String::new(), |mark| mark.to_string());
    let dots = judged.side.fold_wb(".  ", "...");
    let san = format!("{:>3}{dots} {}{mark}", judged.number, judged.san);
    let worth = match &judged.worth {
        Worth::Table { before, after, .. } => match (before.depth(), after.depth()) {
            (Some(from), Some(to)) => format!("{} {from}-{to}", before.value()),
            (Some(from), None) => format!("{} {from}-draw", before.value()),
            (None, _) => after.to_string(),
        },
        Worth::Evaluation { played, .. } => played.to_string(),
    };
    let conceded = match (judged.conceded(), judged.loss()) {
        (Some(0), _) => String::new(),
        (Some(moves), _) => {
            *lost += moves;
            format!("+{moves}/+{lost}")
        }
        (None, Some(pawns)) if pawns < 0.005 => String::new(),
        (None, Some(pawns)) => format!("{pawns:.2}"),
        (None, None) => "value".to_owned(),
    };
    let own = |color| {
        if judged.side == color {
            apparent(judged.apparent.get(color), judged.scale())
        } else {
            String::new()
        }
    };
    // What was played needs no mention if nothing else was as good.
    let optimal = if judged.is_optimal() && judged.optimal.len() == 1 {
        String::new()
    } else {
        judged.optimal.join(" ")
    };
    let outside = if judged.outside { " (outside the model)" } else { "" };
    let line = format!(
        "  {san:<13} {worth:>10} {conceded:>9} {:>6.3}  {:<18} {:<18} {optimal}{outside}",
        judged.probability,
        own(Color::White),
        own(Color::Black),
    );
    writeln!(out, "{}", line.trim_end())?;
    Ok(())
}

fn apparent(apparent: &Apparent, scale: Scale) -> String {
    let Apparent { c, interval: (low, high), informed, .. } = *apparent;
    match scale {
        _ if !informed => "-".to_owned(),
        Scale::Table => format!("{c:.1} [{low:.0}, {high:.0}]"),
        Scale::Evaluation => format!("{c:.2} [{low:.2}, {high:.2}]"),
    }
}

fn summary(color: Color, side: &Side, scale: Scale, out: &mut dyn Write) -> Result<(), Failure> {
    let Apparent { c, interval: (low, high), informed, elo } = side.apparent;
    let digits = if scale == Scale::Table { 1 } else { 2 };
    let range = format!("[{low:.digits$}, {high:.digits$}]");
    let (c, words) = match (informed, side.all_optimal) {
        (false, _) => ("-".to_owned(), "no information".to_owned()),
        (true, true) => ("∞".to_owned(), format!("{range}; always optimal, E[c] = {c:.digits$}")),
        (true, false) => (format!("{c:.digits$}"), range),
    };
    let (name, moves) = (name(color), side.moves);
    let lost = match scale {
        Scale::Table => [side.depth_lost.to_string(), side.value_lost.to_string()],
        Scale::Evaluation => [side.loss, side.loss / moves.max(1) as f64].map(|pawns| format!("{pawns:.2}")),
    };
    let like = elo.map_or_else(String::new, |(elo, (low, high))| {
        format!("; chooses like Elo {elo:.0} [{low:.0}, {high:.0}]")
    });
    writeln!(out, "  {name:<6} {moves:>5} {:>11} {:>11}  {c:<6} {words}{like}", lost[0], lost[1])?;
    Ok(())
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// κ as the papers write it.
pub fn kappa(kappa: f64) -> String {
    if kappa == 0.0 { "0+".to_owned() } else { kappa.to_string() }
}

/// Games of which nothing could be said, in one line, and the tables that would help, those first that most games need.
pub fn unsaid(
    games: usize,
    tables: &BTreeMap<Material, usize>,
    metric: Metric,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (plural, have) = if games == 1 { ("", "has") } else { ("s", "have") };
    write!(out, "{games} game{plural} {have} no position that could be judged")?;
    let mut tables: Vec<(&Material, &usize)> = tables.iter().collect();
    tables.sort_by_key(|&(_, games)| Reverse(games));
    let named: Vec<String> =
        tables.iter().take(MOST_NAMED).map(|(material, games)| format!("{material} ({games})")).collect();
    if let Some((first, _)) = tables.first() {
        let more = if tables.len() > MOST_NAMED { ", …" } else { "" };
        write!(out, "; tables that would help, with the number of games: {}{more}", named.join(", "))?;
        write!(out, " ('errare tables build {first} --metric {}')", metric.name())?;
    }
    writeln!(out)?;
    Ok(())
}

/// Tables that are named at once.
const MOST_NAMED: usize = 8;

/// What stands above the rows.
pub fn csv_head(out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "game,ply,number,side,san,scale,mark,value,depth_before,value_after,depth_after,conceded,loss,probability,white_c,\
         white_low,white_high,black_c,black_low,black_high,optimal,white,black,white_elo,black_elo,result,event"
    )?;
    Ok(())
}

/// A row for each move.
pub fn csv(game: &Done, out: &mut dyn Write) -> Result<(), Failure> {
    let Done { number, score, analysis, .. } = game;
    let [white_elo, black_elo] = [Color::White, Color::Black].map(|side| csv_cell(score.elo(side)));
    for judged in &analysis.moves {
        let Apparent { c: white, interval: (white_low, white_high), .. } = judged.apparent.white;
        let Apparent { c: black, interval: (black_low, black_high), .. } = judged.apparent.black;
        let (before, after) = judged.states().unzip();
        let value = |state: Option<State>| csv_cell(state.map(State::value));
        let depth = |state: Option<State>| csv_cell(state.and_then(State::depth));
        let cells: [&dyn Display; _] = [
            number,
            &judged.ply,
            &judged.number,
            &judged.side,
            &judged.san,
            &judged.scale(),
            &csv_cell(judged.mark()),
            &value(before),
            &depth(before),
            &value(after),
            &depth(after),
            &csv_cell(judged.conceded()),
            &csv_cell(judged.loss().map(|pawns| format!("{pawns:.2}"))),
            &format!("{:.6}", judged.probability),
            &format!("{white:.6}"),
            &white_low,
            &white_high,
            &format!("{black:.6}"),
            &black_low,
            &black_high,
            &judged.optimal.join(" "),
            &score.tag("White"),
            &score.tag("Black"),
            &white_elo,
            &black_elo,
            &score.result,
            &score.tag("Event"),
        ];
        writeln!(out, "{}", csv_line(cells))?;
    }
    Ok(())
}
