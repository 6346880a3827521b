//! `errare tune assess`: positions assessed by a deeper search or another engine.

use std::{
    collections::HashSet,
    fs,
    io::{BufWriter, Write},
    path::PathBuf,
};

use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd};

use super::{Context, Failure, game_files::read_games, oracle_flags::OracleFlags, progress::Progress};
use crate::{
    directories,
    game::Game,
    model::Score,
    notation::{Ply, read_playable, split_epd},
    oracle::Limits,
    tuning::FIRST_MOVE,
};

/// Have positions assessed by one who knows better: a deeper search of our own, or another engine.
///
/// Takes positions of games by chance, or the positions of an EPD file, and writes EPD: ce for the assessment in centipawns for the side to
/// move, c9 for the result of the game, c8 for a number by which the player to move is known. Run again, it goes on where it was.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  errare tune assess games.pgn --per-game 1 --engine stockfish --nodes 10000 --out assessed.epd\n  \
errare tune assess positions.epd --depth 10 --out assessed.epd"
)]
pub(super) struct Arguments {
    /// Games, or positions (files that end in .epd)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the assessed positions go; what is there already is not done again
    #[arg(long, value_name = "EPD")]
    out: PathBuf,
    /// Of each game take about so many positions, by chance, from move 9 on
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    per_game: f64,
    /// At most so many in all
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Of all that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    oracle: OracleFlags,
}

/// A mate is worth this, in centipawns.
const MATE: i32 = 32_000;

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    if !arguments.per_game.is_finite() || arguments.per_game <= 0.0 {
        return Err(Failure::usage("--per-game must be a number above 0"));
    }
    let unwritten = |error| Failure::failed(format!("cannot write {}: {error}", arguments.out.display()));
    // A line that was not finished when the program ended is not counted, and made anew.
    let before = directories::read_regular(&arguments.out).unwrap_or_default();
    let whole = before.rfind('\n').map_or(0, |end| end + 1);
    if whole < before.len() {
        directories::write_whole(&arguments.out, &before.as_bytes()[..whole]).map_err(unwritten)?;
    }
    let mut done: HashSet<String> = before[..whole].lines().map(first_fields).collect();
    let positions = positions(arguments, context)?;
    let progress = Progress::new(positions.len() as u64, 0, "positions");
    let oracle = arguments.oracle.oracle_with(1, context)?;
    let budget = arguments.oracle.budget(context);
    let limits = Limits { depth: budget.depth, nodes: budget.nodes, ..Limits::default() };
    let mut out = BufWriter::new(directories::open_to_append(&arguments.out).map_err(unwritten)?);
    let (mut assessed, mut repeated) = (0, 0);
    for Found { position, result, player } in positions {
        context.check_interrupt()?;
        let epd = Epd::from_position(&position, EnPassantMode::Legal).to_string();
        if done.insert(epd.clone()) {
            oracle.forget();
            let found = oracle.best(&Game::new(position), &limits, &context.control(), &mut |_| ());
            context.check_interrupt()?;
            let found = found.ok_or_else(|| Failure::failed(format!("nobody could assess {epd}")))?;
            let centipawns = match found.score {
                Score::Centipawns(centipawns) => centipawns,
                Score::Mate(moves) => {
                    if moves > 0 {
                        MATE
                    } else {
                        -MATE
                    }
                }
            };
            let result = result.map_or(String::new(), |result| format!(" c9 \"{result}\";"));
            let player = player.map_or(String::new(), |player| format!(" c8 {player};"));
            let line = format!("{epd} ce {centipawns};{result}{player}");
            writeln!(out, "{line}").and_then(|()| out.flush()).map_err(unwritten)?;
            assessed += 1;
        } else {
            repeated += 1;
        }
        progress.step("");
    }
    progress.finish();
    let name = oracle.name();
    writeln!(context.out, "{assessed} positions assessed by {name}; {repeated} were there already")?;
    Ok(())
}

/// The position alone.
fn first_fields(line: &str) -> String {
    line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// A position of a game.
struct Found {
    position: Chess,
    /// How the game ended.
    result: Option<String>,
    /// Who is to move.
    player: Option<u32>,
}

fn positions(arguments: &Arguments, context: &Context<'_>) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let mut rng = Pcg64::seed_from_u64(arguments.seed);
    let most = arguments.most.unwrap_or(usize::MAX);
    let (lines, games): (Vec<PathBuf>, Vec<PathBuf>) = arguments
        .files
        .iter()
        .cloned()
        .partition(|path| path.extension().is_some_and(|ending| ending == "epd"));
    for path in lines {
        let name = path.display();
        let text = fs::read_to_string(&path)
            .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let position = read_playable(&split_epd(line).0)
                .map_err(|error| Failure::failed(format!("{name}, line {}: {error}", index + 1)))?;
            let is_over = position.legal_moves().is_empty();
            found.extend((!is_over).then_some(Found { position, result: None, player: None }));
        }
    }
    read_games(&games, context, &mut |_, score| {
        let chance = (arguments.per_game / score.plies.len().max(1) as f64).min(1.0);
        let mut position = score.start.clone();
        for Ply { m, .. } in &score.plies {
            let late = u32::from(position.fullmoves()) >= FIRST_MOVE;
            if late && found.len() < most && !position.is_check() && rng.random_bool(chance) {
                let result = (score.result != "*").then(|| score.result.clone());
                let player = score.player_number(position.turn());
                found.push(Found { position: position.clone(), result, player });
            }
            position.play_unchecked(*m);
        }
        Ok(())
    })?;
    found.truncate(most);
    match found.is_empty() {
        true => Err(Failure::failed("no position found: name files of games or of EPD")),
        false => Ok(found),
    }
}
