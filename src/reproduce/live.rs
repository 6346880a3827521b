use shakmaty::{Color, Position};

use super::ReproduceError;
use crate::{
    agents::{Candidate, HuntSettings, Predator, Situation, Speculation, Watcher},
    model::{Belief, Model},
    notation::GameScore,
    oracle::{Budget, Oracle},
};

/// A decision of Black's, as the Predator sees it by what it has learned of White so far.
pub struct LiveChoice {
    /// The number of the move.
    pub number: u32,
    /// The move that was played.
    pub played: String,
    /// The depth before it.
    pub depth: u16,
    /// The optimal moves, each with the depth to be expected after White's reply, the best first.
    pub options: Vec<(String, f64)>,
    /// Moves that give up depth and promise more than all of these.
    pub speculative: Vec<String>,
}

impl LiveChoice {
    /// The move that the Predator prefers.
    pub fn preferred(&self) -> &str {
        self.options.first().map_or("", |(san, _)| san)
    }

    /// By how much the preferred move is better than the one played.
    pub fn benefit(&self) -> f64 {
        let best = self.options.first().map_or(0.0, |(_, depth)| *depth);
        let played = self.options.iter().find(|(san, _)| *san == self.played);
        best - played.map_or(best, |(_, depth)| *depth)
    }
}

/// Follows a game: White is watched, and at each of Black's moves the Predator weighs its own. Returns Black's decisions
/// and what is believed about White at the end.
pub fn follow(
    score: &GameScore,
    oracle: &dyn Oracle,
    opponent: Model,
    belief: Belief,
) -> Result<(Vec<LiveChoice>, Belief), ReproduceError> {
    let speculation =
        Speculation { most: f64::INFINITY, value_margin: 0.0, depth_margin: 1e-9, risk_value: false };
    let settings = HuntSettings { speculation: Some(speculation), ..HuntSettings::default() };
    let mut belief = belief;
    let mut choices = Vec::new();
    let (game, budget) = (score.game(), Budget::default());
    for observation in Watcher::new(&game, oracle, &budget) {
        if observation.side() == Color::White {
            observation.teach(&opponent, &mut belief)?;
            continue;
        }
        let (before, look) = (game.up_to(observation.ply), &observation.look);
        let situation = Situation::new(&before, oracle).having(look.clone());
        let advice =
            Predator { settings, opponent, mixture: belief.mixture(), foresight: None }.advise(&situation)?;
        let (bold, sober): (Vec<&Candidate>, Vec<&Candidate>) =
            advice.candidates.iter().partition(|candidate| candidate.speculative);
        let mut options: Vec<(String, f64)> =
            sober.iter().map(|candidate| (look.san(candidate.m), candidate.depth.unwrap_or(0.0))).collect();
        options.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = options.first().map_or(0.0, |(_, depth)| *depth);
        let bold = bold.iter().filter(|candidate| candidate.depth.unwrap_or(0.0) > best + 1e-9);
        choices.push(LiveChoice {
            number: look.position().fullmoves().get(),
            played: look.san(observation.m),
            depth: look.outcome().state().and_then(|state| state.depth()).unwrap_or_default().0,
            options,
            speculative: bold.map(|candidate| look.san(candidate.m)).collect(),
        });
    }
    Ok((choices, belief))
}
