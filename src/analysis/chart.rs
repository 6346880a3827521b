use shakmaty::Color;

use super::{Analysis, Score};
use crate::report::{Chart, Mark, Series};

/// `E[c]` of both players against the move number, with the interval of each.
pub fn chart(score: &Score, analysis: &Analysis) -> Chart {
    let mut series = Vec::new();
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let player = score.tag(name);
        let own = analysis.moves.iter().filter(|judged| judged.side == color);
        let points: Vec<_> =
            own.map(|judged| (f64::from(judged.number), *judged.apparent.get(color))).collect();
        series.push(Series {
            name: player.to_owned(),
            points: points.iter().map(|(x, apparent)| (*x, apparent.c)).collect(),
            mark: Mark::Band(points.iter().map(|(_, apparent)| apparent.interval).collect()),
        });
    }
    Chart {
        title: score.players(),
        subtitle: format!("{} {}, apparent competence with 95 % interval", score.tag("Date"), score.result),
        x_label: "move".to_owned(),
        y_label: "E[c]".to_owned(),
        series,
        y_range: None,
    }
}
