//! Another program at the board.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use shakmaty::{ByColor, Position, uci::UciMove};

use crate::{
    external::{Engine, EngineError, Limits, Patience},
    game::Game,
};

use super::{
    contender::{Contender, Fault, FaultKind, Thought, Trouble},
    spec::EngineSpec,
    time_control::{Clock, TimeControl},
};

/// What an engine is forgiven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// So much too late is not too late: pipes and schedulers take time that is not the engine's.
    pub margin: Duration,
    /// Without a clock, an engine that takes longer has stalled; with one, an engine that does not even answer
    /// `stop` for so long.
    pub stall: Duration,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { margin: Duration::from_millis(100), stall: Duration::from_secs(60) }
    }
}

/// How long `stop` may take where no clock runs.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// An engine that is started when first needed, and again after it crashed or stalled.
pub struct EngineContender {
    spec: EngineSpec,
    tolerance: Tolerance,
    cancel: Arc<AtomicBool>,
    engine: Option<Engine>,
}

impl EngineContender {
    /// A contender that plays until `cancel` is raised.
    pub fn new(spec: EngineSpec, tolerance: Tolerance, cancel: Arc<AtomicBool>) -> EngineContender {
        EngineContender { spec, tolerance, cancel, engine: None }
    }

    /// Gives up the engine, which can't be trusted to be in step with us any more.
    fn trouble(&mut self, error: EngineError) -> Trouble {
        self.engine = None;
        let kind = match error {
            EngineError::NotStarted { .. } | EngineError::Crashed { .. } => FaultKind::Crash,
            EngineError::Stalled { .. } => FaultKind::Stall,
            EngineError::Cancelled => return Trouble::Cancelled,
        };
        Trouble::Fault(Fault { kind, what: error.to_string() })
    }

    fn prepare(&mut self) -> Result<(), EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(Engine::start(&self.spec.command, &self.cancel)?),
        };
        engine.new_game(&self.cancel)
    }
}

impl Contender for EngineContender {
    fn new_game(&mut self, _opening: &Game, _seed: u64) -> Result<(), Trouble> {
        self.prepare().map_err(|error| self.trouble(error))
    }

    fn choose(&mut self, game: &Game, clocks: &ByColor<Clock>) -> Result<Thought, Trouble> {
        let turn = game.position().turn();
        let allowance = clocks.get(turn).allowance();
        let patience = match allowance {
            Some(time) => Patience { stop_after: time + self.tolerance.margin, grace: self.tolerance.stall },
            None => Patience { stop_after: self.tolerance.stall, grace: STOP_GRACE },
        };
        let Some(engine) = &mut self.engine else {
            return Err(Trouble::Unable("the engine was asked for a move before the game".to_owned()));
        };
        let answer = match engine.go(game, &limits(clocks, turn), patience, &self.cancel) {
            Ok(answer) => answer,
            Err(error) => return Err(self.trouble(error)),
        };
        let fault = |kind, what| Err(Trouble::Fault(Fault { kind, what }));
        if answer.elapsed > patience.stop_after {
            let took = answer.elapsed.as_secs_f64();
            return match allowance {
                Some(time) => {
                    fault(FaultKind::Time, format!("took {took:.3} s, had {:.3} s", time.as_secs_f64()))
                }
                None => {
                    fault(FaultKind::Stall, format!("answered only when it was stopped after {took:.1} s"))
                }
            };
        }
        let legal =
            answer.best_move.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
        let Some(m) = legal else {
            return fault(FaultKind::Illegal, format!("'{}' is no legal move", answer.best_move));
        };
        let (score, depth) = answer.verdict();
        Ok(Thought { m, elapsed: answer.elapsed, score, depth })
    }
}

fn limits(clocks: &ByColor<Clock>, turn: shakmaty::Color) -> Limits {
    let own = clocks.get(turn);
    match own.control() {
        TimeControl::Clock { increment, .. } => {
            // An opponent without a clock is shown as having ours.
            let both = |of: &dyn Fn(&Clock) -> Option<Duration>, default: Duration| {
                [&clocks.white, &clocks.black].map(|clock| of(clock).unwrap_or(default))
            };
            let increment_of = |clock: &Clock| match clock.control() {
                TimeControl::Clock { increment, .. } => Some(increment),
                _ => None,
            };
            Limits {
                clocks: Some(both(&Clock::remaining, own.remaining().unwrap_or_default())),
                increments: Some(both(&increment_of, increment)),
                moves_to_go: own.moves_to_go(),
                ..Limits::default()
            }
        }
        TimeControl::MoveTime(time) => Limits { move_time: Some(time), ..Limits::default() },
        TimeControl::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        TimeControl::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
    }
}
