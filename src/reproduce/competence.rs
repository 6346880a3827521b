use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Color, Position};

use super::{Finding, Lab, ReproduceError, Row, scores};
use crate::{
    analysis::{AnalysisSettings, analyse},
    model::Metric,
    notation::{GameScore, Ply},
    oracle::{Budget, Oracle},
    report::{Chart, Series, SeriesStyle},
};

/// Optimal continuations of game 1 that are tried, to move 50.
const CONTINUATIONS: usize = 200;

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let settings = AnalysisSettings::tables(lab.model(0.0)?, "0(1)50".parse()?);
    let mut finding = Finding::default();
    let [first, second] = scores::browne_belle()?;
    let mut rng = Pcg64::seed_from_u64(lab.seed);
    let extended: Vec<GameScore> =
        (0..CONTINUATIONS).map(|_| extend(&first, &oracle, 50, &mut rng)).collect();
    let competence = |score: &GameScore| -> Result<Vec<(f64, f64)>, ReproduceError> {
        let analysis = analyse(score, &oracle, &settings)?;
        let white = analysis.moves.iter().filter(|judged| judged.side == Color::White);
        Ok(white.map(|judged| (f64::from(judged.number), judged.apparent.white.c)).collect())
    };
    let curves = [competence(&first)?, competence(&second)?];
    let longer = extended.iter().map(competence).collect::<Result<Vec<_>, _>>()?;
    for (game, curve) in curves.iter().enumerate() {
        let name = format!("game {}", game + 1);
        let at = |number: usize| curve.get(number - 1).map_or(f64::NAN, |point| point.1);
        finding.rows.push(Row::number(format!("{name}: E[c] after move 1"), 25.0, 0, at(1)));
        let least = curve.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        finding.rows.push(Row::claim(
            format!("{name}: least E[c]"),
            "> 17",
            format!("{least:.2}"),
            least > 17.0,
        ));
        let peak = curve.iter().map(|point| point.1).fold(0.0, f64::max);
        let rising = curve[..14].iter().is_sorted_by(|a, b| a.1 <= b.1 + 5.0) && at(14) > 40.0;
        let words = format!("{:.1} after move 14, at most {peak:.1}", at(14));
        finding.rows.push(Row::claim(
            format!("{name}: the first fourteen moves"),
            "elevate E[c]",
            words,
            rising,
        ));
    }
    // P1 §8: 'after moves 35-39 and 46-50, Browne's c is lower in Game 2 than in the extended Game 1'.
    for range in [35..=39usize, 46..=50] {
        let lower = longer
            .iter()
            .filter(|curve| range.clone().all(|number| curves[1][number - 1].1 < curve[number - 1].1))
            .count();
        let quantity =
            format!("moves {}-{}: E[c] lower in game 2 than in game 1", range.start(), range.end());
        let ours = if lower == longer.len() { "lower" } else { "depends on the continuation" };
        finding.rows.push(
            Row::words(quantity, "lower", ours)
                .explained("game 1 ended at move 45, and the print does not say how it was carried on")
                .noted(format!("in {lower} of {} optimal continuations of game 1", longer.len())),
        );
    }
    let finals: Vec<f64> =
        [curves[0].last(), curves[1].last()].iter().map(|c| c.map_or(0.0, |c| c.1)).collect();
    let near = (finals[0] - finals[1]).abs() < 1.0;
    let words = format!("{:.2} and {:.2}", finals[0], finals[1]);
    let note = "taken to hold if they differ by less than 1";
    finding.rows.push(Row::claim("final E[c] of both games", "similar", words, near).noted(note));
    let line = |name: &str, points: &[(f64, f64)], mark| Series {
        name: name.to_owned(),
        points: points.to_vec(),
        mark,
    };
    let example = longer.first().map_or(&curves[0][..], Vec::as_slice);
    finding.draw(
        "p1-figure-8",
        Chart {
            title: "P1 Figure 8: Browne's apparent competence".to_owned(),
            subtitle: "candidates 0(1)50, κ = 0+; game 1 carried on by one optimal line".to_owned(),
            x_label: "move".to_owned(),
            y_label: "E[c]".to_owned(),
            series: vec![
                line("game 1", &curves[0], SeriesStyle::Line),
                line("game 2", &curves[1], SeriesStyle::Line),
                line("game 1 carried on", &example[curves[0].len() - 1..], SeriesStyle::Dashed),
            ],
            y_range: None,
        },
    );
    let mut depths = Vec::new();
    for (score, name) in [(&first, "game 1"), (&second, "game 2")] {
        let analysis = analyse(score, &oracle, &settings)?;
        let white = analysis.moves.iter().filter(|judged| judged.side == Color::White);
        let depth = |judged: &crate::analysis::Judged| {
            judged.states().and_then(|(_, after)| after.depth()).map_or(0.0, |depth| f64::from(depth.0))
        };
        let points: Vec<_> = white.map(|judged| (f64::from(judged.number), depth(judged))).collect();
        depths.push(line(name, &points, SeriesStyle::Line));
    }
    finding.draw(
        "p1-figure-9",
        Chart {
            title: "P1 Figure 9: depth after each move".to_owned(),
            subtitle: "DTC, after White's move".to_owned(),
            x_label: "move".to_owned(),
            y_label: "depth".to_owned(),
            series: depths,
            y_range: Some((0.0, 0.0)),
        },
    );
    Ok(finding)
}

/// The game carried on by optimal moves of both sides, chosen by chance, up to a move of White's.
pub fn extend(score: &GameScore, oracle: &dyn Oracle, number: u32, rng: &mut impl Rng) -> GameScore {
    let mut longer = score.clone();
    let mut game = score.game();
    while game.position().fullmoves().get() <= number {
        let Some(look) = oracle.look(&game, &Budget::default()) else { break };
        let optimal: Vec<_> = look.prospects().optimal().collect();
        if optimal.is_empty() {
            break;
        }
        let m = optimal[rng.random_range(0..optimal.len())];
        longer.plies.push(Ply { m, remarks: String::new() });
        game.play(m);
    }
    longer
}
