//! All options. For an agent's option add a `Field` in `agents/fields.rs`: it appears here by itself. For any other add a row
//! in [`others`] and its value in `SeatSettings` or, if only the protocol needs it, in `OptionValues`; to have it in
//! `engine.toml`, also in `config.rs`.

use std::{ops::RangeInclusive, sync::LazyLock, time::Duration};

use crate::{
    agents::{FIELDS, Setting},
    config::UciConfig,
    endgame::TableConfig,
    evaluation::Evaluation,
    human::EloPrior,
    search::SearchSettings,
};

use super::{
    super::{logging, option_values::OptionValues},
    Effect, OptionKind, OptionRow,
};

/// All options, in the order in which chess programs show them.
pub fn table() -> &'static [OptionRow] {
    static TABLE: LazyLock<Vec<OptionRow>> = LazyLock::new(|| {
        let agent = FIELDS.iter().map(|field| OptionRow {
            name: field.option,
            help: field.help,
            kind: OptionKind::Agent(field),
        });
        agent.chain(others()).collect()
    });
    &TABLE
}

fn others() -> Vec<OptionRow> {
    vec![
        check(
            "Opponent Profiles",
            "What was learned of an opponent is kept by name between games.",
            |s| s.engine.profiles,
            |s, value| s.engine.profiles = value,
        ),
        text(
            "Profile Path",
            "The folder for profiles. Empty: the user's data directory.",
            |s| s.engine.profile_path.clone(),
            |s, value| {
                s.engine.profile_path = value.to_owned();
                Ok(())
            },
        ),
        text(
            "UCI_Opponent",
            "Who plays against the engine: title, rating, human or computer, name. The Predator begins with what that says of the \
             opponent's strength.",
            |s| s.opponent.clone(),
            |s, value| {
                s.meet(value);
                Ok(())
            },
        ),
        spin(
            "UCI_RatingAdv",
            "How much stronger than the opponent the engine is thought to be, in Elo. 0: nobody has said.",
            -4000..=4000,
            |s| match s.engine.opponent_prior {
                EloPrior::Advantage(elo) => elo.into(),
                _ => 0,
            },
            |s, value| {
                s.engine.opponent_prior = match value {
                    0 => EloPrior::Unknown,
                    elo => EloPrior::Advantage(elo as i32),
                }
            },
        ),
        spin(
            "Seed",
            "Makes everything that is left to chance repeatable. 0: another seed each time.",
            UciConfig::SEED,
            |s| s.engine.seed.into(),
            |s, value| s.engine.seed = value as u32,
        ),
        text(
            "TablebasePath",
            "The folder for generated endgame tables. Empty: `tablebases` here if it exists, else the user's cache.",
            |s| s.engine.tables.path.clone(),
            |s, value| {
                s.engine.tables.path = value.to_owned();
                Ok(())
            },
        ),
        spin(
            "Build Tables",
            "Missing tables of up to so many men are made in the background when they are needed. 0: none.",
            TableConfig::BUILD_MEN,
            |s| s.engine.tables.build_men as i64,
            |s, value| s.engine.tables.build_men = value as usize,
        ),
        text(
            "SyzygyPath",
            "Folders with Syzygy tables, separated by `:` (`;` on Windows).",
            |s| s.engine.tables.syzygy.clone(),
            |s, value| {
                s.engine.tables.syzygy = value.to_owned();
                Ok(())
            },
        ),
        spin(
            "SyzygyProbeLimit",
            "Syzygy tables of more men than this are not used.",
            TableConfig::SYZYGY_MEN,
            |s| s.engine.tables.syzygy_men as i64,
            |s, value| s.engine.tables.syzygy_men = value as usize,
        ),
        check(
            "SyzygyCheck",
            "Syzygy files are compared with the checksum that they carry, large ones in the background; damaged ones are not used.",
            |s| s.engine.tables.syzygy_check,
            |s, value| s.engine.tables.syzygy_check = value,
        ),
        check(
            "Syzygy50MoveRule",
            "Wins that take too long under the 50-move rule count as draws.",
            |s| s.engine.tables.fifty,
            |s, value| s.engine.tables.fifty = value,
        ),
        spin(
            "Hash",
            "Size of the transposition table, in MiB.",
            SearchSettings::HASH,
            |s| s.engine.search.hash_mb as i64,
            |s, value| s.engine.search.hash_mb = value as usize,
        ),
        OptionRow {
            name: "Clear Hash",
            help: "Forgets what was learned in searches.",
            kind: OptionKind::Button(Effect::ClearHash),
        },
        spin(
            "Threads",
            "Threads that search together.",
            SearchSettings::THREADS,
            |s| s.engine.search.threads as i64,
            |s, value| s.engine.search.threads = value as usize,
        ),
        text(
            "Evaluation Weights",
            "`hand-crafted` for the evaluation by terms instead of the network; or a file such as `errare tune` writes, of weights of those terms, or of a network (`.bin`). Empty: the built-in network.",
            |s| s.engine.search.evaluation.name().to_owned(),
            |s, value| {
                s.engine.search.evaluation = Evaluation::read(value)?;
                Ok(())
            },
        ),
        spin(
            "MultiPV",
            "How many best lines are shown. Above 1 the engine analyses: it shows the truth, whoever plays.",
            SearchSettings::MULTI_PV,
            |s| s.engine.search.multi_pv as i64,
            |s, value| s.engine.search.multi_pv = value as usize,
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
            SearchSettings::MOVE_OVERHEAD,
            |s| s.engine.search.move_overhead.as_millis() as i64,
            |s, value| s.engine.search.move_overhead = Duration::from_millis(value.unsigned_abs()),
        ),
        check(
            "UCI_AnalyseMode",
            "The truth is wanted, whoever plays.",
            |s| s.engine.analyse,
            |s, value| s.engine.analyse = value,
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
    ]
}

type Get<T> = fn(&OptionValues) -> T;
type Set<T> = fn(&mut OptionValues, T);

fn check(name: &'static str, help: &'static str, get: Get<bool>, set: Set<bool>) -> OptionRow {
    OptionRow { name, help, kind: OptionKind::Other(Setting::Flag { get, set }) }
}

fn spin(
    name: &'static str,
    help: &'static str,
    range: RangeInclusive<i64>,
    get: Get<i64>,
    set: Set<i64>,
) -> OptionRow {
    OptionRow { name, help, kind: OptionKind::Other(Setting::Count { range, get, set }) }
}

fn text(
    name: &'static str,
    help: &'static str,
    get: Get<String>,
    set: fn(&mut OptionValues, &str) -> Result<(), String>,
) -> OptionRow {
    OptionRow { name, help, kind: OptionKind::Other(Setting::Text { get, set }) }
}
