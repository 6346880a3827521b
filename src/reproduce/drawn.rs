use shakmaty::Color;

use super::{
    Finding, Lab, ReproduceError, Row, Sheet,
    bout::{Bout, per_cent},
};
use crate::{
    arena::{Rules, Until},
    endgame::Material,
    model::Metric,
    report::{Chart, Series, SeriesStyle},
    simulation::bounds,
    statistics::{Interval, Share},
};

const ENDGAMES: [&str; 4] = ["KRBKR", "KQNKQ", "KNNKP", "KBBKN"];
const COMPETENCES: [u32; 5] = [1, 2, 5, 10, 20];

/// n1 and n2 are these times one more than the deepest win and loss.
const FACTORS: [f64; 3] = [1.0, 2.0, 4.0];

/// P2 §8: what an infallible attacker makes of drawn positions against R_c, by how it chooses among drawing moves.
pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let mut finding = Finding::default();
    let mut rows = Vec::new();
    // As many positions as the paper has games would take an hour.
    let games = (lab.games / 5).max(1);
    let rules = Rules { until: Until::Conversion, ..Rules::CHESS };
    for endgame in ENDGAMES {
        let material: Material = endgame.parse()?;
        let Some(table) = lab.tables.get(material, Metric::Dtc).filter(|_| Bout::is_possible(lab, material))
        else {
            let remedy = format!("there is no table: 'errare tables build {endgame}' makes it (minutes)");
            finding.rows.push(Row::missing(format!("{endgame}: drawn positions"), "", &remedy));
            continue;
        };
        let own = bounds(table, Color::Black);
        let mut curves = Vec::new();
        for factor in FACTORS {
            let [n1, n2] = own.map(|bound| (bound * factor) as u32);
            let mut points = [Vec::new(), Vec::new()];
            for c in COMPETENCES {
                let defender = format!("player:c={c},keep_value=false,n1={n1},n2={n2}");
                let hunter = format!("predator:plies=2,n1={n1},n2={n2}");
                let mut row = vec![endgame.to_owned(), c.to_string(), format!("{n1}, {n2}")];
                for (attacker, points) in ["infallible", &hunter].into_iter().zip(&mut points) {
                    let positions = format!("{endgame}:draw");
                    let players = [attacker, &defender];
                    let won = Bout { positions: &positions, players, games, rules }.play(lab)?.wins;
                    row.push(per_cent(won, games as u64));
                    points.push((f64::from(c), won));
                }
                rows.push(row);
            }
            let [any, hunted] = points;
            curves.push((format!("any drawing move; n1 {n1}, n2 {n2}"), any));
            curves.push((format!("Predator; n1 {n1}, n2 {n2}"), hunted));
        }
        finding.draw(&format!("p2-drawn-{endgame}"), chart(endgame, games as u64, curves));
    }
    finding.sheets.push(Sheet {
        name: "p2-drawn-won".to_owned(),
        title: "Won from drawn positions against R_c, in per cent, with 95 % intervals".to_owned(),
        head: ["endgame", "c", "n1, n2", "any drawing move", "Predator"].map(str::to_owned).to_vec(),
        rows,
        shown: true,
    });
    finding.remarks.push(format!(
        "{games} positions of each endgame, seed {}, drawn with the attacker (named first) to move, each of the full board \
         as likely as another; both sides know the tables by DTC, κ = 1; the defender is free to let go of the draw; \
         the Predator looks 2 plies ahead and learns c from a uniform belief over 0(1)50; the 50-move rule and that on \
         repetition hold; games end at conversion.",
        lab.seed
    ));
    Ok(finding)
}

fn chart(endgame: &str, games: u64, curves: Vec<(String, Vec<(f64, u64)>)>) -> Chart {
    let series = |(name, points): (String, Vec<(f64, u64)>)| {
        let percent = |share: f64| 100.0 * share;
        let bands = points.iter().map(|&(_, won)| {
            let Interval { low, high } = Share { count: won, of: games }.interval();
            (percent(low), percent(high))
        });
        Series {
            mark: SeriesStyle::Band(bands.collect()),
            points: points.iter().map(|&(c, won)| (c, percent(won as f64 / games as f64))).collect(),
            name,
        }
    };
    Chart {
        title: format!("{endgame}: won from drawn positions"),
        subtitle: format!("infallible attacker against R_c, {games} games each, bands are 95 % intervals"),
        x_label: "c of the defender".to_owned(),
        y_label: "won, in per cent".to_owned(),
        series: curves.into_iter().map(series).collect(),
        y_range: Some((0.0, 0.0)),
    }
}
