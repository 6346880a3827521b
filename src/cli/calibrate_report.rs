//! How well a model of people foretells moves, beside simpler ones.

use std::{collections::BTreeMap, io::Write};

use serde_json::{Value, json};

use super::Failure;
use crate::{
    calibration::{BAND, EndgameSide, RatedDecision, Verdict},
    human::{Calibration, HumanParameters},
    report::{Chart, Series, SeriesStyle},
};

/// Positions that are decided more than this, in pawns, say little: they are left out.
pub(super) const DECIDED: f64 = 3.0;
/// Width of bands where narrow ones would hold too few.
pub(super) const WIDE_BAND: u32 = 200;

/// The models that are compared, the simplest first.
const MODELS: [&str; 5] = ["uniform", "paper", "v alone", "price alone", "both"];
/// The paper's formula, and the whole model, among them.
const PAPER: usize = 1;
const BOTH: usize = 4;

/// What became of the predictions of several models, over all and by band of Elo.
pub(super) struct Verdicts {
    all: [Verdict; MODELS.len()],
    bands: BTreeMap<u32, [Verdict; MODELS.len()]>,
}

impl Verdicts {
    /// Judges decisions that are not decided. Prices alone are judged where their parameters are known.
    pub fn new(
        decisions: &[RatedDecision],
        calibration: &Calibration,
        by_price: Option<&HumanParameters>,
    ) -> Verdicts {
        let mut verdicts = Verdicts { all: Default::default(), bands: BTreeMap::new() };
        for one in decisions.iter().filter(|one| one.best.abs() <= DECIDED) {
            let moves = one.decision.moves.len();
            let elo = f64::from(one.elo);
            let by_v: Vec<f64> = one.decision.ln_v.iter().map(|ln| ln.exp()).collect();
            let predictions = [
                Some(vec![1.0 / moves as f64; moves]),
                Some(one.by_paper(calibration.made.paper_competence)),
                Some(by_v),
                by_price.map(|parameters| one.decision.probabilities(&parameters.person(elo))),
                Some(one.decision.probabilities(&calibration.people.person(elo))),
            ];
            let band = verdicts.bands.entry(one.elo / BAND * BAND).or_default();
            for (model, prediction) in predictions.iter().enumerate() {
                if let Some(probabilities) = prediction {
                    verdicts.all[model].add(probabilities, one.played);
                    band[model].add(probabilities, one.played);
                }
            }
        }
        verdicts
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let bands = self.bands.iter().map(|(elo, verdicts)| {
            let mut object = object(verdicts);
            object["elo"] = (*elo).into();
            object
        });
        json!({ "all": object(&self.all), "bands": bands.collect::<Vec<_>>() })
    }

    /// For people.
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{} moves of positions within {DECIDED} pawns", self.all[BOTH].count())?;
        writeln!(
            out,
            "{:<12} {:>8} {:>7} {:>8} {:>8} {:>8} {:>12}",
            "", "mean ln P", "±", "gain", "first", "in three", "calibration"
        )?;
        for (name, verdict) in MODELS.iter().zip(&self.all).filter(|(_, verdict)| verdict.count() > 0) {
            writeln!(
                out,
                "{name:<12} {:>8.4} {:>8.4} {:>8.4} {:>7.1}% {:>7.1}% {:>12.3}",
                verdict.mean_ln(),
                verdict.error(),
                verdict.mean_ln() - self.all[PAPER].mean_ln(),
                100.0 * verdict.hit_rate(),
                100.0 * verdict.in_three_rate(),
                verdict.calibration_error()
            )?;
        }
        writeln!(
            out,
            "\n{:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>12}",
            "Elo", "moves", "paper", "v alone", "both", "first", "calibration"
        )?;
        for (elo, verdicts) in &self.bands {
            writeln!(
                out,
                "{elo:>6} {:>6} {:>8.3} {:>8.3} {:>8.3} {:>7.1}% {:>12.3}",
                verdicts[BOTH].count(),
                verdicts[PAPER].mean_ln(),
                verdicts[2].mean_ln(),
                verdicts[BOTH].mean_ln(),
                100.0 * verdicts[BOTH].hit_rate(),
                verdicts[BOTH].calibration_error()
            )?;
        }
        Ok(())
    }

    /// Parameters against Elo, reliability, likelihood by band: file names and charts.
    pub fn charts(&self, calibration: &Calibration) -> Vec<(&'static str, Chart)> {
        let line = |name: &str, points: Vec<(f64, f64)>| Series {
            name: name.to_owned(),
            points,
            mark: SeriesStyle::Line,
        };
        let elos = || (800..=2800).step_by(100).map(f64::from);
        let person = |elo: f64| calibration.people.person(elo);
        let depths = calibration.people.ln_depths.len();
        let half = depths.div_ceil(2);
        let seen = |depths: std::ops::Range<usize>| {
            elos().map(|elo| (elo, person(elo).depths[depths.clone()].iter().sum())).collect()
        };
        let by_band = |model: usize| {
            let points = self.bands.iter().filter(|(_, verdicts)| verdicts[model].count() >= 30);
            points.map(|(elo, verdicts)| (f64::from(elo + BAND / 2), verdicts[model].mean_ln())).collect()
        };
        let reliability = self.all[BOTH].reliability().into_iter().map(|(sure, right, _)| (sure, right));
        vec![
            (
                "parameters.svg",
                Chart {
                    title: "What people are like".to_owned(),
                    subtitle: "c, κ and the power of v by Elo".to_owned(),
                    x_label: "Elo".to_owned(),
                    y_label: "value".to_owned(),
                    series: vec![
                        line("c", elos().map(|elo| (elo, person(elo).competence)).collect()),
                        line("κ", elos().map(|elo| (elo, person(elo).kappa)).collect()),
                        line("power of v", elos().map(|elo| (elo, person(elo).attention)).collect()),
                    ],
                    y_range: None,
                },
            ),
            (
                "depths.svg",
                Chart {
                    title: "How deep people see".to_owned(),
                    subtitle: "share of moves at which a look of so many plies decides".to_owned(),
                    x_label: "Elo".to_owned(),
                    y_label: "share".to_owned(),
                    series: vec![
                        line("1 ply", seen(0..1)),
                        line(&format!("2 to {half} plies"), seen(1..half)),
                        line(
                            &format!("{} to {} plies", half + 1, depths - 1),
                            seen(half..(depths - 1).max(half)),
                        ),
                        line(&format!("{depths} plies"), seen(depths - 1..depths)),
                    ],
                    y_range: Some((0.0, 0.0)),
                },
            ),
            (
                "likelihood.svg",
                Chart {
                    title: "How well moves are foretold".to_owned(),
                    subtitle: "mean ln P of the move played, players not used for fitting".to_owned(),
                    x_label: "Elo".to_owned(),
                    y_label: "mean ln P".to_owned(),
                    series: [PAPER, 2, 3, BOTH].map(|model| line(MODELS[model], by_band(model))).to_vec(),
                    // With room for the names of the lines.
                    y_range: None,
                },
            ),
            (
                "reliability.svg",
                Chart {
                    title: "How sure, and how often right".to_owned(),
                    subtitle: "first choice of the model, players not used for fitting".to_owned(),
                    x_label: "probability of the first choice".to_owned(),
                    y_label: "share played".to_owned(),
                    series: vec![
                        line("model", reliability.collect()),
                        line("ideal", vec![(0.0, 0.0), (1.0, 1.0)]),
                    ],
                    y_range: Some((0.0, 1.0)),
                },
            ),
        ]
    }
}

fn object(verdicts: &[Verdict; MODELS.len()]) -> Value {
    let [uniform, paper, v, _, both] = verdicts;
    json!({
        "n": both.count(), "ll": both.mean_ln(), "ll_error": both.error(), "ll_paper": paper.mean_ln(),
        "ll_uniform": uniform.mean_ln(), "ll_prior": v.mean_ln(),
        "top1": both.hit_rate(), "top3": both.in_three_rate(), "ece": both.calibration_error(),
    })
}

/// How well moves of endgames are foretold that tables know.
pub(super) fn print_endgames(
    sides: &[EndgameSide],
    people: &HumanParameters,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut verdict = Verdict::default();
    let mut uniform = Verdict::default();
    for one in sides.iter().flat_map(|side| &side.0) {
        let probabilities = one.probabilities(people);
        uniform.add(&vec![1.0 / probabilities.len() as f64; probabilities.len()], one.played);
        verdict.add(&probabilities, one.played);
    }
    writeln!(
        out,
        "\n{} moves of endgames: mean ln P {:.4} ± {:.4} (uniform {:.4}), first {:.1} %",
        verdict.count(),
        verdict.mean_ln(),
        verdict.error(),
        uniform.mean_ln(),
        100.0 * verdict.hit_rate()
    )?;
    let together: f64 = sides.iter().map(|side| side.ln_likelihood(people)).sum();
    writeln!(
        out,
        "of {} sides of games as wholes, each of one who knows the endgame as well throughout: mean ln P of a move {:.4}",
        sides.len(),
        together / verdict.count().max(1) as f64
    )?;
    Ok(())
}
