//! What goes wrong around the program: full disks, pipes where files should be, signals, names from outside.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails may stop")]

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use errare::{
    endgame::{self, Indexer, Material, Table},
    model::Metric,
};

fn errare() -> Command {
    Command::new(env!("CARGO_BIN_EXE_errare"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What came of these arguments, in a folder of its own.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    errare().current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_full_standard_error_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let played = errare()
        .current_dir(&folder)
        .args([
            "match",
            "search",
            "search",
            "--games",
            "2",
            "--tc",
            "nodes=1",
            "--max-moves",
            "2",
            "--pgn",
            "x.pgn",
        ])
        .stderr(full())
        .output()
        .unwrap();
    assert_eq!(played.status.code(), Some(0));
    let refused = errare().args(["explain", "no position"]).stderr(full()).status().unwrap();
    assert_eq!(refused.code(), Some(2));
}

#[test]
fn a_pipe_where_a_file_should_be_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let config = run(folder.path(), &["--config", pipe, "options"]);
    assert_eq!(config.status.code(), Some(2));
    assert!(text(&config.stderr).contains("it is a pipe"), "{}", text(&config.stderr));
    fs::rename(pipe, folder.path().join("KRK.dtc")).unwrap();
    let settings = format!("[tables]\npath = '{}'\nbuild_men = 0\n", folder.path().display());
    fs::write(folder.path().join("engine.toml"), settings).unwrap();
    assert!(text(&run(folder.path(), &["tables", "list"]).stdout).contains("it is a pipe"));
    let mut engine =
        errare().current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let log = format!("setoption name Log File value {}/KRK.dtc\nisready\nquit\n", folder.path().display());
    engine.stdin.take().unwrap().write_all(log.as_bytes()).unwrap();
    let said = text(&engine.wait_with_output().unwrap().stdout);
    assert!(said.contains("it is a pipe") && said.contains("readyok"), "{said}");
}

/// The processes that a process has started.
fn children(of: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|&process| parent(process) == Some(of)).collect()
}

/// The parent of a process that has not ended.
fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in brackets, may contain anything.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    words.next()?.parse().ok().filter(|_| state != "Z")
}

fn wait_for(what: impl Fn() -> bool) {
    while !what() {
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_table_that_goes_round_in_circles_is_explained_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let material: Material = "KRK".parse().unwrap();
    let indexer = Arc::new(Indexer::new(material));
    // Every position is as far from the end as every other.
    let cells = [20, 200].map(|cell| vec![cell; indexer.size()]);
    let shelf = folder.path().join("tablebases");
    fs::create_dir(&shelf).unwrap();
    endgame::write(&Table::new(material, Metric::Dtc, indexer, cells), &shelf).unwrap();
    let told = run(folder.path(), &["explain", "8/8/8/3k4/8/8/8/K6R w - - 0 1"]);
    assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
    assert!(text(&told.stdout).contains("White to move: win"), "{}", text(&told.stdout));
}

#[test]
fn whatever_ends_a_match_ends_its_engines() {
    // A signal that whoever started the tests has them ignore, as `nohup` does, the program ignores too.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let ignored = u64::from_str_radix(ignored, 16).unwrap();
    for (signal, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        if ignored >> (number - 1) & 1 == 1 {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let engine = format!("engine:{}", env!("CARGO_BIN_EXE_errare"));
        let mut playing: Child = errare()
            .current_dir(&folder)
            .args(["match", &engine, "search", "--games", "1", "--tc", "600+0", "--concurrency", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(|| !children(playing.id()).is_empty());
        let engines = children(playing.id());
        let kill = Command::new("kill").args([&format!("-{signal}"), &playing.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(playing.wait().unwrap().code(), Some(1), "{signal}");
        wait_for(|| engines.iter().all(|&engine| parent(engine).is_none()));
    }
}

#[test]
fn a_name_from_outside_cannot_write_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = "[White \"Ada\u{1b}[2J\"]\n[Black \"Bob\"]\n[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]\n\n1. Ra8# 1-0\n\n1. Zz9 *\n";
    fs::write(folder.path().join("games.pgn"), pgn).unwrap();
    let settings = format!("[tables]\npath = '{}'\n", folder.path().display());
    fs::write(folder.path().join("engine.toml"), settings).unwrap();
    for form in [&[][..], &["--csv"], &["--json"]] {
        let shown = run(folder.path(), &[&["analyse", "games.pgn"], form].concat());
        assert!(!shown.stdout.contains(&0x1b) && !shown.stderr.contains(&0x1b), "{form:?}");
        assert!(text(&shown.stdout).contains("Ada\\u001b[2J"), "{form:?}: {}", text(&shown.stdout));
    }
}

#[test]
fn where_memory_is_short_the_hash_is_smaller_and_the_engine_plays() {
    let engine = format!("ulimit -v 1000000; exec {}", env!("CARGO_BIN_EXE_errare"));
    let mut engine = Command::new("sh")
        .args(["-c", &engine])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines();
    input.write_all(b"setoption name Hash value 65536\nisready\ngo nodes 100\n").unwrap();
    let mut said = Vec::new();
    while !said.last().is_some_and(|line: &String| line.starts_with("bestmove")) {
        said.push(output.next().unwrap().unwrap());
    }
    assert!(
        said.iter().any(|line| line.starts_with("info string there is no memory for a Hash of")),
        "{said:#?}"
    );
    drop(input);
    assert!(engine.wait().unwrap().success());
}
