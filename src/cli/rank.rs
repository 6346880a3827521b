use std::{fmt::Display, io::Write};

use serde_json::json;
use shakmaty::Color;

use super::{Context, Failure, markov, model_flags::as_json, progress::Progress, tables};
use crate::{
    endgame::Material,
    markov::{Difficulty, difficulty},
    model::{Metric, Model},
    report::{csv_cell, csv_line},
};

/// How endgames are to be ranked and shown.
pub struct Ranking<'a> {
    pub men: u8,
    pub competences: &'a [f64],
    pub metric: Metric,
    pub model: Model,
    pub exact: bool,
    pub json: bool,
    pub csv: bool,
}

/// One side of one endgame.
struct Ranked {
    material: Material,
    attacker: Color,
    figures: Vec<Difficulty>,
}

/// Ranks all endgames of 3 to so many men, for either side as attacker, by competence.
pub fn run(ranking: &Ranking<'_>, context: &mut Context<'_>) -> Result<(), Failure> {
    let library = context.tables()?;
    let materials: Vec<Material> = (3..=usize::from(ranking.men)).flat_map(Material::with_men).collect();
    let progress = Progress::new(materials.len() as u64, 0, "endgames");
    let mut ranked = Vec::new();
    for material in materials {
        let walk = tables::walk(context, &library, material, ranking.metric)?;
        for attacker in [Color::White, Color::Black] {
            context.check_interrupt()?;
            let cancel = context.interrupt.flag();
            let figures =
                difficulty(&walk, attacker, &ranking.model, ranking.competences, ranking.exact, cancel)
                    .map_err(Failure::failed)?;
            if !figures.is_empty() {
                ranked.push(Ranked { material, attacker, figures });
            }
        }
        progress.step("");
    }
    progress.finish();
    context.check_interrupt()?;
    print(ranking, ranked, context.out)
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
