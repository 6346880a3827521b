//! The protocol: what a chess program and the engine say to each other.
//!
//! ```text
//!            lines                orders                 events
//! reader ───────────► engine ───────────────► seat ────────────────► engine ──► output
//! (thread)            (state)                 (thread: thinks)
//! ```
//!
//! The engine owns all state and is never busy, so that `stop`, `quit` and, during a search, `isready` are answered at
//! once; the thread with the seat does what takes time.

mod engine;
mod lines;
pub mod logging;
mod message;
mod option_values;
mod options;
mod position;
mod scan;

use std::{
    io::{self, BufRead, BufReader, Write},
    sync::LazyLock,
    thread,
};

use shakmaty::Chess;

use crate::{
    config::Config,
    engine::{AgentSeat, Seat},
    game::Game,
};

use engine::{SeatThread, UciEngine};
use option_values::OptionValues;
use scan::UciCommand;

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run(config: Config) -> io::Result<()> {
    if let Err(error) = logging::redirect(&config.uci.log_file) {
        log::error!("{error}");
    }
    let seat = AgentSeat::new(OptionValues::new(&config).engine).map_err(io::Error::other)?;
    serve(&config, BufReader::new(io::stdin()), io::stdout(), Box::new(seat))
}

/// Speaks UCI with whoever writes to `input` and reads from `output`, until `quit` or the end of input.
///
/// A reader that has gone away is an error of kind [`io::ErrorKind::BrokenPipe`].
pub fn serve<R, W>(config: &Config, input: R, output: W, seat: Box<dyn Seat>) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write,
{
    let (sender, heard) = crossbeam_channel::unbounded();
    thread::Builder::new().name("reader".to_owned()).spawn(move || lines::read(input, &sender))?;
    UciEngine::new(OptionValues::new(config), SeatThread::spawn(seat)?, output).run(&heard)
}

/// The options with their defaults and what they mean, as Markdown.
pub fn options_for_people(config: &Config) -> String {
    options::markdown(options::table(), &OptionValues::new(config))
}

/// Reads lines as the engine does, and does what needs no search and no file.
pub(crate) fn hear(bytes: &[u8]) {
    static DEFAULTS: LazyLock<Option<OptionValues>> =
        LazyLock::new(|| Config::built_in().ok().map(|config| OptionValues::new(&config)));
    let Some(mut values) = DEFAULTS.clone() else { return };
    let mut game = Game::new(Chess::default());
    for line in String::from_utf8_lossy(bytes).lines() {
        match scan::scan(line) {
            // A log file would be opened.
            Ok(Some(UciCommand::SetOption { name, value })) if !name.eq_ignore_ascii_case("Log File") => {
                let _ = options::set(options::table(), &mut values, &name, value.as_deref());
            }
            Ok(Some(UciCommand::Position(place))) => {
                game = place.game(values.chess960).unwrap_or(game);
            }
            Ok(Some(UciCommand::Go(go))) => drop(go.limits(game.position())),
            Ok(_) => {}
            Err(error) => drop(error.to_string()),
        }
    }
}
