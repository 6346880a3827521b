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

/// Work of many equal steps: a bar with the time that is left on a terminal, a line now and then where there is none, however
/// long a single step takes.
pub struct Progress {
    bar: ProgressBar,
    _lines: Lines,
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
        let (seen, unit, begun) = (bar.clone(), unit.to_owned(), Instant::now());
        let _lines = Lines::new(move || line(&seen, &unit, before, begun.elapsed()));
        Progress { bar, _lines }
    }

    /// One more step; what has come of it so far.
    pub fn step(&self, so_far: &str) {
        self.bar.inc(1);
        self.bar.set_message(so_far.to_owned());
    }

    /// So many steps in all; what has come of them so far.
    pub fn advance(&self, to: u64, so_far: &str) {
        self.bar.set_position(to);
        self.bar.set_message(so_far.to_owned());
    }

    /// What is being done now.
    pub fn now_at(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Does something that prints without disturbing the bar.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Says something without disturbing the bar.
    pub fn say(&self, line: &str) {
        self.aside(|| console::tell(line));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far some work has come, in words; nothing when it is over.
fn line(bar: &ProgressBar, unit: &str, before: u64, time: Duration) -> Option<String> {
    if bar.is_finished() {
        return None;
    }
    let (done, so_far) = (bar.position(), bar.message());
    let so_far = if so_far.is_empty() { String::new() } else { format!(", {so_far}") };
    let Some(of) = bar.length() else { return Some(format!("{done} {unit}{so_far}")) };
    let left = match done.saturating_sub(before) {
        0 => format!("{:.0} s so far", time.as_secs_f64()),
        fresh => {
            format!("about {}", time_left(time.as_secs_f64() * of.saturating_sub(done) as f64 / fresh as f64))
        }
    };
    Some(format!("{done} of {of} {unit}{so_far}, {left}"))
}

/// Lines that are printed now and then where standard error is no terminal, until this is dropped.
struct Lines {
    /// Closed at the end.
    _going_on: Sender<()>,
}

impl Lines {
    fn new(line: impl Fn() -> Option<String> + Send + 'static) -> Lines {
        let (going_on, end) = bounded::<()>(0);
        if !std::io::stderr().is_terminal() {
            let tell = move || {
                while end.recv_timeout(LINE_EVERY) == Err(RecvTimeoutError::Timeout)
                    && let Some(line) = line()
                {
                    console::tell(line);
                }
            };
            // Without a thread there are no lines, and the work goes on.
            let _ = std::thread::Builder::new().spawn(tell);
        }
        Lines { _going_on: going_on }
    }
}

/// Work of which nobody can say how far it has come: a clock on a terminal, a line now and then where there is none. It ends
/// when this is dropped.
pub struct Waiting {
    bar: ProgressBar,
    _lines: Lines,
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
        let (doing, begun) = (doing.to_owned(), Instant::now());
        let _lines =
            Lines::new(move || Some(format!("{doing}, {:.0} s so far", begun.elapsed().as_secs_f64())));
        Waiting { bar, _lines }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_has_come_and_how_long_it_will_take() {
        let bar = ProgressBar::hidden();
        bar.set_length(10);
        bar.set_position(4);
        let seconds = Duration::from_secs;
        assert_eq!(line(&bar, "games", 4, seconds(30)).unwrap(), "4 of 10 games, 30 s so far");
        bar.inc(1);
        bar.set_message("KQK");
        assert_eq!(line(&bar, "games", 4, seconds(30)).unwrap(), "5 of 10 games, KQK, about 2 min left");
        bar.finish_and_clear();
        assert_eq!(line(&bar, "games", 4, seconds(40)), None);
    }
}
