use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use errare::{
    config::Config,
    endgame::{Client, Tables},
    game::Game,
    model::{Belief, Competence, Metric, Model, Policy, Preference, Prospects, Scale, State},
    oracle::{Budget, Look, Oracle, TableOracle},
};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen, san::San};

/// KQKR by DTC.
pub fn kqkr() -> &'static TableOracle {
    static ORACLE: LazyLock<TableOracle> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
        config.path = folder.path().to_string_lossy().into_owned();
        let tables = Tables::new(&config).unwrap();
        tables.require("KQKR".parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
        TableOracle::new(Arc::new(tables), Metric::Dtc)
    });
    &ORACLE
}

/// States by a rule: the side to move's, for any position.
pub struct Toy<F>(pub F);

impl<F: Fn(&Chess) -> State + Send + Sync> Oracle for Toy<F> {
    fn look(&self, game: &Game, _: &Budget) -> Option<Look> {
        let position = game.position();
        let moves = position.legal_moves().into_iter().map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            (m, -(self.0)(&after))
        });
        let prospects = Prospects::table((self.0)(position), moves, 32, 32);
        Some(Look::by_tables(game, prospects, Metric::Dtc, Duration::ZERO))
    }
}

/// A game that begins in a position.
pub fn position(fen: &str) -> Game {
    let fen: Fen = fen.parse().unwrap();
    Game::new(fen.into_position(CastlingMode::Standard).unwrap())
}

pub fn san(game: &Game, text: &str) -> Move {
    San::from_ascii(text.as_bytes()).unwrap().to_move(game.position()).unwrap()
}

/// What an oracle sees, at any price.
pub fn look(oracle: &dyn Oracle, game: &Game) -> Look {
    oracle.look(game, &Budget::default()).unwrap()
}

pub fn table_c(c: f64) -> Competence {
    Competence::new(c, Scale::Table).unwrap()
}

pub fn model(kappa: f64, policy: Policy) -> Model {
    Model { preference: Preference::table(kappa).unwrap(), policy }
}

pub fn uniform(grid: &str) -> Belief {
    Belief::uniform(grid.parse().unwrap(), Scale::Table)
}
