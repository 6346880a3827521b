//! The thread that thinks, and the handle by which it is told to.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::Position;

use crate::{
    game::Game,
    partner::{Answer, Info, Settings},
    search::{Bound, Control, Limits, Report, Score},
};

use super::thinker::Thinker;

enum Order {
    Configure(Box<Settings>),
    Forget,
    ClearHash,
    Think { game: Box<Game>, limits: Limits, control: Control },
}

/// What comes back from the thread.
#[derive(Debug)]
pub enum Event {
    /// Something to tell.
    Info(Info),
    /// The one answer to one [`Handle::think`].
    Answer(Answer),
    /// Another order is carried out.
    Done,
}

/// The thread is gone, which only a fault in the program can bring about.
#[derive(Debug, thiserror::Error)]
#[error("the thinking thread has ended; the message above says why, please report it")]
pub struct Gone;

/// By which the thread is told what to do.
pub struct Handle {
    orders: Sender<Order>,
    events: Receiver<Event>,
}

/// What runs in the thread.
pub struct Actor {
    thinker: Box<dyn Thinker>,
    orders: Receiver<Order>,
    events: Sender<Event>,
}

/// A thinker and the handle to it. It ends when the handle is dropped and the last order is carried out.
pub fn channel(thinker: Box<dyn Thinker>) -> (Handle, Actor) {
    let (orders, received) = unbounded();
    let (said, events) = unbounded();
    (Handle { orders, events }, Actor { thinker, orders: received, events: said })
}

impl Handle {
    /// Takes over settings. One [`Event::Done`] follows.
    pub fn configure(&self, settings: &Settings) -> Result<(), Gone> {
        self.send(Order::Configure(Box::new(settings.clone())))
    }

    /// Forgets the game before. One [`Event::Done`] follows.
    pub fn forget(&self) -> Result<(), Gone> {
        self.send(Order::Forget)
    }

    /// Forgets what was learned in searches. One [`Event::Done`] follows.
    pub fn clear_hash(&self) -> Result<(), Gone> {
        self.send(Order::ClearHash)
    }

    /// Looks for a move. Exactly one [`Event::Answer`] follows.
    pub fn think(&self, game: &Game, limits: Limits, control: &Control) -> Result<(), Gone> {
        self.send(Order::Think { game: Box::new(game.clone()), limits, control: control.clone() })
    }

    /// What comes back.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    fn send(&self, order: Order) -> Result<(), Gone> {
        self.orders.send(order).map_err(|_| Gone)
    }
}

impl Actor {
    /// Carries out orders until the handle is dropped.
    pub fn run(mut self) {
        // Events that nobody hears any more are of a search whose end nobody waits for.
        let events = self.events.clone();
        let mut say = |info| {
            let _ = events.send(Event::Info(info));
        };
        while let Ok(order) = self.orders.recv() {
            match order {
                Order::Configure(settings) => {
                    self.thinker.configure(&settings, &mut say);
                    self.done();
                }
                Order::Forget => {
                    self.thinker.forget();
                    self.done();
                }
                Order::ClearHash => {
                    self.thinker.clear_hash();
                    self.done();
                }
                Order::Think { game, limits, control } => {
                    let answer = self.think(&game, &limits, &control, &mut say);
                    let _ = self.events.send(Event::Answer(answer));
                    self.thinker.rest(&mut say);
                }
            }
        }
    }

    fn done(&self) {
        let _ = self.events.send(Event::Done);
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        say: &mut dyn FnMut(Info),
    ) -> Answer {
        if game.position().legal_moves().is_empty() {
            let mated = game.position().is_check();
            say(Info::Search(Report {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score: if mated { Score::Mate(0) } else { Score::Centipawns(0) },
                bound: Bound::Exact,
                nodes: 1,
                nps: 0,
                hashfull: 0,
                tbhits: 0,
                time: Duration::ZERO,
                pv: Vec::new(),
            }));
            return Answer { best: None, reply: None };
        }
        self.thinker.think(game, limits, control, say)
    }
}
