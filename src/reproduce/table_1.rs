use shakmaty::Color;

use super::{Finding, Lab, ReproduceError, Row, Sheet, markov, scores};
use crate::{
    agents::Rule,
    endgame::{TablesError, Walk},
    markov::Chain,
    model::{Metric, Model, Policy, Preference},
    report::{Chart, Series, SeriesStyle},
    simulation::{Chooser, Contest, GameEvidence, Played, Spectrum, bounds},
    statistics::Moments,
};

/// Table 1: mean, least and greatest apparent c, its deviation; mean, least, greatest length.
struct PrintedTable1 {
    name: &'static str,
    games: f64,
    c: [f64; 4],
    moves: [f64; 4],
}

const PRINTED: [PrintedTable1; 3] = [
    PrintedTable1 {
        name: "position 1",
        games: 1000.0,
        c: [21.318, 15.06, 35.66, 3.345],
        moves: [96.88, 37.0, 395.0, 102.951],
    },
    PrintedTable1 {
        name: "position 2",
        games: 1000.0,
        c: [21.620, 14.73, 40.71, 3.695],
        moves: [94.31, 37.0, 325.0, 102.273],
    },
    PrintedTable1 {
        name: "overall",
        games: 2000.0,
        c: [21.469, 14.73, 40.71, 3.524],
        moves: [95.60, 37.0, 395.0, 102.587],
    },
];

const LENGTHS: &str = "the mean depends on how the infallible defender chooses among optimal moves, which the print does \
                       not say; ours chooses uniformly, other rules are below";
const DEVIATION: &str = "the print does not say of what this is the deviation: of moves it would be 60 % of the greatest variance \
                         that its mean, least and greatest length allow, and twice that of the Markov model (below)";

/// R_20, who is watched.
struct Attacker<'a> {
    walk: &'a Walk,
    player: Chooser,
    spectrum: Spectrum,
}

impl<'a> Attacker<'a> {
    fn new(walk: &'a Walk, model: Model) -> Option<Attacker<'a>> {
        let bounds = bounds(walk.table(), Color::White);
        Some(Attacker {
            walk,
            player: Chooser::fallible(&model, 20.0, bounds)?,
            spectrum: Spectrum::new(&model, "0(1)50".parse().ok()?, bounds)?,
        })
    }
}

/// Games of one rule, those of position 1 first.
struct PlayedGames {
    games: Vec<Vec<Played>>,
}

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let walk = lab.kqkr()?;
    let model = Model { preference: Preference::table(lab.kappa(1.0))?, policy: Policy::KEEP_VALUE };
    let attacker = Attacker::new(&walk, model).ok_or_else(|| ReproduceError::BuiltIn("R_20".to_owned()))?;
    let spectrum = &attacker.spectrum;
    let mut finding = Finding::default();
    let uniform = play(lab, &attacker, Rule::Uniform)?;
    let apparent = |games: &[&Played], most: f64| -> Result<Vec<f64>, ReproduceError> {
        games.iter().map(|game| Ok(spectrum.belief(evidence(game)?, most)?.mean())).collect()
    };
    let all: Vec<&Played> = uniform.games.iter().flatten().collect();
    for (number, printed) in PRINTED.iter().enumerate() {
        let games: Vec<&Played> = match uniform.games.get(number) {
            Some(games) => games.iter().collect(),
            None => all.clone(),
        };
        rows(printed, &apparent(&games, 50.0)?, &games, &mut finding)?;
    }
    let narrow = moments(apparent(&all, 30.0)?)?;
    finding.rows.push(
        Row::number("overall: mean apparent c with c_max = 30 (note 8)", 21.04, 2, narrow.mean)
            .within(tolerance(error(&narrow), 0.08), &chance(&narrow)),
    );
    let curves = markov::lengths(lab)?;
    rules(lab, &attacker, &uniform, &curves, &mut finding)?;
    figure_3(&apparent(&all, 50.0)?, &mut finding);
    figure_4(lab, &all, &mut finding)?;
    figure_7(spectrum, &all, &mut finding)?;
    finding.remarks.push(format!(
        "R_20 against R_∞ from both starting positions of Browne - BELLE, {} games each, seed {}, κ = 1, White keeps the \
         win, to conversion; the Analyser has candidates 0(1)50 and starts anew with each game. Printed means are by \
         chance too: a difference of up to three standard errors of both counts as close.",
        lab.games, lab.seed
    ));
    Ok(finding)
}

fn play(lab: &Lab<'_>, attacker: &Attacker<'_>, rule: Rule) -> Result<PlayedGames, ReproduceError> {
    lab.check()?;
    let walk = attacker.walk;
    let material = walk.table().material();
    let mates = lab.tables.get(material, Metric::Dtm).ok_or(TablesError::Missing(material, Metric::Dtm))?;
    let defender = Chooser::infallible(rule);
    let mut games = Vec::new();
    for (number, score) in scores::browne_belle()?.iter().enumerate() {
        let located = lab.tables.locate(&score.start, Metric::Dtc);
        let located = located.ok_or_else(|| ReproduceError::BuiltIn("starting position".to_owned()))?;
        let contest = Contest {
            walk,
            mates: Some(mates),
            start: located.index,
            first: located.to_move,
            choosers: [&attacker.player, &defender],
            watchers: [Some(&attacker.spectrum), None],
            longest: usize::MAX,
        };
        // Games of one seed differ by their number.
        let seed = (lab.seed + number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        games.push(contest.play_all(lab.games, |game| seed ^ game as u64, lab.cancel)?);
    }
    Ok(PlayedGames { games })
}

fn evidence(game: &Played) -> Result<&GameEvidence, ReproduceError> {
    game.evidence[0].as_ref().ok_or_else(|| ReproduceError::BuiltIn("R_20 is not watched".to_owned()))
}

fn lengths(games: &[&Played]) -> Vec<f64> {
    games.iter().map(|game| game.moves() as f64).collect()
}

fn moments(numbers: impl IntoIterator<Item = f64>) -> Result<Moments, ReproduceError> {
    Moments::of(numbers).ok_or_else(|| ReproduceError::BuiltIn("a match without games".to_owned()))
}

fn error(sample: &Moments) -> f64 {
    sample.standard_error.unwrap_or(0.0)
}

fn tolerance(ours: f64, theirs: f64) -> f64 {
    3.0 * ours.hypot(theirs)
}

fn chance(sample: &Moments) -> String {
    format!("both are by chance; standard error of ours {:.3}", error(sample))
}

fn rows(
    printed: &PrintedTable1,
    apparent: &[f64],
    games: &[&Played],
    finding: &mut Finding,
) -> Result<(), ReproduceError> {
    let PrintedTable1 {
        name,
        games: printed_games,
        c: [mean_c, min_c, max_c, deviation_c],
        moves: [mean, min, max, deviation],
    } = printed;
    let played = lengths(games);
    let (c, moves) = (moments(apparent.iter().copied())?, moments(played.iter().copied())?);
    let tolerance = tolerance(error(&c), deviation_c / printed_games.sqrt());
    finding.rows.push(
        Row::number(format!("{name}: mean apparent c"), *mean_c, 3, c.mean).within(tolerance, &chance(&c)),
    );
    // The standard error of a deviation is no greater than that of the mean for tails like these.
    finding.rows.push(
        Row::number(format!("{name}: deviation of apparent c"), *deviation_c, 3, c.sd.unwrap_or(0.0))
            .within(tolerance, "by chance"),
    );
    finding.rows.push(extreme(
        format!("{name}: least apparent c"),
        (*min_c, *printed_games),
        2,
        c.min,
        apparent,
    ));
    finding.rows.push(extreme(
        format!("{name}: greatest apparent c"),
        (*max_c, *printed_games),
        2,
        c.max,
        apparent,
    ));
    finding.rows.push(
        Row::number(format!("{name}: mean moves"), *mean, 2, moves.mean)
            .noted(chance(&moves))
            .explained(LENGTHS),
    );
    finding.rows.push(extreme(format!("{name}: least moves"), (*min, *printed_games), 0, moves.min, &played));
    finding.rows.push(extreme(
        format!("{name}: greatest moves"),
        (*max, *printed_games),
        0,
        moves.max,
        &played,
    ));
    finding.rows.push(
        Row::number(format!("{name}: deviation of moves"), *deviation, 3, moves.sd.unwrap_or(0.0))
            .explained(DEVIATION),
    );
    Ok(())
}

/// The printed extreme of a sample is as good as ours unless too many of ours lie beyond it: if both samples are of one
/// kind, all k of those beyond it are in ours with probability (n / (n + printed))^k.
fn extreme(quantity: String, published: (f64, f64), decimals: usize, ours: f64, values: &[f64]) -> Row {
    let (published, printed_games) = published;
    let least = ours == values.iter().copied().fold(f64::INFINITY, f64::min);
    let beyond =
        values.iter().filter(|&&value| if least { value < published } else { value > published }).count();
    let games = values.len() as f64;
    let probability = (games / (games + printed_games)).powf(beyond as f64);
    let note = format!(
        "an extreme of a sample: {beyond} of our {games} lie beyond the printed one, by chance with probability \
         {probability:.2}"
    );
    let tolerance = if probability >= 0.01 { f64::INFINITY } else { 0.0 };
    let why = format!(
        "{beyond} of our {games} lie beyond the printed extreme; by chance only with probability {probability:.4}, though \
         twelve extremes are compared, and how the published defender chose is not known"
    );
    Row::number(quantity, published, decimals, ours).within(tolerance, &note).explained(&why)
}

/// The same match with other infallible defenders.
fn rules(
    lab: &Lab<'_>,
    attacker: &Attacker<'_>,
    uniform: &PlayedGames,
    curves: &[(f64, f64)],
    finding: &mut Finding,
) -> Result<(), ReproduceError> {
    let mut rows = Vec::new();
    for rule in Rule::ALL {
        let other;
        let played = if rule == Rule::Uniform {
            uniform
        } else {
            other = play(lab, attacker, rule)?;
            &other
        };
        let all: Vec<&Played> = played.games.iter().flatten().collect();
        let sample = moments(lengths(&all))?;
        let implied = markov::implied(curves, sample.mean);
        if rule != Rule::Uniform {
            // The printed error of the mean is of no use; a deviation like ours is assumed.
            let row = Row::number(format!("overall: mean moves, defender {rule}"), 95.60, 2, sample.mean);
            finding.rows.push(
                row.within(tolerance(error(&sample), error(&sample)), &chance(&sample))
                    .explained("another rule than the published one, by this difference"),
            );
        }
        rows.push(vec![
            rule.to_string(),
            sample.count.to_string(),
            format!("{:.2}", sample.mean),
            format!("{:.2}", error(&sample)),
            format!("{:.1}", sample.sd.unwrap_or(0.0)),
            format!("{} - {}", sample.min, sample.max),
            implied.map_or("beyond 18 to 24".to_owned(), |c| format!("{c:.2}")),
        ]);
    }
    let head =
        ["defender", "games", "mean moves", "standard error", "deviation", "range", "c implied by Markov"];
    finding.sheets.push(Sheet {
        name: "p2-table-1-defenders".to_owned(),
        title: "Mean length by how the infallible defender chooses among optimal moves".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        shown: true,
    });
    Ok(())
}

fn histogram(values: impl Iterator<Item = f64>, width: f64) -> Vec<(f64, f64)> {
    let mut counts: std::collections::BTreeMap<i64, u32> = std::collections::BTreeMap::new();
    for value in values {
        *counts.entry((value / width).floor() as i64).or_default() += 1;
    }
    counts.into_iter().map(|(bin, count)| ((bin as f64 + 0.5) * width, f64::from(count))).collect()
}

fn figure_3(apparent: &[f64], finding: &mut Finding) {
    let points = histogram(apparent.iter().copied(), 1.0);
    finding.draw(
        "p2-figure-3",
        Chart {
            title: "P2 Figure 3: apparent c after one game".to_owned(),
            subtitle: format!("{} games R_20 - R_∞", apparent.len()),
            x_label: "E[c] at the end of the game".to_owned(),
            y_label: "games".to_owned(),
            series: vec![Series { name: String::new(), points, mark: SeriesStyle::Bars(1.0) }],
            y_range: None,
        },
    );
}

fn figure_4(lab: &Lab<'_>, all: &[&Played], finding: &mut Finding) -> Result<(), ReproduceError> {
    let chain = &markov::chains(lab, &[20.0])?[0];
    let within = |moves: u32| chain.by_depth(&chain.won_within(moves)).last().copied().unwrap_or(0.0);
    let width = 10;
    let games = all.len() as f64;
    let expected: Vec<(f64, f64)> = (0..40)
        .map(|bin| {
            let (from, to) = (bin * width, (bin + 1) * width);
            // Bins hold from ≤ m < to.
            let share = within(to - 1) - if from == 0 { 0.0 } else { within(from - 1) };
            (f64::from(from) + f64::from(width) / 2.0, games * share)
        })
        .collect();
    let points = histogram(all.iter().map(|game| game.moves() as f64), f64::from(width));
    finding.draw(
        "p2-figure-4",
        Chart {
            title: "P2 Figure 4: lengths of games".to_owned(),
            subtitle: format!("{games} games R_20 - R_∞, uniform defender, and the Markov model"),
            x_label: "moves to conversion".to_owned(),
            y_label: "games".to_owned(),
            series: vec![
                Series { name: "played".to_owned(), points, mark: SeriesStyle::Bars(f64::from(width)) },
                Series { name: "Markov model".to_owned(), points: expected, mark: SeriesStyle::Line },
            ],
            y_range: None,
        },
    );
    finding
        .rows
        .push(Row::new_result("deviation of moves by the Markov model", format!("{:.1}", spread(chain))));
    let mut lengths: Vec<usize> = all.iter().map(|game| game.moves()).collect();
    lengths.sort_unstable();
    let reached = lengths.get((0.1267 * games) as usize).copied().unwrap_or(0);
    finding.rows.push(
        Row::number("moves after which 12.67 % of the games are won", 55.0, 0, reached as f64)
            .within(2.0, "by chance, and by the defender's choices")
            .explained(LENGTHS),
    );
    Ok(())
}

/// The standard deviation of the length of a game from the greatest depth.
fn spread(chain: &Chain) -> f64 {
    let start = chain.space().deepest(chain.first());
    let (Some(start), Some(won)) = (chain.won_in(start), chain.won_in(0)) else { return f64::NAN };
    let mut now = vec![0.0; chain.rows().len()];
    now[start] = 1.0;
    let (mut mean, mut square) = (0.0, 0.0);
    for moves in 1..=5000 {
        let before = now[won];
        now = chain.after(&now, 1);
        let ends = now[won] - before;
        mean += ends * f64::from(moves);
        square += ends * f64::from(moves).powi(2);
    }
    (square - mean * mean).sqrt()
}

/// The Analyser goes on from game to game instead of starting anew.
fn figure_7(spectrum: &Spectrum, all: &[&Played], finding: &mut Finding) -> Result<(), ReproduceError> {
    let mut belief = spectrum.belief(&spectrum.nothing(), f64::INFINITY)?;
    let mut moves = 0;
    let mut points = vec![(0.0, belief.mean() - 20.0)];
    let mut at_6000 = None;
    let mut last = None;
    for (number, game) in all.iter().enumerate() {
        belief.merge(&spectrum.belief(evidence(game)?, f64::INFINITY)?)?;
        moves += game.moves();
        points.push((number as f64 + 1.0, belief.mean() - 20.0));
        if moves >= 6000 && at_6000.is_none() {
            at_6000 = Some((belief.mean() - 20.0, belief.deviation()));
        }
        last = Some((belief.mean() - 20.0, belief.deviation()));
    }
    let bars =
        |(error, deviation): (f64, f64)| format!("{error:+.3} (deviation of the belief {deviation:.3})");
    if let Some(at) = at_6000 {
        finding.rows.push(
            Row::claim("error of E[c] after 6,000 moves", "below 0.1", bars(at), at.0.abs() < 0.1)
                .explained("by chance: the belief is no more certain than that after 6,000 moves"),
        );
    }
    if let Some(last) = last {
        // The grid is coarse by then: the belief sits on 20 alone.
        let holds = last.0.abs() <= (3.0 * last.1).max(0.1);
        finding.rows.push(Row::claim("error of E[c] after all games", "approaches 0", bars(last), holds));
    }
    finding.rows.push(Row::new_result("moves of R_20 in all games (print: some 191,200)", moves.to_string()));
    finding.draw(
        "p2-figure-7",
        Chart {
            title: "P2 Figure 7: error of the estimate against games analysed".to_owned(),
            subtitle: "the Analyser is not restarted between games".to_owned(),
            x_label: "games analysed".to_owned(),
            y_label: "E[c] − 20".to_owned(),
            series: vec![Series { name: String::new(), points, mark: SeriesStyle::Line }],
            y_range: None,
        },
    );
    Ok(())
}
