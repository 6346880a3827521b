use super::{Finding, Lab, ReproduceError, Row};
use crate::{
    model::{Preference, State},
    report::{Chart, Series, SeriesStyle},
};
use shakmaty::Color;

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let walk = lab.kqkr()?;
    let [deepest_win, deepest_loss] = [Color::White, Color::Black].map(|side| walk.table().deepest(side).0);
    let mut finding = Finding::default();
    finding.rows.push(Row::number("KQKR: deepest 1-0 win, n_W", 31.0, 0, f64::from(deepest_win)));
    finding.rows.push(Row::number("KQKR: deepest 0-1 win, n_L", 3.0, 0, f64::from(deepest_loss)));
    let states = states(deepest_win, deepest_loss);
    finding.rows.push(Row::number("KQKR: states", 37.0, 0, states.len() as f64));
    let preference = Preference::table(lab.kappa(1.0))?;
    let (n1, n2) = (f64::from(deepest_win) + 1.0, f64::from(deepest_loss) + 1.0);
    let curve = |c: f64, states: &[State], n1: f64, n2: f64| -> Vec<(f64, f64)> {
        let of = |state: &State| (-c * preference.ln_price(*state, n1, n2)).exp();
        states.iter().enumerate().map(|(number, state)| (number as f64, of(state))).collect()
    };
    let kqkr = curve(1.0, &states, n1, n2);
    let mirrored: Vec<State> = states.iter().rev().map(|&state| -state).collect();
    let krkq = curve(1.0, &mirrored, n2, n1);
    // P1 §4, p07: better states are preferred.
    for (figure, points) in [(1, &kqkr), (2, &krkq)] {
        let falls = points.is_sorted_by(|better, worse| better.1 > worse.1);
        let words = if falls { "falls" } else { "does not fall" };
        finding.rows.push(Row::claim(
            format!("Figure {figure}: from state to worse state"),
            "falls",
            words,
            falls,
        ));
    }
    let at = |points: &[(f64, f64)], number: usize| points.get(number).map_or(0.0, |point| point.1);
    finding.rows.push(Row::words(
        "S_1(draw) = S_1(win, d_W) = S_1(loss, d_L)",
        format!("{:.6}", 1.0 / 33.0),
        format!("{:.6}", at(&kqkr, usize::from(deepest_win) + 1)),
    ));
    let chart = |figure: u8, what: &str, series: Vec<Series>| Chart {
        title: format!("P1 Figure {figure}: {what}"),
        subtitle: format!("κ = {}", preference.kappa()),
        x_label: "state, from best to worst".to_owned(),
        y_label: "preference S_c".to_owned(),
        series,
        y_range: Some((0.0, 0.0)),
    };
    let series = |name: String, points| Series { name, points, mark: SeriesStyle::Line };
    finding
        .draw("p1-figure-1", chart(1, "KQKR, White to move, c = 1", vec![series("c = 1".to_owned(), kqkr)]));
    finding
        .draw("p1-figure-2", chart(2, "KRKQ, White to move, c = 1", vec![series("c = 1".to_owned(), krkq)]));
    let wins: Vec<State> = states.iter().copied().take(usize::from(deepest_win) + 1).collect();
    let many = [1.0, 1.2, 1.4, 1.6].map(|c| series(format!("c = {c}"), curve(c, &wins, n1, n2)));
    finding.draw("p1-figure-3", chart(3, "KQKR, wins, as c rises", many.to_vec()));
    finding.remarks.push(
        "The figures are drawn without numbers; what is compared is what the text says of them.".to_owned(),
    );
    Ok(finding)
}

/// All states of the side to move, from best to worst.
fn states(deepest_win: u16, deepest_loss: u16) -> Vec<State> {
    let wins = (0..=deepest_win).map(State::win);
    let losses = (0..=deepest_loss).rev().map(State::loss);
    wins.chain([State::Draw]).chain(losses).collect()
}
