//! The rooms of the house, and which way they point: as `docs/architecture.md` says, and never in a circle.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The rooms that each room names in its code, tests aside.
fn arrows() -> Arrows {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = Arrows::new();
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_string_lossy().into_owned();
        if room != "lib" && room != "main" {
            let names = arrows.entry(room.clone()).or_default();
            visit(&path, names);
            names.remove(&room);
        }
    }
    arrows
}

fn visit(path: &Path, names: &mut BTreeSet<String>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| visit(&entry.unwrap().path(), names));
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let text = fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        for after in text.split("crate::").skip(1) {
            names.extend(rooms(after));
        }
    }
}

/// What stands at the top of `{a, b::{c, d}}`, or the first name of `a::b`.
fn rooms(text: &str) -> Vec<String> {
    let name = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        text[..end].to_owned()
    };
    let Some(list) = text.strip_prefix('{') else { return vec![name(text)] };
    let (mut depth, mut names, mut begins) = (0, Vec::new(), true);
    for (place, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            letter if begins && depth == 0 && !letter.is_whitespace() => {
                names.push(name(&list[place..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn no_room_points_back_to_itself() {
    let arrows = arrows();
    for room in arrows.keys() {
        let mut reached = BTreeSet::new();
        let mut open = vec![room];
        while let Some(next) = open.pop() {
            for other in arrows.get(next).into_iter().flatten() {
                assert_ne!(other, room, "{room} points to itself by way of {next}");
                if reached.insert(other) {
                    open.push(other);
                }
            }
        }
    }
}

#[test]
fn the_page_on_architecture_has_every_arrow() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/architecture.md")).unwrap();
    let mut written = Arrows::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        written.insert(names(cells[1])[0].clone(), names(cells[3]).into_iter().collect());
    }
    assert_eq!(
        written,
        arrows(),
        "the table of rooms in docs/architecture.md is not true (left: page, right: code)"
    );
}

#[test]
fn agents_know_neither_tables_nor_chains_and_only_the_command_line_knows_its_arguments() {
    let arrows = arrows();
    for foreign in ["endgame", "markov"] {
        assert!(!arrows["agents"].contains(foreign), "agents know {foreign}");
    }
    assert!(!arrows["endgame"].contains("config"), "tables know the settings file");
    for room in ["model", "game", "directories"] {
        assert!(arrows[room].is_empty(), "{room} knows {:?}", arrows[room]);
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut with_clap = Vec::new();
    files_with("clap::", &source, &mut with_clap);
    assert!(with_clap.iter().all(|path| path.starts_with("cli/")), "{with_clap:?}");
}

fn files_with(text: &str, folder: &Path, found: &mut Vec<String>) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with(text, &path, found);
        } else if fs::read_to_string(&path).is_ok_and(|code| code.contains(text)) {
            found.push(path.strip_prefix(&source).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
}
