//! The dashboard: files that grow, games that visitors paste, and practice games.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    feed::{Feed, Source},
    file::read_games,
};
use crate::{
    arena,
    notation::GameScore,
    web::{error::Refusal, house::House, identity::Identity, practice},
};

/// How often files are looked at.
const GLANCE: Duration = Duration::from_millis(300);
/// Feeds that a visitor may have, and all visitors together.
const MOST_FEEDS: (usize, usize) = (12, 300);

impl House {
    /// Begins to follow files, in a thread of its own: a disk may be slow.
    pub fn follow_files(self: &Arc<House>) {
        for path in &self.watch.follow {
            let file = super::file::GrowingFile::new(path.clone());
            self.watch.feeds.lock().push(Arc::new(Feed::new(None, Source::File(file))));
        }
        let house = self.clone();
        thread::spawn(move || {
            while !house.watch.over.load(Relaxed) {
                let feeds: Vec<Arc<Feed>> = house.watch.feeds.lock().clone();
                for feed in feeds {
                    house.look_at(&feed);
                }
                thread::sleep(GLANCE);
            }
        });
    }

    /// Looks whether there is something new.
    fn look_at(self: &Arc<House>, feed: &Arc<Feed>) {
        let Ok(stranger) = self.stranger() else { return };
        let changed = match &mut *feed.source.lock() {
            Source::Pasted => false,
            Source::File(file) => match file.look() {
                Ok(news) => news.is_some_and(|news| feed.take(news.games, news.anew, &stranger)),
                // It may not be there yet.
                Err(error) => {
                    log::debug!("{}: {error}", file.name());
                    false
                }
            },
            Source::Practice(table) => {
                let text = practice::pgn(&table.state.lock(), &arena::today());
                feed.take(read_games(text.as_bytes()), false, &stranger)
            }
        };
        if changed {
            feed.think(self, None);
            feed.bell.ring();
        }
    }

    /// What a visitor may watch.
    pub fn live_list(&self, visitor: Identity) -> Value {
        let feeds = self.watch.feeds.lock();
        let own = feeds.iter().filter(|feed| feed.owner.is_none_or(|owner| owner == visitor));
        json!({ "feeds": own.map(|feed| feed.line()).collect::<Vec<_>>() })
    }

    /// One of them.
    pub fn live_feed(&self, visitor: Identity, id: Identity) -> Result<Arc<Feed>, Refusal> {
        let feeds = self.watch.feeds.lock();
        let found =
            feeds.iter().find(|feed| feed.id == id && feed.owner.is_none_or(|owner| owner == visitor));
        found.cloned().ok_or_else(|| Refusal::not_found("there is no such game to watch"))
    }

    fn live_add(&self, visitor: Identity, source: Source) -> Result<Arc<Feed>, Refusal> {
        let mut feeds = self.watch.feeds.lock();
        let own = feeds.iter().filter(|feed| feed.owner == Some(visitor)).count();
        if own >= MOST_FEEDS.0 || feeds.len() >= MOST_FEEDS.1 {
            return Err(Refusal::too_many("you watch too many games: delete some"));
        }
        let feed = Arc::new(Feed::new(Some(visitor), source));
        feeds.push(feed.clone());
        Ok(feed)
    }

    /// Watches games that a visitor has pasted.
    pub fn live_paste(self: &Arc<House>, visitor: Identity, text: &[u8]) -> Result<Arc<Feed>, Refusal> {
        let games = read(text)?;
        let feed = self.live_add(visitor, Source::Pasted)?;
        feed.take(games, true, &self.stranger()?);
        feed.think(self, None);
        Ok(feed)
    }

    /// The same games as they are now.
    pub fn live_update(self: &Arc<House>, feed: &Arc<Feed>, text: &[u8]) -> Result<(), Refusal> {
        if !matches!(*feed.source.lock(), Source::Pasted) {
            return Err(Refusal::conflict("only what was pasted can be changed"));
        }
        let mut games = read(text)?;
        // What came before the last game that is known stays as it is.
        let known = feed.line()["games"].as_array().map_or(0, Vec::len);
        games.drain(..known.saturating_sub(1).min(games.len().saturating_sub(1)));
        if feed.take(games, false, &self.stranger()?) {
            feed.think(self, None);
            feed.bell.ring();
        }
        Ok(())
    }

    /// Watches a practice game.
    pub fn live_practice(
        self: &Arc<House>,
        visitor: Identity,
        table: Arc<practice::Table>,
    ) -> Result<Arc<Feed>, Refusal> {
        let of = |feed: &Arc<Feed>| matches!(&*feed.source.lock(), Source::Practice(other) if other.id == table.id);
        let known = self.watch.feeds.lock().iter().find(|feed| of(feed)).cloned();
        match known {
            Some(feed) => Ok(feed),
            None => {
                let feed = self.live_add(visitor, Source::Practice(table))?;
                self.look_at(&feed);
                Ok(feed)
            }
        }
    }

    /// Watches something no longer.
    pub fn live_delete(&self, visitor: Identity, id: Identity) -> Result<(), Refusal> {
        let mut feeds = self.watch.feeds.lock();
        let place = feeds.iter().position(|feed| feed.id == id && feed.owner == Some(visitor));
        let place = place.ok_or_else(|| Refusal::not_found("there is no such game of yours"))?;
        feeds.remove(place);
        Ok(())
    }
}

/// The games of a text, the last of which may still be played.
fn read(text: &[u8]) -> Result<Vec<Result<GameScore, String>>, Refusal> {
    let games = read_games(text);
    match games.last() {
        None => Err(Refusal::bad("there is no game in it")),
        Some(Err(bad)) => Err(Refusal::bad(bad)),
        Some(Ok(_)) => Ok(games),
    }
}
