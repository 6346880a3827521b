//! Tells the program which commit it is built from, for `--version`.

#![allow(clippy::disallowed_macros, reason = "Cargo listens to standard output")]

use std::{env, fs, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=ERRARE_COMMIT");
    // While the program is being worked on, a commit is no reason to build everything again.
    let commit = match env::var("PROFILE").as_deref() {
        Ok("release") => commit().unwrap_or_else(|| "unknown commit".to_owned()),
        _ => "development".to_owned(),
    };
    println!("cargo:rustc-env=ERRARE_COMMIT={commit}");
    println!("cargo:rustc-env=ERRARE_TARGET={}", env::var("TARGET").unwrap_or_default());
}

/// As whoever builds has it, as Git says, or as it stands in a published package.
fn commit() -> Option<String> {
    if let Ok(given) = env::var("ERRARE_COMMIT") {
        return Some(given);
    }
    if let Ok(package) = fs::read_to_string(".cargo_vcs_info.json") {
        let hash = package.split('"').find(|word| word.len() == 40)?;
        return Some(hash[..10].to_owned());
    }
    if fs::metadata(".git/logs/HEAD").is_ok() {
        println!("cargo:rerun-if-changed=.git/logs/HEAD");
    }
    let git = Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=10"]).output().ok()?;
    let text = String::from_utf8(git.stdout).ok()?;
    git.status.success().then(|| text.trim().to_owned())
}
