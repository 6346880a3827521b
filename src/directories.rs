//! The user's folders for this program, as the system names them, and files that are whole or not there.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes a temporary file beside, and renames it, so that no half-written one is ever found.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_added_extension(format!("{}.part", std::process::id()));
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // If it can't be removed either, the first error says why.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where settings are looked for.
#[cfg(windows)]
pub fn config() -> Option<PathBuf> {
    Some(directory("APPDATA")?.join("errare"))
}

/// Where settings are looked for.
#[cfg(not(windows))]
pub fn config() -> Option<PathBuf> {
    let folder = directory("XDG_CONFIG_HOME").or_else(|| Some(directory("HOME")?.join(".config")))?;
    Some(folder.join("errare"))
}

/// Where the user's programs keep what is not to be lost.
#[cfg(windows)]
pub fn data() -> Option<PathBuf> {
    Some(directory("APPDATA")?.join("errare"))
}

/// Where the user's programs keep what is not to be lost.
#[cfg(not(windows))]
pub fn data() -> Option<PathBuf> {
    let folder =
        directory("XDG_DATA_HOME").or_else(|| Some(directory("HOME")?.join(".local").join("share")))?;
    Some(folder.join("errare"))
}

/// The user's cache directory for this program.
#[cfg(windows)]
pub fn cache() -> Option<PathBuf> {
    Some(directory("LOCALAPPDATA")?.join("errare"))
}

/// The user's cache directory for this program.
#[cfg(not(windows))]
pub fn cache() -> Option<PathBuf> {
    let caches = directory("XDG_CACHE_HOME").or_else(|| Some(directory("HOME")?.join(".cache")))?;
    Some(caches.join("errare"))
}
