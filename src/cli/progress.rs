use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::endgame::{Event, Progress};

/// A bar for work that lasts. Nothing is drawn unless standard error is a terminal.
pub fn bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{msg}} {{bar:30}} {{pos}}/{{len}} {unit} {{eta}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
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
    pub fn hear(&self, event: Event) {
        let mut current = self.current.lock();
        match event {
            Event::Begun(material, metric, bytes) => {
                let bar = bar(1, "");
                if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {elapsed}") {
                    bar.set_style(style);
                }
                bar.set_message(format!("{material} by {metric}, {} MiB", (bytes >> 20).max(1)));
                bar.enable_steady_tick(Duration::from_millis(200));
                *current = Some(bar);
            }
            Event::Going(Progress::SettingUp { done, of }) => {
                if let Some(bar) = &*current {
                    bar.set_length(2 * of as u64);
                    bar.set_position(done as u64);
                }
            }
            // How many levels there will be is not known; half the bar is theirs.
            Event::Going(Progress::Level(depth)) => {
                if let (Some(bar), Some(length)) = (&*current, current.as_ref().and_then(ProgressBar::length))
                {
                    let depth = u64::from(depth);
                    bar.set_position(length / 2 + length / 2 * depth / (depth + 15));
                }
            }
            Event::Done(material, metric, time, bytes) => {
                if let Some(bar) = current.take() {
                    bar.finish_and_clear();
                }
                if self.terminal || time > Duration::from_secs(1) {
                    eprintln!(
                        "{material} by {metric}: {:.1} s, {} KiB",
                        time.as_secs_f64(),
                        bytes.div_ceil(1024)
                    );
                }
            }
            Event::SetAside => {}
        }
    }
}
