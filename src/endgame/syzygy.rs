use std::{fmt, io, path::PathBuf, sync::Arc};

use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase, Wdl};

use super::syzygy_files::CheckedFiles;
use crate::model::{Depth, Metric, State, Value};

/// Syzygy's tables of 3 to 7 men, for what is not generated here.
///
/// Their DTZ is in plies, counts the loser's too, and may be rounded down by one. Here a winner's depth is the number of
/// his moves in it, and a loser's is taken from the positions after his moves. So depths equal DTC where there are no
/// pawns, with one exception that the files do not tell apart: where an even number is rounded, the last move may be
/// the loser's forced capture or the winner's own; the latter, by far the commoner, is assumed. Wins that the 50-move rule
/// spoils only later on are counted from 50 in Syzygy's tables; that offset is theirs and is kept.
pub struct Syzygy {
    tablebase: Tablebase<Chess>,
    men: usize,
}

/// A folder with Syzygy tables that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the Syzygy tables in {path}: {source}; check SyzygyPath")]
pub struct SyzygyError {
    path: PathBuf,
    source: io::Error,
}

impl Syzygy {
    /// Opens all folders of a list, separated as the system separates paths, and names those that can't be read; an error if
    /// that is all of them. None for an empty list. With `check`, files are compared with the checksum that they carry.
    pub fn open(folders: &str, check: bool) -> Result<(Option<Syzygy>, Vec<SyzygyError>), SyzygyError> {
        let mut tablebase = match check {
            true => Tablebase::with_filesystem(Arc::new(CheckedFiles::default())),
            false => Tablebase::new(),
        };
        let (mut opened, mut complaints) = (0, Vec::new());
        for path in std::env::split_paths(folders).filter(|path| !path.as_os_str().is_empty()) {
            match tablebase.add_directory(&path) {
                Ok(_) => opened += 1,
                Err(source) => complaints.push(SyzygyError { path, source }),
            }
        }
        match (opened, complaints.is_empty()) {
            (0, false) => Err(complaints.remove(0)),
            (0, true) => Ok((None, complaints)),
            _ => Ok((Some(Syzygy { men: tablebase.max_pieces(), tablebase }), complaints)),
        }
    }

    /// Uses tables of up to so many men only.
    pub fn limit(&mut self, men: usize) {
        self.men = men.min(self.tablebase.max_pieces());
    }

    /// Tables of up to so many men are used.
    pub fn men(&self) -> usize {
        self.men
    }

    fn serves(&self, position: &Chess) -> bool {
        position.castles().is_empty() && position.board().occupied().count() <= self.men
    }

    /// The value without the 50-move rule.
    pub fn value(&self, position: &Chess) -> Option<Value> {
        if !self.serves(position) {
            return None;
        }
        self.tablebase.probe_wdl_after_zeroing(position).ok().map(plain)
    }

    /// The value under the 50-move rule, just after a capture or pawn move: where this is a draw and [`Syzygy::value`]
    /// is not, the win is cursed and the loss blessed.
    pub fn value_by_rule(&self, position: &Chess) -> Option<Value> {
        if !self.serves(position) {
            return None;
        }
        Some(match self.tablebase.probe_wdl_after_zeroing(position).ok()? {
            Wdl::Win => Value::Win,
            Wdl::Loss => Value::Loss,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Value::Draw,
        })
    }

    /// The state by a metric that these tables know: DTZ, and without pawns DTC.
    pub fn state(&self, position: &Chess, metric: Metric) -> Option<State> {
        let known = match metric {
            Metric::Dtz => true,
            Metric::Dtc => position.board().pawns().is_empty(),
            Metric::Dtm | Metric::Dtr | Metric::Dtd => false,
        };
        if known { self.probe(position) } else { None }
    }

    fn probe(&self, position: &Chess) -> Option<State> {
        match self.value(position)? {
            Value::Draw => Some(State::Draw),
            Value::Win => {
                let moves = match self.tablebase.probe_dtz(position).ok()? {
                    MaybeRounded::Precise(Dtz(plies)) => (plies + 1) / 2,
                    MaybeRounded::Rounded(Dtz(plies)) => plies / 2 + 1,
                };
                Some(State::Win(Depth(u16::try_from(moves).ok()?)))
            }
            Value::Loss => {
                let mut longest = State::Loss(Depth(0));
                for m in position.legal_moves() {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    if !m.is_zeroing() {
                        longest = longest.max(-self.probe(&after)?);
                    }
                }
                Some(longest)
            }
        }
    }
}

fn plain(wdl: Wdl) -> Value {
    match wdl {
        Wdl::Win | Wdl::CursedWin => Value::Win,
        Wdl::Draw => Value::Draw,
        Wdl::Loss | Wdl::BlessedLoss => Value::Loss,
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Syzygy tables of up to {} men", self.men)
    }
}
