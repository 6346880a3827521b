use shakmaty::Color;

use super::Analysis;
use crate::{
    model::Scale,
    notation::GameScore,
    report::{Chart, Series, SeriesStyle},
};

/// `E[c]` of both players on one scale against the move number, with the interval of each.
pub fn chart(score: &GameScore, analysis: &Analysis, scale: Scale) -> Chart {
    let mut series = Vec::new();
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let player = score.tag(name);
        let own = analysis.moves.iter().filter(|judged| judged.side == color && judged.scale() == scale);
        let own = own.filter(|judged| judged.apparent.get(color).informed);
        let points: Vec<_> =
            own.map(|judged| (f64::from(judged.number), *judged.apparent.get(color))).collect();
        series.push(Series {
            name: player.to_owned(),
            points: points.iter().map(|(x, apparent)| (*x, apparent.c)).collect(),
            mark: SeriesStyle::Band(points.iter().map(|(_, apparent)| apparent.interval).collect()),
        });
    }
    Chart {
        title: score.tags.players(),
        subtitle: format!(
            "{} {}, apparent competence by {}, with 95 % interval",
            score.tag("Date"),
            score.result,
            match scale {
                Scale::Table => "tables",
                Scale::Evaluation => "evaluations",
            }
        ),
        x_label: "move".to_owned(),
        y_label: "E[c]".to_owned(),
        series,
        y_range: None,
    }
}
