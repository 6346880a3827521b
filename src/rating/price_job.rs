use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;

use super::{GameKey, GameRecord, Selection};
use crate::{
    notation::{self, GameScore, Ply, Tags},
    store::{NewJob, PositionKey, Pricer},
};

/// The positions of a game are to be priced: a job for any machine that has the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceJob {
    /// The key of the game.
    game: String,
    start: String,
    /// In UCI notation.
    moves: String,
    /// Who is to price.
    pub pricer: Pricer,
    first_move: u32,
    last_move: u32,
    min_moves: usize,
}

impl PriceJob {
    /// What such jobs are called.
    pub const KIND: &str = "price";

    /// Of a game.
    pub fn new(game: GameKey, score: &GameScore, pricer: &Pricer, selection: &Selection) -> PriceJob {
        let uci = |ply: &Ply| ply.m.to_uci(CastlingMode::Chess960).to_string();
        PriceJob {
            game: game.to_string(),
            start: notation::fen(&score.start),
            moves: score.plies.iter().map(uci).collect::<Vec<_>>().join(" "),
            pricer: pricer.clone(),
            first_move: selection.first_move,
            last_move: selection.last_move,
            min_moves: selection.min_moves,
        }
    }

    /// As it is entered.
    pub fn to_job(&self, priority: i64) -> NewJob {
        let Pricer { engine, options, budget } = &self.pricer;
        let PriceJob { game, first_move, last_move, min_moves, .. } = self;
        NewJob {
            kind: PriceJob::KIND.to_owned(),
            name: format!("{game} {engine} {options} {budget} {first_move} {last_move} {min_moves}"),
            analyst: engine.clone(),
            payload: serde_json::to_string(self).unwrap_or_default(),
            priority,
        }
    }

    /// As a worker gets it.
    pub fn read(payload: &str) -> Result<PriceJob, String> {
        serde_json::from_str(payload).map_err(|error| error.to_string())
    }

    /// The positions.
    pub fn positions(&self) -> Result<Vec<PositionKey>, String> {
        let start = notation::read_playable(&self.start).map_err(|error| error.to_string())?;
        let mut position = start.clone();
        let mut plies = Vec::new();
        for word in self.moves.split_whitespace() {
            let uci: shakmaty::uci::UciMove = word.parse().map_err(|_| format!("'{word}' is no move"))?;
            let m = uci.to_move(&position).map_err(|_| format!("{word} can't be played"))?;
            shakmaty::Position::play_unchecked(&mut position, m);
            plies.push(Ply { m, remarks: String::new() });
        }
        let score =
            GameScore { tags: Tags::default(), start, preface: String::new(), plies, result: "*".to_owned() };
        let selection = Selection {
            first_move: self.first_move,
            last_move: self.last_move,
            min_moves: self.min_moves,
            ..Selection::default()
        };
        let record = std::sync::Arc::new(GameRecord::new(&score, "", None));
        let candidates = selection.candidates(&score, &record);
        Ok(candidates.iter().filter(|one| !one.is_for_tables()).map(|one| one.key()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn a_job_has_the_positions_of_its_game() {
        let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *";
        let score = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        let selection = Selection { first_move: 4, ..Selection::default() };
        let pricer = Pricer { engine: "E".into(), options: String::new(), budget: "depth 3".into() };
        let job = PriceJob::new(GameKey::of(&score), &score, &pricer, &selection);
        let read = PriceJob::read(&job.to_job(0).payload).unwrap();
        assert_eq!(read, job);
        let keys = read.positions().unwrap();
        assert_eq!(keys.len(), 2);
        assert!(keys[1].as_str().starts_with("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq"));
    }
}
