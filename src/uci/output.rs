//! The only place that writes to the other side.

use std::io::{self, Write};

/// Lines, each of which is on its way as soon as it is written.
pub(super) struct Output<W>(W);

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(writer)
    }

    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        log::debug!("<< {line}");
        self.0.write_all(format!("{line}\n").as_bytes())?;
        self.0.flush()
    }

    /// A remark for people.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        self.line(&format!("info string {}", text.replace(|c: char| c.is_control(), " ")))
    }
}
