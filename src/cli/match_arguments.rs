use std::path::PathBuf;

use clap::Args;

use crate::{
    arena::{Agreement, Format, Headers, PlayerSpec, PositionSpec, Rules, TimeControl, Until},
    config::Config,
    engine::SeatSettings,
    model::{Grid, Metric},
};

/// Play games between agents and other UCI engines, and say what follows from the results
///
/// Two players play a match. More play a round robin, or a gauntlet of the first against all others, and get a cross
/// table with ratings. Any agent plays exactly as in a chess program: from tables where they serve, else by search.
#[derive(Args)]
#[command(after_help = "\
Players:
  player:c=20                         R_c: c where tables serve, game_c elsewhere; also kappa, game_kappa, metric, keep_value,
                                      horizon, n1, n2
  emulator:c=15,horizon=3             E_c; also variety
  coach                               E_c at the level that the opponent shows; also coach_offset
  predator:plies=exact                 2, 4, 6, auto or to the end; also speculate, margin, grid, opponent_c, opponent_keeps_value, opponent_horizon
  infallible:rule=longest-dtm         rules: uniform, longest-dtm, first-rook, first
  search                              the strongest move
  engine:path/to/program,option.Hash=64   another UCI engine; also arg, dir, name, ponder=true
  All may have a budget of their own, tc, movetime, nodes or depth; agents also hash and threads.

Examples:
  errare match predator player:c=1 --games 10 --tc 5+0.05
  errare match player:c=20 infallible --position browne-belle-1 --games 1000
  errare match engine:toga2 engine:glaurung --openings book.pgn --tc 5+0.05 --games 200 --pgn games.pgn
  errare match engine:new engine:old --openings book.epd --tc 8+0.08 --games 20000 --elo0 0 --elo1 5
  errare match search:nodes=2000 search:nodes=1000 search:nodes=500 --openings book.epd --games 100
  errare match engine:new engine:a engine:b engine:c --format gauntlet --openings book.epd --games 50
  errare match predator player:c=15,keep_value=false --position KBBKN:draw --games 500 --svg lengths.svg")]
pub struct Arguments {
    /// The players, two or more
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    pub players: Vec<PlayerSpec>,
    /// Who meets whom when there are more than two: round-robin, or gauntlet, the first against all others
    #[arg(long, default_value_t = Format::RoundRobin)]
    pub format: Format,
    /// How many games for each pair of players
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,
    /// Where to begin: startpos, browne-belle-1, browne-belle-2, a FEN, or a material and state as KQKR:win:31;
    /// the first of two players takes the side to move
    #[arg(long, short, value_name = "POSITION", default_value = "startpos", conflicts_with = "openings")]
    pub position: PositionSpec,
    /// Where to begin: a file of FEN or EPD lines, or PGN games
    #[arg(long, short, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Take at most so many moves by both sides from a PGN opening
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    pub plies: usize,
    /// Take openings in an order by chance
    #[arg(long)]
    pub shuffle: bool,
    /// Play each opening twice, with colours reversed (the default where the sides have the same men)
    #[arg(long, overrides_with = "no_swap")]
    pub swap: bool,
    /// Let the first of two players have the side to move in every game
    #[arg(long)]
    pub no_swap: bool,
    /// Time for players that think: 5+0.05 or 40/60+0.6 (seconds), movetime=0.1, nodes=20000, depth=8
    #[arg(long, value_name = "TIME", default_value = "10+0.1")]
    pub tc: TimeControl,
    /// Milliseconds that an engine may exceed its time by
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    pub margin: u64,
    /// Seconds after which an engine that does not answer has stalled
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub stall: u64,
    /// How far games are played: mate or conversion (default: mate; the browne-belle positions: conversion)
    #[arg(long, value_name = "END")]
    pub until: Option<Until>,
    /// Play on after 50 moves without capture or pawn move
    #[arg(long)]
    pub no_fifty: bool,
    /// Play on after a position occurs for the third time
    #[arg(long)]
    pub no_repetition: bool,
    /// Play on when a game reaches the tables
    #[arg(long)]
    pub no_adjudication: bool,
    /// End a game as won when both players put it there by so many centipawns, four moves running
    #[arg(long, value_name = "CP")]
    pub resign: Option<u32>,
    /// End a game as drawn when both players put it there within so many centipawns, eight moves running from the 30th on
    #[arg(long, value_name = "CP")]
    pub draw: Option<u32>,
    /// Games of more moves are draws
    #[arg(long, value_name = "MOVES", default_value_t = 10_000)]
    pub max_moves: usize,
    /// What depths count, for agents that do not say (default: as in engine.toml)
    #[arg(long, value_parser = Metric::aim)]
    pub metric: Option<Metric>,
    /// κ of agents that do not say, and of those watched; 0 means 0+ (default: as in engine.toml)
    #[arg(long)]
    pub kappa: Option<f64>,
    /// Candidates for the competence of those watched (default: as in engine.toml)
    #[arg(long, value_name = "GRID")]
    pub grid: Option<Grid>,
    /// Whether those watched are taken never to concede value (default: in the browne-belle positions)
    #[arg(long, value_name = "BOOL")]
    pub keep_value: Option<bool>,
    /// Games at once (default: one for each core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// All chance follows from this number
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Stop when a sequential test accepts this difference in logistic Elo …
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// … or this one
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Chance of accepting elo1 though elo0 is true
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance of accepting elo0 though elo1 is true
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
    /// Append every game to this file
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Go on with the match whose games are in the PGN file
    #[arg(long, requires = "pgn")]
    pub resume: bool,
    /// Say how many games were over within so many moves
    #[arg(long, value_name = "MOVES", value_delimiter = ',', default_value = "50")]
    pub within: Vec<usize>,
    /// Draw a histogram of the lengths
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a line of CSV for each game
    #[arg(long)]
    pub csv: bool,
}

impl Arguments {
    /// The tags of all games.
    pub fn headers(&self) -> Headers {
        Headers {
            event: "errare match".to_owned(),
            names: self.names(),
            notations: self.players.iter().map(PlayerSpec::to_string).collect(),
            controls: self.controls(),
            rules: self.rules(),
            seed: self.seed,
        }
    }

    /// What the players are called; players of one name are told apart by their number.
    fn names(&self) -> Vec<String> {
        let names: Vec<String> = self.players.iter().map(PlayerSpec::name).collect();
        let twice = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
        let numbered = names.iter().enumerate().map(|(number, name)| match twice(name) {
            true => format!("{name} ({})", number + 1),
            false => name.clone(),
        });
        numbered.collect()
    }

    /// What limits each player.
    pub fn controls(&self) -> Vec<TimeControl> {
        self.players.iter().map(|player| player.budget().unwrap_or(self.tc)).collect()
    }

    /// Whether the conditions of a published experiment hold where nothing else is said.
    pub fn is_experiment(&self) -> bool {
        self.openings.is_none()
            && matches!(self.position, PositionSpec::Named(named) if named.is_experiment())
    }

    /// What holds of our agents where their notation says nothing.
    pub fn base(&self, config: &Config) -> SeatSettings {
        let mut settings = SeatSettings::new(config);
        let agent = &mut settings.agent;
        agent.metric = self.metric.unwrap_or(agent.metric);
        agent.kappa.table = self.kappa.unwrap_or(agent.kappa.table);
        agent.grid.table = self.grid.unwrap_or(agent.grid.table);
        agent.opponent_keeps_value = self.keep_value.unwrap_or(self.is_experiment());
        settings
    }

    /// The rules of the games.
    pub fn rules(&self) -> Rules {
        let experiment = self.is_experiment();
        let until = if experiment { Until::Conversion } else { Until::Mate };
        Rules {
            fifty: !self.no_fifty && !experiment,
            repetition: !self.no_repetition && !experiment,
            adjudicate: !self.no_adjudication,
            until: self.until.unwrap_or(until),
            agreement: Agreement { won: self.resign, drawn: self.draw },
            max_moves: self.max_moves,
        }
    }
}
