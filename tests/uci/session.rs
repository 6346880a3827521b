//! A conversation with the engine. Each line that is waited for has a deadline, so that a hang is a failure.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

/// Far more than anything takes: it is there to catch hangs, not to measure.
pub const DEADLINE: Duration = Duration::from_secs(20);
/// Long enough for a line that must not come to show itself.
const SILENCE: Duration = Duration::from_millis(150);

pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    /// The engine, to which nothing has been said. It runs where there is no engine.toml, and keeps out of the user's
    /// folders.
    pub fn new() -> Session {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("errare"));
        for variable in ["XDG_CACHE_HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA"] {
            command.env(variable, env!("CARGO_TARGET_TMPDIR"));
        }
        let mut child = command
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Session { child, input, lines }
    }

    pub fn send(&mut self, text: &str) -> &mut Session {
        self.send_bytes(format!("{text}\n").as_bytes())
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> &mut Session {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
        self
    }

    /// The lines up to the one that begins with `start`, which is the last.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(DEADLINE) {
                Ok(line) => seen.push(line),
                Err(error) => panic!("no line '{start}…' ({error}) after {seen:#?}"),
            }
            if seen.last().unwrap().starts_with(start) {
                return seen;
            }
        }
    }

    /// The lines until the engine is ready: all that it had to say to what was sent before.
    pub fn ready(&mut self) -> Vec<String> {
        let mut lines = self.send("isready").until("readyok");
        lines.pop();
        lines
    }

    /// The move that ends the search, after checking that a score was told.
    pub fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        assert!(
            lines.iter().any(|line| line.starts_with("info depth") && line.contains(" score ")),
            "no score in {lines:#?}"
        );
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    /// Sends a command that starts a search which ends by itself.
    pub fn go(&mut self, command: &str) -> String {
        self.send(command).best_move()
    }

    /// Checks that no answer to a search comes by itself.
    pub fn no_best_move(&mut self) {
        let end = Instant::now() + SILENCE;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => assert!(!line.starts_with("bestmove"), "{line}"),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
            }
        }
    }

    /// All the engine still says, and how it ends, once it has been told to.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(DEADLINE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end; last words {rest:#?}"),
            }
        }
        let status = self.child.wait().unwrap();
        (rest, status)
    }

    /// Ends the engine's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Says `quit` and checks that all ends well.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let (rest, status) = self.end();
        assert!(status.success(), "{status}");
        rest
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
