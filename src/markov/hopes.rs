use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    TooCompetent,
    exact::SideValues,
    fallible::Fallible,
    ground::{Ground, Scope},
    hunt::Hunt,
    kernel::Kernel,
    plan::{Plan, Quarry},
    play::{Play, PositionValues},
    predictor::PredictError,
};
use crate::{
    agents::HuntSettings,
    endgame::{BlockFileError, Index, Walk},
    model::{Code, State, Value},
};

/// A hunter in every position of an endgame: the moves that keep the value of a position, and a fallible opponent.
pub struct HuntingGround {
    ground: Ground,
    /// One of those it serves.
    quarry: Quarry,
    own: Arc<Kernel>,
    opponent: Fallible,
}

/// How a hunter chooses.
pub enum Way<'a> {
    /// Any optimal move.
    Uniform(&'a Walk),
    /// The optimal move that is best some plies later.
    Plies(&'a Walk, u32),
    /// As a plan says, whoever that was made for.
    Plan(&'a Plan),
    /// As well as can be.
    Best,
}

/// The chances of a hunter in every position, to win less to lose.
pub struct HuntChances<'a> {
    ground: &'a HuntingGround,
    /// Those of the hunter where it attacks, that is, where it is to move.
    chances: SideValues,
}

impl HuntChances<'_> {
    /// Those in a position.
    pub fn at(&self, to_move: Color, index: Index) -> f64 {
        let HuntingGround { ground, quarry, .. } = self.ground;
        self.chances.at(to_move == quarry.hunter, ground.spot(to_move, index))
    }
}

/// What a move costs of a hope, so that of equal chances the shortest way to win, and the longest to lose, is best.
const PATIENCE: f64 = 1e-5;

impl HuntingGround {
    /// For a quarry and its like.
    pub fn new(walk: &Walk, quarry: &Quarry) -> Result<HuntingGround, BlockFileError> {
        let ground = Ground::new(walk, if quarry.counts_moves { Scope::All } else { Scope::Drawn })?;
        let own = Arc::new(Kernel::sound(walk, &ground, quarry.hunter)?);
        let opponent = Fallible::new(walk, &ground, !quarry.hunter, &quarry.model, quarry.c)?;
        Ok(HuntingGround { ground, quarry: quarry.clone(), own, opponent })
    }

    /// Whether this quarry chooses from the same moves.
    pub fn serves(&self, quarry: &Quarry) -> bool {
        Quarry { c: self.quarry.c, ..quarry.clone() } == self.quarry && self.opponent.serves(quarry.c)
    }

    /// The positions that hopes and chances are of.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// What the hunter can hope for after each of its moves, by spot, the opponent, who plays as R_c, having from 1 to `moves` moves
    /// left before a draw can be claimed: `hear(moves left, hopes)` is told. A hope is the chance of a win less that of a
    /// loss; leaving the endgame, or the positions that are played from, counts for what it is worth in theory. Says whether it came
    /// to an end.
    pub fn hopes(
        &self,
        c: f64,
        moves: u32,
        cancel: &AtomicBool,
        mut hear: impl FnMut(u32, &[f64]),
    ) -> Result<bool, TooCompetent> {
        let (own, opponent) = (Play::greatest(self.own.clone()), self.opponent.play(c)?);
        let (hunter, prey) = (self.quarry.hunter, !self.quarry.hunter);
        let (mut hunting, mut waiting) = (opponent.sees(self.goals(hunter)), own.sees(self.goals(prey)));
        for left in 1..=moves {
            if cancel.load(Relaxed) {
                return Ok(false);
            }
            let later = |hope: f64| hope * (1.0 - PATIENCE);
            opponent.pass(&self.ground, 0..self.ground.size(prey), &hunting, &mut waiting, later);
            own.pass(&self.ground, 0..self.ground.size(hunter), &waiting, &mut hunting, |hope| hope);
            hear(left, waiting.positions());
        }
        Ok(true)
    }

    /// What comes of a way to hunt against R_c if the opponent has so many moves before a draw can be claimed: the hunter's
    /// chances, to win less to lose, exactly.
    pub fn chances(
        &self,
        way: &Way<'_>,
        c: f64,
        moves: u32,
        cancel: &AtomicBool,
    ) -> Result<HuntChances<'_>, PredictError> {
        let opponent = self.opponent.play(c)?;
        let given = match way {
            Way::Uniform(walk) => {
                Play::even(Arc::new(Kernel::optimal(walk, &self.ground, self.quarry.hunter)?))
            }
            Way::Plies(walk, plies) => {
                let hunt = Hunt {
                    walk,
                    ground: &self.ground,
                    hunter: self.quarry.hunter,
                    opponent: &self.quarry.model,
                    candidates: &[(c, 1.0)],
                    tolerance: HuntSettings::default().tolerance,
                };
                Play::even(Arc::new(hunt.kernel(*plies)?))
            }
            Way::Plan(_) | Way::Best => Play::greatest(self.own.clone()),
        };
        let (hunter, prey) = (self.quarry.hunter, !self.quarry.hunter);
        let (mut hunting, mut waiting) = (opponent.sees(self.goals(hunter)), given.sees(self.goals(prey)));
        let (ours, theirs) = (0..self.ground.size(hunter), 0..self.ground.size(prey));
        let mut planned: Option<Play> = None;
        for left in 1..=moves {
            if cancel.load(Relaxed) {
                return Err(PredictError::Cancelled);
            }
            opponent.pass(&self.ground, theirs.clone(), &hunting, &mut waiting, |hope| hope);
            if let Way::Plan(plan) = way
                && (self.quarry.counts_moves || planned.is_none())
            {
                planned = Some(given.fixed_by(&self.planned(plan, left)?));
            }
            let own = planned.as_ref().unwrap_or(&given);
            own.pass(&self.ground, ours.clone(), &waiting, &mut hunting, |hope| hope);
        }
        let chances = SideValues { attacking: hunting.into_values(), defending: waiting.into_values() };
        Ok(HuntChances { ground: self, chances })
    }

    /// What a plan says of the positions after the hunter's moves.
    fn planned(&self, plan: &Plan, left: u32) -> Result<PositionValues, BlockFileError> {
        let prey = !self.quarry.hunter;
        let mut hoped = self.goals(prey);
        hoped[..self.ground.size(prey)].par_iter_mut().enumerate().try_for_each(|(spot, hope)| {
            *hope = plan.hope(self.ground.index(prey, spot), left)?;
            Ok::<_, BlockFileError>(())
        })?;
        Ok(hoped)
    }

    /// The hunter's hopes where the game is over: mates, and what leaving the endgame for another is worth.
    fn goals(&self, to_move: Color) -> PositionValues {
        let worth = |value: Value, mover: Color| {
            let sign = if mover == self.quarry.hunter { 1.0 } else { -1.0 };
            sign * (2.0 * value.points() - 1.0)
        };
        let mate = |code: &Code| match code.state() {
            state if state == State::loss(0) => worth(Value::Loss, to_move),
            _ => 0.0,
        };
        let positions = self.ground.codes(to_move).iter().map(mate);
        let exits = Code::all().map(|code| worth(code.state().value(), !to_move));
        positions.chain(exits).collect()
    }
}
