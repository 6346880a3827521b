use std::time::{Duration, Instant};

use shakmaty::{Color, Position, uci::UciMove};

use crate::{
    external::{self, Engine, EngineCommand, EngineError, Patience},
    game::Game,
    oracle::{Clock, Control, Limits, Report},
};

use super::{Answer, Fault, FaultKind, Info, Say, Seat, Trouble};

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

/// Another program at the board: started when first needed, and again after it crashed or stalled.
pub struct EngineSeat {
    command: EngineCommand,
    tolerance: Tolerance,
    /// Ends all waiting.
    cancel: Control,
    engine: Option<Engine>,
    /// The reply that it expects to its last move, and the limits that it moved by.
    expects: Option<(UciMove, Limits)>,
    /// What it is thinking about in the opponent's time: the game with the reply that it expects.
    expected: Option<Game>,
    /// A limit that it was given and has not kept was told.
    blamed: bool,
}

impl EngineSeat {
    /// A program that plays until `cancel` is stopped.
    pub fn new(command: EngineCommand, tolerance: Tolerance, cancel: Control) -> EngineSeat {
        EngineSeat { command, tolerance, cancel, engine: None, expects: None, expected: None, blamed: false }
    }

    /// The same, thinking in the opponent's time.
    pub fn pondering(mut self) -> EngineSeat {
        self.command.ponders = true;
        self
    }

    /// Gives up the engine, which can't be trusted to be in step with us any more.
    fn trouble(&mut self, error: EngineError) -> Trouble {
        self.engine = None;
        self.expected = None;
        let kind = match error {
            EngineError::NotStarted { .. }
            | EngineError::Option { .. }
            | EngineError::NoOption { .. }
            | EngineError::Crashed { .. } => FaultKind::Crash,
            EngineError::Stalled { .. } => FaultKind::Stall,
            EngineError::Cancelled => return Trouble::Cancelled,
        };
        // When all is over, engines may end before we look.
        if self.cancel.is_stopped() { Trouble::Cancelled } else { fault(kind, error.to_string()) }
    }

    fn prepare(&mut self) -> Result<(), EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(Engine::start(&self.command, self.cancel.flag())?),
        };
        engine.new_game(self.cancel.flag())
    }
}

fn fault(kind: FaultKind, what: String) -> Trouble {
    Trouble::Fault(Fault { kind, what })
}

impl Seat for EngineSeat {
    fn new_game(&mut self, _opening: &Game, _seed: Option<u64>) -> Result<(), Trouble> {
        self.prepare().map_err(|error| self.trouble(error))
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        say: &mut Say<'_>,
    ) -> Result<Answer, Trouble> {
        let allowance = limits.movetime.or(limits.clock.map(|clock| clock.remaining));
        let patience = match allowance {
            Some(time) => Patience { stop_after: time + self.tolerance.margin, grace: self.tolerance.stall },
            None => Patience { stop_after: self.tolerance.stall, grace: STOP_GRACE },
        };
        let Some(engine) = &mut self.engine else {
            return Err(Trouble::Unable("the engine was asked for a move before the game".to_owned()));
        };
        let words = words(limits, game.position().turn());
        let begun = Instant::now();
        let answered = match self.expected.take() {
            Some(expected) if expected.moves() == game.moves() => engine.ponderhit(patience, control.flag()),
            Some(_) => engine.end_pondering(control.flag()).and_then(|()| {
                // Letting go of what it expected is part of its time.
                let spent = begun.elapsed();
                let mut answer = engine.go(game, &words, patience, control.flag())?;
                answer.elapsed += spent;
                Ok(answer)
            }),
            None => engine.go(game, &words, patience, control.flag()),
        };
        let answer = match answered {
            Ok(answer) => answer,
            Err(error) => return Err(self.trouble(error)),
        };
        if allowance.is_none() && answer.elapsed > patience.stop_after {
            let took = answer.elapsed.as_secs_f64();
            let why = match answer.ignored(&words) {
                Some(limit) => format!(", since it does not keep the limit '{limit}': give it another one"),
                None => String::new(),
            };
            let what = format!("answered only when it was stopped after {took:.1} s{why}");
            return Err(fault(FaultKind::Stall, what));
        }
        let legal =
            answer.best_move.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
        let Some(m) = legal else {
            return Err(fault(FaultKind::Illegal, format!("'{}' is no legal move", answer.best_move)));
        };
        if let Some(ignored) = answer.ignored(&words).filter(|_| !self.blamed) {
            self.blamed = true;
            let name = engine.name().unwrap_or("the engine");
            say(Info::Text(format!(
                "{name} does not keep the limit '{ignored}': its games are not comparable"
            )));
        }
        if let (Some(score), depth) = answer.verdict() {
            let report = Report { score, depth: depth.unwrap_or(0), ..Report::of_move(Some(m)) };
            say(Info::Search(report));
        }
        let reply =
            answer.reply.filter(|_| self.command.ponders).and_then(|reply| reply.parse::<UciMove>().ok());
        self.expects = reply.map(|reply| (reply, limits.after(answer.elapsed)));
        Ok(Answer { best: Some(m), reply: None, elapsed: Some(answer.elapsed) })
    }

    fn played(&mut self, game: &Game) {
        let (Some((reply, limits)), Some(engine)) = (self.expects.take(), &mut self.engine) else { return };
        let Ok(reply) = reply.to_move(game.position()) else { return };
        let expected = game.after(reply);
        if expected.position().legal_moves().is_empty() {
            return;
        }
        engine.ponder(&expected, &words(&limits, expected.position().turn()));
        self.expected = Some(expected);
    }

    fn end_game(&mut self) {
        self.expects = None;
        if self.expected.take().is_some()
            && let Some(engine) = &mut self.engine
            && engine.end_pondering(self.cancel.flag()).is_err()
        {
            // Whoever can't even let go is started anew for the next game.
            self.engine = None;
        }
    }
}

/// The limits as the words of `go`. An opponent without a clock is shown as having ours.
fn words(limits: &Limits, turn: Color) -> external::GoLimits {
    let clocks = limits.clock.map(|own| {
        let other = limits.other_clock.unwrap_or(own);
        turn.fold_wb([own, other], [other, own])
    });
    external::GoLimits {
        clocks: clocks.map(|clocks| clocks.map(|Clock { remaining, .. }| remaining)),
        increments: clocks.map(|clocks| clocks.map(|Clock { increment, .. }| increment)),
        moves_to_go: limits.moves_to_go,
        move_time: limits.movetime,
        nodes: limits.nodes,
        depth: limits.depth,
    }
}
