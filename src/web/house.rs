use std::{collections::HashMap, io, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::{
    ServeSettings, error::Refusal, identity::Identity, pool::Pool, practice::Practice, shelf::Shelf,
    watch::Watch,
};
use crate::{endgame::Tables, engine::SeatSettings, markov::Plans};

/// All that visitors share.
pub struct House {
    /// The tables that everybody looks into.
    pub tables: Arc<Tables>,
    /// Endgames that were solved to the end.
    pub plans: Arc<Plans>,
    /// How partners play where the visitor says nothing.
    pub seat: SeatSettings,
    /// Who thinks.
    pub pool: Pool,
    /// What is kept.
    pub shelf: Shelf,
    /// The games that visitors play.
    pub practice: Practice,
    /// The games that visitors look at.
    pub watch: Watch,
    /// Texts of games that are being sent, so many at a time.
    pub uploads: Semaphore,
    /// How many streams each visitor listens to.
    streams: Mutex<HashMap<Identity, usize>>,
}

/// How often clocks are looked at.
const CLOCK_GLANCE: Duration = Duration::from_millis(200);
/// How often what nobody uses is put away, in such glances.
const TIDY_EVERY: u32 = 300;
/// Texts of games that may be on their way at a time: each takes up to four megabytes of memory.
const MOST_UPLOADS: usize = 64;
/// Streams that one visitor may listen to, and all together.
const MOST_STREAMS: (usize, usize) = (16, 256);

impl House {
    /// Opens the doors of it.
    pub fn open(settings: ServeSettings, tables: Arc<Tables>) -> io::Result<House> {
        let shelf = Shelf::open(&settings.folder)?;
        let pool = Pool::new(settings.threads, &tables, settings.seat.agent.metric);
        Ok(House {
            plans: Arc::new(Plans::new(tables.clone())),
            tables,
            pool,
            shelf,
            practice: Practice::default(),
            watch: Watch::new(settings.follow),
            seat: settings.seat,
            uploads: Semaphore::new(MOST_UPLOADS),
            streams: Mutex::default(),
        })
    }

    /// What has to be done now and then.
    pub async fn keep(self: Arc<House>) {
        self.follow_files();
        let mut glances = 0_u32;
        loop {
            tokio::time::sleep(CLOCK_GLANCE).await;
            self.look_at_clocks();
            glances = glances.wrapping_add(1);
            if glances.is_multiple_of(TIDY_EVERY) {
                self.practice.tidy();
                self.watch.tidy();
            }
        }
    }

    /// Ends all work and keeps everything.
    pub fn close(&self) {
        self.watch.end();
        self.pool.end();
        self.shelf.close();
    }

    /// Counts a stream of a visitor for as long as what is returned lives.
    pub fn listen(self: &Arc<House>, visitor: Identity) -> Result<Listening, Refusal> {
        let mut streams = self.streams.lock();
        let all: usize = streams.values().sum();
        let own = streams.entry(visitor).or_default();
        if *own >= MOST_STREAMS.0 || all >= MOST_STREAMS.1 {
            return Err(Refusal::too_many("too many pages are open; close some"));
        }
        *own += 1;
        Ok(Listening { house: self.clone(), visitor })
    }
}

/// A stream that a visitor listens to.
pub struct Listening {
    house: Arc<House>,
    visitor: Identity,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut streams = self.house.streams.lock();
        if let Some(own) = streams.get_mut(&self.visitor) {
            *own -= 1;
            if *own == 0 {
                streams.remove(&self.visitor);
            }
        }
    }
}
