//! The command line: one file per command, each with its arguments and one `run` function.

mod bench;
mod eval;
mod failure;
mod fit;
mod interrupt;

use std::{ffi::OsString, io::Write, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

use crate::{config::Config, uci};

pub use failure::Failure;
pub use interrupt::Interrupt;

/// A chess engine that knows its opponent is fallible.
///
/// Without a command, errare is a UCI engine on standard input and output: load it into Arena, Cute Chess or any
/// other chess program.
#[derive(Parser)]
#[command(name = "errare", version, max_term_width = 100)]
struct Arguments {
    /// Settings to use instead of the engine.toml that would be found
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play: the engine on standard input and output (the same as no command)
    Uci,
    /// Print engine.toml with every setting, its default and what it means
    Settings,
    Bench(bench::Arguments),
    Eval(eval::Arguments),
    Fit(fit::Arguments),
}

/// What every command is given: the settings, a place to print to, and a flag that Ctrl-C raises.
pub struct Context<'a> {
    /// The settings in force.
    pub config: Config,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Raised by Ctrl-C.
    pub interrupt: Interrupt,
}

/// Runs the program with these arguments (the first is its own name) and says how it ended:
/// 0 done, 1 failed, 2 wrong use.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers and go to standard output; everything else is wrong use.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match dispatch(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    let config = Config::load(arguments.config.as_deref())?;
    let mut out = std::io::stdout().lock();
    let result = match arguments.command {
        None | Some(Command::Uci) => {
            drop(out);
            return Ok(uci::run(config)?);
        }
        Some(command) => {
            let mut context = Context { config, out: &mut out, interrupt: Interrupt::listen() };
            match command {
                Command::Uci => Ok(()),
                Command::Settings => Ok(write!(context.out, "{}", Config::DEFAULT_TEXT)?),
                Command::Bench(arguments) => bench::run(&arguments, &mut context),
                Command::Eval(arguments) => eval::run(arguments, &mut context),
                Command::Fit(arguments) => fit::run(&arguments, &mut context),
            }
        }
    };
    out.flush()?;
    result
}
