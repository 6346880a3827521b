use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{Profile, ProfileError};
use crate::{agents::Observation, directories};

/// The folder where profiles are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    folder: PathBuf,
}

/// Why a profile can't be had or kept.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// The system said no.
    #[error("cannot {doing} {path}: {source}; check Profile Path")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is not what it should be.
    #[error("{path} is damaged: {source}; move it away to begin anew")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ProfileError,
    },
    /// There is no such profile.
    #[error("there is no profile of '{0}'; 'errare profiles list' shows all")]
    Unknown(String),
}

/// Names of one checksum that find a place.
const MOST_ALIKE: u32 = 9;
/// How long another program may keep the profiles to itself; it takes milliseconds.
const LOCKED_WITHIN: Duration = Duration::from_secs(5);

/// Where profiles are kept if nothing else is said.
pub fn default_folder() -> PathBuf {
    directories::data().unwrap_or_default().join("profiles")
}

fn io_error<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> ShelfError + 'a {
    move |source| ShelfError::Io { doing, path: path.to_owned(), source }
}

impl Shelf {
    /// The profiles in a folder; empty for the default one. It need not be there yet.
    pub fn new(folder: &str) -> Shelf {
        Shelf { folder: if folder.is_empty() { default_folder() } else { folder.into() } }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files that a profile may be in. Each is readable and fit for any system; names that differ share one only by a
    /// freak of checksums, and then the second is in the next.
    fn files(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let readable: String = name.chars().map(plain).take(40).collect();
        let stem = format!("{readable}-{:08x}", crc32fast::hash(name.as_bytes()));
        let folder = self.folder.clone();
        (1..=MOST_ALIKE).map(move |number| match number {
            1 => folder.join(format!("{stem}.jsonl")),
            number => folder.join(format!("{stem}-{number}.jsonl")),
        })
    }

    /// Where a profile is, or is to go, and what is there.
    fn find(&self, name: &str) -> Result<(PathBuf, Option<Profile>), ShelfError> {
        let mut free = None;
        for path in self.files(name) {
            match self.read(&path)? {
                Some(profile) if profile.name() == name => return Ok((path, Some(profile))),
                Some(_) => {}
                None => free = free.or(Some(path)),
            }
        }
        let full = || ShelfError::Unknown(name.to_owned());
        Ok((free.ok_or_else(full)?, None))
    }

    /// What is remembered of `name`; nothing if it was never met.
    pub fn get(&self, name: &str) -> Result<Option<Profile>, ShelfError> {
        self.find(name).map(|(_, profile)| profile)
    }

    fn read(&self, path: &Path) -> Result<Option<Profile>, ShelfError> {
        let mut bytes = Vec::new();
        match directories::open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_error("read", path)(error)),
        };
        // What is not UTF-8 has no checksum that fits.
        Profile::parse(&String::from_utf8_lossy(&bytes))
            .map(Some)
            .map_err(|source| ShelfError::Damaged { path: path.to_owned(), source })
    }

    /// As [`Shelf::get`], but a damaged file is set aside and counts as none; what was done is told.
    pub fn get_sound(&self, name: &str) -> Result<(Option<Profile>, Option<String>), ShelfError> {
        match self.get(name) {
            Ok(profile) => Ok((profile, None)),
            Err(error @ ShelfError::Damaged { .. }) => {
                let ShelfError::Damaged { path, .. } = &error else { return Err(error) };
                let aside = self.set_aside(path)?;
                let (profile, _) = self.get_sound(name)?;
                Ok((profile, Some(format!("{error}; set aside as {}", aside.display()))))
            }
            Err(error) => Err(error),
        }
    }

    /// Adds observations to what is on disk now, which another program may have changed since it was read; returns all of
    /// it, and what was done about a damaged file.
    pub fn add(
        &self,
        name: &str,
        observations: impl IntoIterator<Item = Observation>,
    ) -> Result<(Profile, Option<String>), ShelfError> {
        let _held = self.lock()?;
        let (found, told) = self.get_sound(name)?;
        let mut profile = found.unwrap_or_else(|| Profile::new(name));
        profile.extend(observations);
        self.put(&profile)?;
        Ok((profile, told))
    }

    /// Keeps other programs from changing profiles while the file that is returned is open. The system lets go of it
    /// when this program ends, however it ends.
    fn lock(&self) -> Result<File, ShelfError> {
        fs::create_dir_all(&self.folder).map_err(io_error("make the folder", &self.folder))?;
        let path = self.folder.join(".lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(io_error("lock", &path))?;
        let patience = Instant::now() + LOCKED_WITHIN;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if Instant::now() < patience => {
                    thread::sleep(Duration::from_millis(5));
                }
                // A file system without locks: better unlocked than not at all.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(file);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(io_error("lock", &path)(io::ErrorKind::ResourceBusy.into()));
                }
                Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
            }
        }
    }

    fn set_aside(&self, path: &Path) -> Result<PathBuf, ShelfError> {
        let named = |number: u32| path.with_extension(format!("damaged-{number}"));
        let number = (1..).find(|&number| !named(number).exists()).unwrap_or_default();
        fs::rename(path, named(number)).map_err(io_error("set aside", path))?;
        Ok(named(number))
    }

    /// Writes a profile: the whole of it, or nothing.
    fn put(&self, profile: &Profile) -> Result<(), ShelfError> {
        let (path, _) = self.find(profile.name())?;
        let text = profile.text().map_err(|error| io_error("write", &path)(error.into()))?;
        directories::write_whole(&path, text.as_bytes()).map_err(io_error("write", &path))
    }

    /// All profiles by name, and what is wrong with those that can't be read.
    pub fn all(&self) -> Result<Vec<Result<Profile, ShelfError>>, ShelfError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io_error("read", &self.folder)(error)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(io_error("read", &self.folder))?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths.iter().filter_map(|path| self.read(path).transpose()).collect())
    }

    /// Deletes the profile of `name`.
    pub fn forget(&self, name: &str) -> Result<(), ShelfError> {
        match self.find(name)? {
            (path, Some(_)) => fs::remove_file(&path).map_err(io_error("delete", &path)),
            (_, None) => Err(ShelfError::Unknown(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::LeadUp,
        model::{Metric, Prospects, State},
        oracle::Look,
    };

    #[test]
    fn profiles_are_kept_by_name_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().join("not yet").to_string_lossy());
        assert!(shelf.all().unwrap().is_empty());
        for name in ["Ada", "ada", "Ада", "../evil"] {
            assert_eq!(shelf.get(name).unwrap(), None);
            shelf.add(name, []).unwrap();
            assert_eq!(shelf.get(name).unwrap().unwrap().name(), name);
        }
        assert_eq!(shelf.all().unwrap().len(), 4);
        shelf.forget("Ada").unwrap();
        assert!(matches!(shelf.forget("Ada"), Err(ShelfError::Unknown(_))));
        assert_eq!(shelf.all().unwrap().len(), 3);
    }

    #[test]
    fn every_name_makes_a_file_name_that_any_system_takes() {
        let shelf = Shelf::new("shelf");
        for name in ["CON", "nul", "aux.", "C:\\a/b", "a|b?*<>\"", "  ", "\u{1b}[2J", &"x".repeat(9000)] {
            for path in shelf.files(name) {
                let file = path.file_name().unwrap().to_str().unwrap().to_owned();
                let (stem, extension) = file.split_once('.').unwrap();
                assert!(stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{file}");
                // A name that Windows reserves would stand alone before the dot.
                assert!(stem.contains('-') && file.len() < 100 && extension == "jsonl", "{file}");
            }
        }
    }

    #[test]
    fn a_damaged_profile_is_set_aside_and_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().to_string_lossy());
        shelf.add("Ada", []).unwrap();
        fs::write(shelf.files("Ada").next().unwrap(), b"\xff joho\n").unwrap();
        assert!(matches!(shelf.get("Ada"), Err(ShelfError::Damaged { .. })));
        let (profile, told) = shelf.get_sound("Ada").unwrap();
        assert_eq!(profile, None);
        assert!(told.unwrap().contains("damaged-1"));
        assert_eq!(shelf.get("Ada").unwrap(), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "what is set aside, and the lock");
    }

    #[test]
    fn names_of_one_checksum_keep_their_profiles_apart() {
        let (one, other) = ("plumless", "buckeroo");
        assert_eq!(crc32fast::hash(one.as_bytes()), crc32fast::hash(other.as_bytes()));
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().to_string_lossy());
        // Readable parts of the names may well be the same: here they are made so.
        let (one, other) = (format!("{}{one}", "x".repeat(40)), format!("{}{other}", "x".repeat(40)));
        assert_eq!(shelf.files(&one).next(), shelf.files(&other).next());
        shelf.add(&one, [seen(0)]).unwrap();
        shelf.add(&other, [seen(1), seen(2)]).unwrap();
        let count = |name: &str| shelf.get(name).unwrap().unwrap().observations().len();
        assert_eq!((count(&one), count(&other)), (1, 2));
        shelf.forget(&one).unwrap();
        assert_eq!((shelf.get(&one).unwrap(), count(&other)), (None, 2));
    }

    /// The defender's `number`th move in a mate by a queen.
    fn seen(number: usize) -> Observation {
        use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
        let fen: Fen = "8/8/8/8/8/1k6/8/KQ6 b - - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let moves = position.legal_moves();
        let m = moves[number % moves.len()];
        let states = moves.into_iter().map(|m| (m, State::loss(5)));
        let prospects = Prospects::table(State::loss(5), states, 11, 1);
        let look = Look::remembered(position, LeadUp::default(), prospects, Vec::new(), Some(Metric::Dtc));
        Observation { ply: 1, look, m }
    }

    #[test]
    fn engines_that_play_the_same_person_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_string_lossy();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let shelf = Shelf::new(&path);
                    (0..25).for_each(|number| drop(shelf.add("Ada", [seen(number)]).unwrap()));
                });
            }
        });
        assert_eq!(Shelf::new(&path).get("Ada").unwrap().unwrap().observations().len(), 100);
    }
}
