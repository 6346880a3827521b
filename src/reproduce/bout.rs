//! Games between agents, as an experiment.

use std::{collections::HashSet, num::NonZero, ops::ControlFlow, thread, time::Duration};

use super::{Lab, ReproduceError};
use crate::{
    arena::{
        Entry, Match, MatchEvent, PlayerSpec, PositionSpec, Rules, Schedule, Seating, Summary, TimeControl,
        draw,
    },
    config::Config,
    endgame::{Client, Material},
    engine::SeatSettings,
    model::Metric,
    statistics::{Interval, Share, Tally},
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
    pub fn play(&self, lab: &Lab<'_>) -> Result<Tally, ReproduceError> {
        let built_in = |error: &dyn std::error::Error| ReproduceError::BuiltIn(error.to_string());
        let spec = self.positions.parse::<PositionSpec>().map_err(|error| built_in(&error))?;
        let PositionSpec::Random(spec) = spec else {
            return Err(ReproduceError::BuiltIn(self.positions.to_owned()));
        };
        let [a, b] = self.players.map(str::parse::<PlayerSpec>);
        let players = [a.map_err(|error| built_in(&error))?, b.map_err(|error| built_in(&error))?];
        let mut base = SeatSettings::new(&Config::built_in().map_err(|error| built_in(&error))?);
        base.agent.kappa.table = lab.kappa(1.0);
        let openings = draw(&spec, Metric::Dtc, self.games, lab.seed, &lab.tables, Client::silent())?;
        let schedule = Schedule::new(openings, self.games, false, lab.seed);
        let seating = Seating::new(&players, &base, &self.rules, lab.tables.clone());
        let mut summary = Summary::new(false);
        Match {
            schedule: &schedule,
            rules: self.rules,
            arbiter: Some(&*lab.tables),
            observer: None,
            // Agents that know the tables don't look at the clock.
            controls: vec![TimeControl::Depth(1); 2],
            margin: Duration::ZERO,
            concurrency: thread::available_parallelism().map_or(1, NonZero::get),
            make: &|player| seating.seat(player),
            cancel: seating.cancel.clone(),
        }
        .run(&HashSet::new(), &|| lab.check().is_err(), |event| {
            if let MatchEvent::Game(slot, record) = event {
                summary.add(&Entry::new(slot, &record));
            }
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
    let share = Share { count, of: games };
    let Interval { low, high } = share.interval();
    let [of, low, high] = [share.part(), low, high].map(|share| 100.0 * share);
    format!("{of:.1} ({low:.1}–{high:.1})")
}
