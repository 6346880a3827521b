//! Learning from rated games which moves people come upon.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position};

use super::Part;
use crate::{
    game::LeadUp,
    human::{BATCH, Example, Likelihood, Network, Scene, Trainer, likelihood},
    notation::GameScore,
};

/// The moves of a game, and whose they are.
pub struct RatedGame {
    start: Chess,
    moves: Vec<Move>,
    /// Elo of White and Black, and what their moves are for.
    players: [Option<(u32, Part)>; 2],
}

impl RatedGame {
    /// Of a score; nothing if neither player has an Elo.
    pub fn new(score: &GameScore) -> Option<RatedGame> {
        let players = [Color::White, Color::Black].map(|side| {
            let elo = score.elo(side)?;
            Some((elo, Part::of(score.tag(side.fold_wb("White", "Black")))))
        });
        let moves = score.plies.iter().map(|ply| ply.m).collect();
        players.iter().any(Option::is_some).then(|| RatedGame { start: score.start.clone(), moves, players })
    }

    /// The decisions of its players of one part, from some half-move on.
    fn examples(&self, part: Part, first_ply: usize) -> Vec<Example> {
        let mut position = self.start.clone();
        let mut examples = Vec::new();
        for (ply, &m) in self.moves.iter().enumerate() {
            let player = self.players[position.turn().fold_wb(0, 1)];
            let elo = player.filter(|player| player.1 == part).map(|(elo, _)| elo);
            if let Some(elo) = elo.filter(|_| ply >= first_ply) {
                let moves = position.legal_moves();
                let played = moves.iter().position(|&legal| legal == m);
                if let Some(played) = played.filter(|_| moves.len() > 1) {
                    let lead_up = LeadUp::of(&self.moves[..ply]);
                    examples
                        .push(Example { scene: Scene::new(&position, lead_up, &moves, elo.into()), played });
                }
            }
            position.play_unchecked(m);
        }
        examples
    }
}

/// How long and from what a prior is learned.
#[derive(Clone, Copy, Debug)]
pub struct PriorSettings {
    /// How often all moves are gone through.
    pub epochs: f64,
    /// Of the first network and of all draws.
    pub seed: u64,
}

/// Examples that are shuffled together.
const POOL: usize = 128 * BATCH;
/// Moves on which progress is judged.
const JUDGED: usize = 20_000;
/// Half-moves of a game that are known by heart, and so not judged.
const FIRST_JUDGED: usize = 16;

/// What is told of the learning as it goes on.
#[derive(Clone, Copy, Debug)]
pub struct PriorProgress {
    /// Steps made.
    pub step: u32,
    /// Of so many.
    pub steps: u32,
    /// On the moves learned from since the last report, before they were learned from.
    pub learning: Likelihood,
    /// On moves of players that nothing is learned from.
    pub judging: Likelihood,
}

/// Learns a prior. `hear` is told how it goes, and says whether to go on.
pub fn learn_prior(
    games: &[RatedGame],
    settings: PriorSettings,
    hear: &mut dyn FnMut(&PriorProgress) -> bool,
) -> Option<Network> {
    let mut rng = Pcg64::seed_from_u64(settings.seed);
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.shuffle(&mut rng);
    let mut judged: Vec<Example> = Vec::new();
    for &number in &order {
        if judged.len() >= JUDGED {
            break;
        }
        let mut of_game = games[number].examples(Part::Judging, FIRST_JUDGED);
        of_game.shuffle(&mut rng);
        judged.extend(of_game.into_iter().take(4));
    }
    let moves: usize = games
        .iter()
        .map(|game| {
            let sides = game.players.iter().flatten().filter(|player| player.1 == Part::Learning).count();
            game.moves.len() * sides / 2
        })
        .sum();
    let steps = (settings.epochs * moves as f64 / BATCH as f64).ceil().max(1.0) as u32;
    let mut trainer = Trainer::new(rng.random(), steps);
    let mut next = order.len();
    while trainer.step() < steps {
        let mut pool: Vec<Example> = Vec::with_capacity(POOL);
        while pool.len() < POOL {
            if next >= order.len() {
                order.shuffle(&mut rng);
                next = 0;
            }
            let some = &order[next..(next + 256).min(order.len())];
            next += some.len();
            let found: Vec<_> =
                some.par_iter().map(|&number| games[number].examples(Part::Learning, 0)).collect();
            pool.extend(found.into_iter().flatten());
            if pool.is_empty() && next >= order.len() {
                return None;
            }
        }
        pool.shuffle(&mut rng);
        let mut learning = Likelihood::default();
        for batch in pool.chunks(BATCH) {
            if trainer.step() < steps {
                learning = learning.plus(trainer.learn(batch));
            }
        }
        let judging = likelihood(trainer.network(), &judged);
        if !hear(&PriorProgress { step: trainer.step(), steps, learning, judging }) {
            return None;
        }
    }
    Some(trainer.network().clone())
}
