//! The log: to standard error, or to a file that can be named while the engine runs.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
    time::Instant,
};

use env_logger::{Builder, Env, Logger, Target};
use log::{LevelFilter, Log, Metadata, Record};
use parking_lot::RwLock;

use crate::{console, directories};

/// A log file that can't be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the log to {path}: {source}; check that the folder is there and may be written to")]
pub struct LogError {
    path: PathBuf,
    source: io::Error,
}

/// Where records go now: one logger at a time.
static CURRENT: LazyLock<RwLock<Logger>> = LazyLock::new(|| RwLock::new(to_standard_error()));

struct Switch;

impl Log for Switch {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        CURRENT.read().enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        CURRENT.read().log(record);
    }

    fn flush(&self) {
        CURRENT.read().flush();
    }
}

/// Makes the log begin. Until [`redirect`] is called it goes to standard error, warnings and worse unless the
/// environment variable `RUST_LOG` says otherwise.
pub fn install() {
    // A second call is harmless: the first logger stays.
    if log::set_logger(&Switch).is_ok() {
        log::set_max_level(CURRENT.read().filter());
    }
}

/// Sends the log to a file, at the end of what it holds, or to standard error if `path` is empty. A file also gets the
/// lines of the protocol unless `RUST_LOG` says otherwise.
pub fn redirect(path: &str) -> Result<(), LogError> {
    let logger = if path.is_empty() { to_standard_error() } else { to_file(path)? };
    let level: LevelFilter = logger.filter();
    *CURRENT.write() = logger;
    log::set_max_level(level);
    Ok(())
}

fn to_standard_error() -> Logger {
    builder("warn").target(Target::Stderr).build()
}

fn to_file(path: &str) -> Result<Logger, LogError> {
    let file = directories::open_to_append(Path::new(path));
    let file = file.map_err(|source| LogError { path: path.into(), source })?;
    Ok(builder("errare=debug").target(Target::Pipe(Box::new(file))).build())
}

fn builder(default_filter: &str) -> Builder {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let mut builder = Builder::from_env(Env::default().default_filter_or(default_filter));
    builder.format(move |line, record| {
        let said = record.args().to_string();
        writeln!(
            line,
            "{:10.3} {:5} {}",
            start.elapsed().as_secs_f64(),
            record.level(),
            console::plain(&said)
        )
    });
    builder
}
