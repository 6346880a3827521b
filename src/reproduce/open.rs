use super::{
    Finding, Lab, ReproduceError, Row, Sheet,
    lab::{keeping, uniform},
    live::{self, LiveChoice},
    scores,
};
use crate::{
    model::Metric,
    notation::GameScore,
    report::{Chart, Series, SeriesStyle},
};

const KAPPAS: [f64; 7] = [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0];
const GRID: &str = "0(1)50";

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let games = scores::browne_belle()?;
    let mut finding = Finding::default();
    kappa(lab, &games, &mut finding)?;
    prior(lab, &games, &mut finding)?;
    metric(lab, &games, &mut finding)?;
    finding.remarks.push(
        "P2 §4.2 has not tested the effect of κ on the Predator's choices but assumes that it is not great; §4.3 notes \
         that BELLE could have begun game 2 with what it had learned in game 1; §4.4 that by DTM the Predator might choose \
         differently. Below is what comes out."
            .to_owned(),
    );
    Ok(finding)
}

/// Decisions with more than one optimal move.
fn decisions(choices: Vec<LiveChoice>) -> Vec<LiveChoice> {
    choices.into_iter().filter(|choice| choice.options.len() > 1 && choice.depth > 2).collect()
}

fn label(game: usize, choice: &LiveChoice) -> String {
    format!("{}-{}b", game + 1, choice.number)
}

/// §4.2: the Predator's choices by κ, the belief about White being formed with the same κ.
fn kappa(lab: &Lab<'_>, games: &[GameScore; 2], finding: &mut Finding) -> Result<(), ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut changed = vec![0; KAPPAS.len()];
    let mut bold = vec![0; KAPPAS.len()];
    let mut finals = vec![Vec::new(); KAPPAS.len()];
    for (game, score) in games.iter().enumerate() {
        let first = rows.len();
        for (column, &kappa) in KAPPAS.iter().enumerate() {
            let (choices, belief) = live::follow(score, &oracle, keeping(kappa)?, uniform(GRID)?)?;
            finals[column].push(format!("{:.1}", belief.mean()));
            bold[column] += choices.iter().filter(|choice| !choice.speculative.is_empty()).count();
            for (number, choice) in decisions(choices).iter().enumerate() {
                if column == 0 {
                    rows.push(vec![label(game, choice), choice.played.clone()]);
                }
                let preferred = choice.preferred().to_owned();
                let row = &mut rows[first + number];
                changed[column] += usize::from(column > 0 && preferred != row[2]);
                row.push(preferred);
            }
        }
    }
    let whole = rows.len();
    for (column, kappa) in KAPPAS.iter().enumerate().skip(1) {
        finding.rows.push(
            Row::new_result(
                format!("κ = {kappa}: choices that differ from κ = 0+"),
                format!("{} of {whole}", changed[column]),
            )
            .noted(format!(
                "apparent c of Browne {} and {}; suboptimal moves that look better: {}",
                finals[column][0], finals[column][1], bold[column]
            )),
        );
    }
    let mut head = vec!["decision".to_owned(), "played".to_owned()];
    head.extend(
        KAPPAS.iter().map(|kappa| if *kappa == 0.0 { "κ = 0+".to_owned() } else { format!("κ = {kappa}") }),
    );
    let title = "The Predator's choices by κ".to_owned();
    finding.sheets.push(Sheet { name: "p2-open-kappa".to_owned(), title, head, rows, shown: true });
    Ok(())
}

/// §4.3: game 2, begun with the belief that game 1 left.
fn prior(lab: &Lab<'_>, games: &[GameScore; 2], finding: &mut Finding) -> Result<(), ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let model = lab.model(0.0)?;
    let (_, learned) = live::follow(&games[0], &oracle, model, uniform(GRID)?)?;
    let (ignorant, without) = live::follow(&games[1], &oracle, model, uniform(GRID)?)?;
    let (informed, with) = live::follow(&games[1], &oracle, model, learned.clone())?;
    let mut differing = Vec::new();
    let mut rows = Vec::new();
    for (before, after) in decisions(ignorant).iter().zip(decisions(informed)) {
        if before.preferred() != after.preferred() {
            differing.push(label(1, before));
        }
        rows.push(vec![
            label(1, before),
            before.played.clone(),
            before.preferred().to_owned(),
            format!("{:.4}", before.benefit()),
            after.preferred().to_owned(),
            format!("{:.4}", after.benefit()),
        ]);
    }
    let words = |belief: &crate::model::Belief| format!("{:.2} ± {:.2}", belief.mean(), belief.deviation());
    finding
        .rows
        .push(Row::new_result("game 2 from a uniform prior: c of Browne at the end", words(&without)));
    finding.rows.push(Row::new_result("game 2 from game 1's belief: c of Browne at the end", words(&with)));
    let ours = if differing.is_empty() { "none".to_owned() } else { differing.join(", ") };
    finding.rows.push(Row::new_result("game 2 from game 1's belief: choices that change", ours));
    let head = [
        "decision",
        "played",
        "preferred, uniform prior",
        "benefit",
        "preferred, game 1's belief",
        "benefit",
    ];
    finding.sheets.push(Sheet {
        name: "p2-open-prior".to_owned(),
        title: "Game 2 with what was learned in game 1".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        shown: true,
    });
    let density = |name: &str, belief: &crate::model::Belief| Series {
        name: name.to_owned(),
        points: belief.density(),
        mark: SeriesStyle::Line,
    };
    finding.draw(
        "p2-open-prior-density",
        Chart {
            title: "What is believed about Browne".to_owned(),
            subtitle: "candidates 0(1)50, κ = 0+".to_owned(),
            x_label: "c".to_owned(),
            y_label: "probability".to_owned(),
            series: vec![
                density("after game 1", &learned),
                density("after game 2 alone", &without),
                density("after both", &with),
            ],
            y_range: Some((0.0, 0.0)),
        },
    );
    Ok(())
}

/// §4.4: the Predator by depth to mate.
fn metric(lab: &Lab<'_>, games: &[GameScore; 2], finding: &mut Finding) -> Result<(), ReproduceError> {
    let model = lab.model(0.0)?;
    let mut rows = Vec::new();
    let (mut same, mut suboptimal, mut both) = (0, 0, 0);
    for (game, score) in games.iter().enumerate() {
        let (by_conversion, _) = live::follow(score, &lab.oracle(Metric::Dtc), model, uniform(GRID)?)?;
        let (by_mate, belief) = live::follow(score, &lab.oracle(Metric::Dtm), model, uniform(GRID)?)?;
        finding.rows.push(Row::new_result(
            format!("game {}: apparent c of Browne by DTM", game + 1),
            format!("{:.2} ± {:.2}", belief.mean(), belief.deviation()),
        ));
        suboptimal += by_mate.iter().filter(|choice| !choice.speculative.is_empty()).count();
        for (conversion, mate) in by_conversion.iter().zip(&by_mate) {
            if conversion.depth <= 2 || conversion.options.len() < 2 && mate.options.len() < 2 {
                continue;
            }
            both += 1;
            same += usize::from(conversion.preferred() == mate.preferred());
            let list = |choice: &LiveChoice| {
                choice.options.iter().map(|(san, _)| san.as_str()).collect::<Vec<_>>().join(" ")
            };
            rows.push(vec![label(game, conversion), conversion.played.clone(), list(conversion), list(mate)]);
        }
    }
    finding.rows.push(Row::new_result("decisions where DTC or DTM leaves a choice", both.to_string()));
    finding
        .rows
        .push(Row::new_result("… of which the Predator by DTM prefers the same move", same.to_string()));
    finding.rows.push(
        Row::words("DTM-suboptimal moves that the Predator by DTM would choose", "0", suboptimal.to_string())
            .explained("'it is reasonable to assume' in the print, without a computation")
            .noted("assumed in the print, not computed"),
    );
    let head = ["decision", "played", "optimal by DTC, best first", "optimal by DTM, best first"];
    finding.sheets.push(Sheet {
        name: "p2-open-metric".to_owned(),
        title: "The Predator by DTC and by DTM".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        shown: true,
    });
    Ok(())
}
