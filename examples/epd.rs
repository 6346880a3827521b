//! Solves test positions: `cargo run --release --example epd -- FILE.epd [SECONDS]`. A line is solved if the
//! move found after so many seconds is one of `bm` and none of `am`.

#![allow(clippy::disallowed_macros, reason = "nobody is harmed if its output is closed")]

use std::{error::Error, time::Duration};

use errare::{
    game::Game,
    search::{Control, Limits, SearchSettings, Searcher},
};
use shakmaty::{CastlingMode, Chess, fen::Epd, san::San};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file of EPD lines")?;
    let seconds: f64 = arguments.next().map_or(Ok(1.0), |text| text.parse())?;
    let limits = Limits { movetime: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    let mut searcher = Searcher::new(SearchSettings::default());
    let (mut solved, mut total) = (0, 0);
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let position: Chess = fields[..4].join(" ").parse::<Epd>()?.into_position(CastlingMode::Standard)?;
        let operations = fields.get(4).copied().unwrap_or("");
        let (best, avoid) = (moves(operations, "bm ", &position), moves(operations, "am ", &position));
        searcher.new_game();
        let found = searcher.search(&Game::new(position.clone()), &limits, &Control::new(), &mut |_| {});
        let Some(m) = found.best else { continue };
        total += 1;
        if (best.is_empty() || best.contains(&m)) && !avoid.contains(&m) {
            solved += 1;
        } else {
            println!("{} ({}) instead of: {line}", San::from_move(&position, m), found.score);
        }
    }
    println!("{solved} of {total} solved");
    Ok(())
}

fn moves(operations: &str, code: &str, position: &Chess) -> Vec<shakmaty::Move> {
    operations
        .split(';')
        .filter_map(|operation| operation.trim().strip_prefix(code))
        .flat_map(str::split_whitespace)
        .filter_map(|san| {
            San::from_ascii(san.trim_end_matches(['!', '?']).as_bytes()).ok()?.to_move(position).ok()
        })
        .collect()
}
