//! A child process that speaks in lines: reading and writing never block the owner, and the child never
//! outlives him.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

/// Lines longer than this are cut: no engine has that much to say at once.
const LONGEST_LINE: u64 = 1 << 14;

/// Lines that may wait to be read. A child that says more has to wait until someone listens.
const WAITING_LINES: usize = 1024;

/// How long a child may take to end after its input was closed.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running child, with one thread that reads its lines and one that writes to it.
pub(super) struct Process {
    child: Child,
    input: Option<Sender<Order>>,
    output: Receiver<Line>,
}

/// What a child has said, and when: however long it waits to be read, that is not the child's time.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

/// What a child is to be told, and who wants to know when it was.
type Order = (String, Option<Sender<Instant>>);

/// Why no line came.
pub(super) enum Silence {
    /// None in time.
    Quiet,
    /// The child has closed its output: it has ended, or is about to.
    Closed,
}

impl Process {
    /// Starts a child. What it says on standard error is not heard.
    pub(super) fn start(command: &mut Command) -> io::Result<Process> {
        set_apart(command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (input, lines_in) = unbounded();
        let (lines_out, output) = bounded(WAITING_LINES);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // From here on the child ends with us, whatever goes wrong.
        let process = Process { child, input: Some(input), output };
        if let Some(stdin) = stdin {
            thread::Builder::new().spawn(move || write_lines(stdin, &lines_in))?;
        }
        if let Some(stdout) = stdout {
            thread::Builder::new().spawn(move || read_lines(stdout, &lines_out))?;
        }
        Ok(process)
    }

    /// Sends a line, without waiting for the child to read it.
    pub(super) fn send(&self, line: String) {
        self.order((line, None));
    }

    /// Sends a line; when it was sent is known as soon as it is: on a busy machine that may not be at once, and the child
    /// can't help it.
    pub(super) fn send_timed(&self, line: String) -> Receiver<Instant> {
        let (told, when) = bounded(1);
        self.order((line, Some(told)));
        when
    }

    fn order(&self, order: Order) {
        if let Some(input) = &self.input {
            // A writer that has gone means a child that has gone: the next read finds out.
            let _ = input.send(order);
        }
    }

    /// The next line, if it comes before `deadline`.
    pub(super) fn receive(&self, deadline: Instant) -> Result<Line, Silence> {
        self.output.recv_deadline(deadline).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Quiet,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })
    }

    /// Forgets lines that came unasked for; no more than may wait, lest a child that never pauses holds us up.
    pub(super) fn discard_output(&self) {
        self.output.try_iter().take(WAITING_LINES).for_each(drop);
    }

    /// Ends the child: asks, closes its input, waits a little, kills.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        self.send("quit".to_owned());
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    // A child that still talks may be unable to end before it is heard out.
                    self.discard_output();
                    thread::sleep(Duration::from_millis(2));
                }
                _ => break,
            }
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

/// Keeps Ctrl-C from the child: a terminal sends it to a whole group of processes, and a child that ended by it would seem
/// to have crashed. Ours ends when we end it, or when its input ends because we are gone.
#[cfg(unix)]
fn set_apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn set_apart(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn set_apart(_command: &mut Command) {}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Order>) {
    for (line, told) in lines {
        if let Some(told) = told {
            let _ = told.send(Instant::now());
        }
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &Sender<Line>) {
    let mut stdout = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = Line { text: String::from_utf8_lossy(&bytes).trim().to_owned(), at: Instant::now() };
        if lines.send(line).is_err() {
            return;
        }
        // The rest of a line that was cut is no line of its own.
        if !bytes.ends_with(b"\n") && stdout.skip_until(b'\n').is_err() {
            return;
        }
    }
}
