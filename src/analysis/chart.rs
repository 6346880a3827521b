use shakmaty::Color;

use super::{Analysis, Judged};
use crate::{
    model::Scale,
    notation::GameScore,
    report::{Chart, Series, SeriesStyle},
};

/// The value of the game for White against the move number, as far as evaluations tell it.
// Haworth, Regan & Di Fatta 2010, figure 3
pub fn value_chart(score: &GameScore, analysis: &Analysis) -> Chart {
    let half = |judged: &Judged| f64::from(judged.number) + judged.side.fold_wb(0.0, 0.5);
    let points = analysis.moves.iter().filter_map(|judged| Some((half(judged), judged.value()?))).collect();
    Chart {
        title: score.tags.players(),
        subtitle: format!("{} {}, value of the game for White", score.tag("Date"), score.result),
        x_label: "move".to_owned(),
        y_label: "pawns".to_owned(),
        series: vec![Series { name: String::new(), points, mark: SeriesStyle::Line }],
        y_range: Some((-1.0, 1.0)),
    }
}

/// `E[c]` of both players on one scale against the move number, with the interval of each.
pub fn competence_chart(score: &GameScore, analysis: &Analysis, scale: Scale) -> Chart {
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
