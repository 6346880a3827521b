//! A player of any legal move.

use std::time::Duration;

use rand::{SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;
use shakmaty::{Chess, Move, Position};

use crate::game::Game;

use super::{
    control::Control,
    info::{Info, Report, Score},
    limits::Limits,
    settings::Settings,
    thinker::{Answer, Thinker},
};

/// Plays whatever is legal.
pub(super) struct AnyMove {
    seed: u32,
    rng: Pcg64,
}

impl AnyMove {
    pub(super) fn new() -> AnyMove {
        AnyMove { seed: 0, rng: generator(0) }
    }

    fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        moves.choose(&mut self.rng).copied()
    }
}

impl Thinker for AnyMove {
    fn configure(&mut self, settings: &Settings) {
        self.seed = settings.seed;
        self.rng = generator(self.seed);
    }

    fn forget(&mut self) {
        self.rng = generator(self.seed);
    }

    fn think(&mut self, game: &Game, limits: &Limits, _: &Control, say: &mut dyn FnMut(Info)) -> Answer {
        let position: &Chess = game.position();
        let legal = position.legal_moves();
        let best = self.choose(if limits.search_moves.is_empty() { &legal } else { &limits.search_moves });
        let after = best.and_then(|best| position.clone().play(best).ok());
        let reply = after.and_then(|after| self.choose(&after.legal_moves()));
        say(Info::Search(Report {
            depth: 1,
            selective_depth: 1,
            score: Score::Centipawns(0),
            nodes: 1,
            time: Duration::ZERO,
            table_hits: 0,
            line: best.into_iter().collect(),
        }));
        Answer { best, reply }
    }
}

fn generator(seed: u32) -> Pcg64 {
    Pcg64::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}
