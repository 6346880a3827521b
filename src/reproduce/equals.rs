use super::{
    Finding, Lab, ReproduceError, Sheet,
    bout::{Bout, per_cent},
};
use crate::{
    arena::{Rules, Until},
    report::{Chart, Series, SeriesStyle},
};

const COMPETENCES: [f64; 12] = [0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 12.0, 15.0, 20.0, 30.0];

/// R_c against R_c: is queen against rook more easily won or held?
pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let mut finding = Finding::default();
    let rules = Rules { until: Until::Conversion, ..Rules::CHESS };
    let mut rows = Vec::new();
    let mut points = [Vec::new(), Vec::new(), Vec::new()];
    for c in COMPETENCES {
        let player = format!("player:c={c},keep_value=false");
        let bout = Bout { positions: "KQKR:win", players: [&player, &player], games: lab.games, rules };
        let tally = bout.play(lab)?;
        let counts = [tally.wins, tally.draws, tally.losses];
        let mut row = vec![format!("{c}")];
        row.extend(counts.map(|count| per_cent(count, tally.games())));
        rows.push(row);
        for (points, count) in points.iter_mut().zip(counts) {
            points.push((c, 100.0 * count as f64 / tally.games() as f64));
        }
    }
    finding.sheets.push(Sheet {
        name: "p2-equals-results".to_owned(),
        title: "Games from won positions, in per cent, with 95 % intervals".to_owned(),
        head: ["c", "won by the queen", "drawn", "won by the rook"].map(str::to_owned).to_vec(),
        rows,
        shown: true,
    });
    let names = ["won by the queen", "drawn", "won by the rook"].map(str::to_owned);
    let series =
        names.into_iter().zip(points).map(|(name, points)| Series { name, points, mark: SeriesStyle::Line });
    finding.draw(
        "p2-equals-curves",
        Chart {
            title: "R_c against R_c, queen against rook".to_owned(),
            subtitle: format!("{} won positions each, the queen's side to move", lab.games),
            x_label: "c of both".to_owned(),
            y_label: "per cent".to_owned(),
            series: series.collect(),
            y_range: Some((0.0, 0.0)),
        },
    );
    finding.remarks.push(format!(
        "{} positions, seed {}, each won one of the full board as likely as another; both sides R_c with κ = 1 by DTC, free \
         to let go of what they have; the 50-move rule and that on repetition hold; games end at conversion.",
        lab.games, lab.seed
    ));
    Ok(finding)
}
