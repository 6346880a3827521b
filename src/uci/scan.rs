//! From a line to a command.

use std::time::Duration;

use shakmaty::{ByColor, Chess, Color, Move, Position, uci::UciMove};

use crate::oracle::{Clock, Limits};

use super::{
    message,
    position::{Place, PlaceError},
};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciCommand {
    /// `uci`
    Uci,
    /// `debug on`, `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption`
    SetOption {
        /// With one blank between words.
        name: String,
        /// As it was written; absent if nothing follows the name.
        value: Option<String>,
    },
    /// `register`: nothing to do, since anybody may use the engine
    Register,
    /// `ucinewgame`
    NewGame,
    /// `position`
    Position(Place),
    /// `go`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
}

/// Why a line that begins with a known word can't be obeyed.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// No position.
    #[error(transparent)]
    Position(#[from] PlaceError),
    /// `setoption` without `name`.
    #[error("setoption: expected 'name' and the name of an option but found '{0}'")]
    NoOption(String),
    /// `debug` without a switch.
    #[error("debug: expected 'on' or 'off' but found '{0}'")]
    NoSwitch(String),
}

/// Reads a line. Unknown words before the command are skipped; a line of nothing else asks for nothing.
pub fn scan(line: &str) -> Result<Option<UciCommand>, ScanError> {
    let mut words = Words::new(line);
    while let Some(word) = words.next() {
        return Ok(Some(match word {
            "go" => UciCommand::Go(Go::scan(words)),
            "position" => UciCommand::Position(Place::scan(words)?),
            "setoption" => option(words)?,
            "register" => UciCommand::Register,
            _ => match message::simple(word, words) {
                Some(command) => command,
                None if word == "debug" => return Err(ScanError::NoSwitch(quote(words.rest()))),
                None => continue,
            },
        }));
    }
    Ok(None)
}

/// `name` WORDS [`value` TEXT]. The value is kept as it was written, since a path may contain any run of blanks.
fn option(mut words: Words<'_>) -> Result<UciCommand, ScanError> {
    let missing = ScanError::NoOption(quote(words.rest()));
    if words.next() != Some("name") {
        return Err(missing);
    }
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    if name.is_empty() {
        return Err(missing);
    }
    let value = Some(words.rest()).filter(|value| !value.is_empty()).map(str::to_owned);
    Ok(UciCommand::SetOption { name: name.join(" "), value })
}

/// The words of a line that have not been read yet. Any run of blanks, tabs and line ends separates words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        Words(line)
    }

    /// All that has not been read, as it was written, without the blanks around it.
    pub(super) fn rest(self) -> &'a str {
        self.0.trim_matches(|c: char| c.is_ascii_whitespace())
    }

    /// The next word, left unread.
    pub(super) fn peek(mut self) -> Option<&'a str> {
        self.next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Words of the other side as they may appear in one of our lines: short, and without control characters.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut quoted: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}

/// A `go` as it was said, before it is known in which position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`, in moves.
    pub mate: Option<u32>,
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
    /// `movetime`.
    pub movetime: Option<Duration>,
    /// `wtime` and `btime`. A clock that has run out is at 0.
    pub time: ByColor<Option<Duration>>,
    /// `winc` and `binc`.
    pub increment: ByColor<Option<Duration>>,
    /// `searchmoves`.
    pub search_moves: Vec<UciMove>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// Words that mean nothing here.
    pub ignored: Vec<String>,
}

impl Go {
    /// Reads what follows the word `go`. What can't be understood is set aside rather than refused: the other
    /// side waits for a move, whatever it has said.
    fn scan(mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
                        go.search_moves.push(m);
                        words.next();
                    }
                }
                _ => match words.peek().and_then(number) {
                    Some(value) if go.limit(word, value) => {
                        words.next();
                    }
                    _ => go.ignored.push(quote(word)),
                },
            }
        }
        go
    }

    /// Sets the limit called `name`, if there is one.
    fn limit(&mut self, name: &str, value: i64) -> bool {
        // A limit of nothing would leave no move to play, so that counts start at 1.
        let count = u64::try_from(value.max(1)).unwrap_or(1);
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        let time = Duration::from_millis(u64::try_from(value).unwrap_or(0));
        match name {
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(small),
            "movestogo" => self.moves_to_go = Some(small),
            "movetime" => self.movetime = Some(time),
            "wtime" => self.time.white = Some(time),
            "btime" => self.time.black = Some(time),
            "winc" => self.increment.white = Some(time),
            "binc" => self.increment.black = Some(time),
            _ => return false,
        }
        true
    }

    /// The limits that this means in `position`.
    pub fn limits(&self, position: &Chess) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock: self.clock(position.turn()),
            other_clock: self.clock(!position.turn()),
            moves_to_go: self.moves_to_go,
            mate: self.mate,
            search_moves: self.legal_search_moves(position),
            lines: 0,
            infinite: self.infinite,
            ponder: self.ponder,
            contempt: None,
        }
    }

    /// The clock of `color`. If only the opponent's is told, ours is taken to be alike: some clock is running.
    fn clock(&self, color: Color) -> Option<Clock> {
        let own_or_other = |times: &ByColor<Option<Duration>>| times.get(color).or(*times.get(color.other()));
        let remaining = own_or_other(&self.time);
        let increment = own_or_other(&self.increment);
        (remaining.is_some() || increment.is_some()).then(|| Clock {
            remaining: remaining.unwrap_or_default(),
            increment: increment.unwrap_or_default(),
        })
    }

    /// Those of `searchmoves` that are legal. `0000` stands for no move and leaves all of them.
    fn legal_search_moves(&self, position: &Chess) -> Vec<Move> {
        let mut moves = Vec::new();
        for m in self.search_moves.iter().filter_map(|m| m.to_move(position).ok()) {
            if !moves.contains(&m) {
                moves.push(m);
            }
        }
        moves
    }
}

/// An integer; one that is too large for us is as good as the largest.
fn number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn go(text: &str) -> Go {
        Go::scan(Words::new(text))
    }

    fn milliseconds(value: u64) -> Option<Duration> {
        Some(Duration::from_millis(value))
    }

    #[test]
    fn pondering_keeps_the_clocks() {
        let go = go("ponder wtime 60000 btime 59000 winc 100 binc 200");
        assert!(go.ponder);
        assert_eq!(go.time, ByColor { white: milliseconds(60000), black: milliseconds(59000) });
        assert_eq!(go.increment, ByColor { white: milliseconds(100), black: milliseconds(200) });
    }

    #[test]
    fn all_limits_hold_at_once() {
        let go = go("movetime 500 depth 300 wtime 1000 nodes 12345678901234 mate 256 movestogo 300 infinite");
        assert_eq!(go.movetime, milliseconds(500));
        assert_eq!(go.depth, Some(300));
        assert_eq!(go.time.white, milliseconds(1000));
        assert_eq!(go.nodes, Some(12_345_678_901_234));
        assert_eq!(go.mate, Some(256));
        assert_eq!(go.moves_to_go, Some(300));
        assert!(go.infinite);
        assert!(go.ignored.is_empty());
    }

    #[test]
    fn numbers_beyond_reason_are_as_good_as_the_nearest_that_makes_sense() {
        let go = go("depth 99999999999999999999 nodes 0 mate -3 movetime -1 wtime -99999999999999999999");
        assert_eq!(go.depth, Some(u32::MAX));
        assert_eq!(go.nodes, Some(1));
        assert_eq!(go.mate, Some(1));
        assert_eq!(go.movetime, milliseconds(0));
        assert_eq!(go.time.white, milliseconds(0));
    }

    #[test]
    fn a_word_without_its_number_is_set_aside_and_the_rest_holds() {
        let go = go("depth joho nodes 5 wtime");
        assert_eq!(go.ignored, ["depth", "joho", "wtime"]);
        assert_eq!(go.nodes, Some(5));
    }

    #[test]
    fn searchmoves_end_at_the_next_limit() {
        let go = go("searchmoves e2e4  d2d4\tdepth 3");
        let limits = go.limits(&Chess::default());
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.depth, Some(3));
    }

    #[test]
    fn searchmoves_that_are_not_legal_leave_all_moves() {
        for text in ["searchmoves 0000", "searchmoves e2e5", "searchmoves"] {
            assert!(go(text).limits(&Chess::default()).search_moves.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_clock_told_for_one_side_only_is_taken_for_both() {
        for text in ["wtime 1000 winc 10", "btime 1000 binc 10"] {
            let clock = go(text).limits(&Chess::default()).clock.unwrap();
            assert_eq!(clock.remaining, Duration::from_millis(1000), "{text}");
            assert_eq!(clock.increment, Duration::from_millis(10), "{text}");
        }
    }

    fn set(name: &str, value: Option<&str>) -> UciCommand {
        UciCommand::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(scan("joho debug on").unwrap(), Some(UciCommand::Debug(true)));
        assert_eq!(scan("\t please  stop\r\n").unwrap(), Some(UciCommand::Stop));
        assert_eq!(scan("well uci").unwrap(), Some(UciCommand::Uci));
    }

    #[test]
    fn lines_of_unknown_words_ask_for_nothing() {
        for line in ["", "\r\n", "xboard", "protover 2", "ucix", "isreadyy", "STOP", "\u{0}\u{1}", "日本語"]
        {
            assert_eq!(scan(line).unwrap(), None, "{line:?}");
        }
    }

    #[test]
    fn the_plain_commands_are_known() {
        for (line, command) in [
            ("uci", UciCommand::Uci),
            ("debug off", UciCommand::Debug(false)),
            ("isready", UciCommand::IsReady),
            ("register later", UciCommand::Register),
            ("ucinewgame\r\n", UciCommand::NewGame),
            ("stop", UciCommand::Stop),
            ("ponderhit", UciCommand::PonderHit),
            ("quit", UciCommand::Quit),
        ] {
            assert_eq!(scan(line).unwrap(), Some(command), "{line}");
        }
    }

    #[test]
    fn a_switch_without_a_setting_is_refused() {
        assert!(scan("debug").is_err());
        assert!(scan("debug joho on").is_err());
    }

    #[test]
    fn names_and_values_of_options_may_have_several_words() {
        assert_eq!(scan("setoption name Seed value 7").unwrap(), Some(set("Seed", Some("7"))));
        assert_eq!(
            scan("setoption  name  Log   File value  C:\\my  games\\log.txt \r\n").unwrap(),
            Some(set("Log File", Some("C:\\my  games\\log.txt")))
        );
        assert_eq!(
            scan("setoption name Keep Value value true").unwrap(),
            Some(set("Keep Value", Some("true")))
        );
    }

    #[test]
    fn an_option_may_lack_its_value() {
        for line in
            ["setoption name Log File", "setoption name Log File value", "setoption name Log File value  "]
        {
            assert_eq!(scan(line).unwrap(), Some(set("Log File", None)), "{line}");
        }
    }

    #[test]
    fn an_option_without_a_name_is_refused() {
        for line in ["setoption", "setoption name", "setoption name value 3", "setoption Seed value 3"] {
            assert!(scan(line).is_err(), "{line}");
        }
    }

    /// Words that lead deep into the scanner, so that chance finds the corners.
    fn word() -> impl Strategy<Value = String> {
        let known = [
            "uci",
            "debug",
            "on",
            "isready",
            "setoption",
            "name",
            "value",
            "register",
            "later",
            "position",
            "startpos",
            "fen",
            "moves",
            "go",
            "infinite",
            "ponder",
            "searchmoves",
            "depth",
            "nodes",
            "mate",
            "movestogo",
            "movetime",
            "wtime",
            "btime",
            "winc",
            "binc",
            "e2e4",
            "e7e5",
            "e1g1",
            "e1h1",
            "a7a8q",
            "0000",
            "Q@f7",
            "-1",
            "300",
            "99999999999999999999",
            "w",
            "b",
            "-",
            "KQkq",
            "HAha",
            "e3",
            "0",
            "1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/8/8/8/8/4k3/4p3/4K3",
            "4k3/8/8/8/8/8/8/1K4R1",
            "4k2r/8/8/8/8/8/8/R3K2R[Q]",
            "3+3",
            "Agent",
            "Coach",
            "Competence",
            "Game",
            "Kappa",
            "Analyser",
            "Grid",
            "0(1)50",
            "0(1e-300)5",
            "inf",
            "nan",
            "UCI_Opponent",
            "Hash",
            "true",
        ];
        prop_oneof![
            4 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
            1 => "[!-~]{0,8}",
            1 => any::<String>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

        #[test]
        fn no_line_makes_the_scanner_panic(line in any::<String>()) {
            obey(&line);
        }

        #[test]
        fn no_line_of_the_right_words_makes_it_panic(
            words in proptest::collection::vec(word(), 0..16),
            blank in proptest::sample::select(vec![" ", "  ", "\t", " \r\n"]),
        ) {
            obey(&words.join(blank));
        }

        #[test]
        fn no_fen_like_text_makes_it_panic(
            board in "[1-8pnbrqkPNBRQK/]{0,71}",
            rest in "[wb] [KQkqA-Ha-h-]{1,4} ([a-h][1-8]|-)( [0-9]{1,12}){0,2}",
            moves in proptest::collection::vec("[a-h][1-8][a-h][1-8][qrbnQk]?", 0..4),
        ) {
            obey(&format!("position fen {board} {rest} moves {}", moves.join(" ")));
        }
    }

    fn cases() -> u32 {
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000)
    }

    /// Scans a line and does with the command all that depends on its text.
    fn obey(line: &str) {
        match scan(line) {
            Ok(Some(UciCommand::Position(place))) => {
                for chess960 in [false, true] {
                    let _ = place.game(chess960);
                }
            }
            Ok(Some(UciCommand::Go(go))) => {
                let _ = go.limits(&shakmaty::Chess::default());
            }
            Ok(Some(UciCommand::SetOption { name, value })) => {
                let mut settings = super::super::option_values::OptionValues::initial();
                // Not the option that makes a file of any name.
                if !name.eq_ignore_ascii_case("Log File") {
                    let _ = super::super::options::set(
                        super::super::options::table(),
                        &mut settings,
                        &name,
                        value.as_deref(),
                    );
                }
            }
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}
