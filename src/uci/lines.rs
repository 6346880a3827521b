//! Lines from the other side and lines to it: the only place that reads or writes any.

use std::{
    fmt::Write as _,
    io::{self, BufRead, Write},
};

use crossbeam_channel::Sender;
use shakmaty::CastlingMode;

use crate::{model::Score, oracle::Report};

use super::option_values::OptionValues;

/// Passes lines on until the input ends; the end is known by the closed channel.
pub(super) fn read(mut input: impl BufRead, lines: &Sender<String>) {
    let mut bytes = Vec::new();
    // Bytes, not text: a line that is not UTF-8 must not end the game.
    while matches!(input.read_until(b'\n', &mut bytes), Ok(1..)) {
        if lines.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
            return;
        }
        bytes.clear();
    }
}

/// Lines, each of which is on its way as soon as it is written.
pub(super) struct Output<W>(W);

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(writer)
    }

    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        log::debug!("<< {line}");
        self.0.write_all(format!("{line}\n").as_bytes())?;
        self.0.flush()
    }

    /// A remark for people.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        self.line(&format!("info string {}", text.replace(|c: char| c.is_control(), " ")))
    }
}

/// A score in centipawns from which on a win is taken to be certain: tables say so.
const CERTAIN: i32 = 10_000;
/// The score at which a win is as likely as not, and how fast that changes, in centipawns. Chosen by hand, not fitted to
/// games: a rough guide for people.
const EVEN: f64 = 150.0;
const SPREAD: f64 = 80.0;

/// A report as a line. It is always exact: programs drop lines with bounds.
pub(super) fn report_line(report: &Report, mode: CastlingMode, settings: &OptionValues) -> String {
    let mut line = format!("info depth {} seldepth {}", report.depth, report.seldepth);
    // Writing to a string can't fail.
    if settings.engine.search.multi_pv > 1 {
        let _ = write!(line, " multipv {}", report.multipv);
    }
    let _ = match report.score {
        Score::Centipawns(value) => write!(line, " score cp {value}"),
        Score::Mate(moves) => write!(line, " score mate {moves}"),
    };
    if settings.show_wdl {
        let [win, draw, loss] = chances(report.score);
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        report.nodes,
        report.nps,
        report.hashfull,
        report.tbhits,
        report.time.as_millis(),
    );
    if !report.pv.is_empty() {
        line.push_str(" pv");
    }
    for m in &report.pv {
        let _ = write!(line, " {}", m.to_uci(mode));
    }
    line
}

/// Chances to win, draw and lose, in thousandths that add up to 1000.
fn chances(score: Score) -> [u32; 3] {
    let value = match score {
        Score::Mate(moves) if moves > 0 => CERTAIN,
        Score::Mate(_) => -CERTAIN,
        Score::Centipawns(value) => value,
    };
    let win = |value: i32| match value {
        value if value >= CERTAIN => 1000,
        value if value <= -CERTAIN => 0,
        value => (1000.0 / (1.0 + ((EVEN - f64::from(value)) / SPREAD).exp())).round() as u32,
    };
    let (win, loss) = (win(value), win(-value));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::{Move, Square};

    use super::*;
    use crate::oracle::Bound;

    fn report() -> Report {
        Report {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score: Score::Mate(-3),
            bound: Bound::Exact,
            nodes: 5000,
            nps: 2_000_000,
            hashfull: 4,
            tbhits: 1,
            time: Duration::from_micros(2500),
            pv: vec![Move::Castle { king: Square::E1, rook: Square::H1 }],
        }
    }

    #[test]
    fn a_report_is_one_line_of_integers() {
        let mut settings = OptionValues::initial();
        let head = "info depth 7 seldepth 12";
        let tail = "nodes 5000 nps 2000000 hashfull 4 tbhits 1 time 2 pv";
        let said = |mode, settings: &OptionValues| report_line(&report(), mode, settings);
        assert_eq!(said(CastlingMode::Standard, &settings), format!("{head} score mate -3 {tail} e1g1"));
        settings.engine.search.multi_pv = 2;
        settings.show_wdl = true;
        assert_eq!(
            said(CastlingMode::Chess960, &settings),
            format!("{head} multipv 2 score mate -3 wdl 0 0 1000 {tail} e1h1")
        );
    }

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        let scores = [-20_000, -300, -40, 0, 40, 300, 20_000].map(Score::Centipawns);
        let chances = scores.map(chances);
        assert!(chances.iter().all(|chances| chances.iter().sum::<u32>() == 1000));
        assert!(chances.map(|[win, ..]| win).is_sorted());
        assert_eq!(chances[6], [1000, 0, 0]);
        assert_eq!(chances[3][0], chances[3][2]);
    }
}
