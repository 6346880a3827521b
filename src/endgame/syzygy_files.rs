//! Syzygy files as they are read: each is checked once by the checksum that it carries.

use std::{
    collections::HashMap,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

use crossbeam_channel::{Sender, unbounded};
use parking_lot::Mutex;
use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

use super::syzygy_checksum::is_sound;

/// Smaller files are checked before they are used: that takes less than a tenth of a second. Larger ones are used while
/// they are checked in the background, and no more when they turn out to be damaged.
const AT_ONCE: u64 = 1 << 24;

/// The files of the system, checked.
#[derive(Default)]
pub(super) struct CheckedFiles {
    files: OsFilesystem,
    /// Files that have been opened, and whether they were found to be damaged.
    known: Mutex<HashMap<PathBuf, Arc<AtomicBool>>>,
}

struct CheckedFile {
    file: Box<dyn RandomAccessFile>,
    damaged: Arc<AtomicBool>,
}

impl Filesystem for CheckedFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.files.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let mut known = self.known.lock();
        let damaged = match known.get(path) {
            Some(damaged) => damaged.clone(),
            None => {
                let damaged = Arc::new(AtomicBool::new(false));
                match self.files.regular_file_size(path)? <= AT_ONCE {
                    true => check(path, &damaged),
                    false => check_later(path.to_owned(), damaged.clone()),
                }
                known.entry(path.to_owned()).or_insert(damaged).clone()
            }
        };
        let file = CheckedFile { file: self.files.open(path)?, damaged };
        file.refuse_damage()?;
        Ok(Box::new(file))
    }
}

impl CheckedFile {
    fn refuse_damage(&self) -> io::Result<()> {
        if self.damaged.load(Relaxed) { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl RandomAccessFile for CheckedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        self.refuse_damage()?;
        self.file.read_at(buffer, offset, hint)
    }
}

/// Compares a file with its checksum, and says so if it does not fit.
fn check(path: &Path, damaged: &AtomicBool) {
    let sound = File::open(path)
        .and_then(|file| file.metadata().map(|metadata| (file, metadata.len())))
        .and_then(|(file, length)| is_sound(file, length));
    // A file that can't be read is found out by whoever wants to look into it.
    if matches!(sound, Ok(false)) {
        damaged.store(true, Relaxed);
        log::error!(
            "{} is damaged (its checksum does not fit) and is not used: get it again",
            path.display()
        );
    }
}

/// A file to be checked, and where the verdict goes.
type Suspect = (PathBuf, Arc<AtomicBool>);

/// Has a file checked by the one thread that does so; where there is none, it is not.
fn check_later(path: PathBuf, damaged: Arc<AtomicBool>) {
    static FILES: OnceLock<Option<Sender<Suspect>>> = OnceLock::new();
    let start = || {
        let (sender, files) = unbounded::<Suspect>();
        let work = move || files.iter().for_each(|(path, damaged)| check(&path, &damaged));
        thread::Builder::new().name("checksums".to_owned()).spawn(work).map(|_| sender).ok()
    };
    if FILES.get_or_init(start).as_ref().is_none_or(|files| files.send((path, damaged)).is_err()) {
        log::warn!("no thread can be started: Syzygy files are used unchecked");
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};
    use shakmaty_syzygy::Tablebase;

    use super::*;

    #[test]
    fn a_damaged_file_gives_no_values() {
        let whole = include_bytes!("../../tests/corpus/syzygy/KQvK.rtbw");
        let mut bytes = whole.to_vec();
        bytes[120] ^= 4;
        let fen: Fen = "7k/8/8/8/8/8/8/KQ6 w - - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        for (bytes, serves) in [(whole.to_vec(), true), (bytes, false)] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("KQvK.rtbw"), bytes).unwrap();
            let mut tablebase = Tablebase::<Chess>::with_filesystem(Arc::new(CheckedFiles::default()));
            tablebase.add_directory(folder.path()).unwrap();
            for _ in 0..2 {
                assert_eq!(tablebase.probe_wdl_after_zeroing(&position).is_ok(), serves);
            }
        }
    }
}
