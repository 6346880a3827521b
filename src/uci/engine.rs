//! The state of the engine and what each command does to it.

use std::{
    collections::VecDeque,
    io::{self, Write},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, select};
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::{
    game::Game,
    partner::{Answer, Info},
    search::Control,
};

use super::{
    actor::{Event, Gone, Handle},
    go::Go,
    info, message,
    options::{self, Effect, TABLE},
    output::Output,
    position::Place,
    scan::{Command, scan},
    settings::Settings,
    words::quote,
};

/// How long a search may take to give its answer after `quit`: the program is to be gone within 100 ms.
const PATIENCE: Duration = Duration::from_millis(60);

/// The engine: hears commands, and never does anything that takes time itself.
pub struct Engine<W> {
    output: Output<W>,
    thinker: Handle,
    initial: Settings,
    settings: Settings,
    game: Game,
    debug: bool,
    search: Option<Search>,
    /// What was said during a search and must wait for its end.
    waiting: VecDeque<Waiting>,
    /// Orders to the thinker, other than to think, that are not carried out yet.
    chores: usize,
    /// How often `isready` was asked since then.
    impatience: usize,
}

/// A search whose `bestmove` has not been told.
struct Search {
    reins: Reins,
    mode: CastlingMode,
    answer: Option<Answer>,
}

/// How a search is ended, and what it waits for.
struct Reins {
    control: Control,
    infinite: bool,
    pondering: bool,
}

enum Waiting {
    SetOption { name: String, value: Option<String> },
    NewGame,
    Position(Place),
    // The reins are there from the beginning: `stop` may come before the search has begun.
    Go(Go, Reins),
}

impl<W: Write> Engine<W> {
    /// An engine at the start of a game.
    pub fn new(settings: Settings, thinker: Handle, output: W) -> Engine<W> {
        Engine {
            output: Output::new(output),
            thinker,
            initial: settings.clone(),
            settings,
            game: Game::new(Chess::default()),
            debug: false,
            search: None,
            waiting: VecDeque::new(),
            chores: 0,
            impatience: 0,
        }
    }

    /// Obeys lines until `quit`, or until there are no more.
    pub fn run(mut self, lines: &Receiver<String>) -> io::Result<()> {
        self.configure()?;
        let events = self.thinker.events().clone();
        loop {
            select! {
                recv(lines) -> line => {
                    let Ok(line) = line else { break };
                    if self.hear(&line)?.is_break() {
                        break;
                    }
                }
                recv(events) -> event => self.notice(event.map_err(|_| io::Error::other(Gone))?)?,
            }
        }
        self.leave(&events)
    }

    /// Ends searches, and gives them a moment to tell their moves.
    fn leave(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        self.stop()?;
        while self.search.is_some() || self.impatience > 0 {
            match events.recv_deadline(deadline) {
                Ok(event) => self.notice(event)?,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other(Gone)),
            }
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        log::debug!(">> {}", line.trim_end());
        match scan(line) {
            Ok(Some(Command::Quit)) => return Ok(ControlFlow::Break(())),
            Ok(Some(command)) => self.obey(command)?,
            Ok(None) if self.debug => {
                self.output.remark(&format!("nothing known in '{}'", quote(line.trim())))?
            }
            Ok(None) => {}
            Err(error) => self.output.remark(&error.to_string())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => {
                message::introduction(TABLE, &self.initial).iter().try_for_each(|line| self.output.line(line))
            }
            Command::IsReady => {
                self.impatience += 1;
                self.reassure()
            }
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(),
            Command::Register | Command::Quit => Ok(()),
            Command::SetOption { name, value } => self.wait(Waiting::SetOption { name, value }),
            Command::NewGame => self.wait(Waiting::NewGame),
            Command::Position(place) => self.wait(Waiting::Position(place)),
            Command::Go(go) => {
                let reins = Reins { control: Control::new(), infinite: go.infinite, pondering: go.ponder };
                self.wait(Waiting::Go(go, reins))
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
                    self.thinker.forget().map_err(io::Error::other)?;
                    self.chores += 1;
                }
                Some(Waiting::Position(place)) => self.place(&place)?,
                Some(Waiting::Go(go, reins)) => self.go(&go, reins)?,
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match options::set(TABLE, &mut self.settings, name, value) {
            Ok(Effect::None) => Ok(()),
            Ok(Effect::Configure) => self.configure(),
            Ok(Effect::ClearHash) => {
                self.chores += 1;
                self.thinker.clear_hash().map_err(io::Error::other)
            }
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn configure(&mut self) -> io::Result<()> {
        self.chores += 1;
        self.thinker.configure(&self.settings.partner).map_err(io::Error::other)
    }

    /// Says `readyok` to whoever has asked, unless the thinker is still at what it was told to do: that time must not be
    /// taken from the clock of a game. A search is no reason to wait.
    fn reassure(&mut self) -> io::Result<()> {
        while self.impatience > 0 && (self.chores == 0 || self.search.is_some()) {
            self.impatience -= 1;
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

    fn go(&mut self, go: &Go, reins: Reins) -> io::Result<()> {
        if !go.ignored.is_empty() {
            self.output.remark(&format!("go: nothing known of '{}'", quote(&go.ignored.join(" "))))?;
        }
        let position = self.game.position();
        let limits = go.limits(position);
        let mode = position.castles().mode();
        self.thinker.think(&self.game, limits, &reins.control).map_err(io::Error::other)?;
        self.search = Some(Search { reins, mode, answer: None });
        Ok(())
    }

    /// All searches asked for so far: `stop` after a second `go` means that one too, begun or not.
    fn reins(&mut self) -> impl DoubleEndedIterator<Item = &mut Reins> {
        let waiting = self.waiting.iter_mut().filter_map(|waiting| match waiting {
            Waiting::Go(_, reins) => Some(reins),
            _ => None,
        });
        self.search.iter_mut().map(|search| &mut search.reins).chain(waiting)
    }

    fn stop(&mut self) -> io::Result<()> {
        self.reins().for_each(|reins| reins.control.stop());
        self.conclude()
    }

    fn ponderhit(&mut self) -> io::Result<()> {
        if let Some(reins) = self.reins().next_back() {
            reins.pondering = false;
            reins.control.ponderhit();
        }
        self.conclude()
    }

    fn notice(&mut self, event: Event) -> io::Result<()> {
        match (event, &mut self.search) {
            (Event::Info(Info::Text(text)), _) => self.output.remark(&text),
            (Event::Info(Info::Search(report)), Some(search)) => {
                self.output.line(&info::line(&report, search.mode, &self.settings))
            }
            (Event::Answer(answer), Some(search)) => {
                search.answer = Some(answer);
                self.conclude()
            }
            (Event::Done, _) => {
                self.chores -= 1;
                self.reassure()
            }
            (_, None) => Ok(()),
        }
    }

    /// Tells the move if it is both known and wanted: in analysis and in the opponent's time it is not wanted
    /// before `stop` or `ponderhit`, however early it is known.
    fn conclude(&mut self) -> io::Result<()> {
        let told = self.search.take_if(|search| search.answer.is_some() && search.reins.answer_is_wanted());
        let Some(Search { mode, answer: Some(answer), .. }) = told else { return Ok(()) };
        let notation = |m: Move| m.to_uci(mode).to_string();
        let mut line = format!("bestmove {}", answer.best.map_or("0000".to_owned(), notation));
        if let Some(reply) = answer.reply.filter(|_| self.settings.ponder) {
            line.push_str(&format!(" ponder {}", notation(reply)));
        }
        self.output.line(&line)?;
        self.proceed()
    }
}

impl Reins {
    fn answer_is_wanted(&self) -> bool {
        self.control.is_stopped() || !(self.infinite || self.pondering)
    }
}
