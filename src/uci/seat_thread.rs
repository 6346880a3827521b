//! The thread in which a seat thinks, and the handle by which it is told to.

use std::{io, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::{Chess, Position};

use crate::{
    engine::{Answer, Info, Say, Seat, SeatSettings, Trouble},
    game::Game,
    model::Score,
    oracle::{Control, Limits, Report},
};

enum Order {
    Configure(Box<SeatSettings>),
    NewGame,
    ClearHash,
    Choose { game: Box<Game>, limits: Limits, control: Control },
}

/// What comes back from the thread.
#[derive(Debug)]
pub(super) enum Event {
    /// Something to tell.
    Info(Info),
    /// The one answer to one [`SeatThread::choose`].
    Answer(Answer),
    /// Another order is carried out.
    Done,
}

/// The thread is gone, which only a fault in the program can bring about.
#[derive(Debug, thiserror::Error)]
#[error("the thinking thread has ended; the message above says why, please report it")]
pub(super) struct Gone;

/// By which the thread is told what to do. The thread ends when this is dropped and the last order is carried out.
pub(super) struct SeatThread {
    orders: Sender<Order>,
    events: Receiver<Event>,
}

impl SeatThread {
    /// Gives a seat a thread of its own, in which it is only ever asked one thing at a time.
    pub fn spawn(seat: Box<dyn Seat>) -> io::Result<SeatThread> {
        let (orders, received) = unbounded();
        let (said, events) = unbounded();
        thread::Builder::new().name("seat".to_owned()).spawn(move || obey(seat, &received, &said))?;
        Ok(SeatThread { orders, events })
    }

    /// Takes over settings. One [`Event::Done`] follows.
    pub fn configure(&self, settings: &SeatSettings) -> io::Result<()> {
        self.send(Order::Configure(Box::new(settings.clone())))
    }

    /// Forgets the game before. One [`Event::Done`] follows.
    pub fn new_game(&self) -> io::Result<()> {
        self.send(Order::NewGame)
    }

    /// Forgets what was learned in searches. One [`Event::Done`] follows.
    pub fn clear_hash(&self) -> io::Result<()> {
        self.send(Order::ClearHash)
    }

    /// Looks for a move. Exactly one [`Event::Answer`] follows.
    pub fn choose(&self, game: &Game, limits: Limits, control: &Control) -> io::Result<()> {
        self.send(Order::Choose { game: Box::new(game.clone()), limits, control: control.clone() })
    }

    /// What comes back.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    fn send(&self, order: Order) -> io::Result<()> {
        self.orders.send(order).map_err(|_| io::Error::other(Gone))
    }
}

/// Carries out orders until there can be no more. Events that nobody hears any more are of a search whose end nobody waits
/// for.
fn obey(mut seat: Box<dyn Seat>, orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut say = |info| {
        let _ = events.send(Event::Info(info));
    };
    for order in orders {
        match order {
            Order::Configure(settings) => seat.configure(&settings, &mut say),
            Order::NewGame => {
                if let Err(trouble) = seat.new_game(&Game::new(Chess::default()), None) {
                    say(Info::Text(trouble.to_string()));
                }
            }
            Order::ClearHash => seat.clear_hash(),
            Order::Choose { game, limits, control } => {
                let answer = answer(&mut *seat, &game, &limits, &control, &mut say);
                let _ = events.send(Event::Answer(answer));
                seat.rest(&mut say);
                continue;
            }
        }
        let _ = events.send(Event::Done);
    }
}

fn answer(seat: &mut dyn Seat, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
    let nothing = Answer { best: None, reply: None, elapsed: None };
    if game.position().legal_moves().is_empty() {
        let score = if game.position().is_check() { Score::Mate(0) } else { Score::Centipawns(0) };
        say(Info::Search(Report { score, ..Report::of_move(None) }));
        return nothing;
    }
    match seat.choose(game, limits, control, say) {
        Ok(answer) => answer,
        Err(Trouble::Cancelled) => nothing,
        Err(trouble) => {
            say(Info::Text(trouble.to_string()));
            nothing
        }
    }
}
