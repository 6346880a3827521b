use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{Context, Failure, progress::Progress};
use crate::notation::{GameScore, Games};

/// Bad games that are named; the others are counted.
const NAMED: usize = 3;

/// The games of a file, and how many bytes there are of them if that is known. `-` is standard input.
pub fn open_games(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let cannot = |what: io::Error| Failure::failed(format!("cannot read {}: {what}", path.display()));
    let file = File::open(path).map_err(cannot)?;
    let metadata = file.metadata().map_err(cannot)?;
    if metadata.is_dir() {
        return Err(Failure::failed(format!("no games in {}: it is a folder", path.display())));
    }
    Ok((Box::new(file), metadata.is_file().then_some(metadata.len())))
}

/// What is done with a game of a file.
type Take<'a> = dyn FnMut(&Path, GameScore) -> Result<(), Failure> + 'a;

/// Reads all games of some files one by one; a bad game is named and skipped. Files without any are refused.
pub fn read_games(files: &[PathBuf], context: &Context<'_>, take: &mut Take<'_>) -> Result<(), Failure> {
    read(files, context, true, take)
}

/// Reads them once more: bad games were named before.
pub fn read_games_again(
    files: &[PathBuf],
    context: &Context<'_>,
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    read(files, context, false, take)
}

fn read(files: &[PathBuf], context: &Context<'_>, names: bool, take: &mut Take<'_>) -> Result<(), Failure> {
    let progress = Progress::without_end("games read");
    let mut found = false;
    for path in files {
        let mut bad_games = 0;
        for game in Games::new(open_games(path)?.0) {
            context.check_interrupt()?;
            match game {
                Ok(score) => {
                    found = true;
                    take(path, score)?;
                }
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
    match found || files.is_empty() {
        true => Ok(()),
        false => {
            let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            Err(Failure::failed(format!("no games in {}", names.join(", "))))
        }
    }
}
