//! Players by one notation: `player:c=20`, `infallible`, `engine:path/to/program,option.Hash=64`.

use std::{fmt, str::FromStr};

use crate::{
    agents::{AgentKind, AgentSpec, FIELDS, field},
    engine::SeatSettings,
    evaluation::Evaluation,
    external::EngineCommand,
    search::SearchSettings,
};

use super::{
    player_fields::{PlayerFields, Printer, flag, seconds, unsigned, within},
    player_notation::{NotationError, PlayerWords, quote},
    time_control::TimeControl,
};

/// A player of a match, as the user asked for it.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// One of our agents.
    Agent(AgentPlayer),
    /// Another program.
    Engine(EnginePlayer),
}

/// One of our agents: what was said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentPlayer {
    kind: &'static AgentKind,
    /// Settings and their values, as they were written.
    said: Vec<(String, String)>,
    budget: Option<TimeControl>,
    /// Its hash table, in MiB.
    hash: Option<usize>,
    /// Threads it searches with.
    threads: Option<usize>,
    /// Its evaluation.
    evaluation: Option<Evaluation>,
}

/// Another program, and what it may spend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnginePlayer {
    /// The name to show instead of the program's.
    pub name: Option<String>,
    /// How it is started.
    pub command: EngineCommand,
    /// Whether it thinks in the opponent's time.
    pub ponder: bool,
    budget: Option<TimeControl>,
}

/// What every agent may be told besides its own settings.
const COMMON: [&str; 2] = ["metric", "draw_depth"];

impl FromStr for PlayerSpec {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<PlayerSpec, NotationError> {
        let words = PlayerWords::split(text)?;
        if words.kind == "engine" {
            return engine(&words).map(PlayerSpec::Engine);
        }
        let Ok(kind) = AgentKind::find(words.kind) else {
            let kinds = AgentKind::names().join(", ");
            return Err(words.error(words.kind, format!("no such player: use {kinds} or engine")));
        };
        agent(&words, kind).map(PlayerSpec::Agent)
    }
}

fn agent(words: &PlayerWords<'_>, kind: &'static AgentKind) -> Result<AgentPlayer, NotationError> {
    let mut fields = PlayerFields::new(words, 0)?;
    let mut trial = AgentSpec::default();
    let mut said = Vec::new();
    for field in FIELDS.iter().filter(|field| kind.fields.contains(&field.key) || COMMON.contains(&field.key))
    {
        for key in field.short.into_iter().chain([field.key]) {
            let read = |text: &str| field.setting.set(&mut trial.clone(), text).map(|()| text.to_owned());
            if let Some(value) = fields.take(key, read)? {
                said.push((key.to_owned(), value));
            }
        }
    }
    // In the order in which they were written.
    let place = |key: &str| {
        words.rest.iter().position(|word| word.pair().is_some_and(|(name, _)| name.trim() == key))
    };
    said.sort_by_key(|(key, _)| place(key));
    for (key, value) in &said {
        trial.set(key, value).map_err(|what| words.error(words.text(), what))?;
    }
    let player = AgentPlayer {
        kind,
        said,
        budget: budget(&mut fields)?,
        hash: fields.take("hash", |text| within(text, SearchSettings::HASH))?,
        threads: fields.take("threads", |text| within(text, SearchSettings::THREADS))?,
        evaluation: fields.take("weights", Evaluation::read)?,
    };
    fields.finish()?;
    Ok(player)
}

fn budget(fields: &mut PlayerFields<'_>) -> Result<Option<TimeControl>, NotationError> {
    let clock = fields.take("tc", |text| text.parse::<TimeControl>().map_err(|error| error.to_string()))?;
    let time = fields.take("movetime", seconds)?.map(TimeControl::MoveTime);
    let nodes = fields.take("nodes", unsigned)?.map(TimeControl::Nodes);
    let depth = fields.take("depth", unsigned)?.map(TimeControl::Depth);
    let mut given = [clock, time, nodes, depth].into_iter().flatten();
    match (given.next(), given.next()) {
        (budget, None) => Ok(budget),
        _ => Err(fields.whole("give only one of tc, movetime, nodes and depth")),
    }
}

fn engine(words: &PlayerWords<'_>) -> Result<EnginePlayer, NotationError> {
    let Some(path) = words.rest.first().filter(|word| !word.value.is_empty()) else {
        return Err(words.error(words.kind, "an engine needs its program, as in engine:path/to/program"));
    };
    let mut fields = PlayerFields::new(words, 1)?;
    let mut command = EngineCommand {
        program: path.value.as_str().into(),
        arguments: fields.take_all("arg"),
        ..EngineCommand::default()
    };
    command.directory = fields.take("dir", |text| Ok(text.into()))?;
    command.options = fields.take_prefixed("option.");
    let spec = EnginePlayer {
        name: fields.take("name", |text| Ok(text.to_owned()))?,
        command,
        ponder: fields.take("ponder", flag)?.unwrap_or(false),
        budget: budget(&mut fields)?,
    };
    fields.finish()?;
    Ok(spec)
}

/// The notation that gives the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Printer::new(f);
        match self {
            PlayerSpec::Agent(player) => {
                out.kind(&player.kind.name.to_ascii_lowercase())?;
                for (key, value) in &player.said {
                    out.text(key, value)?;
                }
                print_budget(&mut out, player.budget)?;
                out.value("hash", player.hash.as_ref())?;
                out.value("threads", player.threads.as_ref())?;
                player.evaluation.as_ref().map_or(Ok(()), |found| out.text("weights", found.name()))
            }
            PlayerSpec::Engine(player) => {
                out.kind("engine")?;
                out.word(&quote(&player.command.program.display().to_string()))?;
                for argument in &player.command.arguments {
                    out.text("arg", argument)?;
                }
                if let Some(directory) = &player.command.directory {
                    out.text("dir", &directory.display().to_string())?;
                }
                for (name, value) in &player.command.options {
                    out.text(&format!("option.{name}"), value)?;
                }
                if let Some(name) = &player.name {
                    out.text("name", name)?;
                }
                out.value("ponder", player.ponder.then_some("true"))?;
                print_budget(&mut out, player.budget)
            }
        }
    }
}

fn print_budget(out: &mut Printer<'_, '_>, budget: Option<TimeControl>) -> fmt::Result {
    match budget {
        Some(clock @ TimeControl::Clock { .. }) => out.value("tc", Some(&clock)),
        Some(fixed) => out.word(&fixed.to_string()),
        None => Ok(()),
    }
}

impl PlayerSpec {
    /// What limits this player alone, if not the match's time control.
    pub fn budget(&self) -> Option<TimeControl> {
        match self {
            PlayerSpec::Agent(player) => player.budget,
            PlayerSpec::Engine(player) => player.budget,
        }
    }

    /// What to call this player: an engine by its program, others by their notation.
    pub fn name(&self) -> String {
        match self {
            PlayerSpec::Engine(EnginePlayer { name: Some(name), .. }) => name.clone(),
            PlayerSpec::Engine(EnginePlayer { command, .. }) => command
                .program
                .file_stem()
                .map_or_else(|| self.to_string(), |stem| stem.to_string_lossy().into_owned()),
            PlayerSpec::Agent(_) => self.to_string(),
        }
    }

    /// All that is set of one of our agents, `base` holding where its notation says nothing; nothing for an engine.
    pub fn agent(&self, base: &AgentSpec) -> Option<AgentSpec> {
        let PlayerSpec::Agent(player) = self else { return None };
        let mut spec = AgentSpec { kind: player.kind, ..base.clone() };
        for (key, value) in &player.said {
            // It was read before.
            let read = field(key).map_or(Ok(()), |field| field.setting.set(&mut spec, value));
            debug_assert_eq!(read, Ok(()), "{key}");
            // Who names an Elo wants it played; only chess programs send one that is not meant.
            spec.limit_strength |= key == "elo";
        }
        Some(spec)
    }

    /// The same with all that its seat needs to know.
    pub fn settings(&self, base: &SeatSettings) -> Option<SeatSettings> {
        let PlayerSpec::Agent(player) = self else { return None };
        let mut settings = SeatSettings { agent: self.agent(&base.agent)?, ..base.clone() };
        settings.search.hash_mb = player.hash.unwrap_or(settings.search.hash_mb).max(1);
        settings.search.threads = player.threads.unwrap_or(settings.search.threads).max(1);
        if let Some(evaluation) = &player.evaluation {
            settings.search.evaluation = evaluation.clone();
        }
        Some(settings)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn players_are_read_and_given_back() {
        for text in [
            "player:c=20",
            "player:c=-0.5,metric=dtm,kappa=0,keep_value=false,horizon=3,n1=40,n2=5",
            "player:c=inf",
            "emulator:c=15,horizon=3",
            "emulator:c=15,variety=true",
            "predator",
            "predator:plies=4,speculate=true,margin=0.25,grid=0(10)50",
            "player",
            "player:c=5,game_c=0.5,nodes=2000,hash=4",
            "infallible",
            "infallible:rule=longest-dtm",
            "search:nodes=20000",
            "search:tc=5+0.05,hash=64,threads=2",
            "engine:path/to/program,option.Hash=64",
            "engine:C:\\My Engines\\good one.exe,arg=--uci,option.Move Overhead=10,depth=4",
            "engine:toga2,name=Toga,ponder=true,tc=1+0.1",
            "engine:\"odd,name\",arg=\"a,b\",name=Odd",
        ] {
            let spec: PlayerSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.to_string(), text);
        }
    }

    #[test]
    fn the_word_that_is_wrong_is_pointed_at() {
        for (text, word) in [
            ("player:c=2x", "c=2x"),
            ("player:c=20,c=21", "c=21"),
            ("playr:c=20", "playr"),
            ("player:c=20,k=1", "k=1"),
            ("player:c=nan", "c=nan"),
            ("search:weights=nowhere.toml", "weights=nowhere.toml"),
            ("player:c=20,kappa=-1", "kappa=-1"),
            ("predator:speculate=perhaps", "speculate=perhaps"),
            ("predator:plies", "plies"),
            ("infallible:rule=best", "rule=best"),
            ("engine:", "engine"),
            ("engine:x,hash=3", "hash=3"),
            ("engine:x,ponder=often", "ponder=often"),
            ("search:ponder=true", "ponder=true"),
            ("search:nodes=20,depth=3", "search:nodes=20,depth=3"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err();
            assert_eq!(error.word, word, "{error}");
        }
    }

    #[test]
    fn a_windows_path_keeps_its_colon() {
        let Ok(PlayerSpec::Engine(spec)) = "engine:C:\\x.exe".parse() else { panic!("no engine") };
        assert_eq!(spec.command.program.to_str(), Some("C:\\x.exe"));
    }

    proptest! {
        #[test]
        fn no_text_brings_the_parser_down(text in "(player|engine|search|predator)?:?[a-z0-9=,.\":\\\\ é-]{0,40}") {
            if let Ok(spec) = text.parse::<PlayerSpec>() {
                prop_assert_eq!(spec.to_string().parse::<PlayerSpec>(), Ok(spec));
            }
        }
    }
}
