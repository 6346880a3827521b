//! What is noted of the game in progress, and whether a new position goes on with it.

use crate::{
    agents::{Analyser, Observation, OwnMoves},
    game::Game,
    oracle::Look,
};

/// More unjudged moves than this are not kept: there was never time.
const MOST_UNJUDGED: usize = 16;

/// A half-move that waits to be judged, if it is the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unjudged {
    pub ply: usize,
    /// Whether it says how competent the opponent is. Else it is only worth a comment: it was played after another one was taken
    /// back, or perhaps by somebody else before we took up the game.
    pub counts: bool,
}

/// What was noted of the game in progress.
#[derive(Clone)]
pub(super) struct Notes {
    /// The game as far as it is known; nothing before it has begun.
    game: Option<Game>,
    /// No move of it was chosen or judged yet.
    fresh: bool,
    /// What is believed of the opponent.
    pub opponent: Analyser,
    /// The opponent's moves of this game that were judged.
    pub observed: Vec<Observation>,
    /// How many of them are in the profile.
    pub kept: usize,
    /// What waits to be judged.
    pub unjudged: Vec<Unjudged>,
    /// Own decisions and moves.
    pub own: OwnMoves,
    /// The opponent's decision after the move we chose, as it was seen then.
    pub prepared: Option<Look>,
    /// The last own decision, as it was seen. It counts when its move is on the board.
    pub looked: Option<Look>,
    /// What holds if the opponent does not play the move that is pondered on.
    otherwise: Option<Box<Notes>>,
}

impl Notes {
    pub fn new(opponent: Analyser) -> Notes {
        Notes {
            game: None,
            fresh: true,
            opponent,
            observed: Vec::new(),
            kept: 0,
            unjudged: Vec::new(),
            own: OwnMoves::default(),
            prepared: None,
            looked: None,
            otherwise: None,
        }
    }

    /// Notes of a game that goes on from an opening.
    pub fn from_opening(opponent: Analyser, opening: &Game) -> Notes {
        Notes { game: Some(opening.clone()), ..Notes::new(opponent) }
    }

    /// The game as far as it is known.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// False while pondering: the last move is only expected.
    pub fn is_certain(&self) -> bool {
        self.otherwise.is_none()
    }

    /// Takes over the game; a single new move waits to be judged.
    pub fn played(&mut self, game: &Game) {
        let known = self.game.as_ref().map(|known| continuation(known, game));
        let new_plies = if known == Some(Continuation::Plies(1)) { 1 } else { 0 };
        self.note(game, new_plies);
    }

    /// Takes the game to where we have to move now. With `supposed`, its last move is only expected.
    pub fn follow(&mut self, game: &Game, supposed: bool) {
        if let Some(otherwise) = self.otherwise.take() {
            let came_true = self
                .game
                .as_ref()
                .is_some_and(|expected| matches!(continuation(expected, game), Continuation::Plies(0 | 2)));
            if !came_true {
                *self = *otherwise;
            }
        }
        if supposed {
            self.otherwise = Some(Box::new(self.clone()));
        }
        // Only what extends the game by play is judged: one own move and one reply, or the first move of a new game.
        let new_plies = match &self.game {
            None if game.moves().len() == 1 => 1,
            Some(known) => match continuation(known, game) {
                Continuation::Plies(2) => 2,
                Continuation::Plies(1) if self.fresh => 1,
                _ => 0,
            },
            None => 0,
        };
        let is_known = self
            .game
            .as_ref()
            .is_some_and(|known| game.keys().last().is_some_and(|key| known.keys().contains(key)));
        self.note(game, new_plies);
        if let (0, false, Some(ply)) = (new_plies, is_known, game.moves().len().checked_sub(1)) {
            self.unjudged.push(Unjudged { ply, counts: false });
        }
    }

    /// The last `new_plies` moves are play: ours are noted with what was seen, the others wait to be judged.
    fn note(&mut self, game: &Game, new_plies: usize) {
        let goes_on = self.game.as_ref().is_some_and(|known| {
            known.start() == game.start() && continuation(known, game) != Continuation::Elsewhere
        });
        if !goes_on {
            self.unjudged.clear();
        }
        for ply in game.moves().len() - new_plies..game.moves().len() {
            let then = game.up_to(ply);
            match self.looked.take_if(|look| look.position() == then.position()) {
                Some(look) => self.own.push(Observation { ply, look, m: game.moves()[ply] }),
                None => self.unjudged.push(Unjudged { ply, counts: true }),
            }
        }
        let surplus = self.unjudged.len().saturating_sub(MOST_UNJUDGED);
        self.unjudged.drain(..surplus);
        self.fresh = false;
        self.game = Some(game.clone());
    }
}

/// How a position relates to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The same game, this many plies later (0: the same position again).
    Plies(usize),
    /// Another game, a move taken back, or analysis: not play that may be judged.
    Elsewhere,
}

/// How `after` relates to `before`. A program may send a game from its start or only from some later position
/// of it, such as the one after the last capture; both go on with it.
pub fn continuation(before: &Game, after: &Game) -> Continuation {
    let Some(start) = after.keys().first() else { return Continuation::Elsewhere };
    // The earliest occurrence: a game that came back to its start is still sent from the start.
    let shared = before.keys().iter().position(|key| key == start);
    shared
        .and_then(|ply| before.moves().get(ply..))
        .and_then(|known| after.moves().strip_prefix(known))
        .map_or(Continuation::Elsewhere, |played| Continuation::Plies(played.len()))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

    use super::*;
    use crate::{config::Config, engine::SeatSettings};

    /// `startpos` or `fen …`, then `moves` and moves.
    fn game(text: &str) -> Game {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let fen: Option<Fen> = start.strip_prefix("fen ").map(|fen| fen.parse().unwrap());
        let start: Chess = fen.unwrap_or_default().into_position(CastlingMode::Standard).unwrap();
        let mut game = Game::new(start);
        for text in moves.split_whitespace() {
            let m: UciMove = text.parse().unwrap();
            game.play(m.to_move(game.position()).unwrap());
        }
        game
    }

    fn between(before: &str, after: &str) -> Continuation {
        continuation(&game(before), &game(after))
    }

    #[test]
    fn our_move_and_the_reply_are_two_plies() {
        assert_eq!(between("startpos moves e2e4", "startpos moves e2e4 e7e5 g1f3"), Continuation::Plies(2));
    }

    #[test]
    fn the_first_move_of_a_game_is_one_ply() {
        assert_eq!(between("startpos", "startpos moves e2e4"), Continuation::Plies(1));
    }

    #[test]
    fn the_same_position_again_is_no_play() {
        assert_eq!(between("startpos moves e2e4", "startpos moves e2e4"), Continuation::Plies(0));
    }

    #[test]
    fn a_move_taken_back_is_elsewhere() {
        assert_eq!(between("startpos moves e2e4 e7e5", "startpos moves e2e4"), Continuation::Elsewhere);
        assert_eq!(
            between("startpos moves e2e4 e7e5", "startpos moves e2e4 c7c5 g1f3"),
            Continuation::Elsewhere
        );
    }

    #[test]
    fn another_start_is_elsewhere() {
        assert_eq!(
            between("startpos moves e2e4", "fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"),
            Continuation::Elsewhere
        );
    }

    #[test]
    fn a_game_sent_from_a_later_position_goes_on() {
        let after_1_e4 = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(
            between("startpos moves e2e4", &format!("{after_1_e4} moves e7e5 g1f3")),
            Continuation::Plies(2)
        );
        assert_eq!(
            between("startpos moves e2e4 e7e5", &format!("{after_1_e4} moves e7e5 g1f3")),
            Continuation::Plies(1)
        );
        assert_eq!(
            between("startpos moves e2e4 e7e5", &format!("{after_1_e4} moves c7c5")),
            Continuation::Elsewhere
        );
    }

    /// What waits to be judged after these games were shown to us, one after the other, each with us to move.
    fn waiting(games: &[&str]) -> Vec<(usize, bool)> {
        let settings = SeatSettings::new(&Config::built_in().unwrap());
        let mut notes = Notes::new(settings.agent.analyser().unwrap());
        games.iter().for_each(|text| notes.follow(&game(text), false));
        notes.unjudged.iter().map(|unjudged| (unjudged.ply, unjudged.counts)).collect()
    }

    #[test]
    fn a_move_in_place_of_one_taken_back_is_commented_on_and_does_not_count() {
        assert_eq!(waiting(&["startpos moves e2e4"]), [(0, true)]);
        assert_eq!(
            waiting(&["startpos moves e2e4", "startpos moves e2e4 e7e5 f2f3"]),
            [(0, true), (1, true), (2, true)]
        );
        let taken_back =
            ["startpos moves e2e4", "startpos moves e2e4 e7e5 f2f3", "startpos moves e2e4 e7e5 g1f3"];
        assert_eq!(waiting(&taken_back), [(2, false)]);
        let asked_again = ["startpos moves e2e4", "startpos moves e2e4 e7e5 f2f3", "startpos moves e2e4"];
        assert_eq!(waiting(&asked_again), [], "that move was judged before");
    }

    #[test]
    fn a_game_taken_up_in_the_middle_begins_with_a_comment() {
        assert_eq!(waiting(&["startpos moves e2e4 e7e5 g1f3"]), [(2, false)]);
        assert_eq!(
            waiting(&["startpos moves e2e4 e7e5 g1f3", "startpos moves e2e4 e7e5 g1f3"]),
            [(2, false)]
        );
        assert_eq!(waiting(&["startpos"]), []);
    }

    #[test]
    fn a_game_that_came_back_to_its_start_is_sent_from_the_start() {
        let round = "startpos moves g1f3 g8f6 f3g1 f6g8";
        assert_eq!(between(round, &format!("{round} d2d4")), Continuation::Plies(1));
        assert_eq!(between(round, "startpos moves d2d4"), Continuation::Elsewhere);
    }
}
