use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::{Context, Failure, game_files::read_games, progress};
use crate::{
    agents::AgentError,
    analysis::{EndgamePlay, endgame_plays},
    endgame::Material,
    model::{Grid, Metric, Model, Policy, Preference},
    notation::GameScore,
    oracle::TableOracle,
    statistics::{ln_evidence, spread, spread_mean},
};

/// What people aim at in endgames and how well they play them: by metric, κ, Elo and endgame
///
/// Reads games that came down to one endgame. Which metric and κ make the moves of people likeliest, games that were not used to
/// find out how competence is spread deciding; and the mean competence by Elo. A move in a hundred is taken to have
/// nothing to do with any model.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare endgames KQKR.pgn KBNK.pgn
  errare endgames games.pgn --material KQKR --metric dtc,dtz --kappa 0.5,1 --json")]
pub struct Arguments {
    /// Games
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// The endgame (default: what the name of each file says)
    #[arg(long, value_name = "MATERIAL")]
    material: Option<Material>,
    /// What depths may count
    #[arg(long, default_value = "dtc,dtm,dtz", value_delimiter = ',', value_parser = Metric::aim)]
    metric: Vec<Metric>,
    /// Values of κ; 0 means 0+
    #[arg(long, default_value = "0,0.5,1,2", value_delimiter = ',')]
    kappa: Vec<f64>,
    /// Candidates for c
    #[arg(long, default_value = "0(1)60")]
    grid: Grid,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Elos from which on a band begins.
const BANDS: [u32; 5] = [0, 2000, 2200, 2400, 2550];

/// How one model fares with one side of an endgame.
struct Fit {
    metric: Metric,
    kappa: f64,
    /// Mean ln-likelihood of a decision in games that were held out.
    held_out: f64,
    /// By how much ln-likelihoods of whole games are less than under the best model, with standard error; all games.
    behind: (f64, f64),
}

/// People of a band of Elo.
struct Band {
    from: Option<u32>,
    games: usize,
    decisions: usize,
    mean: f64,
    error: f64,
}

struct Report {
    material: Material,
    attacker: bool,
    games: usize,
    decisions: usize,
    fits: Vec<Fit>,
    bands: Vec<Band>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut reports = Vec::new();
    for path in &arguments.games {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let named = arguments.material.map_or_else(|| stem.parse(), Ok);
        let material = named.map_err(|_| {
            Failure::usage(format!("'{stem}' names no endgame: say which with --material KQKR"))
        })?;
        let scores = read(path, context)?;
        let mut by_metric = Vec::new();
        for &metric in &arguments.metric {
            by_metric.push((metric, watch(&scores, material, metric, context)?));
        }
        for attacker in [true, false] {
            reports.extend(report(arguments, material, attacker, &by_metric, context)?);
        }
    }
    if arguments.json { print_json(&reports, context.out) } else { print(&reports, context.out) }
}

fn read(path: &Path, context: &Context<'_>) -> Result<Vec<GameScore>, Failure> {
    let mut scores = Vec::new();
    read_games(&[path.to_owned()], context, &mut |_, score| {
        scores.push(score);
        Ok(())
    })?;
    Ok(scores)
}

/// Looks at all games by one metric; nothing where there are no tables.
fn watch(
    scores: &[GameScore],
    material: Material,
    metric: Metric,
    context: &Context<'_>,
) -> Result<Vec<EndgamePlay>, Failure> {
    let library = context.tables()?;
    if library.may_build(material) {
        context.with_client(|client| library.require(material, metric, client))?;
        for subgame in material.subgames() {
            context.with_client(|client| library.require(subgame, metric, client))?;
        }
    }
    let oracle = TableOracle::new(library, metric);
    let interrupt = &context.interrupt;
    let plays: Vec<Vec<EndgamePlay>> = scores
        .par_iter()
        .enumerate()
        .map(|(number, score)| match interrupt.raised() {
            true => Vec::new(),
            false => endgame_plays(score, number, material, &oracle),
        })
        .collect();
    context.check_interrupt()?;
    Ok(plays.into_iter().flatten().collect())
}

fn report(
    arguments: &Arguments,
    material: Material,
    attacker: bool,
    by_metric: &[(Metric, Vec<EndgamePlay>)],
    context: &Context<'_>,
) -> Result<Option<Report>, Failure> {
    let grid = &arguments.grid;
    let bar = progress::bar((by_metric.len() * arguments.kappa.len()) as u64, "models");
    let (mut fits, mut all) = (Vec::new(), Vec::new());
    for (metric, plays) in by_metric {
        let plays: Vec<&EndgamePlay> = plays.iter().filter(|play| play.attacker == attacker).collect();
        if plays.is_empty() {
            continue;
        }
        for &kappa in &arguments.kappa {
            let preference = Preference::table(kappa).map_err(Failure::usage)?;
            let model = Model { preference, policy: Policy::FREE };
            let likelihoods: Vec<Vec<f64>> = plays
                .par_iter()
                .map(|play| play.ln_likelihoods(&model, grid))
                .collect::<Result<_, AgentError>>()
                .map_err(Failure::failed)?;
            all.push((*metric, kappa, plays.clone(), likelihoods));
            bar.inc(1);
            context.check_interrupt()?;
        }
    }
    bar.finish_and_clear();
    // Each half of the games is judged by what the other half says of how competence is spread.
    let evidence = |likelihoods: &[Vec<f64>], plays: &[&EndgamePlay]| -> Vec<f64> {
        let shares = [0, 1].map(|half| {
            let others = plays.iter().zip(likelihoods).filter(|(play, _)| play.game % 2 != half);
            spread(others.map(|(_, likelihoods)| likelihoods.as_slice()))
        });
        plays.iter().zip(likelihoods).map(|(play, l)| ln_evidence(l, &shares[play.game % 2])).collect()
    };
    let judged: Vec<Vec<f64>> = all.iter().map(|(_, _, plays, l)| evidence(l, plays)).collect();
    let total = |games: &Vec<f64>| games.iter().sum::<f64>();
    let Some(best) = judged.iter().max_by(|a, b| total(a).total_cmp(&total(b))) else { return Ok(None) };
    for ((metric, kappa, plays, _), judged) in all.iter().zip(&judged) {
        let decisions: usize = plays.iter().map(|play| play.decisions.len()).sum();
        let differences: Vec<f64> = best.iter().zip(judged).map(|(best, this)| best - this).collect();
        let count = differences.len() as f64;
        let behind = differences.iter().sum::<f64>();
        let variance: f64 = differences.iter().map(|d| (d - behind / count).powi(2)).sum::<f64>();
        let held_out = total(judged) / decisions as f64;
        fits.push(Fit { metric: *metric, kappa: *kappa, held_out, behind: (behind, variance.sqrt()) });
    }
    // Competences are told by the metric and κ of the papers, if these were asked for.
    let usual = all.iter().find(|(metric, kappa, ..)| *metric == Metric::Dtc && *kappa == 1.0);
    let Some((_, _, plays, likelihoods)) = usual.or(all.first()) else { return Ok(None) };
    let candidates: Vec<f64> = grid.candidates().collect();
    let band = |from: Option<u32>, holds: &dyn Fn(&EndgamePlay) -> bool| {
        let chosen: Vec<(&&EndgamePlay, &Vec<f64>)> =
            plays.iter().zip(likelihoods).filter(|(play, _)| holds(play)).collect();
        let people: Vec<&[f64]> = chosen.iter().map(|(_, l)| l.as_slice()).collect();
        let (mean, error) = spread_mean(&people, &candidates);
        let decisions = chosen.iter().map(|(play, _)| play.decisions.len()).sum();
        Band { from, games: chosen.len(), decisions, mean, error }
    };
    let mut bands = vec![band(None, &|_| true)];
    for (number, &from) in BANDS.iter().enumerate() {
        let until = BANDS.get(number + 1).copied().unwrap_or(u32::MAX);
        bands.push(band(Some(from), &|play| play.elo.is_some_and(|elo| (from..until).contains(&elo))));
    }
    let decisions = plays.iter().map(|play| play.decisions.len()).sum();
    Ok(Some(Report { material, attacker, games: plays.len(), decisions, fits, bands }))
}

fn print(reports: &[Report], out: &mut dyn Write) -> Result<(), Failure> {
    for Report { material, attacker, games, decisions, fits, bands } in reports {
        let side = if *attacker { "the side named first" } else { "the other side" };
        writeln!(out, "{material}, {side}: {games} games, {decisions} decisions\n")?;
        writeln!(out, "  metric    κ   ln-likelihood a move, held out   behind the best, all games (95 %)")?;
        for Fit { metric, kappa, held_out, behind: (behind, error) } in fits {
            writeln!(
                out,
                "  {:<6} {kappa:>4}   {held_out:>28.4}   {behind:>16.1} ± {:.1}",
                metric.to_string(),
                1.96 * error
            )?;
        }
        writeln!(out, "\n  Elo        games   decisions   mean c (95 %)")?;
        for Band { from, games, decisions, mean, error } in bands {
            let name = match from {
                None => "all".to_owned(),
                Some(0) => format!("to {}", BANDS[1] - 1),
                Some(from) => format!("from {from}"),
            };
            let figure = match games {
                0 => "-".to_owned(),
                _ => format!("{mean:.1} ± {:.1}", 1.96 * error),
            };
            writeln!(out, "  {name:<9} {games:>6} {decisions:>11}   {figure}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_json(reports: &[Report], out: &mut dyn Write) -> Result<(), Failure> {
    let reports: Vec<_> = reports
        .iter()
        .map(|report| {
            let fits: Vec<_> = (report.fits.iter())
                .map(|fit| {
                    json!({
                        "metric": fit.metric.name(), "kappa": fit.kappa, "ln_likelihood": fit.held_out,
                        "behind": fit.behind.0, "standard_error": fit.behind.1,
                    })
                })
                .collect();
            let bands: Vec<_> = (report.bands.iter())
                .map(|band| {
                    json!({
                        "from": band.from, "games": band.games, "decisions": band.decisions,
                        "mean": band.mean, "standard_error": band.error,
                    })
                })
                .collect();
            json!({
                "material": report.material.to_string(), "attacker": report.attacker, "games": report.games,
                "decisions": report.decisions, "models": fits, "elo": bands,
            })
        })
        .collect();
    Ok(writeln!(out, "{}", json!({"endgames": reports}))?)
}
