use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::{
    console,
    endgame::{self, TableEvent},
};

/// A bar for work that lasts. Nothing is drawn unless standard error is a terminal.
pub fn bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{msg}} {{bar:30}} {{pos}}/{{len}} {unit}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// Work of many equal steps: a bar with the time that is left on a terminal, a line now and then where there is none.
pub struct Progress {
    bar: ProgressBar,
    unit: String,
    begun: Instant,
    /// Steps that were done before.
    before: u64,
    /// When the next line is due, where there is no terminal.
    due: Option<Mutex<Instant>>,
}

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(20);

impl Progress {
    /// So many steps, of which some were done before.
    pub fn new(length: u64, before: u64, unit: &str) -> Progress {
        Progress::with(bar(length, unit), before, unit)
    }

    /// Steps of which nobody knows how many there will be.
    pub fn without_end(unit: &str) -> Progress {
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template(&format!("{{pos}} {unit}, {{elapsed}}")) {
            bar.set_style(style);
        }
        Progress::with(bar, 0, unit)
    }

    fn with(bar: ProgressBar, before: u64, unit: &str) -> Progress {
        bar.set_position(before);
        bar.reset_eta();
        // What lasts a second is seen to go on, however long a single step takes.
        bar.enable_steady_tick(Duration::from_secs(1));
        let begun = Instant::now();
        let due = (!std::io::stderr().is_terminal()).then(|| Mutex::new(begun + LINE_EVERY));
        Progress { bar, unit: unit.to_owned(), begun, before, due }
    }

    /// One more step; what has come of it so far.
    pub fn step(&self, so_far: &str) {
        self.bar.inc(1);
        self.tell(so_far);
    }

    /// So many steps in all; what has come of them so far.
    pub fn advance(&self, to: u64, so_far: &str) {
        self.bar.set_position(to);
        self.tell(so_far);
    }

    fn tell(&self, so_far: &str) {
        self.bar.set_message(so_far.to_owned());
        let Some(mut due) = self.due.as_ref().map(Mutex::lock) else { return };
        let now = Instant::now();
        if now >= *due {
            *due = now + LINE_EVERY;
            let done = self.bar.position();
            let Some(of) = self.bar.length() else {
                return console::tell(format_args!("{done} {}", self.unit));
            };
            let fresh = done.saturating_sub(self.before).max(1) as f64;
            let left = self.begun.elapsed().as_secs_f64() * of.saturating_sub(done) as f64 / fresh;
            let so_far = if so_far.is_empty() { String::new() } else { format!(", {so_far}") };
            let left = time_left(left);
            console::tell(format_args!("{done} of {of} {}{so_far}, about {left}", self.unit));
        }
    }

    /// Says something without disturbing the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| console::tell(line));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Work of which nobody can say how far it has come: a clock on a terminal, a line now and then where there is none. It ends
/// when this is dropped.
pub struct Waiting {
    bar: ProgressBar,
    /// Closed at the end.
    _going_on: Sender<()>,
}

impl Waiting {
    /// Begins, in words such as `predicting`.
    pub fn new(doing: &str) -> Waiting {
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{msg} {spinner} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(doing.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        let (going_on, end) = bounded::<()>(0);
        if !std::io::stderr().is_terminal() {
            let (doing, begun) = (doing.to_owned(), Instant::now());
            let tell = move || {
                while end.recv_timeout(LINE_EVERY) == Err(RecvTimeoutError::Timeout) {
                    console::tell(format_args!("{doing}, {:.0} s so far", begun.elapsed().as_secs_f64()));
                }
            };
            // Without a thread there are no lines, and the work goes on.
            let _ = std::thread::Builder::new().spawn(tell);
        }
        Waiting { bar, _going_on: going_on }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn time_left(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s left"),
        seconds if seconds < 5400.0 => format!("{:.0} min left", seconds / 60.0),
        seconds => format!("{:.1} h left", seconds / 3600.0),
    }
}

/// Shows the generation of tables: a bar on a terminal, and a line on standard error when a table is done.
pub struct TableProgress {
    current: Mutex<Option<ProgressBar>>,
    terminal: bool,
}

impl TableProgress {
    /// Nothing to show yet.
    pub fn new() -> TableProgress {
        TableProgress { current: Mutex::default(), terminal: std::io::stderr().is_terminal() }
    }

    /// To be told what happens.
    pub fn hear(&self, event: TableEvent) {
        let mut current = self.current.lock();
        match event {
            TableEvent::Begun(material, metric, bytes) => {
                let bar = bar(1, "");
                if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {elapsed}") {
                    bar.set_style(style);
                }
                bar.set_message(format!("{material} by {metric}, {} MiB", (bytes >> 20).max(1)));
                bar.enable_steady_tick(Duration::from_millis(200));
                *current = Some(bar);
            }
            TableEvent::Going(endgame::GenerateProgress::SettingUp { done, of }) => {
                if let Some(bar) = &*current {
                    bar.set_length(2 * of as u64);
                    bar.set_position(done as u64);
                }
            }
            // How many levels there will be is not known; half the bar is theirs.
            TableEvent::Going(endgame::GenerateProgress::Level(depth)) => {
                if let (Some(bar), Some(length)) = (&*current, current.as_ref().and_then(ProgressBar::length))
                {
                    let depth = u64::from(depth);
                    bar.set_position(length / 2 + length / 2 * depth / (depth + 15));
                }
            }
            TableEvent::Done(material, metric, time, bytes) => {
                if let Some(bar) = current.take() {
                    bar.finish_and_clear();
                }
                if self.terminal || time > Duration::from_secs(1) {
                    let seconds = time.as_secs_f64();
                    let size = bytes
                        .map_or("not stored".to_owned(), |bytes| format!("{} KiB", bytes.div_ceil(1024)));
                    console::tell(format_args!("{material} by {metric}: {seconds:.1} s, {size}"));
                }
            }
            TableEvent::SetAside => {}
        }
    }
}
