use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use super::{Context, Failure, progress::Progress};
use crate::notation::{GameScore, Games};

/// Bad games that are named; the others are counted.
const NAMED: usize = 3;

/// What is done with a game of a file.
type Take<'a> = dyn FnMut(&Path, GameScore) -> Result<(), Failure> + 'a;

/// Reads all games of some files one by one; a bad game is named and skipped. `-` is standard input.
pub fn read_games(files: &[PathBuf], context: &Context<'_>, take: &mut Take<'_>) -> Result<(), Failure> {
    read(files, context, true, take)
}

/// Reads them once more: bad games were named before.
pub fn read_games_again(files: &[PathBuf], context: &Context<'_>, take: &mut Take<'_>) -> Result<(), Failure> {
    read(files, context, false, take)
}

fn read(files: &[PathBuf], context: &Context<'_>, names: bool, take: &mut Take<'_>) -> Result<(), Failure> {
    let progress = Progress::without_end("games read");
    for path in files {
        let file: Box<dyn Read> = match path.as_os_str() == "-" {
            true => Box::new(std::io::stdin()),
            false => Box::new(
                File::open(path)
                    .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?,
            ),
        };
        let mut bad_games = 0;
        for game in Games::new(file) {
            context.check_interrupt()?;
            match game {
                Ok(score) => take(path, score)?,
                Err(bad) => {
                    bad_games += 1;
                    if names && bad_games <= NAMED {
                        progress.say(&format!("errare: {}, {bad}", path.display()));
                    }
                }
            }
            progress.step("");
        }
        if let Some(more) = bad_games.checked_sub(NAMED).filter(|&more| names && more > 0) {
            progress.say(&format!(
                "errare: {}: {more} more games can't be read; they are skipped",
                path.display()
            ));
        }
    }
    progress.finish();
    Ok(())
}
