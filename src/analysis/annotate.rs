use std::fmt::Write;

use super::{Judged, Worth};
use crate::{
    model::Scale,
    notation::{GameScore, game_text, movetext},
};

/// The game as PGN, each judged move with a comment in the manner of Haworth 2003, Appendix B: mark, depth, what was
/// conceded and what was optimal, the apparent competence of the mover. What the score said is kept.
pub fn annotate(score: &GameScore, moves: &[Judged]) -> String {
    let mut lost = [0, 0];
    let annotated = score.plies.iter().enumerate().map(|(index, ply)| {
        let judged = moves.iter().find(|judged| judged.ply == index + 1);
        let ours = judged.map(|judged| format!("{{{}}}", comment(judged, &mut lost[judged.side as usize])));
        let remarks = ours.into_iter().chain(Some(ply.remarks.clone()).filter(|remarks| !remarks.is_empty()));
        (ply.m, remarks.collect::<Vec<_>>().join(" "))
    });
    game_text(score.tags.iter(), &movetext(&score.start, &score.preface, annotated, &score.result))
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
