//! A practice game being played: what may be done in it, without threads and without waiting.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, Move, Position, san::SanPlus, uci::UciMove};

use super::{
    Verdict,
    record::{ClockRecord, End, Record, VERSION},
    task::Beginning,
};
use crate::{
    agents::{Analyser, Observation},
    analysis::Judge,
    arena::{GameClock, Referee, Rules},
    engine::AgentSeat,
    game::Game,
    model::{Outcome, Value},
    oracle::Look,
    web::{error::Refusal, practice::Partner},
};

/// A partner at the board, and how much of the game it has been told.
pub struct Seated {
    /// The partner.
    pub seat: Box<AgentSeat>,
    /// Half-moves that it knows of; nothing if some of those that it knows of were taken back.
    pub told: Option<usize>,
}

/// A game.
pub struct State {
    /// What is kept of it.
    pub record: Record,
    /// The game.
    pub game: Game,
    /// What is believed of the visitor.
    pub judge: Judge,
    /// Changed with every change of the moves: who thought about the game as it was has thought in vain.
    pub generation: u64,
    /// A job is under way that will move for the partner.
    pub thinking: bool,
    /// The partner, unless it is thinking or was never asked.
    pub seated: Option<Seated>,
    /// What the visitor's present decision leads to, once somebody has looked.
    pub look: Option<Look>,
    /// Half-moves of the visitor's that wait to be judged, with the look at the decision if there was one.
    pub unjudged: Vec<(usize, Option<Look>)>,
    /// Somebody is looking.
    pub looking: bool,
    /// The visitor wants to know a good move.
    pub wants_hint: bool,
    /// A good move.
    pub hint: Option<String>,
    /// The visitor has offered a draw.
    pub offers_draw: bool,
    /// It was thrown away.
    pub deleted: bool,
    /// What the partner has said.
    pub remarks: Vec<String>,
    clocks: Option<ByColor<GameClock>>,
    /// Since when the side to move has been thinking.
    turn_began: Instant,
    /// When somebody last asked for it.
    pub used: Instant,
}

/// As chess is played; what tables know is played out all the same.
const RULES: Rules = Rules { adjudicate: false, ..Rules::CHESS };
/// A draw is accepted if the partner is better by no more than so many pawns …
const LEVEL: f64 = 0.3;
/// … and after so many half-moves, or else only if it is worse by so many.
const EARLY: (usize, f64) = (60, 1.0);
/// No game is longer, in half-moves.
const LONGEST: usize = 1200;

/// How a game is set up.
pub struct Setting {
    /// What is played.
    pub beginning: Beginning,
    /// With whom.
    pub partner: Partner,
    /// The visitor's side.
    pub side: Color,
    /// Seconds at the start and for each move, if there is a clock.
    pub clock: Option<(u32, u32)>,
    /// Of the partner's chance.
    pub seed: u64,
    /// In seconds since 1970.
    pub now: u64,
}

impl State {
    /// A game that begins now.
    pub fn new(setting: Setting, visitor: &Analyser) -> State {
        let Setting { beginning: Beginning { title, game }, partner, side, clock, seed, now } = setting;
        let clock = clock.map(|(base, increment)| {
            let left = u64::from(base) * 1000;
            ClockRecord { base, increment, white: left, black: left }
        });
        let mut record = Record {
            version: VERSION,
            begun: now,
            changed: now,
            title,
            partner,
            white: side.is_white(),
            clock,
            start: String::new(),
            moves: Vec::new(),
            given: game.moves().len(),
            verdicts: Vec::new(),
            hinted: Vec::new(),
            ending: None,
            learned: visitor.learned().clone(),
            seed,
        };
        record.write(&game);
        State::with(record, game, visitor)
    }

    /// A game that was kept; nothing if it can't be read.
    pub fn restored(record: Record, visitor: &Analyser) -> Option<State> {
        let game = record.game()?;
        let visitor = visitor.clone().having(record.learned.clone());
        Some(State::with(record, game, &visitor))
    }

    fn with(record: Record, game: Game, visitor: &Analyser) -> State {
        let clocks = record.clock.map(|clock| ByColor::new_with(|side| GameClock::new(clock.control(side))));
        State {
            record,
            game,
            judge: Judge::new(visitor),
            generation: 0,
            thinking: false,
            seated: None,
            look: None,
            unjudged: Vec::new(),
            looking: false,
            wants_hint: false,
            hint: None,
            offers_draw: false,
            deleted: false,
            remarks: Vec::new(),
            clocks,
            turn_began: Instant::now(),
            used: Instant::now(),
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.record.ending.is_some()
    }

    /// Whether the visitor has to move.
    pub fn is_visitors_turn(&self) -> bool {
        self.game.position().turn() == self.record.side()
    }

    fn require_running(&self) -> Result<(), Refusal> {
        if self.is_over() { Err(Refusal::conflict("the game is over")) } else { Ok(()) }
    }

    fn require_turn(&self) -> Result<(), Refusal> {
        self.require_running()?;
        if self.is_visitors_turn() { Ok(()) } else { Err(Refusal::conflict("it is not your turn")) }
    }

    /// A move of the visitor's, in UCI notation or SAN, in the game as it was after `ply` half-moves.
    pub fn play(&mut self, text: &str, ply: usize, now: Instant) -> Result<(), Refusal> {
        self.look_at_clock(now);
        self.require_turn()?;
        if ply != self.game.moves().len() {
            return Err(Refusal::conflict("the game has gone on meanwhile"));
        }
        let m = read_move(text.trim(), &self.game).ok_or_else(|| {
            Refusal::bad(format!("'{}' can't be played here", text.chars().take(20).collect::<String>()))
        })?;
        self.unjudged.push((ply, self.look.take()));
        self.put(m, now);
        Ok(())
    }

    /// A move is made, by whomever.
    pub fn put(&mut self, m: Move, now: Instant) {
        let (side, took) = (self.game.position().turn(), now.saturating_duration_since(self.turn_began));
        self.game.play(m);
        if let Some(clocks) = &mut self.clocks {
            clocks.get_mut(side).spend(took);
        }
        self.changed(now);
        let opening = self.game.up_to(0);
        if let Some(ending) = Referee::new(RULES, None, &opening).ending(&self.game) {
            self.record.ending = Some(End::new(ending.outcome.winner(), ending.reason.name()));
        } else if self.game.moves().len() >= LONGEST {
            self.record.ending = Some(End::new(None, "length"));
        }
    }

    /// The moves are others than before.
    fn changed(&mut self, now: Instant) {
        self.generation += 1;
        self.look = None;
        self.hint = None;
        self.wants_hint = false;
        self.offers_draw = false;
        self.turn_began = now;
        self.record.write(&self.game);
        self.note_clocks();
    }

    fn note_clocks(&mut self) {
        if let (Some(clock), Some(clocks)) = (&mut self.record.clock, &self.clocks) {
            let left = |clock: &GameClock| clock.remaining().unwrap_or_default().as_millis() as u64;
            (clock.white, clock.black) = (left(&clocks.white), left(&clocks.black));
        }
    }

    /// What both sides have left now, in milliseconds, White's first.
    pub fn clock_times(&self, now: Instant) -> Option<[u64; 2]> {
        let clocks = self.clocks?;
        let turn = self.game.position().turn();
        let left = |side| {
            let running = side == turn && !self.is_over();
            let gone = if running { now.saturating_duration_since(self.turn_began) } else { Duration::ZERO };
            clocks.get(side).remaining().unwrap_or_default().saturating_sub(gone).as_millis() as u64
        };
        Some([left(Color::White), left(Color::Black)])
    }

    /// What the partner may spend by its clock.
    pub fn allowance(&self) -> Option<Duration> {
        let (base, increment) = (self.clock_times(Instant::now())?, self.record.clock?.increment);
        let left = Duration::from_millis(base[usize::from(self.record.white)]);
        Some(left / 30 + Duration::from_secs(increment.into()) / 2)
    }

    /// Ends the game if the time of whoever is to move is over. Says whether it has.
    pub fn look_at_clock(&mut self, now: Instant) -> bool {
        let turn = self.game.position().turn();
        let out = self.clock_times(now).is_some_and(|left| left[usize::from(turn.is_black())] == 0);
        if self.is_over() || !out {
            return false;
        }
        // Who can't mate has not won.
        let winner = (!self.game.position().has_insufficient_material(!turn)).then_some(!turn);
        self.end(End::new(winner, "time"), now);
        true
    }

    fn end(&mut self, end: End, now: Instant) {
        self.record.ending = Some(end);
        self.changed(now);
    }

    /// The visitor gives up.
    pub fn resign(&mut self, now: Instant) -> Result<(), Refusal> {
        self.require_running()?;
        self.end(End::new(Some(!self.record.side()), "resignation"), now);
        Ok(())
    }

    /// The visitor takes back his last move, and the partner's after it.
    pub fn take_back(&mut self, now: Instant) -> Result<(), Refusal> {
        let mine = |ply: usize| (self.game.moves().len() - ply).is_multiple_of(2) == self.is_visitors_turn();
        let last = (self.record.given..self.game.moves().len()).rev().find(|&ply| mine(ply));
        let last = last.ok_or_else(|| Refusal::conflict("there is no move of yours to take back"))?;
        self.game = self.game.up_to(last);
        self.record.ending = None;
        if let Some(seated) = &mut self.seated {
            seated.told = None;
        }
        self.record.verdicts.retain(|verdict| verdict.ply <= last);
        self.unjudged.retain(|&(ply, _)| ply < last);
        self.changed(now);
        Ok(())
    }

    /// The visitor offers a draw: answered as soon as somebody has looked.
    pub fn offer_draw(&mut self) -> Result<(), Refusal> {
        self.require_turn()?;
        self.offers_draw = true;
        Ok(())
    }

    /// The visitor wants a hint: given as soon as somebody has looked.
    pub fn ask_hint(&mut self) -> Result<(), Refusal> {
        self.require_turn()?;
        self.wants_hint = true;
        Ok(())
    }

    /// Answers what waits for a look. Says whether the game has changed by it.
    pub fn settle(&mut self, now: Instant) -> bool {
        let Some(look) = &self.look else { return false };
        if std::mem::take(&mut self.wants_hint) {
            self.hint = look.best_first().first().map(|best| look.uci(best.m));
            let ply = self.game.moves().len();
            if !self.record.hinted.contains(&ply) {
                self.record.hinted.push(ply);
            }
        }
        if !std::mem::take(&mut self.offers_draw) {
            return false;
        }
        let accepts = match look.outcome() {
            Outcome::Table(state) => state.value() != Value::Loss,
            Outcome::Evaluation(score) => {
                let early = self.game.moves().len() < EARLY.0;
                score.pawns() >= if early { EARLY.1 } else { -LEVEL }
            }
        };
        match accepts {
            true => self.end(End::new(None, "agreement"), now),
            false => self.remarks = vec!["No draw: I would like to play on.".to_owned()],
        }
        accepts
    }

    /// Notes what a move was worth. Of a move that was played by a hint nothing is learned.
    pub fn judge(&mut self, observation: &Observation) {
        let hinted = self.record.hinted.contains(&observation.ply);
        let mut aside = self.judge.clone();
        let judge = if hinted { &mut aside } else { &mut self.judge };
        match Verdict::new(observation, judge) {
            Ok(mut verdict) => {
                if hinted {
                    (verdict.elo, verdict.c) = (None, None);
                }
                self.record.verdicts.retain(|other| other.ply != verdict.ply);
                self.record.verdicts.push(verdict);
                self.record.verdicts.sort_by_key(|verdict| verdict.ply);
                self.record.learned = self.judge.players().get(self.record.side()).learned().clone();
            }
            Err(error) => log::warn!("a move can't be judged: {error}"),
        }
    }
}

/// A legal move in UCI notation or SAN.
fn read_move(text: &str, game: &Game) -> Option<Move> {
    let uci = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
    uci.or_else(|| SanPlus::from_ascii(text.as_bytes()).ok()?.san.to_move(game.position()).ok())
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::agents::AgentSpec;

    fn state(side: Color, clock: Option<(u32, u32)>) -> State {
        let beginning = Beginning { title: "t".to_owned(), game: Game::new(Chess::default()) };
        let partner = Partner { agent: "search".to_owned(), elo: None, c: None, game_c: None };
        let setting = Setting { beginning, partner, side, clock, seed: 1, now: 0 };
        State::new(setting, &AgentSpec::default().analyser().unwrap())
    }

    fn play(state: &mut State, moves: &str) {
        for san in moves.split(' ') {
            let m = read_move(san, &state.game).unwrap();
            state.put(m, Instant::now());
        }
    }

    #[test]
    fn moves_are_read_in_both_notations_and_only_in_turn() {
        let mut state = state(Color::White, None);
        assert!(state.play("e2e4", 1, Instant::now()).is_err(), "the game is not there yet");
        assert!(state.play("Ke3", 0, Instant::now()).is_err());
        assert!(state.play("e4", 0, Instant::now()).is_ok());
        assert!(state.play("e7e5", 1, Instant::now()).is_err(), "it is the partner's turn");
    }

    #[test]
    fn a_move_is_taken_back_with_the_answer_to_it() {
        let mut state = state(Color::White, None);
        assert!(state.take_back(Instant::now()).is_err());
        play(&mut state, "e4 e5 Nf3");
        state.take_back(Instant::now()).unwrap();
        assert_eq!(state.game.moves().len(), 2);
        state.take_back(Instant::now()).unwrap();
        assert_eq!(state.game.moves().len(), 0);
    }

    #[test]
    fn a_mate_can_be_taken_back() {
        let mut state = state(Color::White, None);
        play(&mut state, "f3 e5 g4 Qh4#");
        assert_eq!(state.record.ending, Some(End::new(Some(Color::Black), "checkmate")));
        state.take_back(Instant::now()).unwrap();
        assert!(!state.is_over() && state.game.moves().len() == 2);
    }

    #[test]
    fn what_was_kept_goes_on() {
        let mut before = state(Color::Black, Some((300, 2)));
        play(&mut before, "e4 c5 Nf3 d6 Bb5+ Bd7 O-O");
        let text = serde_json::to_string(&before.record).unwrap();
        let record: Record = serde_json::from_str(&text).unwrap();
        let after = State::restored(record, &AgentSpec::default().analyser().unwrap()).unwrap();
        assert_eq!(after.game.position(), before.game.position());
        assert_eq!(after.game.moves(), before.game.moves());
        assert!(after.clock_times(Instant::now()).is_some_and(|left| left[0] > 290_000));
    }

    #[test]
    fn whoever_has_no_time_left_has_lost() {
        let mut state = state(Color::White, Some((60, 0)));
        let later = Instant::now() + Duration::from_secs(61);
        assert!(!state.look_at_clock(Instant::now()));
        assert!(state.look_at_clock(later));
        assert_eq!(state.record.ending, Some(End::new(Some(Color::Black), "time")));
        assert!(state.play("e4", 0, later).is_err());
    }
}
