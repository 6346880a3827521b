use rayon::prelude::*;
use shakmaty::Color;

use super::{
    ground::Ground,
    kernel::{Edge, Kernel},
    survey::survey,
};
use crate::{
    agents::{Aim, Expectation},
    endgame::{BlockFileError, Walk},
    model::{Depth, Model, Outcome, State},
};

/// A hunter who looks some plies ahead, and the player it hunts: R_c with the probability given with each c, not
/// learned about.
pub(super) struct Hunt<'a> {
    pub walk: &'a Walk,
    pub ground: &'a Ground,
    pub hunter: Color,
    pub opponent: &'a Model,
    pub candidates: &'a [(f64, f64)],
    pub tolerance: f64,
}

/// What is expected after the opponent's reply in a position, by spot; nothing where he has none.
type AfterReply = Vec<Option<Expectation>>;

impl Hunt<'_> {
    /// The moves that the Predator chooses in every position of an endgame: of the optimal ones those after which the
    /// outcome is expected to be best for it when the last reply has been made.
    pub fn kernel(&self, plies: u32) -> Result<Kernel, BlockFileError> {
        let mut after_reply = self.replies(|edge| certain(-edge.outcome))?;
        for _ in 1..(plies / 2).max(1) {
            let own = self.best(&after_reply)?;
            after_reply = self.replies(|edge| {
                let reached = edge.outcome.depth() == Some(Depth(0));
                let next = edge.next.filter(|_| !reached).and_then(|next| own[next]);
                next.unwrap_or_else(|| certain(-edge.outcome))
            })?;
        }
        self.choose(&after_reply)
    }

    /// The mean over the opponent's replies of what each leads to.
    fn replies(&self, leads_to: impl Fn(&Edge) -> Expectation + Sync) -> Result<AfterReply, BlockFileError> {
        let Hunt { walk, ground, hunter, opponent, candidates, .. } = *self;
        survey(walk, ground, !hunter, opponent, candidates, &None, |replies| {
            let mut sum = Expectation::default();
            for (edge, probability) in replies.iter().filter(|(_, probability)| *probability > 0.0) {
                sum.add(*probability, leads_to(edge));
            }
            Some(sum)
        })
    }

    /// What the hunter expects of its best move in every position.
    fn best(&self, after_reply: &AfterReply) -> Result<AfterReply, BlockFileError> {
        let kernel = self.choose(after_reply)?;
        let size = self.ground.size(!self.hunter);
        let codes = kernel.target_codes(self.ground);
        let expected = (0..kernel.rows()).into_par_iter().map(|spot| {
            let &target = kernel.row(spot).first()?;
            let target = target as usize;
            let inside = if target < size { after_reply[target] } else { None };
            Some(inside.unwrap_or_else(|| certain(codes[target].state())))
        });
        Ok(expected.collect())
    }

    /// Of the optimal moves those that promise most.
    fn choose(&self, after_reply: &AfterReply) -> Result<Kernel, BlockFileError> {
        let tolerance = self.tolerance;
        Kernel::build(self.walk, self.ground, self.hunter, || {
            let (mut optimal, mut expectations) = (Vec::new(), Vec::new());
            move |edges: &[Edge], chosen: &mut Vec<usize>| {
                let Some(best) = edges.iter().map(|edge| edge.outcome).max() else { return };
                optimal.clear();
                optimal.extend((0..edges.len()).filter(|&number| edges[number].outcome == best));
                expectations.clear();
                expectations.extend(optimal.iter().map(|&number| {
                    let reached = best.depth() == Some(Depth(0));
                    let replies = edges[number].next.filter(|_| !reached).and_then(|next| after_reply[next]);
                    replies.unwrap_or_else(|| certain(best))
                }));
                // States do not tell which draws are simpler: traps to come are left out of account.
                let aim = Aim { root: best.value(), tolerance, tries: 0.0 };
                let best = aim.best(&expectations);
                chosen.extend(best.into_iter().map(|index| optimal[index]));
            }
        })
    }
}

fn certain(state: State) -> Expectation {
    Expectation::certain(Outcome::Table(state))
}
