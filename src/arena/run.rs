//! Many games at once.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use shakmaty::{ByColor, Color};

use crate::{
    engine::{Seat, Trouble},
    oracle::Control,
};

use super::{
    observer::Observer,
    play::{GameConditions, GameRecord},
    referee::{Arbiter, Referee},
    rules::Rules,
    schedule::{Schedule, ScheduledGame},
    time_control::TimeControl,
};

/// A match: what is played, by which rules, how many games at once.
pub struct Match<'a> {
    /// All games.
    pub schedule: &'a Schedule,
    /// By which rules.
    pub rules: Rules,
    /// Who knows values of positions, if anyone does.
    pub arbiter: Option<&'a dyn Arbiter>,
    /// Who watches the games, if anyone does.
    pub observer: Option<&'a Observer>,
    /// What limits each player.
    pub controls: Vec<TimeControl>,
    /// So much too late is not too late.
    pub margin: Duration,
    /// Games at once.
    pub concurrency: usize,
    /// Makes a player for one of the games at once.
    pub make: &'a (dyn Fn(usize) -> Result<Box<dyn Seat + 'a>, Trouble> + Sync),
    /// Ends all thinking; stopped by the match itself when it is over.
    pub cancel: Control,
}

/// What becomes known while a match goes on.
pub enum MatchEvent {
    /// A game was played to its end.
    Game(ScheduledGame, Box<GameRecord>),
    /// A player, by its number, has something to say.
    Remark(usize, String),
}

/// How a match ended before its time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// A player can't play.
    #[error("{0}")]
    Unable(String),
    /// Someone wants it to end.
    #[error("interrupted")]
    Interrupted,
}

/// How often the flag of whoever may interrupt is looked at.
const GLANCE: Duration = Duration::from_millis(50);

impl Match<'_> {
    /// Plays all games but those already `done`, and tells `hear` of each as it ends, in any order, until that breaks off.
    /// `interrupted` is asked now and then; the games under way are then dropped.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        interrupted: &dyn Fn() -> bool,
        mut hear: impl FnMut(MatchEvent) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let next = AtomicUsize::new(0);
        let workers = self.concurrency.clamp(1, self.schedule.games().max(1));
        let (sender, results) = unbounded();
        thread::scope(|scope| {
            for number in 0..workers {
                let next = &next;
                let results = sender.clone();
                let work = move || {
                    if let Err(error) = self.work(next, done, &results) {
                        let _ = results.send(Err(error));
                    }
                };
                // Where no more threads can be had, fewer games are played at once.
                let Err(error) = thread::Builder::new().spawn_scoped(scope, work) else { continue };
                if number == 0 {
                    let _ =
                        sender.send(Err(MatchError::Unable(format!("no thread can be started: {error}"))));
                }
                break;
            }
            drop(sender);
            // Whatever ends the loop, and be it a panic, ends the workers.
            let _stop_at_end = StopAtEnd(&self.cancel);
            loop {
                match results.recv_timeout(GLANCE) {
                    // Engines may end with us: what they did then is not their fault.
                    _ if interrupted() => return Err(MatchError::Interrupted),
                    Ok(Ok(event)) => {
                        if hear(event).is_break() {
                            return Ok(());
                        }
                    }
                    Ok(Err(error)) => return Err(error),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }

    fn work(
        &self,
        next: &AtomicUsize,
        done: &HashSet<usize>,
        results: &Sender<Result<MatchEvent, MatchError>>,
    ) -> Result<(), MatchError> {
        // A player takes its seat when its first game comes, and keeps it.
        let mut seats: Vec<Option<Box<dyn Seat + '_>>> = self.controls.iter().map(|_| None).collect();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.schedule.games() || self.cancel.is_stopped() {
                return Ok(());
            }
            if done.contains(&number) {
                continue;
            }
            let (scheduled, opening) = self.schedule.game(number);
            let players = ByColor { white: scheduled.white(), black: scheduled.black() };
            // The same player may have both colours, in two seats.
            let mut take = |player: usize| match seats[player].take() {
                Some(seat) => Ok(seat),
                None => (self.make)(player).map_err(|trouble| MatchError::Unable(trouble.to_string())),
            };
            let mut playing = ByColor { white: take(players.white)?, black: take(players.black)? };
            let referee = Referee::new(self.rules, self.arbiter, &opening.game);
            let conditions = GameConditions {
                controls: players.map(|player| self.controls[player]),
                seeds: ByColor { white: 0, black: 1 }.map(|side| self.schedule.game_seed(number, side)),
                margin: self.margin,
                cancel: &self.cancel,
                remarks: &|side: Color, text: &str| {
                    let _ = results.send(Ok(MatchEvent::Remark(*players.get(side), text.to_owned())));
                },
            };
            let ByColor { white, black } = &mut playing;
            let played =
                conditions.play(opening, ByColor { white: &mut **white, black: &mut **black }, &referee);
            let ByColor { white, black } = playing;
            (seats[players.white], seats[players.black]) = (Some(white), Some(black));
            let unable = |what: String| Err(MatchError::Unable(what));
            let mut record = match played {
                Ok(record) => record,
                Err(Trouble::Unable(what)) => return unable(what),
                Err(Trouble::Cancelled | Trouble::Fault(_)) => return Ok(()),
            };
            if let Some(Err(error)) = self.observer.map(|observer| observer.watch(&mut record)) {
                return unable(error.to_string());
            }
            if results.send(Ok(MatchEvent::Game(scheduled, Box::new(record)))).is_err() {
                return Ok(());
            }
        }
    }
}

struct StopAtEnd<'a>(&'a Control);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
