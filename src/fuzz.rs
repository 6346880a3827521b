//! One function for each reader of what comes from outside. Whatever the bytes, none may panic or go on for ever, and what
//! is read must be written and read back as the same.
//!
//! `tests/fuzz.rs` runs them over the corpus in `tests/corpus` and over mutations of it; `fuzz/` has them as targets of
//! cargo-fuzz.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use shakmaty::{Chess, Position};

use crate::{
    config::Config,
    endgame::{Material, Syzygy, open, resign_table},
    model::Metric,
    notation::{self, GameScore, Games, game_text, movetext, read_playable, read_position},
    profiles::Profile,
    tuning::AssessedPositions,
    uci,
};

/// A name, which is also that of its corpus, and a body.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: &[Target] = &[
    ("uci", uci),
    ("fen", fen),
    ("pgn", pgn),
    ("epd", epd),
    ("toml", toml),
    ("profile", profile),
    ("table", table),
    ("syzygy", syzygy),
    #[cfg(feature = "web")]
    ("http", http),
];

/// Lines of the protocol.
pub fn uci(bytes: &[u8]) {
    uci::hear(bytes);
}

/// A position; in one that can be played, its moves and what tables make of it.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for read in [read_position, read_playable] {
        let Ok(position) = read(&text) else { continue };
        let written = notation::fen(&position);
        assert_eq!(read(&written).map(|again| notation::fen(&again)).ok(), Some(written));
        let _ = (position.legal_moves(), Material::of(position.board()));
    }
}

/// Games; those that can be read are written, and read again.
pub fn pgn(bytes: &[u8]) {
    for score in Games::new(bytes).flatten() {
        let moves = |score: &GameScore| score.plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
        let written = score.plies.iter().map(|ply| (ply.m, ply.remarks.clone()));
        let text = game_text([], &movetext(&score.start, "", written.map(|(m, _)| (m, String::new())), "*"));
        if score.start == Chess::default() && !score.plies.is_empty() {
            let again = Games::new(text.as_bytes()).next().and_then(Result::ok);
            assert_eq!(again.map(|again| moves(&again)), Some(moves(&score)), "{text}");
        }
    }
}

/// Positions with assessments.
pub fn epd(bytes: &[u8]) {
    let _ = AssessedPositions::default().read_lines(&String::from_utf8_lossy(bytes));
}

/// Settings.
pub fn toml(bytes: &[u8]) {
    let _ = Config::parse(Path::new("engine.toml"), &String::from_utf8_lossy(bytes));
}

/// A profile, as it is and with a checksum that fits.
pub fn profile(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for text in [text.clone().into_owned(), Profile::resign(&text)] {
        if let Ok(profile) = Profile::parse(&text)
            && let Ok(written) = profile.text()
        {
            let again = Profile::parse(&written).ok();
            assert_eq!(again.map(|again| again.observations().len()), Some(profile.observations().len()));
        }
    }
}

/// The file of a table, as it is and with checksums that fit.
pub fn table(bytes: &[u8]) {
    let material = "KRK".parse::<Material>();
    for bytes in [bytes.to_vec(), resign_table(bytes)] {
        let opened = with_file("KRK.dtc", &bytes, |folder| {
            let Ok(material) = material else { return };
            if let Ok(Some(table)) = open(folder, material, Metric::Dtc) {
                let _ = (table.check(), table.load());
            }
        });
        // A folder that can't be written to says nothing of the reader.
        let _ = opened;
    }
}

/// A Syzygy file, trusted and checked.
pub fn syzygy(bytes: &[u8]) {
    let positions =
        ["7k/8/8/8/8/8/8/KQ6 w - - 0 1", "7k/8/8/8/8/1Q6/8/K7 b - - 0 1", "k7/8/1K6/8/8/8/8/7q w - - 0 1"];
    let _ = with_file("KQvK.rtbw", bytes, |folder| {
        for check in [false, true] {
            let Ok((Some(tables), _)) = Syzygy::open(&folder.to_string_lossy(), check) else { continue };
            for position in positions.iter().filter_map(|fen| read_position(fen).ok()) {
                let _ = (tables.value(&position), tables.value_by_rule(&position));
            }
        }
    });
}

/// Requests to the server, read and answered.
#[cfg(feature = "web")]
pub fn http(bytes: &[u8]) {
    crate::web::hear(bytes);
}

/// A folder that is there for as long as this is.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("errare-fuzz-{}-{:?}", std::process::id(), std::thread::current().id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Has a file of these bytes looked at, in a folder of this process and thread.
fn with_file(name: &str, bytes: &[u8], look: impl FnOnce(&Path)) -> io::Result<()> {
    thread_local! {
        static FOLDER: Folder = Folder::new();
    }
    FOLDER.with(|Folder(folder)| {
        let file = folder.join(name);
        if fs::write(&file, bytes).is_err() {
            fs::create_dir_all(folder)?;
            fs::write(&file, bytes)?;
        }
        look(folder);
        // What the reader has set aside or made is not there for the next.
        fs::remove_file(file).or_else(|_| fs::remove_dir_all(folder))
    })
}
