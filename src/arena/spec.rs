//! Players by one notation: `player:c=20`, `infallible`, `engine:path/to/program,option.Hash=64`.

use std::{fmt, str::FromStr};

use crate::{
    agents::{Rule, UnknownRule},
    external::EngineCommand,
    model::{Grid, Metric, NoGrid},
};

use super::{
    notation::{NotationError, Words, quote},
    spec_fields::{Fields, Printer, competence, flag, kappa, positive, seconds, unsigned},
    time_control::TimeControl,
};

/// A player of a match, as the user asked for it. What was not said is none.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// R_c: chooses by the preference function.
    Player {
        /// Its competence.
        c: f64,
        /// How it sees positions.
        view: View,
    },
    /// E_c: its play looks as if it were R_c's, as closely as can be.
    Emulator {
        /// The competence it shows.
        c: f64,
        /// How it sees positions.
        view: View,
        /// Whether it breaks ties by variety instead of by chance.
        variety: Option<bool>,
    },
    /// Plays what is hardest for the opponent it has watched.
    Predator(PredatorSpec),
    /// R_∞: always a best move.
    Infallible {
        /// How it chooses among best moves.
        rule: Option<Rule>,
        /// What its depths count.
        metric: Option<Metric>,
    },
    /// Errare's own search.
    Search(SearchSpec),
    /// Another program.
    Engine(EngineSpec),
}

/// How a fallible player sees positions: prices and weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// What depths count.
    pub metric: Option<Metric>,
    /// κ; 0 stands for 0+.
    pub kappa: Option<f64>,
    /// Whether moves that concede value are never played.
    pub keep_value: Option<bool>,
    /// Wins and losses in so many moves are seen.
    pub horizon: Option<u16>,
    /// What a draw is worth as a win.
    pub n1: Option<u16>,
    /// What a draw is worth as a loss.
    pub n2: Option<u16>,
}

/// The Predator's settings. The view is that of the opponent it believes in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredatorSpec {
    /// A competence to believe in, instead of watching.
    pub c: Option<f64>,
    /// How far it looks.
    pub plies: Option<u32>,
    /// Whether it may give up depth.
    pub speculate: Option<bool>,
    /// What it must gain by giving up depth.
    pub margin: Option<f64>,
    /// The candidates for the opponent's competence.
    pub grid: Option<Grid>,
    /// How the opponent is believed to see positions.
    pub view: View,
}

/// Settings of the own search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchSpec {
    /// What limits it, if not the match's time control.
    pub budget: Option<TimeControl>,
    /// Its hash table, in MiB.
    pub hash: Option<usize>,
    /// Threads it searches with.
    pub threads: Option<usize>,
}

/// Another program, and what it may spend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineSpec {
    /// The name to show instead of the program's.
    pub name: Option<String>,
    /// How it is started.
    pub command: EngineCommand,
    /// What limits it, if not the match's time control.
    pub budget: Option<TimeControl>,
}

const KINDS: &str = "player, emulator, predator, infallible, search or engine";

impl FromStr for PlayerSpec {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<PlayerSpec, NotationError> {
        let words = Words::split(text)?;
        if words.kind == "engine" {
            return engine(&words).map(PlayerSpec::Engine);
        }
        let mut fields = Fields::new(&words, 0)?;
        let needed = |c: Option<f64>| {
            c.ok_or_else(|| {
                words.error(text, format!("'{0}' needs a competence, as in {0}:c=20", words.kind))
            })
        };
        let spec = match words.kind {
            "player" => {
                let c = needed(fields.take("c", competence)?)?;
                PlayerSpec::Player { c, view: view(&mut fields)? }
            }
            "emulator" => {
                let c = needed(fields.take("c", competence)?)?;
                PlayerSpec::Emulator { c, view: view(&mut fields)?, variety: fields.take("variety", flag)? }
            }
            "predator" => PlayerSpec::Predator(PredatorSpec {
                c: fields.take("c", competence)?,
                plies: fields.take("plies", unsigned)?,
                speculate: fields.take("speculate", flag)?,
                margin: fields.take("margin", positive)?,
                grid: fields.take("grid", grid)?,
                view: view(&mut fields)?,
            }),
            "infallible" => PlayerSpec::Infallible {
                rule: fields.take("rule", rule)?,
                metric: fields.take("metric", metric)?,
            },
            "search" => PlayerSpec::Search(SearchSpec {
                budget: budget(&mut fields)?,
                hash: fields.take("hash", unsigned)?,
                threads: fields.take("threads", unsigned)?,
            }),
            kind => return Err(words.error(kind, format!("no such player: use {KINDS}"))),
        };
        fields.finish()?;
        Ok(spec)
    }
}

fn view(fields: &mut Fields<'_>) -> Result<View, NotationError> {
    Ok(View {
        metric: fields.take("metric", metric)?,
        kappa: fields.take("kappa", kappa)?,
        keep_value: fields.take("keep_value", flag)?,
        horizon: fields.take("horizon", unsigned)?,
        n1: fields.take("n1", unsigned)?,
        n2: fields.take("n2", unsigned)?,
    })
}

fn budget(fields: &mut Fields<'_>) -> Result<Option<TimeControl>, NotationError> {
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

fn engine(words: &Words<'_>) -> Result<EngineSpec, NotationError> {
    let Some(path) = words.rest.first().filter(|word| !word.value.is_empty()) else {
        return Err(words.error(words.kind, "an engine needs its program, as in engine:path/to/program"));
    };
    let mut fields = Fields::new(words, 1)?;
    let mut command = EngineCommand {
        program: path.value.as_str().into(),
        arguments: fields.take_all("arg"),
        ..EngineCommand::default()
    };
    command.directory = fields.take("dir", |text| Ok(text.into()))?;
    command.options = fields.take_prefixed("option.");
    let spec = EngineSpec {
        name: fields.take("name", |text| Ok(text.to_owned()))?,
        command,
        budget: budget(&mut fields)?,
    };
    fields.finish()?;
    Ok(spec)
}

fn metric(text: &str) -> Result<Metric, String> {
    text.parse().map_err(|error: crate::model::UnknownMetric| error.to_string())
}

fn rule(text: &str) -> Result<Rule, String> {
    text.parse().map_err(|error: UnknownRule| error.to_string())
}

fn grid(text: &str) -> Result<Grid, String> {
    text.parse().map_err(|error: NoGrid| error.to_string())
}

/// The notation that gives the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Printer::new(f);
        match self {
            PlayerSpec::Player { c, view } => {
                out.kind("player")?;
                out.value("c", Some(c))?;
                view.print(&mut out)
            }
            PlayerSpec::Emulator { c, view, variety } => {
                out.kind("emulator")?;
                out.value("c", Some(c))?;
                view.print(&mut out)?;
                out.value("variety", variety.as_ref())
            }
            PlayerSpec::Predator(spec) => {
                out.kind("predator")?;
                out.value("c", spec.c.as_ref())?;
                out.value("plies", spec.plies.as_ref())?;
                out.value("speculate", spec.speculate.as_ref())?;
                out.value("margin", spec.margin.as_ref())?;
                out.value("grid", spec.grid.as_ref())?;
                spec.view.print(&mut out)
            }
            PlayerSpec::Infallible { rule, metric } => {
                out.kind("infallible")?;
                out.value("rule", rule.as_ref())?;
                out.value("metric", metric.map(Metric::name).as_ref())
            }
            PlayerSpec::Search(spec) => {
                out.kind("search")?;
                print_budget(&mut out, spec.budget)?;
                out.value("hash", spec.hash.as_ref())?;
                out.value("threads", spec.threads.as_ref())
            }
            PlayerSpec::Engine(spec) => {
                out.kind("engine")?;
                out.word(&quote(&spec.command.program.display().to_string()))?;
                for argument in &spec.command.arguments {
                    out.text("arg", argument)?;
                }
                if let Some(directory) = &spec.command.directory {
                    out.text("dir", &directory.display().to_string())?;
                }
                for (name, value) in &spec.command.options {
                    out.text(&format!("option.{name}"), value)?;
                }
                if let Some(name) = &spec.name {
                    out.text("name", name)?;
                }
                print_budget(&mut out, spec.budget)
            }
        }
    }
}

impl View {
    fn print(&self, out: &mut Printer<'_, '_>) -> fmt::Result {
        out.value("metric", self.metric.map(Metric::name).as_ref())?;
        out.value("kappa", self.kappa.as_ref())?;
        out.value("keep_value", self.keep_value.as_ref())?;
        out.value("horizon", self.horizon.as_ref())?;
        out.value("n1", self.n1.as_ref())?;
        out.value("n2", self.n2.as_ref())
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
            PlayerSpec::Search(spec) => spec.budget,
            PlayerSpec::Engine(spec) => spec.budget,
            _ => None,
        }
    }

    /// What to call this player: an engine by its program, others by their notation.
    pub fn name(&self) -> String {
        match self {
            PlayerSpec::Engine(EngineSpec { name: Some(name), .. }) => name.clone(),
            PlayerSpec::Engine(EngineSpec { command, .. }) => command
                .program
                .file_stem()
                .map_or_else(|| self.to_string(), |stem| stem.to_string_lossy().into_owned()),
            _ => self.to_string(),
        }
    }

    /// Whether this player is a process or a search, for which a time control matters.
    pub fn thinks(&self) -> bool {
        matches!(self, PlayerSpec::Search(_) | PlayerSpec::Engine(_))
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
            "infallible",
            "infallible:rule=longest-dtm",
            "search:nodes=20000",
            "search:tc=5+0.05,hash=64,threads=2",
            "engine:path/to/program,option.Hash=64",
            "engine:C:\\My Engines\\good one.exe,arg=--uci,option.Move Overhead=10,depth=4",
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
            ("player", "player"),
            ("player:c=20,c=21", "c=21"),
            ("playr:c=20", "playr"),
            ("player:c=20,k=1", "k=1"),
            ("player:c=nan", "c=nan"),
            ("player:c=20,kappa=-1", "kappa=-1"),
            ("predator:speculate=perhaps", "speculate=perhaps"),
            ("predator:plies", "plies"),
            ("infallible:rule=best", "rule=best"),
            ("engine:", "engine"),
            ("engine:x,hash=3", "hash=3"),
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
