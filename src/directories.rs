//! The user's folders for this program, as the system names them, and files that are whole or not there.

use std::{
    ffi::OsString,
    fs::{self, File, FileType, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Writes a file beside, and renames it, so that no half-written one is ever found, whenever the program ends.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// As [`write_whole`], for what is too large to be had in memory first.
pub fn write_whole_with<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    // A link stays a link: what it points to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        // A device or a pipe has no place beside it.
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    clear_leftovers(folder, |part_of| part_of == name);
    let temporary = folder.join(part_name(&name));
    let written = File::create(&temporary).and_then(|mut file| {
        // Held while this process lives: whoever can take the lock knows that nobody writes any more.
        let _ = file.try_lock();
        let written = write(&mut file)?;
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        Ok(written)
    });
    if written.is_err() {
        // If it can't be removed either, the first error says why.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// `.games.pgn.1234-5.part`: no two writers share one, be they threads or processes.
fn part_name(name: &str) -> String {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    format!(".{name}.{}-{}.part", std::process::id(), WRITTEN.fetch_add(1, Relaxed))
}

/// The name of the file of which this one is a half-written version.
fn whole_name(part: &str) -> Option<&str> {
    let (name, number) = part.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    (is_number && !number.is_empty()).then_some(name)
}

/// Removes what processes that have ended left of files they were writing.
pub fn clear_leftovers(folder: &Path, of: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if whole_name(&entry.file_name().to_string_lossy()).is_some_and(&of)
            && open_regular(&entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // What can't be removed is only in the way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Opens a file that others write and we read whole. A pipe or a device, which might never end, is refused.
pub fn open_regular(path: &Path) -> io::Result<File> {
    refuse(path, |kind| !kind.is_file() && !kind.is_dir())?;
    File::open(path)
}

/// The text of such a file.
pub fn read_regular(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The same, where a file is not text.
pub fn read_regular_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file to write at its end. A pipe that nobody reads is refused: opening it would never end.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    match refuse(path, is_pipe) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => OpenOptions::new().create(true).append(true).open(path),
    }
}

fn refuse(path: &Path, unfit: impl Fn(FileType) -> bool) -> io::Result<()> {
    match unfit(fs::metadata(path)?.file_type()) {
        true => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device, not a file")),
        false => Ok(()),
    }
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// Where a system keeps things of its users, by what is in the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Windows,
    Other,
}

const HERE: System = if cfg!(windows) { System::Windows } else { System::Other };

/// Where settings are looked for.
pub fn config() -> Option<PathBuf> {
    folder(HERE, "APPDATA", "XDG_CONFIG_HOME", &[".config"], |name| std::env::var_os(name))
}

/// Where the user's programs keep what is not to be lost.
pub fn data() -> Option<PathBuf> {
    folder(HERE, "APPDATA", "XDG_DATA_HOME", &[".local", "share"], |name| std::env::var_os(name))
}

/// The user's cache directory for this program.
pub fn cache() -> Option<PathBuf> {
    folder(HERE, "LOCALAPPDATA", "XDG_CACHE_HOME", &[".cache"], |name| std::env::var_os(name))
}

fn folder(
    system: System,
    on_windows: &str,
    elsewhere: &str,
    at_home: &[&str],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let named = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = match system {
        System::Windows => named(on_windows)?,
        System::Other => match named(elsewhere) {
            Some(folder) => folder,
            None => named("HOME")?.join(at_home.iter().collect::<PathBuf>()),
        },
    };
    Some(folder.join("errare"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_folders() {
        let there = |set: &[(&str, &str)], system| {
            let set: Vec<(String, OsString)> =
                set.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
            folder(system, "APPDATA", "XDG_DATA_HOME", &[".local", "share"], |name| {
                set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            })
        };
        let path = |parts: &[&str]| Some(parts.iter().collect::<PathBuf>());
        let home = [("HOME", "/home/ada"), ("APPDATA", "C:\\Users\\Ada\\AppData\\Roaming")];
        assert_eq!(there(&home, System::Windows), path(&["C:\\Users\\Ada\\AppData\\Roaming", "errare"]));
        assert_eq!(there(&home, System::Other), path(&["/home/ada", ".local", "share", "errare"]));
        let chosen = [("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data")];
        assert_eq!(there(&chosen, System::Other), path(&["/data", "errare"]));
        assert_eq!(there(&[("APPDATA", "")], System::Windows), None);
    }

    #[test]
    fn what_a_dead_process_left_is_cleared_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let left = ["games.pgn", ".games.pgn.99-1.part", ".other.pgn.99-1.part", ".games.pgn.old.part"];
        left.iter().for_each(|name| fs::write(file(name), "x").unwrap());
        write_whole_with(&file("games.pgn"), |out| {
            // A second writer of the same file, while the first is at work.
            write_whole(&file("games.pgn"), b"second")?;
            out.write_all(b"first")
        })
        .unwrap();
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [".games.pgn.old.part", ".other.pgn.99-1.part", "games.pgn"]);
        assert_eq!(fs::read_to_string(file("games.pgn")).unwrap(), "first");
    }

    #[test]
    fn what_could_not_be_written_to_its_end_is_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "before").unwrap();
        let full =
            |file: &mut File| file.write_all(b"half").and(Err::<(), _>(io::ErrorKind::StorageFull.into()));
        assert!(write_whole_with(&path, full).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_whole(&link, b"after").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "after");
    }
}
