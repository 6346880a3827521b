use super::{Finding, Lab, ReproduceError, Row, Sheet, curve::Position};
use crate::{
    model::Metric,
    report::{Chart, Series, SeriesStyle},
};

/// A position of P1 §7, the optimal moves in the order in which they take over as c rises, and where, as printed.
struct PrintedCrossover {
    name: &'static str,
    figure: Option<u8>,
    fen: &'static str,
    order: &'static [&'static str],
    at: &'static [f64],
    /// Those that are known to be further from the exact roots than a graph can be misread.
    known: &'static [usize],
    /// Depth that a speculative move may give up.
    most: f64,
}

const PRINTED: [PrintedCrossover; 8] = [
    PrintedCrossover {
        name: "BB2-22b",
        figure: Some(4),
        fen: "8/8/8/5r2/4K1k1/4Q3/8/8 b - - 0 1",
        order: &["Rf7"],
        at: &[],
        known: &[],
        most: 0.0,
    },
    PrintedCrossover {
        name: "BB1-09b",
        figure: None,
        fen: "8/8/3K4/8/4rk2/3Q4/8/8 b - - 0 1",
        order: &["Re1"],
        at: &[],
        known: &[],
        most: 0.0,
    },
    PrintedCrossover {
        name: "BB1-13b",
        figure: None,
        fen: "4r3/8/5Q2/3K4/6k1/8/8/8 b - - 0 1",
        order: &["Re1"],
        at: &[],
        known: &[],
        most: 0.0,
    },
    PrintedCrossover {
        name: "BB2-10b",
        figure: Some(5),
        fen: "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1",
        order: &["Ra4", "Re4"],
        at: &[6.0],
        known: &[],
        most: 0.0,
    },
    PrintedCrossover {
        name: "BB2-12b",
        figure: None,
        fen: "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1",
        order: &["Rf4", "Re4", "Rg4"],
        at: &[16.0, 35.0],
        known: &[1],
        most: 0.0,
    },
    PrintedCrossover {
        name: "BB2-24b",
        figure: Some(6),
        fen: "8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1",
        order: &["Rb7", "Rf6", "Rb7"],
        at: &[6.0, 26.5],
        known: &[0],
        most: 0.0,
    },
    PrintedCrossover {
        name: "J1-1b",
        figure: Some(7),
        fen: "8/8/r7/2Q2k2/8/4K3/8/8 b - - 0 1",
        order: &["Kf6", ""],
        at: &[2.7],
        known: &[],
        most: 1.0,
    },
    PrintedCrossover {
        name: "BB1-08b",
        figure: None,
        fen: "8/3K4/8/5k2/4r3/3Q4/8/8 b - - 0 1",
        order: &[],
        at: &[],
        known: &[],
        most: 0.0,
    },
];

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let opponent = lab.model(0.0)?;
    let mut finding = Finding::default();
    let mut roots = Vec::new();
    for printed in &PRINTED {
        lab.check()?;
        let position = Position::new(printed.fen, &oracle, opponent, printed.most)?;
        let best = position.best(|_| true)?;
        compare(printed, &position, &best, &mut finding)?;
        for (san, c) in &best {
            roots.push(vec![printed.name.to_owned(), san.clone(), format!("{c:.4}")]);
        }
        if let Some(figure) = printed.figure {
            finding.draw(&format!("p1-figure-{figure}"), chart(printed, figure, &position)?);
        }
    }
    dominance(lab, &oracle, &mut finding)?;
    let head = ["position", "best move", "from c"].map(str::to_owned).to_vec();
    let title = "Where each move becomes the best, by root finding".to_owned();
    finding.sheets.push(Sheet {
        name: "p1-crossovers-exact".to_owned(),
        title,
        head,
        rows: roots,
        shown: true,
    });
    finding.remarks.push("For J1-1b the text says 2.7 and the caption of Figure 7 says 2.5.".to_owned());
    finding.remarks.push(
        "κ = 0+, White keeps the win; expected depth after White's reply. The printed crossovers were read off \
         graphs, ours are roots of the difference of two expectations at a fixed c."
            .to_owned(),
    );
    Ok(finding)
}

fn compare(
    printed: &PrintedCrossover,
    position: &Position<'_>,
    best: &[(String, f64)],
    finding: &mut Finding,
) -> Result<(), ReproduceError> {
    let moves: Vec<&str> = best.iter().map(|(san, _)| san.as_str()).collect();
    let PrintedCrossover { name, order, at, known, .. } = printed;
    if order.is_empty() {
        let ours: Vec<String> = best.iter().map(|(san, c)| format!("{san} from {c:.2}")).collect();
        finding.rows.push(
            Row::claim(
                format!("{name}: best moves"),
                "no move best throughout",
                ours.join(", "),
                moves.len() > 1,
            )
            .noted("the print gives no numbers"),
        );
        return Ok(());
    }
    // The print names no move that takes over from Kf6 in J1-1b: the optimal ones.
    let agree = moves.len() == order.len() && order.iter().zip(&moves).all(|(a, b)| a.is_empty() || a == b);
    let words = if order.len() == 1 { "whatever c" } else { "in turn" };
    let shown: Vec<&str> = order.iter().filter(|san| !san.is_empty()).copied().collect();
    let row = Row::claim(format!("{name}: best {words}"), &shown.join(", "), moves.join(", "), agree);
    finding.rows.push(row);
    if agree {
        for (number, published) in at.iter().enumerate() {
            let decimals = usize::from(published.fract() != 0.0);
            let ours = best[number + 1].1;
            let quantity = format!("{name}: {} gives way at c", moves[number]);
            let lead = position.lead(moves[number + 1], moves[number], *published)?;
            let why = format!(
                "read off a graph in the print; ours is the exact root, and at the printed c {} leads by {lead:+.4}",
                moves[number + 1]
            );
            let row = Row::number(quantity, *published, decimals, ours).within(1.0, &why);
            let row = if known.contains(&number) { row.explained(&why) } else { row };
            finding.rows.push(row);
        }
    }
    Ok(())
}

/// Statements about moves that are never best.
fn dominance(
    lab: &Lab<'_>,
    oracle: &dyn crate::oracle::Oracle,
    finding: &mut Finding,
) -> Result<(), ReproduceError> {
    let opponent = lab.model(0.0)?;
    for (name, better, worse) in [("BB2-24b", "Rf6", "Rf8"), ("BB2-22b", "Rf7", "Rf6")] {
        let Some(printed) = PRINTED.iter().find(|printed| printed.name == name) else { continue };
        let position = Position::new(printed.fen, oracle, opponent, 0.0)?;
        let best = position.best(|san| san == better || san == worse)?;
        let ours: Vec<String> = best.iter().map(|(san, c)| format!("{san} from {c:.2}")).collect();
        let holds = best.len() == 1 && best[0].0 == better;
        let lead = position.greatest_lead(worse, better)?;
        finding.rows.push(
            Row::claim(
                format!("{name}: {better} against {worse}"),
                &format!("{better} dominates"),
                ours.join(", "),
                holds,
            )
            .explained(&format!(
                "{worse} is never better by more than {lead:.4} moves: not to be seen in a graph"
            )),
        );
    }
    let Some(printed) = PRINTED.iter().find(|printed| printed.name == "BB2-12b") else { return Ok(()) };
    let best = Position::new(printed.fen, oracle, opponent, 0.0)?.best(|_| true)?;
    let never = best.iter().all(|(san, _)| san != "Rh4");
    finding.rows.push(Row::claim(
        "BB2-12b: Rh4",
        "never preferred",
        if never { "never" } else { "at times" },
        never,
    ));
    Ok(())
}

fn chart(printed: &PrintedCrossover, figure: u8, position: &Position<'_>) -> Result<Chart, ReproduceError> {
    let most = if printed.most > 0.0 { 10.0 } else { 50.0 };
    let mut series: Vec<Series> = Vec::new();
    for step in 0..=100 {
        let c = most * f64::from(step) / 100.0;
        for (san, depth) in position.expectations(c)? {
            match series.iter_mut().find(|known| known.name == san) {
                Some(known) => known.points.push((c, depth)),
                None => series.push(Series { name: san, points: vec![(c, depth)], mark: SeriesStyle::Line }),
            }
        }
    }
    Ok(Chart {
        title: format!("P1 Figure {figure}: {}", printed.name),
        subtitle: "expected depth (DTC) after White's reply to each of Black's moves".to_owned(),
        x_label: "c".to_owned(),
        y_label: "expected depth".to_owned(),
        series,
        y_range: None,
    })
}
