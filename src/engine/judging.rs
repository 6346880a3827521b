//! The opponent's moves are judged: from tables at once, elsewhere as time allows.

use std::{
    mem,
    time::{Duration, Instant},
};

use crate::{
    agents::{Observation, Prey, Watcher},
    game::Game,
    oracle::{Budget, Control, Limits, Look, Oracle},
};

use super::{AgentSeat, Info, Say, remarks};

/// Judging is never given more time than this for one own move ...
const MAX_JUDGING_TIME: Duration = Duration::from_millis(250);
/// ... or this, where the person is told: a comment has to be right.
const MAX_COMMENTING_TIME: Duration = Duration::from_secs(1);
/// Less time than this is not worth it.
const MIN_JUDGING_TIME: Duration = Duration::from_millis(4);
/// Deeper is not necessary.
const MAX_JUDGING_DEPTH: u32 = 12;
/// Prices by a shallower search say more about the search than about the opponent.
const MIN_JUDGING_DEPTH: u32 = 3;
/// Before it is known whether the opponent can be hunted.
const FINDING_OUT_DIVISOR: u32 = 8;
/// While pondering the time is the opponent's: more of it may go into judging.
const PONDERING_DIVISOR: u32 = 4;

impl AgentSeat {
    /// Judges the opponent's moves that still wait: from tables all of them, by search the newest first while time lasts.
    pub(super) fn judge(&mut self, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let Some(game) = self.notes.game().cloned() else { return };
        let theirs = |ply: usize| (game.moves().len() - ply) % 2 == 1;
        let tables = self.table_oracle(self.settings.agent.metric);
        let at_once = Budget::default();
        let prepared = self.notes.prepared.take();
        for ply in mem::take(&mut self.notes.unjudged).into_iter().filter(|&ply| theirs(ply)) {
            let known = tables.as_ref().and_then(|tables| observe(&game, ply, tables, &at_once));
            let foreseen = || prepared.as_ref().and_then(|look| foreseen(&game, ply, look));
            match known.or_else(foreseen) {
                Some(observation) => self.learn(observation, say),
                None => self.notes.unjudged.push(ply),
            }
        }
        self.catch_up(&game, limits, control, say);
    }

    /// Judges moves outside the tables, the last one first, within a small share of the time. A move whose look was too
    /// shallow is not tried again.
    fn catch_up(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        let divisor = self.settings.agent.kind.judging_divisor;
        if divisor == 0 {
            self.notes.unjudged.clear();
            return;
        }
        let finding_out = self.settings.agent.kind.hunts && !self.notes.opponent.elo().is_settled();
        let part = match limits.ponder {
            true => PONDERING_DIVISOR,
            false if finding_out => divisor.min(FINDING_OUT_DIVISOR),
            false => divisor,
        };
        let begun = Instant::now();
        let share = limits.share(self.settings.search.move_overhead);
        let comments = self.settings.agent.kind.comments;
        let most = if comments { MAX_COMMENTING_TIME } else { MAX_JUDGING_TIME };
        let time = share.map_or(most, |share| share / part).min(most);
        while !control.is_stopped()
            && let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| *left >= MIN_JUDGING_TIME)
            && let Some(ply) = self.notes.unjudged.pop()
        {
            let budget =
                Budget {
                    depth: Some(limits.depth.map_or(MAX_JUDGING_DEPTH, |depth| {
                        depth.clamp(MIN_JUDGING_DEPTH, MAX_JUDGING_DEPTH)
                    })),
                    nodes: limits.nodes.map(|nodes| nodes / u64::from(part)),
                    time: Some(left),
                    moves: Vec::new(),
                    quick: comments,
                    control: control.clone(),
                };
            let observation = observe(game, ply, &self.search, &budget);
            let deep_enough = |seen: &Observation| seen.look.cost().depth >= MIN_JUDGING_DEPTH;
            if let Some(observation) = observation.filter(deep_enough) {
                self.learn(observation, say);
            }
        }
    }

    fn learn(&mut self, observation: Observation, say: &mut Say<'_>) {
        if self.settings.agent.kind.comments {
            let level = Prey::new(self.notes.opponent.elo());
            say(Info::Text(remarks::comment(&observation, &level)));
        }
        match self.notes.opponent.observe(&observation) {
            Ok(evidence) => {
                say(Info::Text(remarks::opponent(&self.notes.opponent, &observation, evidence)));
                self.notes.observed.push(observation);
            }
            Err(error) => log::warn!("a move of the opponent can't be judged: {error}"),
        }
    }
}

/// One half-move of a game, if the position before it was looked at, and deep enough, when it was only expected.
fn foreseen(game: &Game, ply: usize, look: &Look) -> Option<Observation> {
    let m = *game.moves().get(ply)?;
    let is_it = look.cost().depth >= MIN_JUDGING_DEPTH
        && look.prospects().of(&m).is_some()
        && look.position() == game.up_to(ply).position();
    is_it.then(|| Observation { ply, look: look.clone(), m })
}

/// One half-move of a game, as it is seen.
fn observe(game: &Game, ply: usize, oracle: &dyn Oracle, budget: &Budget) -> Option<Observation> {
    Watcher::from_ply(&game.up_to(ply + 1), ply, oracle, budget).next()
}
