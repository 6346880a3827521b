use shakmaty::{ByColor, Color};

use super::{Apparent, Judged, Worth};
use crate::{
    agents::Analyser,
    endgame::Material,
    model::{Scale, State},
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

/// What came out about one player, on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Moves that were judged.
    pub moves: usize,
    /// Moves of depth given up in all.
    pub depth_lost: i32,
    /// Pawns given up in all.
    pub loss: f64,
    /// How often theoretical value was given up.
    pub value_lost: usize,
    /// Moves that the model could not count.
    pub outside: usize,
    /// No move was worse than another.
    pub all_optimal: bool,
    /// The apparent competence at the end.
    pub apparent: Apparent,
}

pub(super) fn sides(moves: &[Judged], players: &ByColor<Analyser>, scale: Scale) -> ByColor<Side> {
    players.as_ref().zip_color().map(|(color, player)| {
        let own = || moves.iter().filter(|judged| judged.side == color && judged.scale() == scale);
        let value_lost = |judged: &&Judged| judged.scale() == Scale::Table && judged.conceded().is_none();
        Side {
            moves: own().count(),
            depth_lost: own().filter_map(Judged::conceded).sum(),
            loss: own().filter_map(Judged::loss).sum(),
            value_lost: own().filter(value_lost).count(),
            outside: own().filter(|judged| judged.outside).count(),
            all_optimal: own().count() > 0 && own().all(Judged::is_optimal),
            apparent: Apparent::of(player, scale),
        }
    })
}

pub(super) fn phases(moves: &[Judged]) -> Vec<Phase> {
    let material = |judged: &Judged| match judged.worth {
        Worth::Table { material, .. } => Some(material),
        Worth::Evaluation { .. } => None,
    };
    moves
        .chunk_by(|one, next| material(one) == material(next) && one.ply + 1 == next.ply)
        .filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            let ((start, _), (_, end)) = (first.states()?, last.states()?);
            let winner = |judged: &Judged, state| match state {
                State::Win(_) => Some(judged.side),
                State::Draw => None,
                State::Loss(_) => Some(!judged.side),
            };
            let at_start = winner(first, start);
            let constant = run
                .iter()
                .all(|judged| judged.states().is_some_and(|(_, after)| winner(judged, after) == at_start));
            let gain = start.depth().zip(end.depth());
            Some(Phase {
                material: material(first)?,
                moves: (first.number, last.number),
                winner: at_start.filter(|_| constant),
                gain: gain.filter(|_| constant).map(|(start, end)| i32::from(start.0) - i32::from(end.0)),
            })
        })
        .collect()
}
