use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::json;

use super::{Context, Failure, analyse_text::kappa, progress::Progress};
use crate::{
    arena::MatchError,
    directories,
    report::{csv_cell, csv_line},
    reproduce::{self, Comparison, ENTRIES, Exhibit, Finding, Lab, ReproduceError, Row, Sheet},
    simulation::ContestError,
};

/// Each table and figure of the papers beside ours: published, ours, difference, verdict
///
/// With --out, writes the comparisons and all data as CSV, the figures as SVG, and a report in Markdown. Ends with code
/// 1 if something differs that should not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare reproduce --list
  errare reproduce --out papers
  errare reproduce p2-markov
  errare reproduce --json > papers.json
  errare reproduce p2-table-2 --kappa 1     what depends on κ turns red")]
pub struct Arguments {
    /// What to reproduce: names or their beginnings (default: everything that does not take minutes)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Write CSV, SVG and report.md to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say what there is, and do nothing
    #[arg(long)]
    list: bool,
    /// Use this κ instead of each that the papers state, to see what depends on it; 0 means 0+
    #[arg(long, value_name = "KAPPA")]
    kappa: Option<f64>,
    /// Games from each starting position of the match R_20 - R_∞
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Of everything left to chance
    #[arg(long, default_value_t = 2003)]
    seed: u64,
    /// Generate KBBKN, which some games of Table 2 need, if it is not there (minutes)
    #[arg(long)]
    five_men: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    if arguments.list {
        for entry in &ENTRIES {
            let long = if entry.long { " (minutes; only if named)" } else { "" };
            writeln!(context.out, "{:<16} {}{long}", entry.name, entry.title)?;
        }
        return Ok(());
    }
    let entries = chosen(&arguments.names)?;
    if let Some(kappa) = arguments.kappa.filter(|kappa| !kappa.is_finite() || *kappa < 0.0) {
        return Err(Failure::usage(format!(
            "κ = {kappa} makes no preference: use a number from 0 (meaning 0+) up"
        )));
    }
    let tables = context.tables()?;
    context.with_client(|client| Lab::prepare(&tables, arguments.five_men, client))?;
    let cancel = context.interrupt.flag();
    let lab =
        Lab { tables, kappa: arguments.kappa, games: arguments.games as usize, seed: arguments.seed, cancel };
    let mut findings: Vec<(&Exhibit, Finding)> = Vec::new();
    let progress = Progress::new(entries.len() as u64, 0, "tables and figures");
    for entry in entries {
        progress.now_at(entry.name);
        let finding = (entry.run)(&lab).map_err(|trouble| match trouble {
            ReproduceError::Cancelled
            | ReproduceError::Contest(ContestError::Cancelled)
            | ReproduceError::Match(MatchError::Interrupted) => Failure::Interrupted,
            trouble => Failure::failed(trouble),
        })?;
        progress.step(entry.name);
        progress.aside(|| {
            if arguments.csv {
                if findings.is_empty() {
                    writeln!(context.out, "{}", csv_line(HEAD))?;
                }
                for row in &finding.rows {
                    writeln!(context.out, "{}", csv_row(entry, row))?;
                }
            } else if !arguments.json {
                print(entry, &finding, context.out)?;
            }
            Ok::<(), Failure>(context.out.flush()?)
        })?;
        findings.push((entry, finding));
    }
    progress.finish();
    if arguments.json {
        let entries: Vec<_> = findings.iter().map(|(entry, finding)| object(entry, finding)).collect();
        writeln!(
            context.out,
            "{}",
            json!({"seed": arguments.seed, "games": arguments.games, "entries": entries})
        )?;
    }
    if let Some(folder) = &arguments.out {
        write_all(folder, &findings, arguments)?;
    }
    let wrong = findings.iter().flat_map(|(_, finding)| &finding.rows);
    match wrong.filter(|row| row.verdict == Comparison::Wrong).count() {
        0 => Ok(()),
        count => Err(Failure::failed(format!("{count} comparisons differ that should not"))),
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static Exhibit>, Failure> {
    if names.is_empty() {
        return Ok(ENTRIES.iter().filter(|entry| !entry.long).collect());
    }
    for name in names {
        if !ENTRIES.iter().any(|entry| entry.name.starts_with(name.as_str())) {
            let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
            return Err(Failure::usage(format!("there is no '{name}': use one of {}", known.join(", "))));
        }
    }
    Ok(ENTRIES
        .iter()
        .filter(|entry| names.iter().any(|name| entry.name.starts_with(name.as_str())))
        .collect())
}

/// An entry with all its numbers; the points of charts are in its sheets.
fn object(entry: &Exhibit, finding: &Finding) -> serde_json::Value {
    json!({
        "name": entry.name, "title": entry.title,
        "rows": finding.rows.iter().map(|row| json!({
            "quantity": row.quantity, "published": row.published, "ours": row.ours, "difference": row.difference,
            "verdict": row.verdict.name(), "note": row.note,
        })).collect::<Vec<_>>(),
        "sheets": finding.sheets.iter().map(|sheet| json!({
            "name": sheet.name, "title": sheet.title, "head": sheet.head, "rows": sheet.rows,
        })).collect::<Vec<_>>(),
        "remarks": finding.remarks,
    })
}

fn print(entry: &Exhibit, finding: &Finding, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{} ({})", entry.title, entry.name)?;
    let width = |of: &dyn Fn(&Row) -> &str, most: usize| {
        finding.rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0).min(most)
    };
    let quantity = width(&|row| &row.quantity, 60);
    let published = width(&|row| &row.published, 40).max(9);
    let ours = width(&|row| &row.ours, 40).max(4);
    if !finding.rows.is_empty() {
        writeln!(
            out,
            "  {:<quantity$}  {:<published$}  {:<ours$}  {:>10}  verdict",
            "", "published", "ours", "difference"
        )?;
    }
    for row in &finding.rows {
        let difference = row.difference.map_or(String::new(), |off| format!("{off:+.3}"));
        writeln!(
            out,
            "  {:<quantity$}  {:<published$}  {:<ours$}  {difference:>10}  {}",
            row.quantity,
            row.published,
            row.ours,
            row.verdict.name()
        )?;
        if matches!(row.verdict, Comparison::Explained | Comparison::Missing) && !row.note.is_empty() {
            writeln!(out, "      {}", row.note)?;
        }
    }
    for sheet in finding.sheets.iter().filter(|sheet| sheet.shown) {
        print_sheet(sheet, out)?;
    }
    writeln!(out)?;
    Ok(())
}

fn print_sheet(sheet: &Sheet, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "\n  {}", sheet.title)?;
    let widths: Vec<usize> = (0..sheet.head.len())
        .map(|column| {
            let cells = sheet.rows.iter().filter_map(|row| row.get(column)).chain([&sheet.head[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    for row in std::iter::once(&sheet.head).chain(&sheet.rows) {
        let line: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        writeln!(out, "  {}", line.join("  ").trim_end())?;
    }
    Ok(())
}

fn write_all(folder: &Path, findings: &[(&Exhibit, Finding)], arguments: &Arguments) -> Result<(), Failure> {
    let write = |name: String, text: String| {
        let path = folder.join(name);
        directories::write_whole(&path, text.as_bytes())
            .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))
    };
    fs::create_dir_all(folder)
        .map_err(|error| Failure::failed(format!("cannot make the folder {}: {error}", folder.display())))?;
    for (entry, finding) in findings {
        let head = csv_line(HEAD);
        let rows = finding.rows.iter().map(|row| csv_row(entry, row));
        let text = std::iter::once(head).chain(rows).map(|line| line + "\n").collect();
        write(format!("{}.csv", entry.name), text)?;
        for sheet in &finding.sheets {
            let lines = std::iter::once(&sheet.head).chain(&sheet.rows);
            let text = lines.map(|row| csv_line(row) + "\n").collect();
            write(format!("{}.csv", sheet.name), text)?;
        }
        for (name, chart) in &finding.charts {
            write(format!("{name}.svg"), chart.to_svg())?;
        }
    }
    let chosen = match arguments.kappa {
        Some(given) => format!("**κ = {} was used everywhere, whatever the papers state.**", kappa(given)),
        None => "κ is what each table and figure was made with.".to_owned(),
    };
    write("report.md".to_owned(), reproduce::report(findings, &chosen))
}

/// What comparisons have as CSV.
const HEAD: [&str; 7] = ["entry", "quantity", "published", "ours", "difference", "verdict", "note"];

fn csv_row(entry: &Exhibit, row: &Row) -> String {
    let difference = csv_cell(row.difference);
    csv_line([
        entry.name,
        &row.quantity,
        &row.published,
        &row.ours,
        &difference,
        row.verdict.name(),
        &row.note,
    ])
}
