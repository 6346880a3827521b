use super::{Finding, Lab, ReproduceError, Row, Sheet, lab::uniform, live, scores};
use crate::model::Metric;

/// P1's first grid (note 8): the 'further benefit' was computed with it.
const FIRST_GRID: &str = "0(10)50";

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let mut finding = Finding::default();
    let mut rows = Vec::new();
    for (number, (score, published)) in scores::browne_belle()?.iter().zip([0.71, 0.26]).enumerate() {
        let mut sums = Vec::new();
        for grid in [FIRST_GRID, "0(1)50"] {
            let (choices, _) = live::follow(score, &oracle, lab.model(0.0)?, uniform(grid)?)?;
            let decisions = choices.iter().filter(|choice| choice.options.len() > 1 && choice.depth > 2);
            let mut sum = 0.0;
            for choice in decisions {
                sum += choice.benefit();
                if grid == FIRST_GRID {
                    rows.push(vec![
                        format!("{}", number + 1),
                        format!("{}b", choice.number),
                        choice.played.clone(),
                        choice.preferred().to_owned(),
                        format!("{:.4}", choice.benefit()),
                    ]);
                }
            }
            sums.push(sum);
        }
        finding.rows.push(
            Row::number(
                format!("game {}: further benefit, moves of depth", number + 1),
                published,
                2,
                sums[0],
            )
            .noted(format!("candidates {FIRST_GRID}; with 0(1)50 it is {:.3}", sums[1])),
        );
    }
    let head = ["game", "move", "played", "preferred", "benefit"].map(str::to_owned).to_vec();
    let title = "Black's equi-optimal decisions".to_owned();
    finding.sheets.push(Sheet { name: "p1-benefit-decisions".to_owned(), title, head, rows, shown: true });
    Ok(finding)
}
