//! The state of the engine, what each command does to it, and the thread in which the seat thinks.

use std::{
    collections::VecDeque,
    io::{self, Write},
    ops::ControlFlow,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, select, unbounded};
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::{
    engine::{Answer, Info, Say, Seat, SeatSettings, Trouble},
    game::Game,
    model::Score,
    oracle::{Control, Limits, Report},
};

use super::{
    lines::{Output, report_line},
    message,
    option_values::OptionValues,
    options::{self, Effect},
    position::Place,
    scan::{Go, UciCommand, quote, scan},
};

/// How long a search may take to give its answer after `quit`: the program is to be gone within 100 ms.
const ANSWER_WITHIN: Duration = Duration::from_millis(60);
/// How long what needs no search may take after `quit`, and an answer where input has ended without one: nobody hurries then. It
/// takes a few milliseconds unless the machine is very busy.
const READY_WITHIN: Duration = Duration::from_secs(10);

/// The engine: hears commands, and never does anything that takes time itself.
pub struct UciEngine<W> {
    output: Output<W>,
    seat: SeatThread,
    initial: OptionValues,
    settings: OptionValues,
    game: Game,
    debug: bool,
    search: Option<RunningSearch>,
    /// What was said during a search and must wait for its end.
    waiting: VecDeque<Waiting>,
    /// Orders to the seat, other than to choose a move, that are not carried out yet.
    orders_pending: usize,
    /// How often `isready` was asked and not answered yet.
    ready_pending: usize,
}

/// A search whose `bestmove` has not been told.
struct RunningSearch {
    ending: SearchEnding,
    mode: CastlingMode,
    answer: Option<Answer>,
}

/// How a search is ended, and what it waits for before its move is told.
struct SearchEnding {
    control: Control,
    infinite: bool,
    pondering: bool,
}

enum Waiting {
    SetOption { name: String, value: Option<String> },
    NewGame,
    Position(Place),
    // The ending is there from the beginning: `stop` may come before the search has begun.
    Go(Go, SearchEnding),
}

impl<W: Write> UciEngine<W> {
    /// An engine at the start of a game.
    pub fn new(settings: OptionValues, seat: SeatThread, output: W) -> UciEngine<W> {
        UciEngine {
            output: Output::new(output),
            seat,
            initial: settings.clone(),
            settings,
            game: Game::new(Chess::default()),
            debug: false,
            search: None,
            waiting: VecDeque::new(),
            orders_pending: 0,
            ready_pending: 0,
        }
    }

    /// Obeys lines until `quit`, or until there are no more.
    pub fn run(mut self, lines: &Receiver<String>) -> io::Result<()> {
        self.configure()?;
        let events = self.seat.events().clone();
        let answer_within = loop {
            select! {
                recv(lines) -> line => match line {
                    Err(_) => break READY_WITHIN,
                    Ok(line) if self.hear(&line)?.is_break() => break ANSWER_WITHIN,
                    Ok(_) => {}
                },
                recv(events) -> event => self.notice(event.map_err(|_| io::Error::other(Gone))?)?,
            }
        };
        self.leave(&events, answer_within)
    }

    /// Ends searches, gives them a moment to tell their moves, and answers all that needs no search.
    fn leave(&mut self, events: &Receiver<Event>, answer_within: Duration) -> io::Result<()> {
        let begun = Instant::now();
        self.stop()?;
        loop {
            let within = match (&self.search, self.ready_pending) {
                (Some(_), _) => answer_within,
                (None, 0) => return Ok(()),
                (None, _) => READY_WITHIN,
            };
            match events.recv_deadline(begun + within) {
                Ok(event) => self.notice(event)?,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other(Gone)),
            }
        }
    }

    fn hear(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        log::debug!(">> {}", line.trim_end());
        match scan(line) {
            Ok(Some(UciCommand::Quit)) => return Ok(ControlFlow::Break(())),
            Ok(Some(command)) => self.obey(command)?,
            Ok(None) if self.debug => {
                self.output.remark(&format!("nothing known in '{}'", quote(line.trim())))?
            }
            Ok(None) => {}
            Err(error) => self.output.remark(&error.to_string())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, command: UciCommand) -> io::Result<()> {
        match command {
            UciCommand::Uci => message::introduction(options::table(), &self.initial)
                .iter()
                .try_for_each(|line| self.output.line(line)),
            UciCommand::IsReady => {
                self.ready_pending += 1;
                self.tell_ready()
            }
            UciCommand::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            UciCommand::Stop => self.stop(),
            UciCommand::PonderHit => self.ponderhit(),
            UciCommand::Register | UciCommand::Quit => Ok(()),
            UciCommand::SetOption { name, value } => self.wait(Waiting::SetOption { name, value }),
            UciCommand::NewGame => self.wait(Waiting::NewGame),
            UciCommand::Position(place) => self.wait(Waiting::Position(place)),
            UciCommand::Go(go) => {
                let ending =
                    SearchEnding { control: Control::new(), infinite: go.infinite, pondering: go.ponder };
                self.wait(Waiting::Go(go, ending))
            }
        }
    }

    /// Puts something off until no search is going on, which may be now.
    fn wait(&mut self, waiting: Waiting) -> io::Result<()> {
        self.waiting.push_back(waiting);
        self.proceed()
    }

    fn proceed(&mut self) -> io::Result<()> {
        while self.search.is_none() {
            match self.waiting.pop_front() {
                None => break,
                Some(Waiting::SetOption { name, value }) => self.set_option(&name, value.as_deref())?,
                Some(Waiting::NewGame) => {
                    self.game = Game::new(Chess::default());
                    self.orders_pending += 1;
                    self.seat.new_game()?;
                }
                Some(Waiting::Position(place)) => self.place(&place)?,
                Some(Waiting::Go(go, ending)) => self.go(&go, ending)?,
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match options::set(options::table(), &mut self.settings, name, value) {
            Ok(Effect::None) => Ok(()),
            Ok(Effect::Configure) => self.configure(),
            Ok(Effect::ClearHash) => {
                self.orders_pending += 1;
                self.seat.clear_hash()
            }
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn configure(&mut self) -> io::Result<()> {
        self.orders_pending += 1;
        self.seat.configure(&self.settings.engine)
    }

    /// Says `readyok` to whoever has asked, unless the seat is still at what it was told to do: that time must not be
    /// taken from the clock of a game. A search is no reason to wait.
    fn tell_ready(&mut self) -> io::Result<()> {
        while self.ready_pending > 0 && (self.orders_pending == 0 || self.search.is_some()) {
            self.ready_pending -= 1;
            self.output.line(&message::ready())?;
        }
        Ok(())
    }

    fn place(&mut self, place: &Place) -> io::Result<()> {
        match place.game(self.settings.chess960) {
            Ok(game) => {
                self.game = game;
                Ok(())
            }
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn go(&mut self, go: &Go, ending: SearchEnding) -> io::Result<()> {
        if !go.ignored.is_empty() {
            self.output.remark(&format!("go: nothing known of '{}'", quote(&go.ignored.join(" "))))?;
        }
        let position = self.game.position();
        let limits = go.limits(position);
        let mode = position.castles().mode();
        self.seat.choose(&self.game, limits, &ending.control)?;
        self.search = Some(RunningSearch { ending, mode, answer: None });
        Ok(())
    }

    /// All searches asked for so far: `stop` after a second `go` means that one too, begun or not.
    fn ending(&mut self) -> impl DoubleEndedIterator<Item = &mut SearchEnding> {
        let waiting = self.waiting.iter_mut().filter_map(|waiting| match waiting {
            Waiting::Go(_, ending) => Some(ending),
            _ => None,
        });
        self.search.iter_mut().map(|search| &mut search.ending).chain(waiting)
    }

    fn stop(&mut self) -> io::Result<()> {
        self.ending().for_each(|ending| ending.control.stop());
        self.conclude()
    }

    fn ponderhit(&mut self) -> io::Result<()> {
        if let Some(ending) = self.ending().next_back() {
            ending.pondering = false;
            ending.control.ponderhit();
        }
        self.conclude()
    }

    fn notice(&mut self, event: Event) -> io::Result<()> {
        match (event, &mut self.search) {
            (Event::Info(Info::Text(text)), _) => self.output.remark(&text),
            (Event::Info(Info::Search(report)), Some(search)) => {
                self.output.line(&report_line(&report, search.mode, &self.settings))
            }
            (Event::Answer(answer), Some(search)) => {
                search.answer = Some(answer);
                self.conclude()
            }
            (Event::Done, _) => {
                self.orders_pending -= 1;
                self.tell_ready()
            }
            (_, None) => Ok(()),
        }
    }

    /// Tells the move if it is both known and wanted: in analysis and in the opponent's time it is not wanted
    /// before `stop` or `ponderhit`, however early it is known.
    fn conclude(&mut self) -> io::Result<()> {
        let told = self.search.take_if(|search| search.answer.is_some() && search.ending.answer_is_wanted());
        let Some(RunningSearch { mode, answer: Some(answer), .. }) = told else { return Ok(()) };
        let notation = |m: Move| m.to_uci(mode).to_string();
        let mut line = format!("bestmove {}", answer.best.map_or("0000".to_owned(), notation));
        if let Some(reply) = answer.reply.filter(|_| self.settings.ponder) {
            line.push_str(&format!(" ponder {}", notation(reply)));
        }
        self.output.line(&line)?;
        self.proceed()
    }
}

impl SearchEnding {
    fn answer_is_wanted(&self) -> bool {
        self.control.is_stopped() || !(self.infinite || self.pondering)
    }
}

enum Order {
    Configure(Box<SeatSettings>),
    NewGame,
    ClearHash,
    Choose { game: Box<Game>, limits: Limits, control: Control },
}

/// What comes back from the thread.
#[derive(Debug)]
enum Event {
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
struct Gone;

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
    fn configure(&self, settings: &SeatSettings) -> io::Result<()> {
        self.send(Order::Configure(Box::new(settings.clone())))
    }

    /// Forgets the game before. One [`Event::Done`] follows.
    fn new_game(&self) -> io::Result<()> {
        self.send(Order::NewGame)
    }

    /// Forgets what was learned in searches. One [`Event::Done`] follows.
    fn clear_hash(&self) -> io::Result<()> {
        self.send(Order::ClearHash)
    }

    /// Looks for a move. Exactly one [`Event::Answer`] follows.
    fn choose(&self, game: &Game, limits: Limits, control: &Control) -> io::Result<()> {
        self.send(Order::Choose { game: Box::new(game.clone()), limits, control: control.clone() })
    }

    /// What comes back.
    fn events(&self) -> &Receiver<Event> {
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
