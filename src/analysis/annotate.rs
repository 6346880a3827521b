use std::fmt::Write;

use shakmaty::Color;

use super::{Analysis, Judged, Score, Worth};
use crate::model::Scale;

/// The game as PGN, each judged move with a comment in the manner of Haworth 2003, Appendix B: mark, depth, what was
/// conceded and what was optimal, the apparent competence of the mover. What the score said is kept.
pub fn annotate(score: &Score, analysis: &Analysis) -> String {
    let mut text = String::new();
    for (name, value) in &score.tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string does not fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut words: Vec<String> = Vec::new();
    words.extend(score.preface.split_whitespace().map(str::to_owned));
    let mut lost = [0, 0];
    let mut number_due = true;
    let mut turn = shakmaty::Position::turn(&score.start);
    let mut number = shakmaty::Position::fullmoves(&score.start).get();
    for (index, ply) in score.plies.iter().enumerate() {
        if turn == Color::White || number_due {
            words.push(format!("{number}{}", turn.fold_wb(".", "...")));
        }
        words.push(ply.san.clone());
        let judged = analysis.moves.iter().find(|judged| judged.ply == index + 1);
        if let Some(judged) = judged {
            let comment = comment(judged, &mut lost[turn as usize]);
            words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
        }
        words.extend(ply.remarks.split_whitespace().map(str::to_owned));
        number_due = judged.is_some() || !ply.remarks.is_empty();
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    words.push(score.result.clone());
    wrap(&words, &mut text);
    text
}

fn comment(judged: &Judged, lost: &mut i32) -> String {
    let mark = judged.mark().map_or(String::new(), |mark| format!("{mark} "));
    let mut comment = match &judged.worth {
        Worth::Table { after, .. } => format!("{mark}{after}"),
        Worth::Evaluation { played, .. } => played.for_white(judged.side).to_string(),
    };
    match (judged.conceded(), judged.loss()) {
        (Some(0), _) | (_, Some(0.0)) => {}
        (Some(moves), _) => {
            *lost += moves;
            let _ = write!(comment, ", +{moves}/+{lost}");
        }
        (None, Some(pawns)) => {
            let _ = write!(comment, ", lost {pawns:.2}");
        }
        (None, None) => comment.push_str(", value conceded"),
    }
    if !judged.is_optimal() {
        let _ = write!(comment, ": {} optimal", judged.optimal.join(", "));
    } else if judged.optimal.len() > 1 {
        let others: Vec<&str> =
            judged.optimal.iter().filter(|san| **san != judged.san).map(String::as_str).collect();
        let _ = write!(comment, " [{}]", others.join(", "));
    }
    let apparent = judged.apparent.get(judged.side);
    let _ = write!(comment, "; p {:.3}", judged.probability);
    if apparent.informed {
        let digits = if judged.scale() == Scale::Table { 1 } else { 2 };
        let _ = write!(comment, ", c {:.digits$}", apparent.c);
    }
    if judged.outside {
        comment.push_str(", outside the model");
    }
    comment
}

/// Lines of no more than 80 characters.
fn wrap(words: &[String], text: &mut String) {
    let mut length = 0;
    for word in words {
        let width = word.chars().count();
        if length > 0 && length + 1 + width > 80 {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += width;
    }
    text.push_str("\n\n");
}
