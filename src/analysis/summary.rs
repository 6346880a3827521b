use shakmaty::{ByColor, Color};

use super::{Apparent, Judged};
use crate::{
    endgame::Material,
    model::{Belief, State},
};

/// A stretch of a game with the same men.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// The men.
    pub material: Option<Material>,
    /// The numbers of its first and last move.
    pub moves: (u32, u32),
    /// Who wins in theory, all the while.
    pub winner: Option<Color>,
    /// By how much the winner came closer to the goal: depth at the start less depth at the end.
    pub gain: Option<i32>,
}

/// What came out about one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Moves that were judged.
    pub moves: usize,
    /// Moves of depth given up in all.
    pub depth_lost: i32,
    /// How often theoretical value was given up.
    pub value_lost: usize,
    /// Moves that the model could not count.
    pub outside: usize,
    /// No move was worse than another.
    pub all_optimal: bool,
    /// The apparent competence at the end.
    pub apparent: Apparent,
}

pub(super) fn sides(moves: &[Judged], beliefs: &ByColor<Belief>) -> ByColor<Side> {
    beliefs.as_ref().zip_color().map(|(color, belief)| {
        let own = || moves.iter().filter(|judged| judged.side == color);
        Side {
            moves: own().count(),
            depth_lost: own().filter_map(|judged| judged.conceded).sum(),
            value_lost: own().filter(|judged| judged.conceded.is_none()).count(),
            outside: own().filter(|judged| judged.outside).count(),
            all_optimal: own().count() > 0 && own().all(Judged::is_optimal),
            apparent: Apparent::of(belief),
        }
    })
}

pub(super) fn phases(moves: &[Judged]) -> Vec<Phase> {
    moves
        .chunk_by(|one, next| one.material == next.material && one.ply + 1 == next.ply)
        .filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            let winner = |judged: &Judged, state| match state {
                State::Win(_) => Some(judged.side),
                State::Draw => None,
                State::Loss(_) => Some(!judged.side),
            };
            let at_start = winner(first, first.before);
            let constant = run.iter().all(|judged| winner(judged, judged.after) == at_start);
            let gain = first.before.depth().zip(last.after.depth());
            Some(Phase {
                material: first.material,
                moves: (first.number, last.number),
                winner: at_start.filter(|_| constant),
                gain: gain.filter(|_| constant).map(|(start, end)| i32::from(start.0) - i32::from(end.0)),
            })
        })
        .collect()
}
