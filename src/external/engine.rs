//! A UCI engine behind a handle. Everything that can hang has a deadline.

use std::{
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, Chess};

use crate::{game::Game, notation};

use super::{
    answer::EngineAnswer,
    declared_option::DeclaredOption,
    info::EngineInfo,
    limits::{GoLimits, Patience, Timeouts},
    process::{Line, Process, Silence},
};

/// How long a wait may last before the flag that cancels it is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// How to start an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program; a bare name is looked for on the search path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; where we run if none is given.
    pub directory: Option<PathBuf>,
    /// UCI options, set in this order after the handshake.
    pub options: Vec<(String, String)>,
    /// It may think in the opponent's time; it is told so if it has an option for it.
    pub ponders: bool,
}

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It could not be started.
    #[error("cannot start '{}': {source}; check the path and that it may be executed", .program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An option can't be set so.
    #[error("'{}' can't have {option} = {value}: it must be {allowed}", .program.display())]
    Option {
        /// The program.
        program: PathBuf,
        /// The option.
        option: String,
        /// What it was to be set to.
        value: String,
        /// What it may be set to.
        allowed: String,
    },
    /// It declares no such option.
    #[error("'{}' has no option '{option}'; it has: {}", .program.display(), .known.join(", "))]
    NoOption {
        /// The program.
        program: PathBuf,
        /// What was to be set.
        option: String,
        /// What can be set.
        known: Vec<String>,
    },
    /// It has ended without being asked to.
    #[error("'{}' ended unexpectedly ({status})", .program.display())]
    Crashed {
        /// The program.
        program: PathBuf,
        /// How it ended, in the system's words.
        status: String,
    },
    /// It runs but does not answer.
    #[error("'{}' did not say '{awaited}' within {:.1} s", .program.display(), .waited.as_secs_f64())]
    Stalled {
        /// The program.
        program: PathBuf,
        /// What it should have said.
        awaited: &'static str,
        /// How long it had.
        waited: Duration,
    },
    /// Nobody wants the answer any more.
    #[error("interrupted")]
    Cancelled,
}

/// A running engine. It ends when this is dropped.
pub struct Engine {
    process: Process,
    program: PathBuf,
    name: Option<String>,
    /// The most lines that it can tell at once.
    most_lines: u32,
    timeouts: Timeouts,
}

impl Engine {
    /// Starts an engine, shakes hands and sets its options.
    pub fn start(command: &EngineCommand, cancel: &AtomicBool) -> Result<Engine, EngineError> {
        Engine::start_within(command, Timeouts::default(), cancel)
    }

    /// Starts an engine that has so long to introduce itself.
    pub fn start_within(
        command: &EngineCommand,
        timeouts: Timeouts,
        cancel: &AtomicBool,
    ) -> Result<Engine, EngineError> {
        let mut child = Command::new(&command.program);
        child.args(&command.arguments);
        if let Some(directory) = &command.directory {
            child.current_dir(directory);
        }
        let process = Process::start(&mut child)
            .map_err(|source| EngineError::NotStarted { program: command.program.clone(), source })?;
        let program = command.program.clone();
        let mut engine = Engine { process, program, name: None, most_lines: 1, timeouts };
        engine.process.send("uci".to_owned());
        let mut name = None;
        let mut options: Vec<DeclaredOption> = Vec::new();
        engine.wait_for("uciok", timeouts.handshake, cancel, |line| {
            if let Some(given) = line.strip_prefix("id name ") {
                name = Some(given.trim().to_owned());
            } else if let Some(option) = line.strip_prefix("option ") {
                options.extend(DeclaredOption::parse(option));
            }
        })?;
        let declared = |name: &str| options.iter().find(|option| option.is_named(name));
        engine.name = name;
        engine.most_lines = declared("MultiPV")
            .and_then(DeclaredOption::greatest)
            .map_or(1, |most| most.clamp(1, 500) as u32);
        for (option, value) in &command.options {
            let (program, option, value) = (command.program.clone(), option.clone(), value.clone());
            let Some(declared) = declared(&option) else {
                let known = options.iter().map(|option| option.name().to_owned()).collect();
                return Err(EngineError::NoOption { program, option, known });
            };
            if let Some(allowed) = declared.refuses(&value) {
                return Err(EngineError::Option { program, option, value, allowed });
            }
            engine.set_option(&option, &value);
        }
        if command.ponders && declared("Ponder").is_some() {
            engine.set_option("Ponder", "true");
        }
        engine.ready(cancel)?;
        Ok(engine)
    }

    /// Sets an option; it holds for what is asked next.
    pub fn set_option(&self, option: &str, value: &str) {
        self.process.send(match value {
            "" => format!("setoption name {option}"),
            value => format!("setoption name {option} value {value}"),
        });
    }

    /// The most lines (MultiPV) that it says it can tell at once.
    pub fn most_lines(&self) -> u32 {
        self.most_lines
    }

    /// The name by which it introduced itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Tells it that another game begins.
    pub fn new_game(&mut self, cancel: &AtomicBool) -> Result<(), EngineError> {
        self.process.send("ucinewgame".to_owned());
        self.ready(cancel)
    }

    /// Waits until it has done what it was told before.
    pub fn ready(&mut self, cancel: &AtomicBool) -> Result<(), EngineError> {
        self.process.send("isready".to_owned());
        self.wait_for("readyok", self.timeouts.ready, cancel, |_| {})
    }

    /// Asks for a move in the present position of `game`.
    pub fn go(
        &mut self,
        game: &Game,
        limits: &GoLimits,
        patience: Patience,
        cancel: &AtomicBool,
    ) -> Result<EngineAnswer, EngineError> {
        self.go_telling(game, limits, patience, cancel, &mut |_| {})
    }

    /// As [`Engine::go`], and tells `hear` of every line of information.
    pub fn go_telling(
        &mut self,
        game: &Game,
        limits: &GoLimits,
        patience: Patience,
        cancel: &AtomicBool,
        hear: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineError> {
        self.process.discard_output();
        self.process.send(position_line(game));
        self.answer(limits.line("go"), patience, cancel, hear)
    }

    /// Lets it think in the opponent's time, in the position after the reply that it expects. Then
    /// [`Engine::ponderhit`] or [`Engine::end_pondering`] has to follow.
    pub fn ponder(&mut self, expected: &Game, limits: &GoLimits) {
        self.process.discard_output();
        self.process.send(position_line(expected));
        self.process.send(limits.line("go ponder"));
    }

    /// The reply that it ponders on was played: asks for the move.
    pub fn ponderhit(
        &mut self,
        patience: Patience,
        cancel: &AtomicBool,
    ) -> Result<EngineAnswer, EngineError> {
        self.answer("ponderhit".to_owned(), patience, cancel, &mut |_| {})
    }

    /// Another reply was played, or none will be: waits until it has let go of it.
    pub fn end_pondering(&mut self, cancel: &AtomicBool) -> Result<(), EngineError> {
        let at_once = Patience { stop_after: self.timeouts.ready, grace: Duration::ZERO };
        self.answer("stop".to_owned(), at_once, cancel, &mut |_| {}).map(drop)
    }

    /// Says something that is answered with a move.
    fn answer(
        &mut self,
        command: String,
        patience: Patience,
        cancel: &AtomicBool,
        hear: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineError> {
        let told = self.process.send_timed(command);
        let begun = Instant::now();
        let mut stop_at = Some(begun + patience.stop_after);
        let give_up = begun + patience.stop_after + patience.grace;
        let mut answer = EngineAnswer::default();
        loop {
            let line = self.next_line(stop_at.unwrap_or(give_up), cancel)?;
            // An engine that keeps talking has no more time than one that is silent.
            let now = line.as_ref().map_or_else(Instant::now, |line| line.at);
            if now >= give_up {
                return Err(self.stalled("bestmove", patience.stop_after + patience.grace));
            }
            let text = line.map(|line| line.text).unwrap_or_default();
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
            match word {
                "info" => {
                    let info = EngineInfo::parse(rest);
                    hear(&info);
                    answer.hear(info);
                }
                "bestmove" => {
                    let mut words = rest.split_ascii_whitespace();
                    answer.best_move = words.next().unwrap_or_default().to_owned();
                    answer.reply = words.skip_while(|word| *word != "ponder").nth(1).map(str::to_owned);
                    answer.elapsed = now.saturating_duration_since(told.try_recv().unwrap_or(begun));
                    return Ok(answer);
                }
                _ => {}
            }
            if stop_at.take_if(|at| now >= *at).is_some() {
                self.process.send("stop".to_owned());
            }
        }
    }

    fn wait_for(
        &mut self,
        awaited: &'static str,
        time: Duration,
        cancel: &AtomicBool,
        mut hear: impl FnMut(&str),
    ) -> Result<(), EngineError> {
        let deadline = Instant::now() + time;
        loop {
            match self.next_line(deadline, cancel)? {
                Some(line) if line.at < deadline => match line.text {
                    text if text == awaited => return Ok(()),
                    text => hear(&text),
                },
                _ => return Err(self.stalled(awaited, time)),
            }
        }
    }

    /// The next line, or none if it is quiet until the deadline. A line may have come after it.
    fn next_line(&mut self, deadline: Instant, cancel: &AtomicBool) -> Result<Option<Line>, EngineError> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(EngineError::Cancelled);
            }
            let now = Instant::now();
            match self.process.receive(deadline.min(now + GLANCE)) {
                Ok(line) => return Ok(Some(line)),
                Err(Silence::Quiet) if now >= deadline => return Ok(None),
                Err(Silence::Quiet) => {}
                Err(Silence::Closed) => return Err(self.crashed()),
            }
        }
    }

    fn stalled(&self, awaited: &'static str, waited: Duration) -> EngineError {
        EngineError::Stalled { program: self.program.clone(), awaited, waited }
    }

    fn crashed(&mut self) -> EngineError {
        let status = self.process.end().map_or_else(|| "status unknown".to_owned(), |s| s.to_string());
        EngineError::Crashed { program: self.program.clone(), status }
    }
}

fn position_line(game: &Game) -> String {
    let mut line = if *game.start() == Chess::default() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", notation::fen(game.start()))
    };
    for (number, m) in game.moves().iter().enumerate() {
        line.push_str(if number == 0 { " moves " } else { " " });
        line.push_str(&m.to_uci(CastlingMode::Standard).to_string());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_told_from_its_start() {
        let mut game = Game::new(Chess::default());
        assert_eq!(position_line(&game), "position startpos");
        let m = shakmaty::uci::UciMove::from_ascii(b"e2e4").unwrap().to_move(game.position()).unwrap();
        game.play(m);
        assert_eq!(position_line(&game), "position startpos moves e2e4");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let command = EngineCommand { program: "no-such-engine".into(), ..EngineCommand::default() };
        let error = Engine::start(&command, &AtomicBool::new(false)).err().unwrap().to_string();
        assert!(error.starts_with("cannot start 'no-such-engine'"), "{error}");
    }
}
