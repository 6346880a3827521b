//! Games between agents, as an experiment.

use std::{collections::HashSet, num::NonZero, ops::ControlFlow, sync::Arc, thread};

use super::{Lab, Trouble};
use crate::{
    arena::{
        AgentContender, AgentSettings, Contender, Entry, Match, NoAgent, PlayerSpec, PositionSpec, Rules,
        Schedule, Summary, TimeControl, draw,
        statistics::{Interval, Tally, share},
    },
    endgame::{Client, Material},
    model::Metric,
};

/// Players and positions in the notation of `errare match`.
pub struct Bout<'a> {
    /// Which positions, as in `KRBKR:draw`; the side named first is to move and A's.
    pub positions: &'a str,
    /// A and B.
    pub players: [&'a str; 2],
    /// How many games.
    pub games: usize,
    /// By which rules.
    pub rules: Rules,
}

impl Bout<'_> {
    /// Plays it by DTC with κ = 1; whoever watches takes all moves to be possible.
    pub fn play(&self, lab: &Lab<'_>) -> Result<Tally, Trouble> {
        let built_in = |error: &dyn std::error::Error| Trouble::BuiltIn(error.to_string());
        let spec = self.positions.parse::<PositionSpec>().map_err(|error| built_in(&error))?;
        let PositionSpec::Random(spec) = spec else {
            return Err(Trouble::BuiltIn(self.positions.to_owned()));
        };
        let [a, b] = self.players.map(str::parse::<PlayerSpec>);
        let players = [a.map_err(|error| built_in(&error))?, b.map_err(|error| built_in(&error))?];
        let settings = AgentSettings {
            metric: Metric::Dtc,
            kappa: lab.kappa(1.0),
            opponent_keeps_value: false,
            grid: "0(1)50".parse()?,
        };
        let openings = draw(&spec, Metric::Dtc, self.games, lab.seed, &lab.tables, Client::silent())?;
        let schedule = Schedule::new(openings, self.games, false, lab.seed);
        let make = |side: usize| -> Result<Box<dyn Contender>, NoAgent> {
            Ok(Box::new(AgentContender::new(&players[side], settings, &lab.tables, self.rules)?))
        };
        let mut summary = Summary::new(false);
        Match {
            schedule: &schedule,
            rules: self.rules,
            arbiter: Some(&*lab.tables),
            observer: None,
            // Agents don't look at the clock.
            controls: [TimeControl::Depth(1); 2],
            concurrency: thread::available_parallelism().map_or(1, NonZero::get),
            make: &make,
            cancel: Arc::default(),
        }
        .run(&HashSet::new(), &|| lab.check().is_err(), |slot, record| {
            summary.add(&Entry::new(slot, &record));
            ControlFlow::Continue(())
        })?;
        Ok(summary.tally())
    }

    /// Whether there are tables of an endgame and of all that it may become.
    pub fn is_possible(lab: &Lab<'_>, material: Material) -> bool {
        material.closure().into_iter().all(|material| lab.tables.get(material, Metric::Dtc).is_some())
    }
}

/// A share of games in per cent, with its 95 % interval.
pub fn per_cent(count: u64, games: u64) -> String {
    let Interval { low, high } = share(count, games);
    let [of, low, high] = [count as f64 / games as f64, low, high].map(|share| 100.0 * share);
    format!("{of:.1} ({low:.1}–{high:.1})")
}
