use std::{
    fmt::Display,
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Color;

use super::{Context, Failure, markov, model_flags::as_json, progress::Progress, tables};
use crate::{
    console, directories,
    endgame::{Material, Tables, measure_speed, time_to_make},
    markov::{Difficulty, difficulty},
    model::{Metric, Model},
    report::{Chart, Series, SeriesStyle, csv_cell, csv_line},
};

/// How endgames are to be ranked and shown.
pub struct Ranking<'a> {
    pub men: u8,
    pub competences: &'a [f64],
    pub metric: Metric,
    pub model: Model,
    pub exact: bool,
    /// How long that may take.
    pub time: Option<Duration>,
    /// Where figures are kept.
    pub keep: Option<&'a Path>,
    /// Where the ranking is drawn.
    pub svg: Option<&'a Path>,
    pub json: bool,
    pub csv: bool,
}

/// One side of one endgame.
struct Ranked {
    material: Material,
    attacker: Color,
    figures: Vec<Difficulty>,
}

/// One side of one endgame as it is kept: a line of JSON.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// What the figures are of.
    terms: String,
    material: String,
    white: bool,
    figures: Vec<Difficulty>,
}

/// Endgames of more men are ranked by depth only: their positions are too many to be told apart.
const EXACT_MEN: usize = 4;

impl Ranking<'_> {
    fn terms(&self, material: Material) -> String {
        let exact = self.exact && material.men() <= EXACT_MEN;
        format!("{} {:?} {:?} {exact}", self.metric.name(), self.model, self.competences)
    }

    fn kept(&self) -> Result<Vec<Kept>, Failure> {
        let Some(path) = self.keep.filter(|path| path.exists()) else { return Ok(Vec::new()) };
        let wrong = |error: &dyn Display| Failure::usage(format!("cannot read {}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        // A line that was cut off by the end of a run is worked out again.
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    fn add(&self, kept: &Kept) -> Result<(), Failure> {
        let Some(path) = self.keep else { return Ok(()) };
        let cannot =
            |error: &dyn Display| Failure::failed(format!("cannot write {}: {error}", path.display()));
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).map_err(|error| cannot(&error))?;
        let line = serde_json::to_string(kept).map_err(|error| cannot(&error))?;
        writeln!(file, "{line}").map_err(|error| cannot(&error))
    }
}

/// Ranks all endgames of 3 to so many men, for either side as attacker, by competence.
pub fn run(ranking: &Ranking<'_>, context: &mut Context<'_>) -> Result<(), Failure> {
    let library = context.tables()?;
    let begun = Instant::now();
    if ranking.time.is_some() {
        measure_speed();
    }
    let left = || ranking.time.map(|time| time.saturating_sub(begun.elapsed()));
    let materials: Vec<Material> = (3..=usize::from(ranking.men)).flat_map(Material::with_men).collect();
    let progress = Progress::new(materials.len() as u64, 0, "endgames");
    let known = ranking.kept()?;
    let (mut ranked, mut passed_over) = (Vec::new(), 0);
    for material in materials {
        let terms = ranking.terms(material);
        for attacker in [Color::White, Color::Black] {
            context.check_interrupt()?;
            let white = attacker == Color::White;
            let found = known.iter().find(|kept| {
                kept.terms == terms && kept.white == white && kept.material == material.to_string()
            });
            let figures = match found {
                Some(kept) => kept.figures.clone(),
                None if !is_possible(&library, material, ranking.metric, left()) => {
                    passed_over += 1;
                    continue;
                }
                None => {
                    context.with_client(|client| library.build(material, ranking.metric, client))?;
                    let walk = tables::walk(context, &library, material, ranking.metric)?;
                    let exact = ranking.exact && material.men() <= EXACT_MEN;
                    let cancel = context.interrupt.flag();
                    let figures =
                        difficulty(&walk, attacker, &ranking.model, ranking.competences, exact, cancel)
                            .map_err(Failure::failed)?;
                    context.check_interrupt()?;
                    let (material, figures_kept) = (material.to_string(), figures.clone());
                    ranking.add(&Kept { terms: terms.clone(), material, white, figures: figures_kept })?;
                    figures
                }
            };
            if !figures.is_empty() {
                ranked.push(Ranked { material, attacker, figures });
            }
        }
        progress.step(&material.to_string());
    }
    progress.finish();
    if passed_over > 0 {
        console::tell(format_args!(
            "{passed_over} sides of endgames are left out for want of time or tables: --time and --keep go on"
        ));
    }
    if let Some(path) = ranking.svg {
        let drawn = directories::write_whole(path, chart(ranking, &ranked).to_svg().as_bytes());
        drawn.map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
    }
    print(ranking, ranked, context.out)
}

/// Whether an endgame can be ranked in the time that is left. Where no time was named, tables of five men that are there
/// are looked at, and none are made.
fn is_possible(library: &Tables, material: Material, metric: Metric, left: Option<Duration>) -> bool {
    match left {
        None => library.may_build(material) || library.missing(material, metric).is_empty(),
        Some(left) => {
            // Counting the moves of all positions takes about as long as making the table.
            let counting = time_to_make(material, metric);
            library.estimate(material, metric) + counting < left * rayon::current_num_threads() as u32
        }
    }
}

/// How many times as long R_c needs, endgame by endgame from the hardest for the first c on.
fn men(most: u8) -> String {
    if most == 3 { "3 men".to_owned() } else { format!("3 to {most} men") }
}

fn chart(ranking: &Ranking<'_>, ranked: &[Ranked]) -> Chart {
    let mut order: Vec<&Ranked> = ranked.iter().collect();
    order.sort_by(|a, b| b.figures[0].ratio().total_cmp(&a.figures[0].ratio()));
    let series = ranking.competences.iter().enumerate().map(|(column, c)| Series {
        name: format!("c = {c}"),
        mark: SeriesStyle::Line,
        points: (order.iter().enumerate())
            .map(|(place, ranked)| (place as f64 + 1.0, ranked.figures[column].ratio().log10()))
            .filter(|(_, ratio)| ratio.is_finite())
            .collect(),
    });
    let first = order.first().map(|ranked| ranked.material.to_string()).unwrap_or_default();
    Chart {
        title: format!("Endgames of {} by difficulty, {}", men(ranking.men), ranking.metric),
        subtitle: format!(
            "from the hardest ({first}); log10 of how many times as long as R_∞ the player R_c needs"
        ),
        x_label: "rank".to_owned(),
        y_label: "log10 of times longer".to_owned(),
        series: series.collect(),
        y_range: None,
    }
}

fn print(ranking: &Ranking<'_>, mut ranked: Vec<Ranked>, out: &mut dyn Write) -> Result<(), Failure> {
    let side = |color: Color| if color == Color::White { "white" } else { "black" };
    if ranking.csv {
        writeln!(out, "c,rank,material,attacker,least,aggregated,exact,ratio")?;
    }
    let mut objects = Vec::new();
    for (column, &c) in ranking.competences.iter().enumerate() {
        ranked.sort_by(|a, b| b.figures[column].ratio().total_cmp(&a.figures[column].ratio()));
        if !ranking.json && !ranking.csv {
            writeln!(
                out,
                "Hardest endgames for c = {c} by {}: moves that R_c is expected to need against the infallible defender, \
                 from a\nposition taken at random of all those of the full board that the attacker, to move, wins\n",
                ranking.metric
            )?;
            writeln!(
                out,
                "{:>4} {:<9} {:<8} {:>11} {:>14} {:>14} {:>12}",
                "rank", "endgame", "attacker", "infallible", "R_c by depth", "R_c exactly", "times longer"
            )?;
        }
        for (place, Ranked { material, attacker, figures }) in ranked.iter().enumerate() {
            let Difficulty { least, aggregated, exact, .. } = figures[column];
            let (rank, ratio) = (place + 1, figures[column].ratio());
            if ranking.json {
                objects.push(json!({
                    "c": as_json(c), "rank": rank, "material": material.to_string(), "attacker": side(*attacker),
                    "least": least, "aggregated": aggregated, "exact": exact, "ratio": ratio,
                }));
            } else if ranking.csv {
                let (side, exact) = (side(*attacker), csv_cell(exact));
                let cells: [&dyn Display; _] =
                    [&c, &rank, material, &side, &least, &aggregated, &exact, &ratio];
                writeln!(out, "{}", csv_line(cells))?;
            } else {
                let exact = exact.map_or("-".to_owned(), markov::moves);
                writeln!(
                    out,
                    "{rank:>4} {:<9} {:<8} {least:>11.2} {:>14} {exact:>14} {ratio:>12.3}",
                    material.to_string(),
                    side(*attacker),
                    markov::moves(aggregated),
                )?;
            }
        }
        if !ranking.json && !ranking.csv {
            writeln!(out)?;
        }
    }
    if ranking.json {
        let (metric, kappa) = (ranking.metric.name(), ranking.model.preference.kappa());
        writeln!(out, "{}", json!({"metric": metric, "kappa": kappa, "ranking": objects}))?;
    }
    Ok(())
}
