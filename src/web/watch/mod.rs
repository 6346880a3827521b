//! Games that visitors look at: followed while they are played, or reviewed when they are over.

mod feed;
mod file;
mod judging;
mod live;
mod player;
mod prices;
mod rated;
mod review;
mod reviews;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use parking_lot::Mutex;

use super::{error::Refusal, house::House, identity::Identity};
use crate::{
    notation::{GameScore, fen, read_playable},
    oracle::Budget,
    rating::Analyst,
};

use feed::Feed;
use prices::Prices;
use reviews::Reviews;

/// All of them.
pub struct Watch {
    follow: Vec<PathBuf>,
    feeds: Mutex<Vec<Arc<Feed>>>,
    visitors: Mutex<HashMap<Identity, Arc<Reviews>>>,
    prices: Prices,
    over: AtomicBool,
}

impl Watch {
    /// Follows these files.
    pub fn new(follow: Vec<PathBuf>) -> Watch {
        Watch {
            follow,
            feeds: Mutex::default(),
            visitors: Mutex::default(),
            prices: Prices::default(),
            over: AtomicBool::new(false),
        }
    }

    /// Puts away what nobody has used for a while.
    pub fn tidy(&self) {
        self.feeds.lock().retain(|feed| feed.is_used());
        self.visitors.lock().retain(|_, reviews| reviews.is_used());
    }

    /// Files are followed no longer.
    pub fn end(&self) {
        self.over.store(true, Relaxed);
    }
}

/// As deep as moves are looked at, as `errare analyse` does …
const LOOK_DEPTH: u32 = 6;
/// … and for how long, while nobody waits for an answer and while somebody does.
const LOOK_TIME: (Duration, Duration) = (Duration::from_secs(1), Duration::from_millis(100));

impl House {
    /// What a look at a move may cost.
    fn look_budget(&self) -> Budget {
        let time = if self.pool.is_idle() { LOOK_TIME.0 } else { LOOK_TIME.1 };
        let control = self.pool.control().clone();
        Budget { depth: Some(LOOK_DEPTH), time: Some(time), control, ..Budget::default() }
    }
}

/// No decision of a review is looked at for longer, while nobody waits for an answer and while somebody does. Hardly any needs a second,
/// unless other programs keep the machine busy.
const REVIEW_TIME: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(3));

impl House {
    /// What a look for a review may cost: as much as one for a rating.
    fn review_budget(&self) -> Budget {
        let time = if self.pool.is_idle() { REVIEW_TIME.0 } else { REVIEW_TIME.1 };
        let control = self.pool.control().clone();
        Budget { time: Some(time), ..Analyst::usual().budget(control) }
    }
}

/// Longer games are not looked at, in half-moves.
const MOST_PLIES: usize = 1200;

/// A game that can be searched: with no more men than a game can have, and not endless.
fn sound(score: GameScore) -> Result<GameScore, Refusal> {
    if score.plies.len() > MOST_PLIES {
        return Err(Refusal::bad(format!("a game of more than {} moves is not looked at", MOST_PLIES / 2)));
    }
    read_playable(&fen(&score.start)).map_err(Refusal::bad)?;
    Ok(score)
}
