//! One game.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, Position};

use crate::{
    engine::{Answer, Fault, FaultKind, Info, Seat, Trouble},
    game::Game,
    model::{Belief, Score},
    oracle::{Control, Report},
};

use super::{
    opening::Opening,
    referee::{Ending, Reason, Referee},
    time_control::{GameClock, TimeControl},
};

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct GameRecord {
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

impl GameRecord {
    /// Moves that the side to move after the opening has made: the length of the game.
    pub fn length(&self) -> usize {
        self.notes.len().div_ceil(2)
    }
}

/// How a game is played, whoever plays it.
pub struct GameConditions<'a> {
    /// What limits the players.
    pub controls: ByColor<TimeControl>,
    /// What their chances follow from.
    pub seeds: ByColor<u64>,
    /// So much too late is not too late.
    pub margin: Duration,
    /// Ends all thinking.
    pub cancel: &'a Control,
    /// Hears what players remark, if anyone does.
    pub remarks: &'a dyn Fn(Color, &str),
}

impl GameConditions<'_> {
    /// Plays one game from an opening. Trouble other than a fault means that there is no game.
    pub fn play(
        &self,
        opening: &Opening,
        mut seats: ByColor<&mut (dyn Seat + '_)>,
        referee: &Referee<'_>,
    ) -> Result<GameRecord, Trouble> {
        let mut clocks = self.controls.map(GameClock::new);
        let mut game = opening.game.clone();
        let first = game.position().turn();
        let mut notes = Vec::new();
        let mut trouble = None;
        for color in [Color::White, Color::Black] {
            let ready = seats.get_mut(color).new_game(&game, Some(*self.seeds.get(color)));
            trouble = trouble.or(ready.err().map(|error| (color, error)));
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
            trouble = match self.choose(&game, &mut **seats.get_mut(turn), &mut clocks) {
                Ok((m, note)) => {
                    notes.push(note);
                    game.play(m);
                    seats.white.played(&game);
                    seats.black.played(&game);
                    None
                }
                Err(error) => Some((turn, error)),
            };
        };
        seats.white.end_game();
        seats.black.end_game();
        let beliefs = ByColor { black: None, white: None };
        Ok(GameRecord { opening: opening.name.clone(), game, notes, ending, fault, beliefs })
    }

    /// One move, and what is to be noted of it.
    fn choose(
        &self,
        game: &Game,
        seat: &mut (dyn Seat + '_),
        clocks: &mut ByColor<GameClock>,
    ) -> Result<(shakmaty::Move, Note), Trouble> {
        let turn = game.position().turn();
        let limits = clocks.get(turn).limits(clocks.get(!turn));
        let mut told: Option<Report> = None;
        let begun = Instant::now();
        let Answer { best, elapsed, .. } =
            seat.choose(game, &limits, self.cancel, &mut |info| match info {
                Info::Search(report) if report.multipv == 1 => told = Some(report),
                Info::Search(_) => {}
                Info::Text(text) => (self.remarks)(turn, &text),
            })?;
        if self.cancel.is_stopped() {
            return Err(Trouble::Cancelled);
        }
        let elapsed = elapsed.unwrap_or_else(|| begun.elapsed());
        let fault = |kind, what: String| Err(Trouble::Fault(Fault { kind, what }));
        let clock = clocks.get_mut(turn);
        if let Some(time) = clock.allowance().filter(|&time| elapsed > time + self.margin) {
            let (took, had) = (elapsed.as_secs_f64(), time.as_secs_f64());
            return fault(FaultKind::Time, format!("took {took:.3} s, had {had:.3} s"));
        }
        let Some(m) = best else { return fault(FaultKind::Illegal, "no move".to_owned()) };
        clock.spend(elapsed);
        let (score, depth) = told.map_or((None, None), |told| (Some(told.score), Some(told.depth)));
        Ok((m, Note { elapsed, clock: clock.remaining(), score, depth, competence: None }))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, uci::UciMove};

    use super::super::rules::Rules;
    use super::*;
    use crate::{engine::Say, oracle::Limits};

    /// Plays these moves, then breaks down.
    struct Script(Vec<&'static str>);

    impl Seat for Script {
        fn new_game(&mut self, _: &Game, _: Option<u64>) -> Result<(), Trouble> {
            Ok(())
        }

        fn choose(
            &mut self,
            game: &Game,
            _: &Limits,
            _: &Control,
            _: &mut Say<'_>,
        ) -> Result<Answer, Trouble> {
            let breakdown = || Trouble::Fault(Fault { kind: FaultKind::Crash, what: "no more".to_owned() });
            let uci = self.0.pop().ok_or_else(breakdown)?;
            let m = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            Ok(Answer { best: Some(m), reply: None, elapsed: Some(Duration::from_millis(100)) })
        }
    }

    fn game(white: &[&'static str], black: &[&'static str]) -> GameRecord {
        let script = |moves: &[&'static str]| Script(moves.iter().rev().copied().collect());
        let (mut white, mut black) = (script(white), script(black));
        let opening = Opening::from_position("start", Chess::default());
        let control: TimeControl = "10+1".parse().unwrap();
        let conditions = GameConditions {
            controls: ByColor { white: control, black: control },
            seeds: ByColor { white: 1, black: 2 },
            margin: Duration::ZERO,
            cancel: &Control::new(),
            remarks: &|_, _| {},
        };
        let referee = Referee::new(Rules::default(), None, &opening.game);
        conditions.play(&opening, ByColor { white: &mut white, black: &mut black }, &referee).unwrap()
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
