//! All options. Adding one is adding a row.

use std::{ops::RangeInclusive, time::Duration};

use crate::{
    model::{Competence, Metric, Preference, Scale},
    partner::AgentName,
};

use super::{
    super::{logging, settings::Settings},
    Effect, Kind, Row,
};

/// All options, in the order in which chess programs show them.
pub const TABLE: &[Row] = &[
    combo(
        "Agent",
        "Who chooses the moves. Predator: what is hardest for this opponent. Player: by chance, at a competence. \
         Emulator: at a steadier one. Coach: at yours, with comments on your moves. Infallible: a best move. Search: \
         the same, without a thought for the opponent.",
        &AgentName::NAMES,
        |s| s.partner.agent.name(),
        |s, value| s.partner.agent = value.parse().unwrap_or_default(),
    ),
    text(
        "Competence",
        "Of Player and Emulator where tables are at hand: a number (0 random, 20 strong), `inf` or `-inf`.",
        |s| s.partner.competence.to_string(),
        |s, value| set(&mut s.partner.competence, Competence::parse(value, Scale::Table)),
    ),
    text(
        "Game Competence",
        "Of Player and Emulator elsewhere, where moves are priced by search: a number (0 random, the higher the stronger), `inf` or `-inf`.",
        |s| s.partner.game_competence.to_string(),
        |s, value| set(&mut s.partner.game_competence, Competence::parse(value, Scale::Evaluation)),
    ),
    spin(
        "Coach Offset",
        "How much better than the person Coach plays, in percent of the person's competence.",
        -100..=900,
        |s| s.partner.coach_offset.into(),
        |s, value| s.partner.coach_offset = value as i16,
    ),
    check(
        "Keep Value",
        "The agent never gives up a win or a draw that tables know of.",
        |s| s.partner.own.keeps_value,
        |s, value| s.partner.own.keeps_value = value,
    ),
    spin(
        "Horizon",
        "Wins and losses in so many moves are seen by Player, Emulator and Coach, however weak. 0: none.",
        0..=500,
        |s| s.partner.own.horizon.into(),
        |s, value| s.partner.own.horizon = value as u16,
    ),
    check(
        "Opponent Keeps Value",
        "The opponent is believed never to give up a win or a draw.",
        |s| s.partner.opponent.keeps_value,
        |s, value| s.partner.opponent.keeps_value = value,
    ),
    spin(
        "Opponent Horizon",
        "The opponent is believed to see wins and losses in so many moves. 0: none.",
        0..=500,
        |s| s.partner.opponent.horizon.into(),
        |s, value| s.partner.opponent.horizon = value as u16,
    ),
    check(
        "Speculate",
        "The Predator may give up depth, never value, to set the opponent a harder task.",
        |s| s.partner.speculate,
        |s, value| s.partner.speculate = value,
    ),
    text(
        "Speculation Margin",
        "What speculation must be expected to gain: so many moves of depth, or a fiftieth of that in points.",
        |s| s.partner.speculation_margin.to_string(),
        |s, value| {
            let margin = value.parse().ok().filter(|margin: &f64| margin.is_finite() && *margin >= 0.0);
            s.partner.speculation_margin = margin.ok_or("it must be a number from 0 up")?;
            Ok(())
        },
    ),
    spin(
        "Predator Plies",
        "How far the Predator looks ahead: 2, 4 or 6; odd numbers count as the even one below.",
        2..=6,
        |s| s.partner.predator_plies.into(),
        |s, value| s.partner.predator_plies = value as u32,
    ),
    combo(
        "Metric",
        "What depths count: moves to conversion (DTC), to mate (DTM), or to the next capture or pawn move (DTZ).",
        &["DTC", "DTM", "DTZ"],
        |s| match s.partner.tables.metric {
            Metric::Dtc => "DTC",
            Metric::Dtm => "DTM",
            Metric::Dtz => "DTZ",
        },
        |s, value| s.partner.tables.metric = value.parse().unwrap_or_default(),
    ),
    text(
        "Kappa",
        "Added to each depth before it is priced. 0 stands for the limit 0+.",
        |s| s.partner.preference.kappa().to_string(),
        |s, value| set(&mut s.partner.preference, Preference::table(number(value)?)),
    ),
    text(
        "Game Kappa",
        "Added to each loss of evaluation before it is priced, in pawns.",
        |s| s.partner.game_preference.kappa().to_string(),
        |s, value| set(&mut s.partner.game_preference, Preference::evaluation(number(value)?)),
    ),
    text(
        "Analyser Grid",
        "Competences that are considered for the opponent where tables are at hand: from (step) to.",
        |s| s.partner.grid.to_string(),
        |s, value| set(&mut s.partner.grid, value.parse()),
    ),
    text(
        "Game Grid",
        "Competences that are considered for the opponent elsewhere: from (step) to.",
        |s| s.partner.game_grid.to_string(),
        |s, value| set(&mut s.partner.game_grid, value.parse()),
    ),
    check(
        "Opponent Profiles",
        "What was learned of an opponent is kept by name between games.",
        |s| s.partner.profiles,
        |s, value| s.partner.profiles = value,
    ),
    text(
        "Profile Path",
        "The folder for profiles. Empty: the user's data directory.",
        |s| s.partner.profile_path.clone(),
        |s, value| {
            s.partner.profile_path = value.to_owned();
            Ok(())
        },
    ),
    text(
        "UCI_Opponent",
        "Who plays against the engine: title, rating, human or computer, name.",
        |s| s.opponent.clone(),
        |s, value| {
            s.meet(value);
            Ok(())
        },
    ),
    spin(
        "Seed",
        "Makes everything that is left to chance repeatable. 0: another seed each time.",
        // Several programs keep spins in 32 bits with a sign.
        0..=i32::MAX as i64,
        |s| s.partner.seed.into(),
        |s, value| s.partner.seed = value as u32,
    ),
    text(
        "TablebasePath",
        "The folder for generated endgame tables. Empty: `tablebases` here if it exists, else the user's cache.",
        |s| s.partner.tables.path.clone(),
        |s, value| {
            s.partner.tables.path = value.to_owned();
            Ok(())
        },
    ),
    spin(
        "Build Tables",
        "Missing tables of up to so many men are made in the background when they are needed. 0: none.",
        0..=5,
        |s| s.partner.tables.build_men as i64,
        |s, value| s.partner.tables.build_men = value as usize,
    ),
    text(
        "SyzygyPath",
        "Folders with Syzygy tables, separated by `:` (`;` on Windows).",
        |s| s.partner.tables.syzygy.clone(),
        |s, value| {
            s.partner.tables.syzygy = value.to_owned();
            Ok(())
        },
    ),
    spin(
        "SyzygyProbeLimit",
        "Syzygy tables of more men than this are not used.",
        0..=7,
        |s| s.partner.tables.syzygy_men as i64,
        |s, value| s.partner.tables.syzygy_men = value as usize,
    ),
    check(
        "Syzygy50MoveRule",
        "Wins that take too long under the 50-move rule count as draws.",
        |s| s.partner.tables.fifty,
        |s, value| s.partner.tables.fifty = value,
    ),
    spin(
        "Hash",
        "Size of the transposition table, in MiB.",
        1..=65_536,
        |s| s.partner.hash as i64,
        |s, value| s.partner.hash = value as usize,
    ),
    Row {
        name: "Clear Hash",
        help: "Forgets what was learned in searches.",
        kind: Kind::Button { effect: Effect::ClearHash },
    },
    spin(
        "Threads",
        "Threads that search together.",
        1..=256,
        |s| s.partner.threads as i64,
        |s, value| s.partner.threads = value as usize,
    ),
    spin(
        "MultiPV",
        "How many best lines are shown. Above 1 the engine analyses: it shows the truth, whoever plays.",
        1..=218,
        |s| s.partner.multi_pv as i64,
        |s, value| s.partner.multi_pv = value as usize,
    ),
    check(
        "Ponder",
        "Answers name the expected reply, so that the engine may think in the opponent's time.",
        |s| s.ponder,
        |s, value| s.ponder = value,
    ),
    spin(
        "Move Overhead",
        "What a move loses on its way to the clock, in milliseconds. Raise it if games are lost on time.",
        0..=10_000,
        |s| s.partner.move_overhead.as_millis() as i64,
        |s, value| s.partner.move_overhead = Duration::from_millis(value.unsigned_abs()),
    ),
    check(
        "UCI_AnalyseMode",
        "The truth is wanted, whoever plays.",
        |s| s.partner.analyse,
        |s, value| s.partner.analyse = value,
    ),
    check(
        "UCI_ShowWDL",
        "Chances to win, draw and lose are told with each score: a rough guide, not fitted to games.",
        |s| s.show_wdl,
        |s, value| s.show_wdl = value,
    ),
    check(
        "UCI_Chess960",
        "Castling is written as the king taking its rook. Both ways are always read.",
        |s| s.chess960,
        |s, value| s.chess960 = value,
    ),
    text(
        "UCI_EngineAbout",
        "What the engine says of itself. Setting it changes nothing.",
        |_| format!("Errare {}, {}", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE")),
        |_, _| Ok(()),
    ),
    text(
        "Log File",
        "Where to log to, the lines of the protocol included. Empty: standard error, as `RUST_LOG` says.",
        |s| s.log_file.clone(),
        |s, value| {
            logging::redirect(value).map_err(|error| error.to_string())?;
            s.log_file = value.to_owned();
            Ok(())
        },
    ),
];

type Get<T> = fn(&Settings) -> T;
type Set<T> = fn(&mut Settings, T);

const fn check(name: &'static str, help: &'static str, get: Get<bool>, set: Set<bool>) -> Row {
    Row { name, help, kind: Kind::Check { get, set } }
}

const fn spin(
    name: &'static str,
    help: &'static str,
    range: RangeInclusive<i64>,
    get: Get<i64>,
    set: Set<i64>,
) -> Row {
    Row { name, help, kind: Kind::Spin { range, get, set } }
}

const fn combo(
    name: &'static str,
    help: &'static str,
    values: &'static [&'static str],
    get: Get<&'static str>,
    set: Set<&'static str>,
) -> Row {
    Row { name, help, kind: Kind::Combo { values, get, set } }
}

const fn text(
    name: &'static str,
    help: &'static str,
    get: Get<String>,
    set: fn(&mut Settings, &str) -> Result<(), String>,
) -> Row {
    Row { name, help, kind: Kind::Text { get, set } }
}

/// Replaces a setting by what was read, or says why it can't be read.
fn set<T, E: ToString>(setting: &mut T, read: Result<T, E>) -> Result<(), String> {
    *setting = read.map_err(|error| error.to_string())?;
    Ok(())
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "it must be a number".to_owned())
}
