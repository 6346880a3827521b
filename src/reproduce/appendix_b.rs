use shakmaty::Color;

use super::{
    Finding, Lab, ReproduceError, Row, Sheet,
    annotated::{Annotated, annotated},
    lab::uniform,
    live::{self, LiveChoice},
    print, scores,
};
use crate::{
    analysis::{Analysis, AnalysisSettings, Judged, Mark, analyse},
    model::{Metric, State},
};

pub fn run(lab: &Lab<'_>) -> Result<Finding, ReproduceError> {
    let oracle = lab.oracle(Metric::Dtc);
    let mut finding = Finding::default();
    let printed = [(print::GAME_1, 31, 13, 27), (print::GAME_2, 31, 0, 19)];
    for (index, (score, (text, start, end, lost))) in scores::browne_belle()?.iter().zip(printed).enumerate()
    {
        let game = index + 1;
        let model = lab.model(0.0)?;
        let settings = AnalysisSettings::tables(model, "0(1)50".parse()?);
        let analysis = analyse(score, &oracle, &settings)?;
        let words: Option<Vec<Annotated>> = text.split_whitespace().map(annotated).collect();
        let words = words.ok_or_else(|| ReproduceError::BuiltIn(format!("annotations of game {game}")))?;
        let depth = |judged: Option<&Judged>, of: &dyn Fn(&Judged) -> Option<u16>| {
            judged.and_then(of).map_or(f64::NAN, f64::from)
        };
        let first = depth(analysis.moves.first(), &|judged| {
            judged.states().and_then(|(before, _)| before.depth()).map(|depth| depth.0)
        });
        let last = depth(analysis.moves.last(), &|judged| {
            judged.states().and_then(|(_, after)| after.depth()).map(|depth| depth.0)
        });
        finding.rows.push(Row::number(
            format!("game {game}: depth at the start"),
            f64::from(start),
            0,
            first,
        ));
        finding.rows.push(Row::number(format!("game {game}: depth at the end"), f64::from(end), 0, last));
        let white = f64::from(analysis.sides.table.white.depth_lost);
        finding.rows.push(Row::number(
            format!("game {game}: depth lost by White"),
            f64::from(lost),
            0,
            white,
        ));
        let black = f64::from(analysis.sides.table.black.depth_lost);
        finding.rows.push(Row::number(format!("game {game}: depth lost by Black"), 0.0, 0, black));
        let (choices, _) = live::follow(score, &oracle, model, uniform("0(1)50")?)?;
        compare(game, &words, &analysis, &choices, &mut finding);
        finding.sheets.push(sheet(game, &words, &analysis, &choices));
    }
    let moves = |game: usize| finding.rows.iter().filter(move |row| is_preference(row, game)).count();
    let agreeing = finding
        .rows
        .iter()
        .filter(|row| (is_preference(row, 1) || is_preference(row, 2)) && row.published == row.ours)
        .count();
    let row = Row::number("moves that the model prefers (⊙), both games", 12.0, 0, agreeing as f64)
        .noted(format!("{} decisions in game 1, {} in game 2", moves(1), moves(2)));
    finding.rows.push(row);
    finding.remarks.push(
        "Marks: ° only legal move, \" only value-preserving, ' only optimal. The text at hand of the print is scanned \
         and shows no \": where ours is \", its ' counts as agreement, since such a move is the only optimal one too."
            .to_owned(),
    );
    Ok(finding)
}

fn is_preference(row: &Row, game: usize) -> bool {
    row.quantity.starts_with(&format!("game {game}, ")) && row.quantity.ends_with("preferred")
}

fn compare(
    game: usize,
    words: &[Annotated],
    analysis: &Analysis,
    choices: &[LiveChoice],
    finding: &mut Finding,
) {
    let mut so_far = 0;
    let (mut marks, mut agreeing) = (0, 0);
    let mut differing = Vec::new();
    let mut unexpected = Vec::new();
    for (word, judged) in words.iter().zip(&analysis.moves) {
        let at = format!("game {game}, {}{}", judged.number, judged.side.fold_wb("w", "b"));
        let conceded = judged.conceded().unwrap_or(0);
        if judged.side == Color::White {
            so_far += conceded;
        }
        let mut optimal = judged.optimal.clone();
        optimal.sort();
        if let Some((here, total)) = word.conceded {
            let published = format!("+{here}/+{total}: {}", word.optimal.join(", "));
            let ours = format!("+{conceded}/+{so_far}: {}", optimal.join(", "));
            let row = Row::words(format!("{at} {}: conceded", judged.san), published.clone(), ours.clone());
            let but_for_checks = published.replace("+,", ",").trim_end_matches('+')
                == ours.replace("+,", ",").trim_end_matches('+');
            finding.rows.push(if but_for_checks {
                row.explained("the print omits a sign of check")
            } else {
                row
            });
        } else if conceded != 0 {
            unexpected.push(format!("{at} {}", judged.san));
        }
        if word.conceded.is_none() && !word.optimal.is_empty() {
            let row = Row::words(format!("{at}: optimal moves"), word.optimal.join(", "), optimal.join(", "));
            finding.rows.push(row);
        }
        if let Some(preferred) = &word.preferred {
            let choice = choices.iter().find(|choice| choice.number == judged.number);
            let ours = choice.map_or("", LiveChoice::preferred);
            let row = Row::words(format!("{at}: preferred"), preferred, ours);
            let options: Vec<String> = choice
                .map(|choice| choice.options.iter().map(|(san, depth)| format!("{san} {depth:.3}")).collect())
                .unwrap_or_default();
            finding.rows.push(row.noted(format!("expected depth: {}", options.join(", "))));
        }
        marks += 1;
        let same = match judged.mark() {
            None => word.mark.is_empty(),
            Some(Mark::OnlyLegal) => word.mark == "°",
            Some(Mark::OnlyValue) => word.mark == "\"" || word.mark == "'",
            Some(Mark::OnlyOptimal) => word.mark == "'",
        };
        if same {
            agreeing += 1;
        } else {
            let ours = judged.mark().map_or("none".to_owned(), |mark| mark.to_string());
            differing.push(format!("{at} {}: print '{}', ours '{ours}'", judged.san, word.mark));
        }
        let silent = word.mark.is_empty() && word.optimal.is_empty() && judged.side == Color::Black;
        if silent && optimal.len() > 1 {
            finding.rows.push(
                Row::words(format!("{at}: optimal moves"), judged.san.clone(), optimal.join(", "))
                    .explained("the print lists no other moves here, and the move has no mark either"),
            );
        }
    }
    finding.rows.push(
        Row::number(
            format!("game {game}: half-moves marked as printed"),
            f64::from(marks),
            0,
            f64::from(agreeing),
        )
        .noted(differing.join("; ")),
    );
    finding.rows.push(Row::words(
        format!("game {game}: depth conceded where the print has none"),
        "none",
        if unexpected.is_empty() { "none".to_owned() } else { unexpected.join(", ") },
    ));
    let speculative: Vec<String> = choices
        .iter()
        .filter(|choice| !choice.speculative.is_empty())
        .map(|choice| format!("{}b {}", choice.number, choice.speculative.join(", ")))
        .collect();
    let ours = if speculative.is_empty() { "never".to_owned() } else { speculative.join("; ") };
    finding.rows.push(Row::words(
        format!("game {game}: a suboptimal move of Black's is better"),
        "never",
        ours,
    ));
}

fn depth_text(state: Option<State>) -> String {
    state.and_then(State::depth).map_or(String::new(), |depth| depth.to_string())
}

fn sheet(game: usize, words: &[Annotated], analysis: &Analysis, choices: &[LiveChoice]) -> Sheet {
    let rows = words.iter().zip(&analysis.moves).map(|(word, judged)| {
        let choice = choices
            .iter()
            .find(|choice| judged.side == Color::Black && choice.number == judged.number)
            .filter(|choice| choice.options.len() > 1);
        vec![
            format!("{}{}", judged.number, judged.side.fold_wb("w", "b")),
            judged.san.clone(),
            word.mark.clone(),
            judged.mark().map_or(String::new(), |mark| mark.to_string()),
            depth_text(judged.states().map(|(before, _)| before)),
            depth_text(judged.states().map(|(_, after)| after)),
            judged.conceded().unwrap_or(0).to_string(),
            judged.optimal.join(" "),
            choice.map_or(String::new(), |choice| choice.preferred().to_owned()),
            format!("{:.4}", judged.apparent.white.c),
        ]
    });
    let head = [
        "move",
        "played",
        "mark (print)",
        "mark",
        "depth before",
        "depth after",
        "conceded",
        "optimal",
        "preferred",
        "E[c] of White",
    ];
    Sheet {
        name: format!("p1-appendix-b-game-{game}"),
        title: format!("Game {game}, move by move"),
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        shown: false,
    }
}
