//! The protocol.

use std::io;

use crate::config::Config;

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run(_config: Config) -> io::Result<()> {
    Ok(())
}
