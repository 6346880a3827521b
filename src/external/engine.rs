//! A UCI engine behind a handle. Everything that can hang has a deadline.

use std::{
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

use crate::{game::Game, score::Score};

use super::{
    info::Info,
    process::{Process, Silence},
};

/// Time from the start to `uciok`.
const HANDSHAKE: Duration = Duration::from_secs(15);

/// Time from `isready` to `readyok`.
const READY: Duration = Duration::from_secs(10);

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
}

/// What an engine may spend on one move: the words after `go`, all of which hold at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on White's and Black's clocks.
    pub clocks: Option<[Duration; 2]>,
    /// What each move adds to White's and Black's clocks.
    pub increments: Option<[Duration; 2]>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly so long.
    pub move_time: Option<Duration>,
    /// So many positions.
    pub nodes: Option<u64>,
    /// So many plies.
    pub depth: Option<u32>,
}

/// How long to wait for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After so long `stop` is sent.
    pub stop_after: Duration,
    /// After so long more the engine is taken to have stalled.
    pub grace: Duration,
}

/// What an engine came up with.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its move in UCI notation, just as it said it.
    pub best_move: String,
    /// From `go` to `bestmove`.
    pub elapsed: Duration,
    /// The last line for each `multipv`, the first one first.
    pub lines: Vec<Info>,
}

impl Answer {
    /// The evaluation of the move chosen, and the depth it was searched to.
    pub fn verdict(&self) -> (Option<Score>, Option<u32>) {
        self.lines.first().map_or((None, None), |info| (info.score, info.depth))
    }
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
}

impl Engine {
    /// Starts an engine, shakes hands and sets its options.
    pub fn start(command: &EngineCommand, cancel: &AtomicBool) -> Result<Engine, EngineError> {
        let mut child = Command::new(&command.program);
        child.args(&command.arguments);
        if let Some(directory) = &command.directory {
            child.current_dir(directory);
        }
        let process = Process::start(&mut child)
            .map_err(|source| EngineError::NotStarted { program: command.program.clone(), source })?;
        let mut engine = Engine { process, program: command.program.clone(), name: None };
        engine.process.send("uci".to_owned());
        let mut name = None;
        engine.wait_for("uciok", HANDSHAKE, cancel, |line| {
            if let Some(given) = line.strip_prefix("id name ") {
                name = Some(given.trim().to_owned());
            }
        })?;
        engine.name = name;
        for (option, value) in &command.options {
            engine.process.send(match value.as_str() {
                "" => format!("setoption name {option}"),
                value => format!("setoption name {option} value {value}"),
            });
        }
        engine.ready(cancel)?;
        Ok(engine)
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
        self.wait_for("readyok", READY, cancel, |_| {})
    }

    /// Asks for a move in the present position of `game`.
    pub fn go(
        &mut self,
        game: &Game,
        limits: &Limits,
        patience: Patience,
        cancel: &AtomicBool,
    ) -> Result<Answer, EngineError> {
        self.process.discard_output();
        self.process.send(position_line(game));
        self.process.send(limits.go_line());
        let begun = Instant::now();
        let mut stop_at = Some(begun + patience.stop_after);
        let give_up = begun + patience.stop_after + patience.grace;
        let mut lines = Vec::new();
        loop {
            let line = match self.next_line(stop_at.unwrap_or(give_up), cancel)? {
                Some(line) => line,
                None if stop_at.take().is_some() => {
                    self.process.send("stop".to_owned());
                    continue;
                }
                None => return Err(self.stalled("bestmove", patience.stop_after + patience.grace)),
            };
            match line.split_once(char::is_whitespace) {
                Some(("info", rest)) => keep(&mut lines, Info::parse(rest)),
                Some(("bestmove", rest)) => {
                    let best_move = rest.split_ascii_whitespace().next().unwrap_or_default().to_owned();
                    return Ok(Answer { best_move, elapsed: begun.elapsed(), lines });
                }
                _ if line == "bestmove" => {
                    return Ok(Answer { best_move: String::new(), elapsed: begun.elapsed(), lines });
                }
                _ => {}
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
                Some(line) if line == awaited => return Ok(()),
                Some(line) => hear(&line),
                None => return Err(self.stalled(awaited, time)),
            }
        }
    }

    /// The next line, or none before the deadline.
    fn next_line(&mut self, deadline: Instant, cancel: &AtomicBool) -> Result<Option<String>, EngineError> {
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

/// Keeps the last exact line for each `multipv`.
fn keep(lines: &mut Vec<Info>, info: Info) {
    if info.score.is_none() || info.bound {
        return;
    }
    let number = info.multipv.unwrap_or(1);
    match lines.binary_search_by_key(&number, |line| line.multipv.unwrap_or(1)) {
        Ok(place) => lines[place] = info,
        Err(place) => lines.insert(place, info),
    }
}

fn position_line(game: &Game) -> String {
    let mut line = if *game.start() == Chess::default() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", Fen::from_position(game.start(), EnPassantMode::Legal))
    };
    for (number, m) in game.moves().iter().enumerate() {
        line.push_str(if number == 0 { " moves " } else { " " });
        line.push_str(&m.to_uci(CastlingMode::Standard).to_string());
    }
    line
}

impl Limits {
    fn go_line(&self) -> String {
        let mut line = "go".to_owned();
        let mut add = |word: &str, number: u128| line.push_str(&format!(" {word} {number}"));
        if let Some([white, black]) = self.clocks {
            add("wtime", white.as_millis());
            add("btime", black.as_millis());
        }
        if let Some([white, black]) = self.increments {
            add("winc", white.as_millis());
            add("binc", black.as_millis());
        }
        if let Some(moves) = self.moves_to_go {
            add("movestogo", moves.into());
        }
        if let Some(time) = self.move_time {
            add("movetime", time.as_millis());
        }
        if let Some(nodes) = self.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = self.depth {
            add("depth", depth.into());
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_milliseconds() {
        let limits = Limits {
            clocks: Some([Duration::from_millis(1500), Duration::from_secs(2)]),
            increments: Some([Duration::from_millis(10); 2]),
            moves_to_go: Some(40),
            ..Limits::default()
        };
        assert_eq!(limits.go_line(), "go wtime 1500 btime 2000 winc 10 binc 10 movestogo 40");
    }

    #[test]
    fn a_game_is_told_from_its_start() {
        let mut game = Game::new(Chess::default());
        assert_eq!(position_line(&game), "position startpos");
        let m = shakmaty::uci::UciMove::from_ascii(b"e2e4").unwrap().to_move(game.position()).unwrap();
        game.play(m);
        assert_eq!(position_line(&game), "position startpos moves e2e4");
    }

    #[test]
    fn the_last_exact_line_of_each_number_is_kept() {
        let mut lines = Vec::new();
        for line in [
            "depth 1 multipv 2 score cp 5",
            "depth 1 multipv 1 score cp 9",
            "depth 2 multipv 1 score cp 11",
            "depth 3 multipv 1 score cp 40 upperbound",
            "currmove e2e4",
        ] {
            keep(&mut lines, Info::parse(line));
        }
        let scores: Vec<_> = lines.iter().filter_map(|line| line.score).collect();
        assert_eq!(scores, [Score::Centipawns(11), Score::Centipawns(5)]);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let command = EngineCommand { program: "no-such-engine".into(), ..EngineCommand::default() };
        let error = Engine::start(&command, &AtomicBool::new(false)).err().unwrap().to_string();
        assert!(error.starts_with("cannot start 'no-such-engine'"), "{error}");
    }
}
