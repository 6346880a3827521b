//! The user's folders for this program, as the system names them.

use std::path::PathBuf;

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
