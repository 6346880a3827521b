use std::sync::{Arc, atomic::AtomicBool};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{
    chain::{Chain, Pairing},
    exact::Exact,
    fallible::{Fallible, TooCompetent},
    ground::{Ground, Scope},
    kernel::Kernel,
    play::Play,
};
use crate::{
    endgame::{BlockFileError, Index, Walk},
    model::{Model, State},
};

/// How hard an endgame is for an attacker of some competence (Haworth 2003, §9.6).
///
/// The figures are means over all positions of the full board that the attacker, to move, wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difficulty {
    /// The attacker's competence.
    pub c: f64,
    /// Moves that the infallible attacker needs against the infallible defender: the depth.
    pub least: f64,
    /// Moves that R_c is expected to need against the infallible defender, positions of one depth not being told apart.
    pub aggregated: f64,
    /// The same, position by position; the defender chooses among optimal moves by chance. Nothing where that is beyond
    /// counting or was not asked for.
    pub exact: Option<f64>,
}

impl Difficulty {
    /// How many times as long as the infallible player R_c is expected to need: the figure that endgames are ranked by, exact
    /// where it can be had.
    pub fn ratio(&self) -> f64 {
        self.exact.unwrap_or(self.aggregated) / self.least
    }
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum DifficultyError {
    /// A table can't be read.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// A finite competence is too great.
    #[error(transparent)]
    Competence(#[from] TooCompetent),
}

/// The difficulty of an endgame for `attacker`, for each competence. Nothing if it has no win, or `cancel` was raised.
pub fn difficulty(
    walk: &Walk,
    attacker: Color,
    model: &Model,
    competences: &[f64],
    exact: bool,
    cancel: &AtomicBool,
) -> Result<Vec<Difficulty>, DifficultyError> {
    let won = won_positions(walk, attacker)?;
    let positions: f64 = won.iter().map(|&(_, _, images)| images).sum();
    if won.is_empty() {
        return Ok(Vec::new());
    }
    let mean = |of: &dyn Fn(Index, u16) -> f64| {
        won.iter().map(|&(index, depth, images)| images * of(index, depth)).sum::<f64>() / positions
    };
    let pairings: Vec<Pairing> =
        competences.iter().map(|&first| Pairing { first, second: f64::INFINITY }).collect();
    let Some(chains) = Chain::of(walk, attacker, model, &pairings, cancel)? else { return Ok(Vec::new()) };
    let mut figures: Vec<Difficulty> = chains
        .iter()
        .zip(competences)
        .map(|(chain, &c)| {
            let by_depth = chain.by_depth(&chain.expected_moves());
            let aggregated = mean(&|_, depth| by_depth[usize::from(depth)]);
            Difficulty { c, least: mean(&|_, depth| f64::from(depth)), aggregated, exact: None }
        })
        .collect();
    if exact {
        let ground = Ground::new(walk, Scope::WonBy(attacker))?;
        let defence = Play::even(Arc::new(Kernel::optimal(walk, &ground, !attacker)?));
        let mut players: Option<Fallible> = None;
        for figure in &mut figures {
            if !players.as_ref().is_some_and(|players| players.serves(figure.c)) {
                players = Some(Fallible::new(walk, &ground, attacker, model, figure.c)?);
            }
            let Some(players) = &players else { continue };
            let game = Exact::new(&ground, players.play(figure.c)?, defence.clone());
            figure.exact = game
                .expected_moves(None, cancel)
                .map(|fields| mean(&|index, _| fields.at(true, ground.spot(attacker, index))));
        }
    }
    Ok(figures)
}

/// Positions that the attacker, to move, wins: number, depth, and how many of the full board they stand for.
fn won_positions(walk: &Walk, attacker: Color) -> Result<Vec<(Index, u16, f64)>, BlockFileError> {
    let mut won = Vec::new();
    for index in 0..walk.indexer().size() as Index {
        if let State::Win(depth) = walk.table().state(attacker, index)?
            && let Some(board) = walk.board(attacker, index)
        {
            won.push((index, depth.0, f64::from(walk.indexer().images(board.squares()))));
        }
    }
    Ok(won)
}
