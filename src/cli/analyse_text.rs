use std::io::Write;

use shakmaty::Color;

use super::{
    Failure,
    analyse::{Done, gain},
};
use crate::analysis::{Apparent, Judged, Side};

/// A game for people.
pub fn game(game: &Done, model: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let Done { score, analysis, .. } = game;
    let (date, result) = (score.tag("Date"), &score.result);
    writeln!(out, "Game {}: {}, {date}, {result}", game.number, score.players())?;
    for note in &game.notes {
        writeln!(out, "  {note}")?;
    }
    if analysis.moves.is_empty() {
        writeln!(out, "  no position that tables cover\n")?;
        return Ok(());
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
    writeln!(out, "  {model}\n")?;
    writeln!(
        out,
        "  {:<13} {:>10} {:>9} {:>6}  {:<18} {:<18} optimal",
        "move", "depth", "conceded", "p", "c of White", "c of Black"
    )?;
    let mut lost = [0, 0];
    for judged in &analysis.moves {
        row(judged, &mut lost[judged.side as usize], out)?;
    }
    writeln!(out, "\n  {:<6} {:>5} {:>11} {:>11}  {:<6} 95 %", "", "moves", "depth lost", "value lost", "c")?;
    for (color, side) in [(Color::White, &analysis.sides.white), (Color::Black, &analysis.sides.black)] {
        summary(color, side, out)?;
    }
    if let Some(gain) = gain(analysis) {
        writeln!(out, "  depth gained {gain}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(judged: &Judged, lost: &mut i32, out: &mut dyn Write) -> Result<(), Failure> {
    let mark = judged.mark.map_or(String::new(), |mark| mark.to_string());
    let dots = judged.side.fold_wb(".  ", "...");
    let san = format!("{:>3}{dots} {}{mark}", judged.number, judged.san);
    let depth = match (judged.before.depth(), judged.after.depth()) {
        (Some(before), Some(after)) => format!("{} {before}-{after}", judged.before.value()),
        (Some(before), None) => format!("{} {before}-draw", judged.before.value()),
        (None, _) => judged.after.to_string(),
    };
    let conceded = match judged.conceded {
        Some(0) => String::new(),
        Some(moves) => {
            *lost += moves;
            format!("+{moves}/+{lost}")
        }
        None => "value".to_owned(),
    };
    let own = |color| {
        if judged.side == color { apparent(judged.apparent.get(color)) } else { String::new() }
    };
    // What was played needs no mention if nothing else was as good.
    let optimal = if judged.is_optimal() && judged.optimal.len() == 1 {
        String::new()
    } else {
        judged.optimal.join(" ")
    };
    let outside = if judged.outside { " (outside the model)" } else { "" };
    let line = format!(
        "  {san:<13} {depth:>10} {conceded:>9} {:>6.3}  {:<18} {:<18} {optimal}{outside}",
        judged.probability,
        own(Color::White),
        own(Color::Black),
    );
    writeln!(out, "{}", line.trim_end())?;
    Ok(())
}

fn apparent(apparent: &Apparent) -> String {
    format!("{:.1} [{:.0}, {:.0}]", apparent.c, apparent.interval.0, apparent.interval.1)
}

fn summary(color: Color, side: &Side, out: &mut dyn Write) -> Result<(), Failure> {
    let Apparent { c, interval: (low, high) } = side.apparent;
    let (c, finite) = if side.all_optimal {
        ("∞".to_owned(), format!("; always optimal, E[c] = {c:.1}"))
    } else {
        (format!("{c:.1}"), String::new())
    };
    let (name, moves, depth, value) = (name(color), side.moves, side.depth_lost, side.value_lost);
    writeln!(out, "  {name:<6} {moves:>5} {depth:>11} {value:>11}  {c:<6} [{low:.1}, {high:.1}]{finite}")?;
    Ok(())
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// κ as the papers write it.
pub fn kappa(kappa: f64) -> String {
    if kappa == 0.0 { "0+".to_owned() } else { kappa.to_string() }
}

/// A row for each move.
pub fn csv(games: &[Done], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "game,ply,number,side,san,mark,value,depth_before,value_after,depth_after,conceded,probability,white_c,\
         white_low,white_high,black_c,black_low,black_high,optimal"
    )?;
    for game in games {
        for judged in &game.analysis.moves {
            let optional = |depth: Option<String>| depth.unwrap_or_default();
            let Apparent { c: white, interval: (white_low, white_high) } = judged.apparent.white;
            let Apparent { c: black, interval: (black_low, black_high) } = judged.apparent.black;
            // The mark for 'only value' is a quotation mark, which CSV doubles.
            let mark = judged.mark.map_or(String::new(), |mark| mark.to_string().replace('"', "\"\"\"\""));
            writeln!(
                out,
                "{},{},{},{},{},{mark},{},{},{},{},{},{:.6},{white:.6},{white_low},{white_high},{black:.6},\
                 {black_low},{black_high},{}",
                game.number,
                judged.ply,
                judged.number,
                judged.side,
                judged.san,
                judged.before.value(),
                optional(judged.before.depth().map(|depth| depth.to_string())),
                judged.after.value(),
                optional(judged.after.depth().map(|depth| depth.to_string())),
                optional(judged.conceded.map(|moves| moves.to_string())),
                judged.probability,
                judged.optimal.join(" "),
            )?;
        }
    }
    Ok(())
}
