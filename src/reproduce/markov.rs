use shakmaty::Color;

use super::{Finding, Lab, ReproduceError, Row};
use crate::{
    markov::{Chain, Pairing},
    report::{Chart, Series, SeriesStyle},
};

/// Chains of R_c against the infallible player in KQKR, κ = 1 as stated.
pub fn chains(lab: &Lab<'_>, competences: &[f64]) -> Result<Vec<Chain>, ReproduceError> {
    let pairings: Vec<Pairing> =
        competences.iter().map(|&first| Pairing { first, second: f64::INFINITY }).collect();
    let chains = Chain::of(&lab.kqkr()?, Color::White, &lab.model(1.0)?, &pairings, lab.cancel)?;
    chains.ok_or(ReproduceError::Cancelled)
}

/// The c at which the model expects games of this length from depth 31, by interpolation between neighbours.
pub fn implied(lengths: &[(f64, f64)], length: f64) -> Option<f64> {
    let pair = lengths.windows(2).find(|pair| (pair[1].1..=pair[0].1).contains(&length))?;
    let [(low, long), (high, short)] = [pair[0], pair[1]];
    // Lengths fall about exponentially.
    Some(low + (high - low) * (long.ln() - length.ln()) / (long.ln() - short.ln()))
}

/// Expected moves from depth 31 for c = 18(0.25)24.
pub fn lengths(lab: &Lab<'_>) -> Result<Vec<(f64, f64)>, ReproduceError> {
    let competences: Vec<f64> = (72..=96).map(|quarter| f64::from(quarter) / 4.0).collect();
    let chains = chains(lab, &competences)?;
    let deepest = |chain: &Chain| chain.by_depth(&chain.expected_moves()).last().copied().unwrap_or(f64::NAN);
    Ok(competences.into_iter().zip(chains.iter().map(deepest)).collect())
}

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let mut finding = Finding::default();
    let competences = [20.0, 21.0, 22.0];
    let chains = chains(lab, &competences)?;
    let mut moves = Vec::new();
    let mut won = Vec::new();
    for ((c, chain), published) in competences.iter().zip(&chains).zip([97.20, 83.70, 74.16]) {
        let expected = chain.by_depth(&chain.expected_moves());
        let within = chain.by_depth(&chain.won_within(50));
        let last = |values: &[f64]| values.last().copied().unwrap_or(f64::NAN);
        finding.rows.push(Row::number(
            format!("c = {c}: expected moves to conversion from depth 31"),
            published,
            2,
            last(&expected),
        ));
        if *c == 20.0 {
            finding.rows.push(Row::number(
                "c = 20: won within 50 moves from depth 31, %",
                12.67,
                2,
                100.0 * last(&within),
            ));
            barriers(&expected, &mut finding);
        } else {
            finding.rows.push(Row::new_result(
                format!("c = {c}: won within 50 moves from depth 31, %"),
                format!("{:.2}", 100.0 * last(&within)),
            ));
        }
        let points =
            |values: &[f64]| values.iter().enumerate().map(|(depth, value)| (depth as f64, *value)).collect();
        let series = |values: &[f64]| Series {
            name: format!("c = {c}"),
            points: points(values),
            mark: SeriesStyle::Line,
        };
        moves.push(series(&expected));
        won.push(series(&within));
    }
    let chart = |figure: u8, what: &str, y: &str, series| Chart {
        title: format!("P2 Figure {figure}: {what}"),
        subtitle: "R_c - R_∞ in KQKR, by the Markov model, κ = 1".to_owned(),
        x_label: "depth at the start".to_owned(),
        y_label: y.to_owned(),
        series,
        y_range: Some((0.0, 0.0)),
    };
    finding.draw("p2-figure-5", chart(5, "expected moves to conversion", "expected moves", moves));
    finding.draw("p2-figure-6", chart(6, "chance to win in 50 moves", "probability", won));
    let implied = implied(&lengths(lab)?, 95.60).unwrap_or(f64::NAN);
    finding.rows.push(Row::number("c that the published mean length 95.60 implies", 20.1, 1, implied));
    Ok(finding)
}

/// P2 §6.2: 'the main barriers to progress seem to be between depths 17 and 26'.
fn barriers(expected: &[f64], finding: &mut Finding) {
    let mut steps: Vec<(usize, f64)> =
        expected.windows(2).enumerate().map(|(index, pair)| (index + 1, pair[1] - pair[0])).collect();
    let whole: f64 = steps.iter().map(|step| step.1).sum();
    let inside: f64 = steps.iter().filter(|step| (17..=26).contains(&step.0)).map(|step| step.1).sum();
    steps.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut hardest: Vec<usize> = steps.iter().take(5).map(|step| step.0).collect();
    hardest.sort_unstable();
    let holds = hardest.iter().all(|depth| (17..=26).contains(depth));
    finding.rows.push(
        Row::claim(
            "c = 20: the main barriers",
            "between depths 17 and 26",
            format!("the five longest steps are at depths {hardest:?}"),
            holds,
        )
        .noted(format!("{:.0} % of all moves are spent on depths 17 to 26", 100.0 * inside / whole)),
    );
}
