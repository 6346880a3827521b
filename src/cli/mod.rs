//! The command line: one file per command, each with its arguments and one `run` function.

mod analyse;
mod analyse_text;
mod bench;
mod bench_engines;
mod bench_prices;
mod calibrate;
mod calibrate_chances;
mod calibrate_inference;
mod calibrate_looks;
mod calibrate_report;
mod endgames;
mod eval;
mod explain;
mod explain_agents;
mod explain_beyond;
mod failure;
mod game_files;
mod hunt;
mod interrupt;
mod markov;
mod match_;
mod match_arguments;
mod match_report;
mod model_flags;
mod oracle_flags;
mod plans;
mod predict;
mod predict_text;
mod probe;
mod profiles;
mod progress;
mod rank;
mod rate;
mod rate_answers;
mod rate_flags;
mod rate_output;
mod rate_page;
mod rate_session;
mod reproduce;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod stats;
mod store;
mod tables;
mod tune;
mod tune_assess;
mod tune_measures;
mod tune_network;
mod tune_report;
mod tune_store;
mod tune_weights;
mod version;
mod work;

use std::{ffi::OsString, io::Write, path::PathBuf, process::ExitCode, sync::Arc};

use clap::{Parser, Subcommand};

use crate::{
    config::Config,
    console::{self, PlainWriter},
    endgame::{Client, GenerateError, Tables, TablesError},
    oracle::Control,
    uci,
};

pub use failure::Failure;
pub use interrupt::Interrupt;

/// A chess engine that knows its opponent is fallible.
///
/// Without a command, errare is a UCI engine on standard input and output: load it into Arena, Cute Chess or any
/// other chess program.
#[derive(Parser)]
#[command(name = "errare", version = version::version(), max_term_width = 100)]
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
    Tables(tables::Arguments),
    Probe(probe::Arguments),
    Explain(explain::Arguments),
    Analyse(analyse::Arguments),
    Markov(markov::Arguments),
    Predict(predict::Arguments),
    Hunt(hunt::Arguments),
    Endgames(endgames::Arguments),
    Reproduce(reproduce::Arguments),
    Profiles(profiles::Arguments),
    Match(Box<match_::Arguments>),
    /// Print engine.toml with every setting, its default and what it means
    Settings,
    /// Print the options of the engine as a Markdown table
    Options,
    Bench(bench::Arguments),
    Eval(eval::Arguments),
    Tune(tune::Arguments),
    Calibrate(calibrate::Arguments),
    Completions(shell::CompletionsArguments),
    Manual(shell::ManualArguments),
    Rate(Box<rate::Arguments>),
    Store(store::Arguments),
    Work(work::Arguments),
    #[cfg(feature = "web")]
    Serve(serve::Arguments),
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

impl Context<'_> {
    /// The tables as the settings have them.
    pub fn tables(&self) -> Result<Arc<Tables>, Failure> {
        let tables = Tables::new(&self.config.tables).map_err(Failure::failed)?;
        tables.complaints().iter().for_each(|complaint| console::tell(format_args!("errare: {complaint}")));
        Ok(Arc::new(tables))
    }

    /// What Ctrl-C stops.
    pub fn control(&self) -> Control {
        self.interrupt.control()
    }

    /// An error if Ctrl-C was pressed.
    pub fn check_interrupt(&self) -> Result<(), Failure> {
        self.interrupt.check()
    }

    /// Has `work` done with tables: their generation is shown, and Ctrl-C ends it.
    pub fn with_client<T>(
        &self,
        work: impl FnOnce(Client<'_>) -> Result<T, TablesError>,
    ) -> Result<T, Failure> {
        let progress = progress::TableProgress::new();
        let hear = |event| progress.hear(event);
        work(Client { cancel: self.interrupt.flag(), hear: &hear }).map_err(|error| match error {
            TablesError::Generate(GenerateError::Cancelled) => Failure::Interrupted,
            error => Failure::failed(error),
        })
    }
}

/// Runs the program with these arguments (the first is its own name) and says how it ended:
/// 0 done, 1 failed, 2 wrong use.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    uci::logging::install();
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

/// Has the threads of parallel loops started. Where the system does not allow them, all is done in one.
fn start_threads() {
    let one = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    if rayon::ThreadPoolBuilder::new().build_global().or_else(|_| one()).is_err() {
        log::warn!("no threads can be started: what needs them will fail");
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    let config = Config::load(arguments.config.as_deref())?;
    config.corrections.iter().for_each(|correction| console::tell(format_args!("errare: {correction}")));
    start_threads();
    let mut out = PlainWriter(std::io::stdout().lock());
    let result = match arguments.command {
        None | Some(Command::Uci) => {
            drop(out);
            return Ok(uci::run(config)?);
        }
        Some(command) => {
            let mut context = Context { config, out: &mut out, interrupt: Interrupt::listen() };
            match command {
                Command::Uci => Ok(()),
                Command::Tables(arguments) => tables::run(arguments, &mut context),
                Command::Probe(arguments) => probe::run(&arguments, &mut context),
                Command::Explain(arguments) => explain::run(&arguments, &mut context),
                Command::Analyse(arguments) => analyse::run(&arguments, &mut context),
                Command::Markov(arguments) => markov::run(&arguments, &mut context),
                Command::Predict(arguments) => predict::run(&arguments, &mut context),
                Command::Hunt(arguments) => hunt::run(&arguments, &mut context),
                Command::Endgames(arguments) => endgames::run(&arguments, &mut context),
                Command::Reproduce(arguments) => reproduce::run(&arguments, &mut context),
                Command::Profiles(arguments) => profiles::run(&arguments, &mut context),
                Command::Match(arguments) => match_::run(&arguments, &mut context),
                Command::Settings => Ok(write!(context.out, "{}", Config::DEFAULT_TEXT)?),
                Command::Options => Ok(write!(context.out, "{}", uci::options_for_people(&context.config))?),
                Command::Bench(arguments) => bench::run(&arguments, &mut context),
                Command::Eval(arguments) => eval::run(arguments, &mut context),
                Command::Tune(arguments) => tune::run(&arguments, &mut context),
                Command::Calibrate(arguments) => calibrate::run(&arguments, &mut context),
                Command::Completions(arguments) => shell::completions(&arguments, &mut context),
                Command::Manual(arguments) => shell::manual(&arguments, &mut context),
                Command::Rate(arguments) => rate::run(&arguments, &mut context),
                Command::Store(arguments) => store::run(&arguments, &mut context),
                Command::Work(arguments) => work::run(&arguments, &mut context),
                #[cfg(feature = "web")]
                Command::Serve(arguments) => serve::run(&arguments, &mut context),
            }
        }
    };
    out.flush()?;
    result
}
