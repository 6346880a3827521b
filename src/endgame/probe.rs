//! One call gives value and depth of a position, whatever side is stronger and whatever colours.

use shakmaty::{Chess, Color, Move, Piece, Position, Square, fen::Fen};

use super::{
    exits::{before, converted},
    index::{Index, Squares},
    material::{MAX_MEN, Material},
    table::Table,
    tables::Tables,
};
use crate::model::{Metric, State, Value};

/// Where a position stands in a table.
pub struct Located<'a> {
    /// The table.
    pub table: &'a Table,
    /// The side to move, as colours are in the table.
    pub to_move: Color,
    /// The number of the position.
    pub index: Index,
}

impl Tables {
    /// The state of a position for the side to move, without the 50-move rule. None if no table can serve it: too many
    /// men, castling rights, or a table that is not there.
    ///
    /// Syzygy's tables stand in for missing ones where their depths are the same: by DTZ, and without pawns by DTC.
    #[inline]
    pub fn probe(&self, position: &Chess, metric: Metric) -> Option<State> {
        if position.legal_ep_square().is_none() {
            return self.probe_plain(position, metric);
        }
        // Tables know nothing of taking in passing: it is looked at one ply on.
        let mut taking = None;
        let mut other_moves = false;
        for m in position.legal_moves() {
            if m.is_en_passant() {
                taking = taking.max(Some(before(metric, self.outcome(position, m, metric)?)));
            } else {
                other_moves = true;
            }
        }
        let plain = if other_moves { Some(self.probe_plain(position, metric)?) } else { None };
        plain.max(taking)
    }

    /// The state after a legal move, for the mover: a conversion counts for what it is. None if no table can serve it.
    pub fn outcome(&self, position: &Chess, m: Move, metric: Metric) -> Option<State> {
        let mut after = position.clone();
        after.play_unchecked(m);
        let state = self.probe(&after, metric)?;
        let goal = match metric {
            Metric::Dtc => m.is_conversion(),
            Metric::Dtm | Metric::Dtr | Metric::Dtd => false,
            Metric::Dtz => m.is_zeroing(),
        };
        Some(if goal { -converted(metric, state) } else { -state })
    }

    /// The value alone, from whatever table has it.
    pub fn value(&self, position: &Chess) -> Option<Value> {
        Metric::OF_WINS.into_iter().find_map(|metric| self.probe(position, metric)).map(State::value)
    }

    #[inline]
    pub(super) fn probe_plain(&self, position: &Chess, metric: Metric) -> Option<State> {
        if position.castles().any() {
            return None;
        }
        match self.locate(position, metric) {
            Some(Located { table, to_move, index }) => {
                table.state(to_move, index).inspect_err(|error| self.condemn(table, error)).ok()
            }
            None if position.board().occupied().count() == 2 => Some(State::Draw),
            None => self.syzygy().and_then(|syzygy| syzygy.state(position, metric)),
        }
    }

    /// The place of a position in one of our own tables; pawns that may be taken in passing are not heeded.
    #[inline]
    pub fn locate(&self, position: &Chess, metric: Metric) -> Option<Located<'_>> {
        let board = position.board();
        let (material, exchanged) = Material::of(board)?;
        if material.men() == 2 {
            return None;
        }
        let table = self.get(material, metric)?;
        let mut squares = [Square::A1; MAX_MEN];
        let mirror = if exchanged { 56 } else { 0 };
        let mut place = 0;
        let men = table.indexer().men();
        while place < men.len() {
            let man = men[place];
            let color = if exchanged { !man.color } else { man.color };
            for square in board.by_piece(Piece { color, role: man.role }) {
                squares[place] = Square::new(u32::from(square) ^ mirror);
                place += 1;
            }
        }
        let to_move = if exchanged { !position.turn() } else { position.turn() };
        let index = table.indexer().index(&squares)?;
        Some(Located { table, to_move, index })
    }
}

/// The FEN of a placement in a table's colours.
pub fn fen(men: &[Piece], squares: &Squares, to_move: Color) -> Fen {
    let mut board = shakmaty::Board::empty();
    for (&man, &square) in men.iter().zip(squares) {
        board.set_piece_at(square, man);
    }
    let setup = shakmaty::Setup { board, turn: to_move, ..shakmaty::Setup::empty() };
    Fen::try_from_setup(setup).unwrap_or_default()
}
