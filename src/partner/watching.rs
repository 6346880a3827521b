//! The opponent's moves are judged: from tables at once, elsewhere as time allows.

use std::{
    mem,
    time::{Duration, Instant},
};

use crate::{
    model::Oracle,
    oracle::prospects,
    profiles::Observation,
    search::{Control, Effort, Limits},
};

use super::{AgentName, Info, Mind, Say, remarks};
use crate::game::Game;

/// Judging is never given more time than this for one own move.
const LONGEST: Duration = Duration::from_millis(250);
/// Less time than this is not worth it.
const SHORTEST: Duration = Duration::from_millis(4);
/// Deeper is not necessary.
const DEEPEST: u32 = 12;
/// Prices by a shallower search say more about the search than about the opponent.
const SHALLOWEST: u32 = 3;

impl Mind {
    /// Follows the game to where it is now, and judges what the opponent has played since.
    pub(super) fn watch(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        self.notes.follow(game, limits.ponder);
        let Some(oracle) = self.table_oracle() else { return };
        for (before, m) in mem::take(&mut self.notes.unjudged) {
            match oracle.look(before.position()) {
                Some(prospects) => {
                    let position = before.position().clone();
                    let metric = Some(self.settings.tables.metric);
                    self.learn(Observation { position, metric, prospects, m }, say);
                }
                None => self.notes.unjudged.push((before, m)),
            }
        }
        self.catch_up(limits, control, say);
    }

    /// Judges moves outside the tables, the last one first, within a small share of the time.
    fn catch_up(&mut self, limits: &Limits, control: &Control, say: &mut Say<'_>) {
        if self.settings.agent == AgentName::Search {
            self.notes.unjudged.clear();
        }
        let begun = Instant::now();
        let Some((time, part)) = self.time_to_watch(limits) else { return };
        while !control.is_stopped()
            && let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| *left >= SHORTEST)
            && let Some((before, m)) = self.notes.unjudged.pop()
        {
            let effort = Effort::Within {
                depth: Some(limits.depth.map_or(DEEPEST, |depth| depth.clamp(SHALLOWEST, DEEPEST))),
                nodes: limits.nodes.map(|nodes| nodes / u64::from(part)),
                time: Some(left),
            };
            let priced = self.oracle.searcher().price(&before, effort, control);
            let deep_enough = priced.first().is_some_and(|priced| priced.depth >= SHALLOWEST);
            if let Some(prospects) = prospects(&priced).filter(|_| deep_enough) {
                let position = before.position().clone();
                self.learn(Observation { position, metric: None, prospects, m }, say);
            }
        }
    }

    /// How long to watch, and which part of the effort for a move that is.
    fn time_to_watch(&self, limits: &Limits) -> Option<(Duration, u32)> {
        let part = match self.settings.agent {
            _ if limits.ponder => 4,
            AgentName::Coach => 4,
            AgentName::Predator => 20,
            _ => 10,
        };
        let share = limits.share(self.settings.move_overhead);
        let time = share.map_or(LONGEST, |share| share / part).min(LONGEST);
        (time >= SHORTEST).then_some((time, part))
    }

    fn learn(&mut self, observation: Observation, say: &mut Say<'_>) {
        if self.settings.agent == AgentName::Coach {
            say(Info::Text(remarks::comment(&observation)));
        }
        match self.notes.opinions.learn(&observation) {
            Ok(evidence) => {
                let belief = &self.notes.opinions.of(observation.scale()).belief;
                say(Info::Text(remarks::opponent(belief, &observation, evidence)));
                self.notes.observed.push(observation);
            }
            Err(error) => log::warn!("a move of the opponent can't be judged: {error}"),
        }
    }
}
