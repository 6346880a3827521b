use std::{fmt, io, process::ExitCode};

use crate::{config::ConfigError, console, store::StoreError};

/// Why a command did not do what it was asked to, in one line that names the cause and the remedy.
#[derive(Debug)]
pub enum Failure {
    /// The arguments or the input they name are wrong: exit code 2.
    Usage(String),
    /// The work could not be done: exit code 1.
    Failed(String),
    /// Ctrl-C: exit code 1.
    Interrupted,
    /// Whoever read our output has had enough of it: nothing to complain of.
    ClosedPipe,
}

impl Failure {
    /// Wrong use, in the words of `cause`.
    pub fn usage(cause: impl fmt::Display) -> Failure {
        Failure::Usage(cause.to_string())
    }

    /// A failure, in the words of `cause`.
    pub fn failed(cause: impl fmt::Display) -> Failure {
        Failure::Failed(cause.to_string())
    }

    /// Tells the user and gives the exit code.
    pub(super) fn report(self) -> ExitCode {
        self.tell();
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::Failed(_) | Failure::Interrupted => 1,
            Failure::ClosedPipe => 0,
        })
    }

    /// Tells the user.
    pub(super) fn tell(&self) {
        match self {
            Failure::Usage(message) | Failure::Failed(message) => {
                console::tell(format_args!("errare: {message}"));
            }
            Failure::Interrupted => console::tell("errare: interrupted"),
            Failure::ClosedPipe => {}
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::failed(error),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::usage(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::failed(error)
    }
}
