use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Profile, ProfileError};
use crate::directories;

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

    /// Readable, and different for different names whatever signs they are written in.
    fn file(&self, name: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let readable: String = name.chars().map(plain).take(40).collect();
        self.folder.join(format!("{readable}-{:08x}.jsonl", crc32fast::hash(name.as_bytes())))
    }

    /// What is remembered of `name`; nothing if it was never met.
    pub fn get(&self, name: &str) -> Result<Option<Profile>, ShelfError> {
        self.read(&self.file(name))
    }

    fn read(&self, path: &Path) -> Result<Option<Profile>, ShelfError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
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
                let aside = self.set_aside(&self.file(name))?;
                Ok((None, Some(format!("{error}; set aside as {}", aside.display()))))
            }
            Err(error) => Err(error),
        }
    }

    fn set_aside(&self, path: &Path) -> Result<PathBuf, ShelfError> {
        let named = |number: u32| path.with_extension(format!("damaged-{number}"));
        let number = (1..).find(|&number| !named(number).exists()).unwrap_or_default();
        fs::rename(path, named(number)).map_err(io_error("set aside", path))?;
        Ok(named(number))
    }

    /// Writes a profile: the whole of it, or nothing.
    pub fn put(&self, profile: &Profile) -> Result<(), ShelfError> {
        let path = self.file(profile.name());
        let text = profile.text().map_err(|error| io_error("write", &path)(error.into()))?;
        fs::create_dir_all(&self.folder).map_err(io_error("make the folder", &self.folder))?;
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
        let path = self.file(name);
        match fs::remove_file(&path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ShelfError::Unknown(name.to_owned()))
            }
            Err(error) => Err(io_error("delete", &path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_kept_by_name_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().join("not yet").to_string_lossy());
        assert!(shelf.all().unwrap().is_empty());
        for name in ["Ada", "ada", "Ада", "../evil"] {
            assert_eq!(shelf.get(name).unwrap(), None);
            shelf.put(&Profile::new(name)).unwrap();
            assert_eq!(shelf.get(name).unwrap().unwrap().name(), name);
        }
        assert_eq!(shelf.all().unwrap().len(), 4);
        shelf.forget("Ada").unwrap();
        assert!(matches!(shelf.forget("Ada"), Err(ShelfError::Unknown(_))));
        assert_eq!(shelf.all().unwrap().len(), 3);
    }

    #[test]
    fn a_damaged_profile_is_set_aside_and_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().to_string_lossy());
        shelf.put(&Profile::new("Ada")).unwrap();
        fs::write(shelf.file("Ada"), b"\xff joho\n").unwrap();
        assert!(matches!(shelf.get("Ada"), Err(ShelfError::Damaged { .. })));
        let (profile, told) = shelf.get_sound("Ada").unwrap();
        assert_eq!(profile, None);
        assert!(told.unwrap().contains("damaged-1"));
        assert_eq!(shelf.get("Ada").unwrap(), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
