//! `errare tune assess`: positions assessed by a deeper search or another engine.

use std::{
    collections::HashSet,
    fs,
    io::{BufWriter, Write},
    path::PathBuf,
};

use clap::Args;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;
use rayon::{ThreadPoolBuilder, current_thread_index, prelude::*};
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd};

use super::{Context, Failure, game_files::read_games, oracle_flags::OracleFlags, progress::Progress};
use crate::{
    directories,
    evaluation::Evaluation,
    game::Game,
    model::Score,
    notation::{Ply, read_playable, split_epd},
    oracle::Limits,
    search::{SearchSettings, Searcher},
    tuning::FIRST_MOVE,
};

/// Have positions assessed by one who knows better: a deeper search of our own, or another engine.
///
/// Takes positions of games by chance, or the positions of an EPD file, and writes EPD: ce for the assessment in centipawns for the side to
/// move, c9 for the result of the game, c8 for a number by which the player to move is known. Run again, it goes on where it was.
/// Several look at the same time (--jobs); our own search forgets after each position, another engine keeps what it has learnt.
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
    /// Take positions of games from this move on
    #[arg(long, value_name = "MOVE", default_value_t = FIRST_MOVE, value_parser = clap::value_parser!(u32).range(1..))]
    from_move: u32,
    /// Leave each game by up to so many random moves, make the captures that both sides would make, and take the position after
    /// them: quiet ones of all kinds, as a search meets them
    #[arg(long, value_name = "MOVES")]
    stray: Option<u32>,
    /// At most so many in all
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// How many look at the same time (default: as many as there are processors; another engine that is asked for little
    /// waits most of the time, so that two or three to a processor are faster)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Of all that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    oracle: OracleFlags,
}

/// A mate is worth this, in centipawns.
const MATE: i32 = 32_000;
/// So many positions for each who looks, then what was found is written.
const PART: usize = 256;

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
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = arguments.jobs.map_or(processors, usize::from);
    let oracles: Vec<_> =
        (0..jobs).map(|_| arguments.oracle.oracle_with(1, context)).collect::<Result<_, _>>()?;
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build().map_err(Failure::failed)?;
    let budget = arguments.oracle.budget(context);
    let limits = Limits { depth: budget.depth, nodes: budget.nodes, ..Limits::default() };
    let mut out = BufWriter::new(directories::open_to_append(&arguments.out).map_err(unwritten)?);
    let (mut assessed, mut repeated) = (0, 0);
    let control = context.control();
    for part in positions.chunks(jobs * PART) {
        let with_names = part.iter().map(|found| (found, epd_of(&found.position)));
        let new: Vec<_> = with_names.filter(|(_, epd)| done.insert(epd.clone())).collect();
        repeated += part.len() - new.len();
        let lines: Vec<Option<String>> = pool.install(|| {
            let one = |(found, epd): &(&Found, String)| {
                let oracle = oracles.get(current_thread_index()?)?;
                if !arguments.oracle.is_external() {
                    oracle.forget();
                }
                let game = Game::new(found.position.clone());
                let best = oracle.best(&game, &limits, &control, &mut |_| ())?;
                Some(found.line(epd, best.score))
            };
            new.par_iter().map(one).collect()
        });
        context.check_interrupt()?;
        for (line, (_, epd)) in lines.into_iter().zip(&new) {
            let line = line.ok_or_else(|| Failure::failed(format!("nobody could assess {epd}")))?;
            writeln!(out, "{line}").map_err(unwritten)?;
            assessed += 1;
        }
        out.flush().map_err(unwritten)?;
        progress.advance((assessed + repeated) as u64, "");
    }
    progress.finish();
    let name = oracles.first().map_or_else(String::new, |oracle| oracle.name());
    writeln!(context.out, "{assessed} positions assessed by {name}; {repeated} were there already")?;
    Ok(())
}

fn epd_of(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
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

impl Found {
    /// As it is written down.
    fn line(&self, epd: &str, score: Score) -> String {
        let centipawns = match score {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(moves) if moves > 0 => MATE,
            Score::Mate(_) => -MATE,
        };
        let result = self.result.as_ref().map_or(String::new(), |result| format!(" c9 \"{result}\";"));
        let player = self.player.map_or(String::new(), |player| format!(" c8 {player};"));
        format!("{epd} ce {centipawns};{result}{player}")
    }
}

/// A quiet position near another one: after up to so many random moves and the captures that follow; nothing if there the game is
/// over or a king in check.
fn astray(position: &Chess, most: u32, searcher: &mut Searcher, rng: &mut Pcg64) -> Option<Chess> {
    let mut position = position.clone();
    for _ in 0..rng.random_range(0..=most) {
        let m = *position.legal_moves().choose(rng)?;
        position.play_unchecked(m);
    }
    let captures = searcher.quiet_line(&Game::new(position.clone()));
    captures.into_iter().for_each(|m| position.play_unchecked(m));
    (!position.is_check() && !position.legal_moves().is_empty()).then_some(position)
}

fn positions(arguments: &Arguments, context: &Context<'_>) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let mut rng = Pcg64::seed_from_u64(arguments.seed);
    let mut searcher = Searcher::new(SearchSettings {
        hash_mb: 1,
        evaluation: Evaluation::hand_crafted(),
        ..SearchSettings::default()
    });
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
            let late = u32::from(position.fullmoves()) >= arguments.from_move;
            let is_taken = late && found.len() < most && !position.is_check() && rng.random_bool(chance);
            let taken = is_taken.then(|| match arguments.stray {
                Some(most) => astray(&position, most, &mut searcher, &mut rng),
                None => Some(position.clone()),
            });
            if let Some(position) = taken.flatten() {
                let result = (score.result != "*").then(|| score.result.clone());
                let player = score.player_number(position.turn());
                found.push(Found { position, result, player });
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
