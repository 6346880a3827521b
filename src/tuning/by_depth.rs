use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use shakmaty::Position;

use super::AssessedPosition;
use crate::{
    evaluation::{Evaluation, Evaluator},
    game::Game,
    model::Score,
    search::{Bound, Control, Limits, SearchSettings, Searcher},
    statistics::{Assessed, Concordance},
};

/// Each thread's transposition table: small, since it is emptied for every position.
const HASH_MB: usize = 4;

/// The concordance of our own assessments with the given ones: by static evaluation first, then by searches to each depth
/// from 1 to `depth` (Gomboc 2004, §7.1). Nothing if it was cancelled.
pub fn concordance_by_depth(
    positions: &[AssessedPosition],
    evaluation: &Evaluation,
    depth: u32,
    cancel: &AtomicBool,
    done: &(dyn Fn() + Sync),
) -> Option<Vec<Concordance>> {
    let settings =
        SearchSettings { hash_mb: HASH_MB, evaluation: evaluation.clone(), ..SearchSettings::default() };
    let workers = || (Searcher::new(settings.clone()), Evaluator::new(evaluation));
    let scores: Vec<Vec<f64>> = positions
        .par_iter()
        .map_init(workers, |(searcher, evaluator), one| {
            let mut scores = vec![Score::Centipawns(evaluator.evaluate(&one.position, 0))];
            if !cancel.load(Ordering::Relaxed) {
                scores.extend(search(searcher, one, depth));
            }
            done();
            let turn = one.position.turn();
            scores.into_iter().map(|score| score.for_white(turn).pawns()).collect()
        })
        .collect();
    let at = |depth: usize| {
        let pairs = positions.iter().zip(&scores).map(|(one, scores)| Assessed {
            x: scores[depth.min(scores.len() - 1)],
            y: one.assessment.0,
            weight: 1.0,
        });
        Concordance::of(&pairs.collect::<Vec<_>>())
    };
    (!cancel.load(Ordering::Relaxed)).then(|| (0..=depth as usize).map(at).collect())
}

/// The value of a position by depth from 1; a search may end early with a proven mate.
fn search(searcher: &mut Searcher, one: &AssessedPosition, depth: u32) -> Vec<Score> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut scores = Vec::new();
    searcher.new_game();
    searcher.search(&Game::new(one.position.clone()), &limits, &Control::new(), &mut |report| {
        if report.bound == Bound::Exact {
            scores.push(report.score);
        }
    });
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::AssessedPositions;

    #[test]
    fn a_queen_more_is_seen_at_every_depth() {
        let text = "4k3/8/8/8/8/8/8/Q3K3 w - - c0 \"+-\";\n\
            4k3/8/8/8/8/8/8/q3K3 w - - c0 \"-+\";\n\
            4k3/7p/8/8/8/8/7P/4K3 w - - c0 \"=\";\n";
        let mut read = AssessedPositions::default();
        read.read_lines(text).unwrap();
        let positions = read.positions;
        let found =
            concordance_by_depth(&positions, &Evaluation::default(), 3, &AtomicBool::new(false), &|| ())
                .unwrap();
        assert_eq!(found.iter().map(|one| one.tau_a()).collect::<Vec<_>>(), [Some(1.0); 4]);
    }
}
