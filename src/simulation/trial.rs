use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

use crate::{
    agents::{Agent, AgentError, Foresight, HuntSettings, Player, Predator, Situation},
    game::Game,
    model::{Belief, Model, Value},
    oracle::{Budget, Oracle},
    statistics::Share,
};

/// Games between R_c and a Predator that learns while it plays: no chain can say what comes of them, since a move depends
/// on all those before.
pub struct Trial<'a> {
    /// Who knows the positions.
    pub oracle: &'a dyn Oracle,
    /// Where each game begins.
    pub start: &'a Chess,
    /// R_c, with the side that `fallible` says.
    pub player: Player,
    /// Its side.
    pub fallible: Color,
    /// How the Predator sees its opponent.
    pub opponent: Model,
    /// What it believes of it at the start of each game.
    pub belief: Belief,
    /// How it hunts.
    pub hunting: HuntSettings,
    /// Who knows what its moves promise to the end, if it hunts by that.
    pub foresight: Option<Arc<dyn Foresight>>,
    /// Whether the Predator heeds the halfmove clock.
    pub heeds_clock: bool,
    /// A game that is not decided after so many moves of each side is not won.
    pub moves: u32,
}

impl Trial<'_> {
    /// How many of so many games `side` wins. Game k depends on the seed and on k alone.
    pub fn won_by(&self, side: Color, games: u64, seed: u64) -> Result<Share, AgentError> {
        let wins = (0..games)
            .into_par_iter()
            .map(|game| {
                let mut rng =
                    Pcg64::seed_from_u64(seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                Ok(u64::from(self.play(&mut rng)? == Some(side)))
            })
            .try_reduce(|| 0, |a, b| Ok::<_, AgentError>(a + b))?;
        Ok(Share { count: wins, of: games })
    }

    /// One game; who has won it by conversion or mate.
    fn play(&self, rng: &mut dyn Rng) -> Result<Option<Color>, AgentError> {
        let mut game = Game::new(self.start.clone());
        let mut belief = self.belief.clone();
        for _ in 0..2 * self.moves {
            let look = self.oracle.look(&game, &Budget::default()).ok_or(AgentError::NotServed)?;
            let mover = game.position().turn();
            if look.moves().is_empty() {
                return Ok(game.position().is_checkmate().then_some(!mover));
            }
            let mut situation = Situation::new(&game, self.oracle).having(look);
            situation.fifty = self.heeds_clock;
            let m = if mover == self.fallible {
                let m = self.player.choose(&situation, rng)?;
                belief.observe(&self.opponent.decide(situation.look()?.prospects())?, &m)?;
                m
            } else {
                let (opponent, mixture) = (self.opponent, belief.mixture());
                let foresight = self.foresight.clone();
                Predator { settings: self.hunting, opponent, mixture, foresight }.choose(&situation, rng)?
            };
            let value = situation.look()?.prospects().of(&m).and_then(|outcome| outcome.state());
            game.play(m);
            if m.is_capture() || m.is_promotion() || game.position().is_game_over() {
                return Ok(match value.map(|state| state.value()) {
                    Some(Value::Win) => Some(mover),
                    Some(Value::Loss) => Some(!mover),
                    _ => None,
                });
            }
        }
        Ok(None)
    }
}
