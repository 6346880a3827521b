//! The loop with a seat of our own making: what reaches it, and when.

use std::{
    io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe},
    path::Path,
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use errare::{
    config::Config,
    engine::{Answer, Info, Say, Seat, SeatSettings, Trouble},
    game::Game,
    oracle::{Control, Limits, Report},
    serve,
};
use shakmaty::Position;

use crate::session::DEADLINE;

#[derive(Debug, PartialEq)]
enum Call {
    Configured { seed: u32 },
    Forgot,
    Cleared,
    Rested,
    Began { plies: usize },
    Ended { hit: bool },
}

/// It takes a while to take over settings with this seed.
const SLOW: u32 = 7;

/// Thinks until it is stopped and tells of all that happens to it. A `stubborn` one does not stop either.
struct Dreamer {
    calls: Sender<Call>,
    stubborn: bool,
}

impl Dreamer {
    fn tell(&self, call: Call) {
        let _ = self.calls.send(call);
    }
}

impl Seat for Dreamer {
    fn configure(&mut self, settings: &SeatSettings, _: &mut Say<'_>) {
        if settings.seed == SLOW {
            thread::sleep(Duration::from_millis(200));
        }
        self.tell(Call::Configured { seed: settings.seed });
    }

    fn new_game(&mut self, _: &Game, _: Option<u64>) -> Result<(), Trouble> {
        self.tell(Call::Forgot);
        Ok(())
    }

    fn clear_hash(&mut self) {
        self.tell(Call::Cleared);
    }

    fn rest(&mut self, _: &mut Say<'_>) {
        self.tell(Call::Rested);
    }

    fn choose(
        &mut self,
        game: &Game,
        _: &Limits,
        control: &Control,
        say: &mut Say<'_>,
    ) -> Result<Answer, Trouble> {
        self.tell(Call::Began { plies: game.moves().len() });
        let best = game.position().legal_moves()[0];
        say(Info::Search(Report { depth: 1, ..Report::of_move(Some(best)) }));
        while self.stubborn || !control.is_stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        self.tell(Call::Ended { hit: control.hit_at().is_some() });
        Ok(Answer { best: Some(best), reply: None, elapsed: None })
    }
}

struct Conversation {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    calls: Receiver<Call>,
    engine: JoinHandle<std::io::Result<()>>,
}

impl Conversation {
    fn new(stubborn: bool) -> Conversation {
        let (from_us, input) = pipe().unwrap();
        let (output, to_us) = pipe().unwrap();
        let (sender, calls) = channel();
        let config = Config::parse(Path::new("engine.toml"), "").unwrap();
        let seat = Box::new(Dreamer { calls: sender, stubborn });
        let engine = thread::spawn(move || serve(&config, BufReader::new(from_us), to_us, seat));
        let conversation = Conversation { input, output: BufReader::new(output), calls, engine };
        assert_eq!(conversation.call(), Call::Configured { seed: 0 });
        conversation
    }

    fn send(&mut self, text: &str) {
        writeln!(self.input, "{text}").unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn call(&self) -> Call {
        self.calls.recv_timeout(DEADLINE).unwrap()
    }
}

#[test]
fn what_is_said_during_a_search_is_obeyed_after_it_in_order() {
    let mut with = Conversation::new(false);
    with.send("go wtime 1000 btime 1000");
    assert_eq!(with.call(), Call::Began { plies: 0 });
    assert!(with.line().starts_with("info depth 1"));
    with.send("setoption name Seed value 3\nposition startpos moves e2e4 e7e5\nucinewgame");
    with.send("setoption name Clear Hash\nposition startpos moves e2e4");
    with.send("go infinite\nsetoption name Seed value 4\nisready");
    assert_eq!(with.line(), "readyok");
    assert!(with.calls.try_recv().is_err(), "something reached the seat during its search");
    // Stops the search that has not begun as well.
    with.send("stop");
    let expected = [
        Call::Ended { hit: false },
        Call::Rested,
        Call::Configured { seed: 3 },
        Call::Forgot,
        Call::Cleared,
        Call::Began { plies: 1 },
        Call::Ended { hit: false },
        Call::Rested,
        Call::Configured { seed: 4 },
    ];
    for call in expected {
        assert_eq!(with.call(), call);
    }
    assert!(with.line().starts_with("bestmove "));
    assert!(with.line().starts_with("info depth 1"));
    assert!(with.line().starts_with("bestmove "));
    with.send("quit");
    with.engine.join().unwrap().unwrap();
}

#[test]
fn quit_does_not_wait_for_a_seat_that_does_not_stop() {
    let mut with = Conversation::new(true);
    with.send("go infinite");
    assert_eq!(with.call(), Call::Began { plies: 0 });
    with.send("quit");
    let start = Instant::now();
    while !with.engine.is_finished() {
        assert!(start.elapsed() < DEADLINE, "the engine goes on");
        thread::sleep(Duration::from_millis(1));
    }
    with.engine.join().unwrap().unwrap();
}

#[test]
fn ponderhit_during_another_search_is_for_the_last_one_asked_for() {
    let mut with = Conversation::new(false);
    with.send("go infinite\ngo ponder movetime 10\nponderhit\nstop");
    for hit in [false, true] {
        assert_eq!(with.call(), Call::Began { plies: 0 });
        assert_eq!(with.call(), Call::Ended { hit });
        assert_eq!(with.call(), Call::Rested);
        assert!(with.line().starts_with("info depth 1"));
        assert!(with.line().starts_with("bestmove "));
    }
    with.send("quit");
    with.engine.join().unwrap().unwrap();
}

#[test]
fn readiness_waits_for_options_to_be_taken_over() {
    let mut conversation = Conversation::new(false);
    conversation.send("setoption name Seed value 7\nisready\nisready");
    assert_eq!([conversation.line(), conversation.line()], ["readyok", "readyok"]);
    assert_eq!(conversation.calls.try_recv(), Ok(Call::Configured { seed: SLOW }), "before, not after");
    conversation.send("quit");
    conversation.engine.join().unwrap().unwrap();
}
