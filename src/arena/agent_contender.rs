//! Agents of the fallible-choice model at the board, with endgame tables to look into.

use std::{sync::Arc, time::Duration};

use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{ByColor, Chess, Color, Position};

use crate::{
    agents::{
        Agent, AgentError, Emulator, Infallible, Mover, Player, Predator, Settings, Situation, Speculation,
        TieBreak,
    },
    endgame::Tables,
    game::Game,
    model::{
        Belief, Competence, Grid, Metric, Model, NoCompetence, NoGrid, NoPreference, Oracle, Policy,
        Preference, Prospects, Scale,
    },
    oracle::TableOracle,
};

use super::{
    contender::{Contender, Thought, Trouble},
    rules::Rules,
    spec::{PlayerSpec, PredatorSpec, View},
    time_control::Clock,
};

/// What agents do where their notation says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// What depths count.
    pub metric: Metric,
    /// κ.
    pub kappa: f64,
    /// Whether opponents that are watched are taken to keep value.
    pub opponent_keeps_value: bool,
    /// Candidates for the competence of whoever is watched.
    pub grid: Grid,
}

/// Why the notation makes no agent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoAgent {
    /// The notation names a search or an engine.
    #[error("'{0}' is no agent that plays by tables alone")]
    NotByTables(String),
    /// κ, n1 or n2.
    #[error(transparent)]
    Preference(#[from] NoPreference),
    /// c.
    #[error(transparent)]
    Competence(#[from] NoCompetence),
    /// The candidates.
    #[error(transparent)]
    Grid(#[from] NoGrid),
}

impl AgentSettings {
    /// How a player with this view sees positions.
    pub fn model(&self, view: &View, keeps_value: bool) -> Result<Model, NoPreference> {
        let preference = Preference::table(view.kappa.unwrap_or(self.kappa))?
            .with_bounds(view.n1.map(f64::from), view.n2.map(f64::from))?;
        let policy = if view.keep_value.unwrap_or(keeps_value) { Policy::KEEP_VALUE } else { Policy::FREE };
        Ok(Model { preference, policy: policy.with_horizon(view.horizon.unwrap_or(0)) })
    }

    /// How whoever is watched is taken to see positions.
    pub fn watched(&self) -> Result<Model, NoPreference> {
        self.model(&View::default(), self.opponent_keeps_value)
    }
}

/// The agent that a notation names, and the metric it looks by.
pub fn agent(
    spec: &PlayerSpec,
    settings: &AgentSettings,
) -> Result<(Box<dyn Agent + Send>, Metric), NoAgent> {
    let competence = |c: f64| Competence::new(c, Scale::Table);
    let metric = |of: Option<Metric>| of.unwrap_or(settings.metric);
    Ok(match spec {
        PlayerSpec::Player { c, view } => {
            let player = Player { competence: competence(*c)?, model: settings.model(view, true)? };
            (Box::new(player), metric(view.metric))
        }
        PlayerSpec::Emulator { c, view, variety } => {
            let ties = if *variety == Some(true) { TieBreak::Variety } else { TieBreak::Chance };
            (
                Box::new(Emulator::new(competence(*c)?, settings.model(view, true)?, ties)?),
                metric(view.metric),
            )
        }
        PlayerSpec::Predator(predator) => {
            (Box::new(hunter(predator, settings)?), metric(predator.view.metric))
        }
        PlayerSpec::Infallible { rule, metric: by } => {
            (Box::new(Infallible { rule: rule.unwrap_or_default() }), metric(*by))
        }
        PlayerSpec::Search(_) | PlayerSpec::Engine(_) => return Err(NoAgent::NotByTables(spec.to_string())),
    })
}

fn hunter(spec: &PredatorSpec, settings: &AgentSettings) -> Result<Predator, NoAgent> {
    let grid = match spec.c {
        Some(c) => Grid::evenly(c, c, 1)?,
        None => spec.grid.unwrap_or(settings.grid),
    };
    let speculation = (spec.speculate == Some(true)).then(|| Speculation {
        most: f64::INFINITY,
        value_margin: 0.0,
        depth_margin: spec.margin.unwrap_or(0.0),
        risk_value: false,
    });
    let plies = spec.plies.unwrap_or(Settings::default().plies);
    Ok(Predator {
        settings: Settings { plies, speculation, ..Settings::default() },
        opponent: settings.model(&spec.view, settings.opponent_keeps_value)?,
        belief: Belief::uniform(grid, Scale::Table),
    })
}

/// An agent that plays, and watches the game it plays.
pub struct AgentContender {
    spec: PlayerSpec,
    settings: AgentSettings,
    agent: Box<dyn Agent + Send>,
    oracle: TableOracle,
    mates: TableOracle,
    rules: Rules,
    rng: Pcg64,
    /// The position up to which the agent has been told the moves, and how many of the game those are.
    told: (Chess, usize),
    /// The look at the position where the agent moved last.
    seen: Option<Prospects>,
}

impl AgentContender {
    /// The agent that a notation names, at the board.
    pub fn new(
        spec: &PlayerSpec,
        settings: AgentSettings,
        tables: &Arc<Tables>,
        rules: Rules,
    ) -> Result<AgentContender, NoAgent> {
        let (agent, metric) = agent(spec, &settings)?;
        Ok(AgentContender {
            spec: spec.clone(),
            settings,
            agent,
            oracle: TableOracle::new(tables.clone(), metric),
            mates: TableOracle::new(tables.clone(), Metric::Dtm),
            rules,
            rng: Pcg64::seed_from_u64(0),
            told: (Chess::default(), 0),
            seen: None,
        })
    }

    /// Tells the agent the moves it does not know yet.
    fn tell(&mut self, game: &Game, own: Color) -> Result<(), AgentError> {
        let (position, known) = &mut self.told;
        for &m in &game.moves()[*known..] {
            let mover = if position.turn() == own { Mover::Own } else { Mover::Opponent };
            let seen = if mover == Mover::Own { self.seen.take() } else { None };
            let prospects = match seen {
                Some(prospects) => prospects,
                None => self.oracle.look(position).ok_or(AgentError::NotServed)?,
            };
            self.agent.observe(mover, &prospects, &m)?;
            position.play_unchecked(m);
        }
        *known = game.moves().len();
        Ok(())
    }
}

impl Contender for AgentContender {
    fn new_game(&mut self, opening: &Game, seed: u64) -> Result<(), Trouble> {
        // A game must not depend on those that happened to be played before it.
        self.agent = agent(&self.spec, &self.settings).map_err(|error| Trouble::Unable(error.to_string()))?.0;
        self.rng = Pcg64::seed_from_u64(seed);
        self.told = (opening.position().clone(), opening.moves().len());
        self.seen = None;
        Ok(())
    }

    fn choose(&mut self, game: &Game, _clocks: &ByColor<Clock>) -> Result<Thought, Trouble> {
        let position = game.position();
        let unable = |error: AgentError| {
            Trouble::Unable(format!("{error} (at {})", crate::endgame::text(game.position())))
        };
        self.tell(game, position.turn()).map_err(unable)?;
        let prospects = self.oracle.look(position).ok_or_else(|| unable(AgentError::NotServed))?;
        let situation = Situation {
            position,
            oracle: &self.oracle,
            seen: Some(&prospects),
            mates: Some(&self.mates),
            fifty: self.rules.fifty,
            history: if self.rules.repetition { game.keys() } else { &[] },
        };
        let m = self.agent.choose(&situation, &mut self.rng).map_err(unable)?;
        self.seen = Some(prospects);
        Ok(Thought { m, elapsed: Duration::ZERO, score: None, depth: None })
    }
}
