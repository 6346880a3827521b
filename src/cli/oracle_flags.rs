use clap::Args;

use super::{Context, Failure};
use crate::{
    arena::PlayerSpec,
    engine::SeatSettings,
    external::EngineCommand,
    oracle::{Budget, EngineOracle, Oracle, SearchOracle},
    search::Searcher,
};

/// Who looks at positions that no table knows, and what that may cost.
#[derive(Args)]
pub struct OracleFlags {
    /// Where no table serves, look so many plies deep (default: 6 unless --nodes is given)
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Where no table serves, look with so many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Where no table serves, have this UCI engine look instead of our search; options as in path,option.Hash=64
    #[arg(long, value_name = "PATH")]
    engine: Option<String>,
}

/// As deep as a look goes if nobody says otherwise.
const USUAL_DEPTH: u32 = 6;

impl OracleFlags {
    /// Whether a limit was given.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// Whether another engine looks.
    pub fn is_external(&self) -> bool {
        self.engine.is_some()
    }

    /// What a look may cost.
    pub fn budget(&self, context: &Context<'_>) -> Budget {
        let depth = self.depth.or(self.nodes.is_none().then_some(USUAL_DEPTH));
        Budget { depth, nodes: self.nodes, control: context.control(), ..Budget::default() }
    }

    /// Who looks where no table serves.
    pub fn oracle(&self, context: &Context<'_>) -> Result<Box<dyn Oracle>, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.oracle_with(threads, context)
    }

    /// Who looks where no table serves, with so many threads if it is our search.
    pub fn oracle_with(&self, threads: usize, context: &Context<'_>) -> Result<Box<dyn Oracle>, Failure> {
        let Some(engine) = &self.engine else {
            let mut settings = SeatSettings::new(&context.config).search;
            settings.threads = threads;
            return Ok(Box::new(SearchOracle::new(Searcher::new(settings))));
        };
        Ok(Box::new(
            EngineOracle::start(&engine_command(engine)?, &context.control()).map_err(Failure::failed)?,
        ))
    }
}

/// How to start an engine that the command line names: a path, then options as in path,option.Hash=64.
pub fn engine_command(text: &str) -> Result<EngineCommand, Failure> {
    match format!("engine:{text}").parse::<PlayerSpec>().map_err(Failure::usage)? {
        PlayerSpec::Engine(engine) => Ok(engine.command),
        PlayerSpec::Agent(_) => Err(Failure::usage(format!("'{text}' is no engine"))),
    }
}
