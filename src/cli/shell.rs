//! What a system wants to know of a program: the words of its command line, and its manual.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::{Man, generate_to};

use super::{Context, Failure};

/// Print a file that completes the command line in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare completions bash > ~/.local/share/bash-completion/completions/errare
  errare completions fish > ~/.config/fish/completions/errare.fish
  errare completions powershell >> $PROFILE")]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write a page for each command
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare manual | man -l -
  errare manual --out ~/.local/share/man/man1")]
pub struct ManualArguments {
    /// Write errare.1 and a page for each command to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn completions(arguments: &CompletionsArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut super::Arguments::command(), "errare", &mut text);
    Ok(context.out.write_all(&text)?)
}

pub fn manual(arguments: &ManualArguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let command = super::Arguments::command();
    let Some(folder) = &arguments.out else { return Ok(Man::new(command).render(&mut context.out)?) };
    std::fs::create_dir_all(folder)
        .and_then(|()| generate_to(command, folder))
        .map_err(|error| Failure::failed(format!("cannot write to {}: {error}", folder.display())))
}
