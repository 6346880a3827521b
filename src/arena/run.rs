//! Many games at once.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use shakmaty::ByColor;

use super::{
    agent_contender::NoAgent,
    contender::{Contender, Trouble},
    observer::Observer,
    play::{Record, play},
    rules::{Arbiter, Referee, Rules},
    schedule::{Schedule, Slot},
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
    /// What limits A and B.
    pub controls: [TimeControl; 2],
    /// Games at once.
    pub concurrency: usize,
    /// Makes A (0) or B (1) for one of the games at once.
    pub make: &'a (dyn Fn(usize) -> Result<Box<dyn Contender + 'a>, NoAgent> + Sync),
    /// Ends all thinking; raised by the match itself when it is over.
    pub cancel: Arc<AtomicBool>,
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
    /// Plays all games but those already `done`, and hands each to `on_game` as it ends, in any order, until that
    /// breaks off. `interrupted` is asked now and then.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        interrupted: &dyn Fn() -> bool,
        mut on_game: impl FnMut(Slot, Record) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let next = AtomicUsize::new(0);
        let workers = self.concurrency.clamp(1, self.schedule.games().max(1));
        let (sender, results) = unbounded();
        thread::scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                let next = &next;
                scope.spawn(move || self.work(next, done, &sender));
            }
            drop(sender);
            // Whatever ends the loop, and be it a panic, ends the workers.
            let _cancel_at_end = Raise(&self.cancel);
            loop {
                match results.recv_timeout(GLANCE) {
                    Ok(Ok((slot, record))) => {
                        if on_game(slot, record).is_break() {
                            return Ok(());
                        }
                    }
                    Ok(Err(error)) => return Err(error),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if interrupted() {
                    return Err(MatchError::Interrupted);
                }
            }
        })
    }

    fn work(
        &self,
        next: &AtomicUsize,
        done: &HashSet<usize>,
        results: &Sender<Result<(Slot, Record), MatchError>>,
    ) {
        let (mut a, mut b) = match ((self.make)(0), (self.make)(1)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), _) | (_, Err(error)) => {
                let _ = results.send(Err(MatchError::Unable(error.to_string())));
                return;
            }
        };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.schedule.games() || self.cancel.load(Ordering::Relaxed) {
                return;
            }
            if done.contains(&number) {
                continue;
            }
            let (slot, opening) = self.schedule.game(number);
            let seeds = [0, 1].map(|side| self.schedule.game_seed(number, side));
            let referee = Referee::new(self.rules, self.arbiter, &opening.game);
            let [control_a, control_b] = self.controls;
            let result = if slot.a_color.is_white() {
                let players: ByColor<&mut dyn Contender> = ByColor { white: &mut *a, black: &mut *b };
                let controls = ByColor { white: control_a, black: control_b };
                play(opening, players, controls, ByColor { white: seeds[0], black: seeds[1] }, &referee)
            } else {
                let players: ByColor<&mut dyn Contender> = ByColor { white: &mut *b, black: &mut *a };
                let controls = ByColor { white: control_b, black: control_a };
                play(opening, players, controls, ByColor { white: seeds[0], black: seeds[1] }, &referee)
            };
            let sent = match result {
                Ok(mut record) => {
                    if let Some(Err(error)) = self.observer.map(|observer| observer.watch(&mut record)) {
                        let _ = results.send(Err(MatchError::Unable(error.to_string())));
                        return;
                    }
                    results.send(Ok((slot, record)))
                }
                Err(Trouble::Unable(what)) => {
                    let _ = results.send(Err(MatchError::Unable(what)));
                    return;
                }
                Err(Trouble::Cancelled | Trouble::Fault(_)) => return,
            };
            if sent.is_err() {
                return;
            }
        }
    }
}

struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
