//! One game.

use std::time::Duration;

use shakmaty::{ByColor, Color, Position};

use crate::{game::Game, model::Belief, score::Score};

use super::{
    contender::{Contender, Fault, Thought, Trouble},
    opening::Opening,
    rules::{Ending, Reason, Referee},
    time_control::{Clock, TimeControl},
};

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Record {
    /// What the opening is called.
    pub opening: String,
    /// The game, its opening moves included.
    pub game: Game,
    /// A note on each move that the players made.
    pub notes: Vec<Note>,
    /// How it ended.
    pub ending: Ending,
    /// What the loser did wrong, if that ended it.
    pub fault: Option<Fault>,
    /// What an Analyser believes of White and Black at the end, if one has watched.
    pub beliefs: ByColor<Option<Belief>>,
}

/// What is remembered of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// How long it took.
    pub elapsed: Duration,
    /// What was left on the mover's clock.
    pub clock: Option<Duration>,
    /// What the mover thought of its position, from its own side.
    pub score: Option<Score>,
    /// How deep it has looked.
    pub depth: Option<u32>,
    /// The mover's apparent competence after the move.
    pub competence: Option<f64>,
}

impl Record {
    /// Moves that the side to move after the opening has made: the length of the game.
    pub fn length(&self) -> usize {
        self.notes.len().div_ceil(2)
    }
}

/// Plays one game from an opening. Trouble other than a fault means that there is no game.
pub fn play(
    opening: &Opening,
    contenders: ByColor<&mut (dyn Contender + '_)>,
    controls: ByColor<TimeControl>,
    seeds: ByColor<u64>,
    referee: &Referee<'_>,
) -> Result<Record, Trouble> {
    let ByColor { white, black } = contenders;
    let mut clocks = controls.map(Clock::new);
    let mut game = opening.game.clone();
    let first = game.position().turn();
    let mut notes = Vec::new();
    let mut trouble = None;
    if let Err(error) = white.new_game(&game, seeds.white) {
        trouble = Some((Color::White, error));
    } else if let Err(error) = black.new_game(&game, seeds.black) {
        trouble = Some((Color::Black, error));
    }
    let (ending, fault) = loop {
        match trouble {
            None => {}
            Some((culprit, Trouble::Fault(fault))) => {
                break (Ending::won(!culprit, Reason::Fault(fault.kind)), Some(fault));
            }
            Some((_, trouble)) => return Err(trouble),
        }
        if let Some(ending) = referee.ending(&game).or_else(|| referee.agreed(first, &notes)) {
            break (ending, None);
        }
        let turn = game.position().turn();
        let chosen = match turn {
            Color::White => white.choose(&game, &clocks),
            Color::Black => black.choose(&game, &clocks),
        };
        trouble = match chosen {
            Ok(Thought { m, elapsed, score, depth }) => {
                let clock = clocks.get_mut(turn);
                clock.spend(elapsed);
                notes.push(Note { elapsed, clock: clock.remaining(), score, depth, competence: None });
                game.play(m);
                None
            }
            Err(error) => Some((turn, error)),
        };
    };
    Ok(Record {
        opening: opening.name.clone(),
        game,
        notes,
        ending,
        fault,
        beliefs: ByColor { black: None, white: None },
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, uci::UciMove};

    use super::super::{contender::FaultKind, rules::Rules};
    use super::*;

    /// Plays these moves, then breaks down.
    struct Script(Vec<&'static str>);

    impl Contender for Script {
        fn new_game(&mut self, _opening: &Game, _seed: u64) -> Result<(), Trouble> {
            Ok(())
        }

        fn choose(&mut self, game: &Game, _clocks: &ByColor<Clock>) -> Result<Thought, Trouble> {
            let breakdown = || Trouble::Fault(Fault { kind: FaultKind::Crash, what: "no more".to_owned() });
            let uci = self.0.pop().ok_or_else(breakdown)?;
            let m = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            Ok(Thought { m, elapsed: Duration::from_millis(100), score: None, depth: None })
        }
    }

    fn game(white: &[&'static str], black: &[&'static str]) -> Record {
        let script = |moves: &[&'static str]| Script(moves.iter().rev().copied().collect());
        let (mut white, mut black) = (script(white), script(black));
        let opening = Opening::from_position("start", Chess::default());
        let control: TimeControl = "10+1".parse().unwrap();
        play(
            &opening,
            ByColor { white: &mut white, black: &mut black },
            ByColor { white: control, black: control },
            ByColor { white: 1, black: 2 },
            &Referee::new(Rules::default(), None, &opening.game),
        )
        .unwrap()
    }

    #[test]
    fn the_fools_mate_is_won_by_black() {
        let record = game(&["f2f3", "g2g4"], &["e7e5", "d8h4"]);
        assert_eq!(record.ending, Ending::won(Color::Black, Reason::Checkmate));
        assert_eq!((record.length(), record.notes.len()), (2, 4));
        assert_eq!(record.notes[3].clock, Some(Duration::from_millis(11_800)));
    }

    #[test]
    fn who_breaks_down_loses() {
        let record = game(&["e2e4", "d2d4"], &["e7e5"]);
        assert_eq!(record.ending, Ending::won(Color::White, Reason::Fault(FaultKind::Crash)));
        assert_eq!(record.fault.unwrap().what, "no more");
    }
}
