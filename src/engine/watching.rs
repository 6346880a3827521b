//! The opponent's moves are judged: from tables at once, elsewhere as time allows.

use std::{
    mem,
    time::{Duration, Instant},
};

use crate::{
    agents::{Observation, Watcher},
    game::Game,
    oracle::{Budget, Control, Limits, Oracle},
};

use super::{AgentSeat, Info, Say, remarks};

/// Judging is never given more time than this for one own move.
const LONGEST: Duration = Duration::from_millis(250);
/// Less time than this is not worth it.
const SHORTEST: Duration = Duration::from_millis(4);
/// Deeper is not necessary.
const DEEPEST: u32 = 12;
/// Prices by a shallower search say more about the search than about the opponent.
const SHALLOWEST: u32 = 3;

impl AgentSeat {
    /// Judges what the opponent has played since we last had to move.
    pub(super) fn judge(&mut self, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let Some(game) = self.notes.game().cloned() else { return };
        let theirs = |ply: usize| (game.moves().len() - ply) % 2 == 1;
        let tables = self.table_oracle(self.settings.agent.metric);
        let at_once = Budget::default();
        for ply in mem::take(&mut self.notes.unjudged).into_iter().filter(|&ply| theirs(ply)) {
            match tables.as_ref().and_then(|tables| observe(&game, ply, tables, &at_once)) {
                Some(observation) => self.learn(observation, say),
                None => self.notes.unjudged.push(ply),
            }
        }
        self.catch_up(&game, limits, control, say);
    }

    /// Judges moves outside the tables, the last one first, within a small share of the time.
    fn catch_up(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let watch = self.settings.agent.kind.watch;
        if watch == 0 {
            self.notes.unjudged.clear();
            return;
        }
        let part = if limits.ponder { 4 } else { watch };
        let begun = Instant::now();
        let share = limits.share(self.settings.search.move_overhead);
        let time = share.map_or(LONGEST, |share| share / part).min(LONGEST);
        while !control.is_stopped()
            && let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| *left >= SHORTEST)
            && let Some(ply) = self.notes.unjudged.pop()
        {
            let budget = Budget {
                depth: Some(limits.depth.map_or(DEEPEST, |depth| depth.clamp(SHALLOWEST, DEEPEST))),
                nodes: limits.nodes.map(|nodes| nodes / u64::from(part)),
                time: Some(left),
                control: control.clone(),
            };
            let observation = observe(game, ply, &self.search, &budget);
            let deep_enough = |seen: &Observation| seen.look.cost().depth >= SHALLOWEST;
            if let Some(observation) = observation.filter(deep_enough) {
                self.learn(observation, say);
            }
        }
    }

    fn learn(&mut self, observation: Observation, say: &mut Say<'_>) {
        if self.settings.agent.kind.comments {
            say(Info::Text(remarks::comment(&observation)));
        }
        match self.notes.opponent.observe(&observation) {
            Ok(evidence) => {
                let belief = self.notes.opponent.belief(observation.look.scale());
                say(Info::Text(remarks::opponent(belief, &observation, evidence)));
                self.notes.observed.push(observation);
            }
            Err(error) => log::warn!("a move of the opponent can't be judged: {error}"),
        }
    }
}

/// One half-move of a game, as it is seen.
fn observe(game: &Game, ply: usize, oracle: &dyn Oracle, budget: &Budget) -> Option<Observation> {
    Watcher::from_ply(&game.up_to(ply + 1), ply, oracle, budget).next()
}
