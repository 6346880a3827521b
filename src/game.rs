//! A position and how it came about: what the rules on repetition and 50 moves need to know.

use shakmaty::{Chess, EnPassantMode, Move, Position, Square, zobrist::Zobrist64};

/// How a position came about, as far as a person has it before his eyes: the opponent's last move, and his own before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadUp {
    /// The opponent's last move.
    pub last: Option<Step>,
    /// The mover's own move before that.
    pub own: Option<Step>,
}

/// A move by its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it began.
    pub from: Square,
    /// Where it ended; for castling, where the rook stood.
    pub to: Square,
    /// Whether it took something.
    pub capture: bool,
}

impl LeadUp {
    /// After these moves, the last one being the opponent's.
    pub fn of(moves: &[Move]) -> LeadUp {
        let mut back = moves.iter().rev().map(|m| {
            let from = m.from().unwrap_or(m.to());
            Step { from, to: m.to(), capture: m.is_capture() }
        });
        LeadUp { last: back.next(), own: back.next() }
    }
}

/// A game from some starting position to the present one.
#[derive(Clone, Debug)]
pub struct Game {
    start: Chess,
    moves: Vec<Move>,
    position: Chess,
    /// A key for each position of the game, the present one last.
    keys: Vec<Zobrist64>,
}

impl Game {
    /// A game that begins at `start`.
    pub fn new(start: Chess) -> Game {
        let keys = vec![key(&start)];
        Game { position: start.clone(), start, moves: Vec::new(), keys }
    }

    /// The position in which the game began.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// All moves from the start to the present position.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves that led to the present position.
    pub fn lead_up(&self) -> LeadUp {
        LeadUp::of(&self.moves)
    }

    /// Keys of all positions of the game, the present one last. Positions that count as the same
    /// for the rule on repetition have the same key.
    pub fn keys(&self) -> &[Zobrist64] {
        &self.keys
    }

    /// Keys of the positions that could come back, the present one last: those since the last capture or pawn move.
    pub fn reversible_keys(&self) -> &[Zobrist64] {
        let reversible = self.position.halfmoves() as usize + 1;
        &self.keys[self.keys.len().saturating_sub(reversible)..]
    }

    /// The key of the present position.
    pub fn key(&self) -> Zobrist64 {
        self.keys.last().copied().unwrap_or_default()
    }

    /// Goes on with a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        self.moves.push(m);
        self.keys.push(key(&self.position));
    }

    /// The game after one more legal move.
    pub fn after(&self, m: Move) -> Game {
        let mut game = self.clone();
        game.play(m);
        game
    }

    /// The game as it was after its first `plies` moves.
    pub fn up_to(&self, plies: usize) -> Game {
        let mut game = Game::new(self.start.clone());
        self.moves.iter().take(plies).for_each(|&m| game.play(m));
        game
    }

    /// How often the present position has been on the board, now included.
    pub fn repetitions(&self) -> usize {
        self.reversible_keys().iter().filter(|key| **key == self.key()).count()
    }
}

fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    #[test]
    fn repetitions_are_counted_back_to_the_last_irreversible_move() {
        let mut game = Game::new(Chess::default());
        for san in ["e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
            let m = San::from_ascii(san.as_bytes()).unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        assert_eq!(game.repetitions(), 3);
    }
}
