use shakmaty::Color;

use super::{Finding, Lab, ReproduceError, Row, scores};
use crate::{
    analysis::{AnalysisSettings, analyse},
    model::Metric,
    notation::GameScore,
    oracle::Oracle,
    report::{Chart, Series, SeriesStyle},
};

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let [score, _] = scores::browne_belle()?;
    let mut finding = Finding::default();
    let fine = competence(lab, &score, &oracle, "0(0.01)50")?;
    let mut steps = Vec::new();
    for step in ["0.1", "1", "2", "5", "10"] {
        let curve = difference(&competence(lab, &score, &oracle, &format!("0({step})50"))?, &fine);
        finding.rows.push(Row::new_result(
            format!("δ = {step}: greatest difference from δ = 0.01"),
            format!("{:.4}", greatest(&curve)),
        ));
        if step == "1" {
            let small = greatest(&curve) < 0.5;
            finding.rows.push(
                Row::claim(
                    "δ = 1: error",
                    "ignorable",
                    format!(
                        "at most {:.3}, at the end {:.4}",
                        greatest(&curve),
                        curve.last().map_or(0.0, |p| p.1)
                    ),
                    small,
                )
                .noted("taken to hold if below 0.5 throughout"),
            );
        }
        steps.push(Series { name: format!("δ = {step}"), points: curve, mark: SeriesStyle::Line });
    }
    finding
        .draw("p2-figure-1", chart("P2 Figure 1: the step of the candidates", "relative to δ = 0.01", steps));
    let wide = competence(lab, &score, &oracle, "0(1)100")?;
    let mut ends = Vec::new();
    for end in [90, 80, 70, 60, 50, 40, 30] {
        let curve = difference(&competence(lab, &score, &oracle, &format!("0(1){end}"))?, &wide);
        let last = curve.last().map_or(0.0, |point| point.1);
        finding.rows.push(Row::new_result(
            format!("c_max = {end}: difference from c_max = 100 after the last move"),
            format!("{last:.5}"),
        ));
        if end == 50 {
            let words = format!("{last:.5} after the last move");
            finding.rows.push(
                Row::claim("c_max = 50", "conservative enough", words, last.abs() < 0.05)
                    .noted("taken to hold if below 0.05 after the last move"),
            );
        }
        ends.push(Series { name: format!("c_max = {end}"), points: curve, mark: SeriesStyle::Line });
    }
    finding
        .draw("p2-figure-2", chart("P2 Figure 2: the greatest candidate", "relative to c_max = 100", ends));
    let last = wide.last().map_or(0.0, |point| point.1);
    finding.rows.push(
        Row::number("Browne's apparent c in game 1, κ = 1", 20.0, 0, last)
            .within(1.0, "the print says 'about 20'"),
    );
    finding.remarks.push("Game 1, κ = 1, White keeps the win.".to_owned());
    Ok(finding)
}

/// White's E[c] after each move.
fn competence(
    lab: &Lab<'_>,
    score: &GameScore,
    oracle: &dyn Oracle,
    grid: &str,
) -> Result<Vec<(f64, f64)>, ReproduceError> {
    let settings = AnalysisSettings::tables(lab.model(1.0)?, grid.parse()?);
    let analysis = analyse(score, oracle, &settings)?;
    let white = analysis.moves.iter().filter(|judged| judged.side == Color::White);
    Ok(white.map(|judged| (f64::from(judged.number), judged.apparent.white.c)).collect())
}

fn difference(curve: &[(f64, f64)], from: &[(f64, f64)]) -> Vec<(f64, f64)> {
    curve.iter().zip(from).map(|(ours, theirs)| (ours.0, ours.1 - theirs.1)).collect()
}

fn greatest(curve: &[(f64, f64)]) -> f64 {
    curve.iter().map(|point| point.1.abs()).fold(0.0, f64::max)
}

fn chart(title: &str, subtitle: &str, series: Vec<Series>) -> Chart {
    Chart {
        title: title.to_owned(),
        subtitle: format!("difference in E[c] {subtitle}; Browne - BELLE, game 1, κ = 1"),
        x_label: "move".to_owned(),
        y_label: "difference in E[c]".to_owned(),
        series,
        y_range: None,
    }
}
