//! `errare calibrate`: the model of people fitted to rated games, and how well it fits others.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use parking_lot::Mutex;
use rayon::prelude::*;
use shakmaty::ByColor;

use super::{
    Context, Failure, calibrate_chances, calibrate_inference as inference,
    calibrate_looks::{Bench, Looks},
    calibrate_report::{self as report, Verdicts},
    game_files::read_games,
    oracle_flags::{OracleFlags, engine_command},
    progress::Progress,
};
use crate::{
    agents::{Observation, Watcher},
    calibration::{
        EndgameDecision, EndgameSide, Part, PlayerSample, PlayerSettings, PriceFile, PriceHeader,
        PriorSettings, RatedDecision, RatedGame, RatedMove, RatedObservation, Sample, SampleSettings, fit,
        fit_paper, fit_technique, learn_prior, read_prices,
    },
    console, directories,
    human::{Calibration, HumanModel, HumanParameters, Made, Network},
    model::Metric,
    oracle::{Budget, Oracle, TableOracle},
};

/// Fit the model of how people choose to rated games, or test it on others
///
/// Steps, each of which may be had alone: --learn-prior learns from all games which moves people come upon; --chances, what becomes of positions between them; --prices
/// has every move of a draw of decisions priced, and keeps that; --out fits the model to prices, and says how well it fits
/// players that it has not seen: of ten, by name, eight are for learning, one for fitting, one for judging. --test says how well a model fits other games.
#[derive(Args)]
#[command(after_help = "\
Games are PGN with WhiteElo and BlackElo, or a line each: WhiteElo BlackElo Result Year|White|Black|moves in SAN.

Examples:
  errare calibrate --test club.pgn --json
  errare calibrate --test club.pgn --judge stockfish
  errare calibrate games.pgn --prices players.jsonl --after-games 1,5,20
  errare calibrate games.pgn --learn-prior prior.bin --epochs 3
  errare calibrate games.pgn --chances chances.toml --depth 6
  errare calibrate games.pgn --prices prices.jsonl --depth 8
  errare calibrate --prices prices.jsonl --prior prior.bin --endgames kqkr.pgn kbnk.pgn --out human.toml --svg charts")]
pub(super) struct Arguments {
    /// Games with the players' Elo
    #[arg(value_name = "GAMES")]
    pub(super) games: Vec<PathBuf>,
    /// Where the model goes. Without prices only what is learned from --endgames is new
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where priced decisions are kept: a run that was stopped goes on from there
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Learn which moves people come upon from all moves of the games, and write it here
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prices", "test", "out"], requires = "games")]
    learn_prior: Option<PathBuf>,
    /// Learn what becomes of positions, by value, men and Elo, and write it here
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prices", "test", "out", "learn_prior"], requires = "games")]
    chances: Option<PathBuf>,
    /// How often the games are gone through for the prior
    #[arg(long, default_value_t = 3.0)]
    epochs: f64,
    /// Which moves people come upon, instead of what is built in
    #[arg(long, value_name = "FILE")]
    prior: Option<PathBuf>,
    /// Games with endgames of up to four men, for how people play what tables know
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    endgames: Vec<PathBuf>,
    /// How well does a model fit these games?
    #[arg(long, value_name = "GAMES", num_args = 1.., conflicts_with_all = ["games", "out"])]
    test: Vec<PathBuf>,
    /// A model made with --out, instead of the one that is built in, for --test and --after-games
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    model: Option<PathBuf>,
    /// How well is the Elo of players inferred after so many of their games? All their moves are priced into --prices
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', requires_all = ["prices", "games"], conflicts_with_all = ["test", "out", "json"], value_parser = clap::value_parser!(u32).range(1..=1000))]
    after_games: Vec<u32>,
    /// Decisions from each band of 100 Elo; with --after-games players from each band of 200, at the most
    #[arg(long)]
    per_band: Option<usize>,
    /// Decisions from each side of a game; 1 for a fit, 8 for a test
    #[arg(long)]
    per_game: Option<usize>,
    /// Of all draws
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Positions that are priced at a time (default: as many as there are processors)
    #[arg(long)]
    pub(super) threads: Option<usize>,
    #[command(flatten)]
    pub(super) oracle: OracleFlags,
    /// Have this UCI engine say how the model's moves look beside those of people: what they give up, how many are blunders
    #[arg(long, value_name = "ENGINE")]
    judge: Option<String>,
    /// How deep the judge looks
    #[arg(long, value_name = "PLIES", default_value_t = 12, requires = "judge", value_parser = clap::value_parser!(u32).range(2..=60))]
    judge_depth: u32,
    /// Write charts into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where openings end: what is known by heart says little about a player.
pub(super) const FIRST_PLY: usize = 16;
/// How deep moves are priced if nobody says otherwise.
const USUAL_DEPTH: u32 = 8;
/// Decisions from each band of 100 Elo, and players from each band of 200, if nobody says otherwise.
const PER_BAND: usize = 1500;
const PLAYERS_PER_BAND: usize = 30;
/// From each side of a game, where a model is tested.
const PER_GAME: usize = 8;

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    if let Some(path) = &arguments.learn_prior {
        return learn(arguments, path, context);
    }
    if let Some(path) = &arguments.chances {
        return calibrate_chances::run(arguments, path, context);
    }
    if !arguments.test.is_empty() {
        return test(arguments, context);
    }
    let Some(prices) = &arguments.prices else {
        return match &arguments.out {
            Some(out) if !arguments.endgames.is_empty() => fit_endgames_alone(arguments, out, context),
            Some(_) => {
                Err(Failure::usage("a model is fitted to --prices, to --endgames or to both: name them"))
            }
            None => Err(Failure::usage(
                "say what to do: --learn-prior, --chances, --prices, --out or --test; see --help",
            )),
        };
    };
    if !arguments.after_games.is_empty() {
        return infer(arguments, prices, context);
    }
    if !arguments.games.is_empty() {
        let moves = draw(arguments, &arguments.games, 1, true, context)?;
        price_into(arguments, prices, &moves, context)?;
    }
    match &arguments.out {
        Some(out) => fit_people(arguments, prices, out, context),
        None => Ok(()),
    }
}

fn learn(arguments: &Arguments, path: &Path, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut games = Vec::new();
    read_games(&arguments.games, context, &mut |_, score| {
        games.extend(RatedGame::new(&score));
        Ok(())
    })?;
    let settings = PriorSettings { epochs: arguments.epochs, seed: arguments.seed };
    let begun = Instant::now();
    let network = learn_prior(&games, settings, &mut |so_far| {
        console::tell(format_args!(
            "{:>6.0} s, step {} of {}: learned from {:.4} ({:.1} % first), not learned from {:.4} ({:.1} %)",
            begun.elapsed().as_secs_f64(),
            so_far.step,
            so_far.steps,
            so_far.learning.mean(),
            100.0 * so_far.learning.hit_rate(),
            so_far.judging.mean(),
            100.0 * so_far.judging.hit_rate()
        ));
        !context.interrupt.raised()
    });
    let network = match network {
        Some(network) => network,
        None if context.interrupt.raised() => return Err(Failure::Interrupted),
        None => return Err(Failure::failed("there is no move of a rated player to learn from")),
    };
    write(path, &network.to_bytes())
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    directories::write_whole(path, bytes)
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))
}

/// Draws decisions from games.
fn draw(
    arguments: &Arguments,
    files: &[PathBuf],
    per_game: usize,
    unlearned: bool,
    context: &Context<'_>,
) -> Result<Vec<RatedMove>, Failure> {
    let mut sample = Sample::new(SampleSettings {
        per_band: arguments.per_band.unwrap_or(PER_BAND),
        per_game: arguments.per_game.unwrap_or(per_game),
        first_ply: FIRST_PLY,
        unlearned,
        seed: arguments.seed,
    });
    read_games(files, context, &mut |_, score| {
        sample.offer(&score);
        Ok(())
    })?;
    let moves = sample.into_moves();
    if moves.is_empty() {
        return Err(Failure::failed("there is no move of a rated player from move 9 on in these games"));
    }
    Ok(moves)
}

fn budget(arguments: &Arguments, context: &Context<'_>) -> Budget {
    let budget = arguments.oracle.budget(context);
    let depth = if arguments.oracle.is_limited() { budget.depth } else { Some(USUAL_DEPTH) };
    Budget { quick: true, depth, ..budget }
}

fn header(arguments: &Arguments, context: &Context<'_>) -> Result<PriceHeader, Failure> {
    let name = arguments.oracle.oracle_with(1, context)?.name();
    Ok(PriceHeader::new(name, budget(arguments, context).depth.unwrap_or(0)))
}

/// Has decisions priced, several at a time.
fn price(
    arguments: &Arguments,
    moves: &[RatedMove],
    is_wanted: &dyn Fn(&RatedMove) -> bool,
    context: &Context<'_>,
    keep: &(dyn Fn(&RatedMove, Observation) -> Result<(), Failure> + Sync),
) -> Result<(), Failure> {
    let budget = budget(arguments, context);
    let open: Vec<&RatedMove> = moves.iter().filter(|rated| is_wanted(rated)).collect();
    let threads = arguments.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let share = open.len().div_ceil(threads).max(1);
    let shares: Vec<_> = open
        .chunks(share)
        .map(|share| Ok((share, arguments.oracle.oracle_with(1, context)?)))
        .collect::<Result<_, Failure>>()?;
    let progress = Progress::new(moves.len() as u64, (moves.len() - open.len()) as u64, "decisions priced");
    let work = |(share, oracle): (&[&RatedMove], Box<dyn Oracle>)| -> Result<(), Failure> {
        for rated in share {
            oracle.forget();
            let look = oracle.look(&rated.game, &budget);
            if budget.control.is_stopped() {
                return Err(Failure::Interrupted);
            }
            if let Some(look) = look {
                keep(rated, Observation { ply: rated.game.moves().len(), look, m: rated.m })?;
            }
            progress.step("");
        }
        Ok(())
    };
    let done: Result<Vec<()>, Failure> = shares.into_par_iter().map(work).collect();
    progress.finish();
    done.map(|_| ())
}

/// Has those decisions priced that are not in a file yet, and keeps them there.
fn price_into(
    arguments: &Arguments,
    prices: &Path,
    moves: &[RatedMove],
    context: &Context<'_>,
) -> Result<(), Failure> {
    let header = header(arguments, context)?;
    let file = Mutex::new(PriceFile::open(prices, &header).map_err(Failure::failed)?);
    let is_new = |rated: &RatedMove| !file.lock().has(rated);
    price(arguments, moves, &is_new, context, &|rated, seen| {
        file.lock().add(rated, seen.look).map_err(Failure::failed)
    })
}

/// How well the Elo of real players is inferred from their games.
fn infer(arguments: &Arguments, prices: &Path, context: &mut Context<'_>) -> Result<(), Failure> {
    let mut after: Vec<usize> = arguments.after_games.iter().map(|&games| games as usize).collect();
    after.sort_unstable();
    after.dedup();
    let games = after.last().copied().unwrap_or(1);
    let mut sample = PlayerSample::new(PlayerSettings {
        games,
        per_band: arguments.per_band.unwrap_or(PLAYERS_PER_BAND),
        band: report::WIDE_BAND,
        first_ply: FIRST_PLY,
        seed: arguments.seed,
    });
    read_games(&arguments.games, context, &mut |_, score| {
        sample.offer(&score);
        Ok(())
    })?;
    let players = sample.into_players();
    if players.is_empty() {
        return Err(Failure::failed(format!(
            "no player of whom nothing was learned has {games} games at about one Elo; ask for fewer with --after-games"
        )));
    }
    let moves: Vec<RatedMove> =
        players.iter().flat_map(|player| player.games.iter().flatten().cloned()).collect();
    price_into(arguments, prices, &moves, context)?;
    let (_, priced) = read_prices(prices).map_err(Failure::failed)?;
    let model = HumanModel::new(network(arguments)?, calibration(arguments)?);
    inference::print_players(&players, priced, &after, &model, context.out)
}

/// The model to be tested: a file, or what is built in.
fn calibration(arguments: &Arguments) -> Result<Calibration, Failure> {
    let Some(path) = &arguments.model else { return Ok(HumanModel::built_in().calibration().clone()) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    Calibration::parse(&text).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

fn network(arguments: &Arguments) -> Result<Network, Failure> {
    let Some(path) = &arguments.prior else { return Ok(HumanModel::built_in().prior().clone()) };
    let wrong = |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    Network::from_bytes(&bytes).map_err(|error| wrong(&error))
}

fn fit_people(
    arguments: &Arguments,
    prices: &Path,
    out: &Path,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let prior = network(arguments)?;
    let (header, priced) = read_prices(prices).map_err(Failure::failed)?;
    let depths = header.depth as usize;
    let decisions: Vec<RatedDecision> =
        priced.par_iter().filter_map(|seen| RatedDecision::new(&prior, seen)).collect();
    // The network knows by heart what it has learned from: nothing is fitted or judged by that.
    let part = |part: Part| move |one: &RatedDecision| Part::of(&one.player) == part;
    let (judged, others): (Vec<_>, Vec<_>) = decisions.into_iter().partition(part(Part::Judging));
    let fitted: Vec<_> = others.into_iter().filter(part(Part::Fitting)).collect();
    // Where a mate was found early, the deeper looks are missing.
    let fitted: Vec<_> = fitted.into_iter().filter(|one| one.decision.losses.len() == depths).collect();
    if fitted.len() < MIN_DECISIONS || judged.is_empty() {
        return Err(Failure::failed(format!(
            "{} has {} decisions to fit to; price at least {MIN_DECISIONS}",
            prices.display(),
            fitted.len()
        )));
    }
    let found = fit(&fitted, depths, true);
    let by_price = fit(&fitted, depths, false);
    let paper = fit_paper(&fitted);
    context.check_interrupt()?;

    let built_in = HumanModel::built_in();
    let mut calibration = Calibration {
        made: Made {
            prices_by: header.by,
            depth: header.depth,
            moves: fitted.len() as u64,
            endgame_moves: built_in.calibration().made.endgame_moves,
            paper_competence: paper,
            prior: prior.checksum(),
        },
        people: HumanParameters { technique: built_in.parameters().technique, ..found.parameters },
        errors: found.errors,
        levels: built_in.levels().clone(),
    };
    let judged_endings = fit_endgames(arguments, &prior, &mut calibration, context)?;
    write_calibration(&calibration, out)?;

    let verdicts = Verdicts::new(&judged, &calibration, Some(&by_price.parameters));
    let judged: Vec<_> = priced.into_iter().filter(|one| Part::of(&one.player) == Part::Judging).collect();
    let model = HumanModel::new(prior, calibration.clone());
    tell(arguments, &verdicts, &judged, &model, context)?;
    if !arguments.json {
        if !judged_endings.is_empty() {
            report::print_endgames(&judged_endings, &calibration.people, context.out)?;
        }
        inference::print_pooled(&judged, &model, context.out)?;
    }
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder)?;
        for (name, chart) in verdicts.charts(&calibration) {
            write(&folder.join(name), chart.to_svg().as_bytes())?;
        }
    }
    Ok(())
}

/// Fewer decisions tell nothing.
const MIN_DECISIONS: usize = 200;

fn write_calibration(calibration: &Calibration, out: &Path) -> Result<(), Failure> {
    let text = toml::to_string(calibration).map_err(Failure::failed)?;
    write(out, text.as_bytes())
}

/// Learns anew how people play endgames that tables know; all else stays as it is built in.
fn fit_endgames_alone(arguments: &Arguments, out: &Path, context: &mut Context<'_>) -> Result<(), Failure> {
    let prior = network(arguments)?;
    let mut calibration = HumanModel::built_in().calibration().clone();
    let judged = fit_endgames(arguments, &prior, &mut calibration, context)?;
    write_calibration(&calibration, out)?;
    report::print_endgames(&judged, &calibration.people, context.out)
}

/// Has a calibration learn from the endgames how people play them; gives what is to judge it by.
fn fit_endgames(
    arguments: &Arguments,
    prior: &Network,
    calibration: &mut Calibration,
    context: &Context<'_>,
) -> Result<Vec<EndgameSide>, Failure> {
    let sides = endgame_sides(arguments, prior, context)?;
    if !arguments.endgames.is_empty() && sides.is_empty() {
        return Err(Failure::failed(
            "no move of the endgames can be judged: make their tables first, as in errare tables build KQKR KBNK",
        ));
    }
    let is_to_judge = |side: &EndgameSide| Part::of(side.player()) == Part::Judging;
    let (judged, fitted): (Vec<_>, Vec<_>) = sides.into_iter().partition(is_to_judge);
    if !fitted.is_empty() {
        calibration.people.technique = fit_technique(&fitted, &calibration.people);
        calibration.made.endgame_moves = fitted.iter().map(|side| side.0.len() as u64).sum();
    }
    Ok(judged)
}

/// The decisions of endgames that tables know, by sides of games.
fn endgame_sides(
    arguments: &Arguments,
    prior: &Network,
    context: &Context<'_>,
) -> Result<Vec<EndgameSide>, Failure> {
    let oracle = TableOracle::new(context.tables()?, Metric::Dtc);
    let mut sides = Vec::new();
    read_games(&arguments.endgames, context, &mut |_, score| {
        let game = score.game();
        let begin = game.moves().len().saturating_sub(MOST_ENDGAME);
        let mut decisions = ByColor::<Vec<EndgameDecision>>::default();
        for seen in Watcher::from_ply(&game, begin, &oracle, &Budget::default()) {
            let side = seen.side();
            if let Some(elo) = score.elo(side) {
                let player = score.tag(side.fold_wb("White", "Black")).to_owned();
                let rated = RatedObservation { player, elo, seen };
                decisions.get_mut(side).extend(EndgameDecision::new(prior, &rated));
            }
        }
        sides.extend(decisions.into_iter().filter(|side| !side.is_empty()).map(EndgameSide));
        Ok(())
    })?;
    Ok(sides)
}

/// Half-moves at the end of a game among which its last endgame lies.
const MOST_ENDGAME: usize = 200;

fn test(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let calibration = calibration(arguments)?;
    let prior = network(arguments)?;
    let moves = draw(arguments, &arguments.test, PER_GAME, false, context)?;
    let header = header(arguments, context)?;
    if header.by != calibration.made.prices_by || header.depth != calibration.made.depth {
        console::tell(format_args!(
            "errare: the model was made with prices by {}, depth {}; these are by {}, depth {}",
            calibration.made.prices_by, calibration.made.depth, header.by, header.depth
        ));
    }
    let priced = Mutex::new(Vec::new());
    price(arguments, &moves, &|_| true, context, &|rated, seen| {
        let RatedMove { player, elo, .. } = rated;
        priced.lock().push(RatedObservation { player: player.clone(), elo: *elo, seen });
        Ok(())
    })?;
    let priced = priced.into_inner();
    let decisions: Vec<_> = priced.par_iter().filter_map(|seen| RatedDecision::new(&prior, seen)).collect();
    let verdicts = Verdicts::new(&decisions, &calibration, None);
    let model = HumanModel::new(prior, calibration);
    tell(arguments, &verdicts, &priced, &model, context)?;
    if arguments.json { Ok(()) } else { inference::print_pooled(&priced, &model, context.out) }
}

/// Tells how well moves are foretold and, if there is a judge, how they look.
fn tell(
    arguments: &Arguments,
    verdicts: &Verdicts,
    judged: &[RatedObservation],
    model: &HumanModel,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let looks = match &arguments.judge {
        Some(engine) => {
            let bench = Bench {
                engine: engine_command(engine)?,
                depth: arguments.judge_depth,
                threads: arguments.threads.unwrap_or_else(rayon::current_num_threads),
            };
            Some(Looks::judged_by(&bench, judged, model, arguments.seed, context)?)
        }
        None => None,
    };
    if arguments.json {
        let mut object = verdicts.json();
        if let Some(looks) = looks {
            object["looks"] = looks.json();
        }
        writeln!(context.out, "{object}")?;
        return Ok(());
    }
    verdicts.print(context.out)?;
    looks.map_or(Ok(()), |looks| looks.print(context))
}
