use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::Color;

use super::{Finding, Lab, ReproduceError, Row, competence::extend, lab::keeping, scores};
use crate::{
    agents::Watcher,
    analysis::{Analysis, AnalysisSettings, Side, analyse},
    model::{Metric, Scale},
    notation::GameScore,
    oracle::{Budget, Oracle},
};

/// A row of Table 2. White's c, then Black's; none for ∞.
struct PrintedTable2 {
    number: u8,
    name: &'static str,
    pgn: &'static str,
    moves: u8,
    lost: [i32; 2],
    gain: i32,
    c: [Option<f64>; 2],
    /// Why ours may differ: in the depths, and in each c.
    why: [&'static str; 3],
}

const CARRIED_ON: &str = "45 moves were played; the printed value is reached only if the game is carried on to move 50 by \
                          optimal play, and depends on the line";
const OTHER_SCORE: &str = "the public score of this game is not the one that the paper used";
const UNKNOWN: &str =
    "moves, depths and Bronstein's c agree, this does not; why is not known (other κ: see below)";

const PRINTED: [PrintedTable2; 6] = [
    PrintedTable2 {
        number: 1,
        name: "Browne - BELLE 1",
        pgn: scores::BROWNE_BELLE_1,
        moves: 45,
        lost: [27, 0],
        gain: 18,
        c: [Some(19.5), None],
        why: ["", CARRIED_ON, ""],
    },
    PrintedTable2 {
        number: 2,
        name: "Browne - BELLE 2",
        pgn: scores::BROWNE_BELLE_2,
        moves: 50,
        lost: [19, 0],
        gain: 31,
        c: [Some(18.4), None],
        why: [""; 3],
    },
    PrintedTable2 {
        number: 3,
        name: "Gelfand - Svidler",
        pgn: scores::GELFAND_SVIDLER,
        moves: 50,
        lost: [37, 79],
        gain: 8,
        c: [Some(3.5), Some(4.1)],
        why: [""; 3],
    },
    PrintedTable2 {
        number: 4,
        name: "Pinter - Bronstein",
        pgn: scores::PINTER_BRONSTEIN,
        moves: 50,
        lost: [60, 95],
        gain: 14,
        c: [Some(5.9), Some(15.4)],
        why: ["", UNKNOWN, ""],
    },
    PrintedTable2 {
        number: 5,
        name: "Popovic - Korchnoi",
        pgn: scores::POPOVIC_KORCHNOI,
        moves: 31,
        lost: [74, 45],
        gain: 1,
        c: [Some(8.1), Some(6.6)],
        why: [""; 3],
    },
    PrintedTable2 {
        number: 6,
        name: "Timman - Speelman",
        pgn: scores::TIMMAN_SPEELMAN,
        moves: 25,
        lost: [36, 44],
        gain: 33,
        c: [Some(15.0), Some(7.6)],
        why: [OTHER_SCORE; 3],
    },
];

/// Candidates for c.
const GRID: &str = "0(0.01)50";

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    // The paper says κ = 1; its digits are those of κ = 0+.
    let settings = AnalysisSettings { moves: 50, ..AnalysisSettings::tables(lab.model(0.0)?, GRID.parse()?) };
    let mut finding = Finding::default();
    for printed in &PRINTED {
        lab.check()?;
        let score = scores::score(printed.pgn)?;
        let analysis = analyse(&score, &oracle, &settings)?;
        let name = format!("{} {}", printed.number, printed.name);
        if analysis.moves.is_empty() {
            let published = format!("{:?}", printed.lost);
            let why = "KBBKN by DTC is not there: 'errare tables build KBBKN --metric dtc' makes it, or --five-men here";
            finding.rows.push(Row::missing(name, published, why));
            continue;
        }
        rows(printed, &name, &analysis, &mut finding);
        if printed.number == 4 {
            let mut by_kappa = Vec::new();
            for kappa in [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0] {
                let settings = AnalysisSettings {
                    moves: 50,
                    ..AnalysisSettings::tables(keeping(kappa)?, GRID.parse()?)
                };
                by_kappa.push(analyse(&score, &oracle, &settings)?.sides.table.white.apparent.c);
            }
            let (low, high) =
                by_kappa.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &c| (low.min(c), high.max(c)));
            let ours = format!("{low:.2} to {high:.2}");
            finding.rows.push(Row::new_result(format!("{name}: c of White for κ from 0+ to 10"), ours));
        }
        if printed.number == 1 {
            let mut rng = Pcg64::seed_from_u64(lab.seed);
            let mut finals = Vec::new();
            for _ in 0..200 {
                let longer = extend(&score, &oracle, 50, &mut rng);
                finals.push(carried_on(&longer, score.plies.len(), &oracle, &analysis)?);
            }
            finals.sort_by(f64::total_cmp);
            let reached = finals.iter().filter(|c| format!("{c:.1}") == "19.5").count();
            let (low, high) = (finals.first().copied().unwrap_or(0.0), finals.last().copied().unwrap_or(0.0));
            finding.rows.push(
                Row::claim(
                    format!("{name}: c of White if carried on to move 50"),
                    "19.5",
                    format!("{low:.2} to {high:.2}"),
                    low <= 19.55 && high >= 19.45,
                )
                .noted(format!("200 optimal continuations, of which {reached} give 19.5")),
            );
        }
    }
    for (number, name) in [(7, "FRITZ - FRITZ"), (8, "Lengyel - Levy")] {
        let why = "the score of this game is not to be had";
        finding.rows.push(Row::missing(format!("{number} {name}"), "", why));
    }
    finding.remarks.push(
        "c = 0(0.01)50, at most 50 moves of each side. The paper says κ = 1, but its digits are those of κ = 0+: with \
         κ = 1 none of them comes out ('--kappa 1' shows it)."
            .to_owned(),
    );
    Ok(finding)
}

/// White's E[c] at the end of a game whose moves up to `known` have been analysed.
fn carried_on(
    longer: &GameScore,
    known: usize,
    oracle: &dyn Oracle,
    analysis: &Analysis,
) -> Result<f64, ReproduceError> {
    let mut white = analysis.players.white.clone();
    for observation in Watcher::from_ply(&longer.game(), known, oracle, &Budget::default()).of(Color::White) {
        white.observe(&observation)?;
    }
    Ok(white.belief(Scale::Table).mean())
}

fn rows(printed: &PrintedTable2, name: &str, analysis: &Analysis, finding: &mut Finding) {
    let PrintedTable2 { moves, lost, gain, c, why, .. } = printed;
    let explain = |row: Row, why: &str| if why.is_empty() { row } else { row.explained(why) };
    let sides = [(&analysis.sides.table.white, "White"), (&analysis.sides.table.black, "Black")];
    let played = sides.iter().map(|(side, _)| side.moves).max().unwrap_or(0);
    finding
        .rows
        .push(explain(Row::number(format!("{name}: moves"), f64::from(*moves), 0, played as f64), why[0]));
    for (((side, color), lost), (c, reason)) in sides.iter().zip(lost).zip(c.iter().zip(&why[1..])) {
        let row = Row::number(
            format!("{name}: depth lost by {color}"),
            f64::from(*lost),
            0,
            f64::from(side.depth_lost),
        );
        finding.rows.push(explain(row, why[0]));
        finding.rows.push(explain(competence(format!("{name}: c of {color}"), *c, side), reason));
    }
    let ours: Option<i32> = analysis.phases.iter().map(|phase| phase.gain).sum();
    finding.rows.push(explain(
        Row::number(format!("{name}: depth gained"), f64::from(*gain), 0, ours.map_or(f64::NAN, f64::from)),
        why[0],
    ));
}

fn competence(quantity: String, published: Option<f64>, side: &Side) -> Row {
    match published {
        None => Row::words(quantity, "∞", if side.all_optimal { "∞" } else { "finite" }),
        Some(c) => Row::number(quantity, c, 1, side.apparent.c),
    }
}
