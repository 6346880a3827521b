use std::cell::RefCell;

use super::Observation;
use crate::{
    human::{EloBelief, HumanModel},
    model::BeliefError,
};

/// The moves that an agent has made in a game, with what it saw.
#[derive(Clone, Debug)]
pub struct OwnMoves {
    moves: Vec<Observation>,
    /// What they show, and of how many of them: what each says takes time to work out, so it is worked out once.
    shown: RefCell<(usize, EloBelief)>,
}

impl Default for OwnMoves {
    fn default() -> OwnMoves {
        OwnMoves { moves: Vec::new(), shown: RefCell::new((0, EloBelief::unknown())) }
    }
}

impl OwnMoves {
    /// Another move.
    pub fn push(&mut self, observation: Observation) {
        self.moves.push(observation);
    }

    /// All of them.
    pub fn moves(&self) -> &[Observation] {
        &self.moves
    }

    /// The Elo that they show to one who knew nothing before.
    pub fn shown(&self) -> Result<EloBelief, BeliefError> {
        let (count, shown) = &mut *self.shown.borrow_mut();
        for own in &self.moves[*count..] {
            *count += 1;
            shown.observe(HumanModel::built_in(), &own.look, &own.m)?;
        }
        Ok(shown.clone())
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::{
        game::Game,
        oracle::{Budget, Oracle, SearchOracle},
        search::{SearchSettings, Searcher},
    };

    #[test]
    fn what_is_shown_is_worked_out_once_for_each_move_and_is_the_same_as_all_at_once() {
        let oracle = SearchOracle::new(Searcher::new(SearchSettings { hash_mb: 1, ..Default::default() }));
        let (mut own, mut at_once) = (OwnMoves::default(), EloBelief::unknown());
        let mut game = Game::new(Chess::default());
        for ply in 0..4 {
            let look = oracle.look(&game, &Budget::depth(2)).unwrap();
            let m = look.best_first()[ply].m;
            at_once.observe(HumanModel::built_in(), &look, &m).unwrap();
            game.play(m);
            own.push(Observation { ply, look, m });
            assert_eq!(own.shown().unwrap(), at_once);
            assert_eq!(own.shown.borrow().0, ply + 1);
        }
    }
}
