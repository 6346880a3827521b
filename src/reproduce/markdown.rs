use std::fmt::Write;

use super::{Comparison, Exhibit, Finding, Row, Sheet};

/// One report on all findings.
pub fn report(findings: &[(&Exhibit, Finding)], settings: &str) -> String {
    let mut text = String::from("# The papers beside ours\n\n");
    text.push_str(
        "P1: G.M.C. Haworth, *Reference fallible endgame play*, ICGA Journal 26(2), 2003. P2: G.M.C. Haworth and R.B. \
         Andrist, *Model endgame analysis*. Numbers of ours were computed for this report; published ones are in the \
         column of that name and nowhere else.\n\n",
    );
    // Writing to a string does not fail.
    let _ = writeln!(text, "{settings}\n");
    overview(findings, &mut text);
    for (entry, finding) in findings {
        let _ = writeln!(text, "\n## {}\n", entry.title);
        for remark in &finding.remarks {
            let _ = writeln!(text, "{remark}\n");
        }
        rows(&finding.rows, &mut text);
        for sheet in finding.sheets.iter().filter(|sheet| sheet.shown) {
            table(sheet, &mut text);
        }
        for (name, chart) in &finding.charts {
            let _ = writeln!(text, "\n![{}]({name}.svg)", chart.title);
        }
    }
    text
}

fn overview(findings: &[(&Exhibit, Finding)], text: &mut String) {
    let verdicts = [
        Comparison::Same,
        Comparison::Close,
        Comparison::Explained,
        Comparison::Wrong,
        Comparison::Missing,
        Comparison::New,
    ];
    text.push_str("| |");
    for verdict in verdicts {
        let _ = write!(text, " {} |", verdict.name());
    }
    text.push_str("\n|---|");
    text.push_str(&"---:|".repeat(verdicts.len()));
    text.push('\n');
    for (entry, finding) in findings {
        let _ = write!(text, "| {} |", entry.title);
        for verdict in verdicts {
            let count = finding.rows.iter().filter(|row| row.verdict == verdict).count();
            let _ = write!(text, " {} |", if count == 0 { String::new() } else { count.to_string() });
        }
        text.push('\n');
    }
}

fn rows(rows: &[Row], text: &mut String) {
    if rows.is_empty() {
        return;
    }
    text.push_str("| quantity | published | ours | difference | verdict | |\n|---|---|---|---:|---|---|\n");
    for row in rows {
        let difference = row.difference.map_or(String::new(), |off| format!("{off:+.3}"));
        let verdict = match row.verdict {
            Comparison::Wrong => format!("**{}**", row.verdict.name()),
            verdict => verdict.name().to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {difference} | {verdict} | {} |",
            cell(&row.quantity),
            cell(&row.published),
            cell(&row.ours),
            cell(&row.note)
        );
    }
}

fn table(sheet: &Sheet, text: &mut String) {
    let _ = writeln!(text, "\n{}:\n\n| {} |", sheet.title, sheet.head.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(sheet.head.len()));
    for row in &sheet.rows {
        let cells: Vec<String> = row.iter().map(|word| cell(word)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
