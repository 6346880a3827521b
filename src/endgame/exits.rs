//! Ways out of an endgame: captures and promotions, and what they are worth in the endgames they lead to.

use std::sync::Arc;

use shakmaty::{Color, Role, Square};

use super::{
    blocks::BlockFileError,
    board::{Board, Conversion, PROMOTIONS},
    index::Squares,
    material::{MAX_MEN, Material},
    table::{Table, before, converted},
};
use crate::model::{Metric, State};

/// The tables around an endgame.
pub struct Exits {
    metric: Metric,
    /// By the place of the victim, the place of the promoting pawn and the role it takes; see [`number`].
    exits: Vec<Option<Exit>>,
}

/// How the men that remain stand in the table of a subgame.
struct Exit {
    /// None for bare kings.
    table: Option<Arc<Table>>,
    /// For each man of the subgame his place in the endgame that is left.
    places: [usize; MAX_MEN],
    /// The subgame's first side is our Black.
    exchanged: bool,
}

fn number(victim: Option<usize>, promotion: Option<(usize, Role)>) -> usize {
    let (pawn, role) = promotion.map_or((0, 0), |(place, role)| (place, role as usize));
    (victim.unwrap_or(0) * MAX_MEN + pawn) * 8 + role
}

impl Exits {
    /// Collects the tables that a material's captures and promotions lead to.
    pub fn new<E>(
        material: Material,
        metric: Metric,
        mut table: impl FnMut(Material) -> Result<Arc<Table>, E>,
    ) -> Result<Exits, E> {
        let men = material.pieces();
        let mut exits: Vec<Option<Exit>> = Vec::new();
        exits.resize_with(number(Some(MAX_MEN - 1), Some((MAX_MEN - 1, Role::King))) + 1, || None);
        let places = 2..men.len();
        let pawns = places.clone().filter(|&place| men[place].role == Role::Pawn);
        let promotions = pawns.flat_map(|place| PROMOTIONS.map(|role| Some((place, role))));
        for promotion in promotions.chain([None]) {
            for victim in places.clone().map(Some).chain([None]) {
                let own_victim = |(place, _): (usize, Role)| {
                    victim.is_some_and(|victim| men[victim].color == men[place].color)
                };
                if promotion.is_some_and(own_victim) || (promotion, victim) == (None, None) {
                    continue;
                }
                let mut left = Vec::new();
                for (place, man) in men.iter().enumerate().filter(|&(place, _)| Some(place) != victim) {
                    let role =
                        promotion.filter(|&(pawn, _)| pawn == place).map_or(man.role, |(_, role)| role);
                    left.push((place, role.of(man.color)));
                }
                exits[number(victim, promotion)] = Some(Exit::new(&left, &mut table)?);
            }
        }
        Ok(Exits { metric, exits })
    }

    /// The outcome of a conversion for the mover.
    #[inline]
    pub fn outcome(&self, board: &Board<'_>, conversion: Conversion) -> Result<State, BlockFileError> {
        let Conversion { place, to, victim, promotion } = conversion;
        let mut squares = *board.squares();
        squares[place] = to;
        let promotion = promotion.map(|role| (place, role));
        let state = match &self.exits[number(victim, promotion)] {
            Some(exit) => exit.state(&squares, !board.men()[place].color)?,
            None => State::Draw,
        };
        Ok(-converted(self.metric, state))
    }

    /// The state of the side to move if it takes in passing, as well as it can, a pawn of the other side that has just
    /// gone two squares to `to`. None if it can't take.
    pub fn taking_in_passing(
        &self,
        after: &Board<'_>,
        to: Square,
        pawn: Color,
    ) -> Result<Option<State>, BlockFileError> {
        let mut best = None;
        for (place, behind) in after.takers_in_passing(to, pawn) {
            let victim = after.place_at(to);
            let outcome = self.outcome(after, Conversion { place, to: behind, victim, promotion: None })?;
            best = best.max(Some(before(self.metric, outcome)));
        }
        Ok(best)
    }

    /// The state of the side to move after a move inside the endgame, whose state would be `plain` if nothing could
    /// be taken in passing.
    #[inline]
    pub fn after_inside(
        &self,
        board: &Board<'_>,
        place: usize,
        to: Square,
        plain: State,
    ) -> Result<State, BlockFileError> {
        if !board.is_double_step(place, to) {
            return Ok(plain);
        }
        let pawn = board.men()[place].color;
        let after = board.after(place, to);
        Ok(match self.taking_in_passing(&after, to, pawn)? {
            None => plain,
            // Who would be stalemated must take.
            Some(taking) if plain == State::Draw && !after.has_moves(!pawn) => taking,
            Some(taking) => plain.max(taking),
        })
    }
}

impl Exit {
    fn new<E>(
        left: &[(usize, shakmaty::Piece)],
        table: &mut impl FnMut(Material) -> Result<Arc<Table>, E>,
    ) -> Result<Exit, E> {
        let (material, exchanged) = Material::of_pieces(left.iter().map(|&(_, piece)| piece));
        let mut places = [0; MAX_MEN];
        let mut free = left.to_vec();
        for (slot, mut piece) in material.pieces().into_iter().enumerate() {
            if exchanged {
                piece.color = !piece.color;
            }
            if let Some(found) = free.iter().position(|&(_, man)| man == piece) {
                places[slot] = free.remove(found).0;
            }
        }
        let table = if material.men() > 2 { Some(table(material)?) } else { None };
        Ok(Exit { table, places, exchanged })
    }

    /// The state for the side to move, after the way out has been taken.
    #[inline]
    fn state(&self, squares: &Squares, to_move: Color) -> Result<State, BlockFileError> {
        let Some(table) = &self.table else { return Ok(State::Draw) };
        let mirror = if self.exchanged { 56 } else { 0 };
        let image = self.places.map(|place| Square::new(u32::from(squares[place]) ^ mirror));
        let to_move = if self.exchanged { !to_move } else { to_move };
        match table.indexer().index(&image) {
            Some(index) => table.state(to_move, index),
            None => Ok(State::Draw),
        }
    }
}
