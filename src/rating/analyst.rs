use crate::{
    external::EngineCommand,
    human::HumanModel,
    oracle::{Budget, Control, EngineOracle, Oracle, SearchOracle},
    search::{SearchSettings, Searcher},
    store::Pricer,
};

/// Who prices and how (Gomboc 2004, §5.3): our search, or another engine with its options, and what a look may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analyst {
    /// Another engine; our own search if there is none.
    pub engine: Option<EngineCommand>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Whether our search prices exactly rather than quickly.
    pub exact: bool,
    /// How many of the best moves another engine tells apart, if not all.
    pub lines: Option<u32>,
}

/// The hash table of our search, in MiB: quick prices depend on it, so it is always the same.
const HASH_MB: usize = 16;
/// How our search prices.
const QUICK: &str = "move by move";
const EXACT: &str = "exact";

impl Analyst {
    /// Our search, as deep as the model of people was fitted to.
    pub fn usual() -> Analyst {
        let depth = Some(HumanModel::built_in().calibration().made.depth);
        Analyst { engine: None, depth, nodes: None, exact: false, lines: None }
    }

    /// What a look may cost.
    pub fn budget(&self, control: Control) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, quick: !self.exact, control, ..Budget::default() }
    }

    /// One who looks, with one thread: several look at several positions.
    pub fn oracle(&self, control: &Control) -> Result<Box<dyn Oracle>, String> {
        match &self.engine {
            None => {
                let settings = SearchSettings { hash_mb: HASH_MB, threads: 1, ..SearchSettings::default() };
                Ok(Box::new(SearchOracle::new(Searcher::new(settings))))
            }
            Some(command) => match EngineOracle::start(command, control) {
                Ok(oracle) => Ok(Box::new(oracle.telling_apart(self.lines))),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// How a store tells its prices from those of others. The engine is started to learn its name.
    pub fn pricer(&self, control: &Control) -> Result<Pricer, String> {
        let engine = self.oracle(control)?.name();
        let options = match &self.engine {
            None => (if self.exact { EXACT } else { QUICK }).to_owned(),
            Some(command) => {
                let options = command.options.iter().map(|(name, value)| format!("{name}={value}"));
                options.collect::<Vec<_>>().join("; ")
            }
        };
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| format!("nodes {nodes}"));
        let lines = self.lines.map(|lines| format!("lines {lines}"));
        let budget = depth.into_iter().chain(nodes).chain(lines).collect::<Vec<_>>().join(", ");
        Ok(Pricer { engine, options, budget })
    }

    /// Who can price as somebody else did: our search, or one of some engines, which are known by name. Nothing if nobody can.
    pub fn like(pricer: &Pricer, engines: &[(String, EngineCommand)]) -> Option<Analyst> {
        let (mut depth, mut nodes, mut lines) = (None, None, None);
        for part in pricer.budget.split(", ") {
            match part.split_once(' ')? {
                ("depth", number) => depth = Some(number.parse().ok()?),
                ("nodes", number) => nodes = Some(number.parse().ok()?),
                ("lines", number) => lines = Some(number.parse().ok()?),
                _ => return None,
            }
        }
        if pricer.engine == Searcher::new(SearchSettings { hash_mb: 1, ..SearchSettings::default() }).name() {
            return Some(Analyst { engine: None, depth, nodes, exact: pricer.options == EXACT, lines });
        }
        let (_, command) = engines.iter().find(|(name, _)| *name == pricer.engine)?;
        let options = pricer.options.split("; ").filter(|option| !option.is_empty()).map(|option| {
            let (name, value) = option.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        let command = EngineCommand { options: options.collect::<Option<_>>()?, ..command.clone() };
        Some(Analyst { engine: Some(command), depth, nodes, exact: false, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_priced_can_be_asked_again() {
        let control = Control::new();
        for (depth, nodes, exact) in
            [(Some(8), None, false), (None, Some(1000), true), (Some(4), Some(9), true)]
        {
            let analyst = Analyst { engine: None, depth, nodes, exact, lines: None };
            let pricer = analyst.pricer(&control).unwrap();
            assert_eq!(Analyst::like(&pricer, &[]), Some(analyst));
        }
        let pricer = Pricer {
            engine: "Toga".to_owned(),
            options: "Hash=16; Own Book=false".to_owned(),
            budget: "depth 10, lines 10".to_owned(),
        };
        let command = EngineCommand { program: "toga2".into(), ..EngineCommand::default() };
        let analyst = Analyst::like(&pricer, &[("Toga".to_owned(), command)]).unwrap();
        assert_eq!((analyst.depth, analyst.lines), (Some(10), Some(10)));
        assert_eq!(analyst.engine.unwrap().options[1], ("Own Book".to_owned(), "false".to_owned()));
        assert_eq!(Analyst::like(&pricer, &[]), None, "nobody here is Toga");
    }
}
