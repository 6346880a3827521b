//! Parses the arguments, calls one function, exits.

use std::process::ExitCode;

fn main() -> ExitCode {
    errare::run(std::env::args_os())
}
