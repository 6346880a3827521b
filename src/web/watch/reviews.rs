//! A visitor's games: sent, looked at in the background, kept, listed.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use hyper::body::Bytes;
use parking_lot::Mutex;
use serde_json::{Value, json};
use shakmaty::Position;

use super::{
    judging::Judging,
    prices::Pricer,
    rated::Rated,
    review::{Review, Summary},
};
use crate::{
    endgame::Material,
    game::Game,
    notation::Games,
    web::{
        error::Refusal,
        events::Bell,
        house::House,
        identity::Identity,
        pool::{Desk, Lane},
        practice::now,
        routes::aside,
        shelf::Kind,
    },
};

/// The games of one visitor.
pub struct Reviews {
    visitor: Identity,
    state: Mutex<State>,
    /// Rings at every change.
    pub bell: Bell,
}

struct State {
    games: BTreeMap<Identity, Arc<Summary>>,
    /// Those that nobody looks at yet.
    waiting: VecDeque<Identity>,
    /// How many are being looked at.
    working: usize,
    used: Instant,
}

/// Games that one visitor may keep.
const MOST_GAMES: usize = 1000;
/// How many of his are looked at at a time.
const AT_ONCE: usize = 2;
/// How long somebody who waits for a table looks away.
const NAP: Duration = Duration::from_millis(20);
/// What nobody has used for so long is put away; it is still on disk.
const UNUSED: Duration = Duration::from_secs(1800);

impl Reviews {
    /// Whether somebody may want them soon.
    pub fn is_used(&self) -> bool {
        let state = self.state.lock();
        state.working > 0 || state.used.elapsed() < UNUSED || self.bell.listeners() > 0
    }

    /// How far it has come.
    pub fn progress(&self) -> Value {
        let state = self.state.lock();
        let done = state.games.values().filter(|summary| summary.done).count();
        json!({ "games": state.games.len(), "done": done })
    }

    /// All games, the latest first, and how far it has come.
    pub fn list(&self) -> Value {
        let state = self.state.lock();
        let mut games: Vec<(&Identity, &Arc<Summary>)> = state.games.iter().collect();
        games.sort_by_key(|(_, summary)| (std::cmp::Reverse(summary.added.0), summary.added.1));
        json!({ "games": games.iter().map(|(id, summary)| summary.json(Some(**id))).collect::<Vec<_>>() })
    }

    /// All games in short.
    pub fn summaries(&self) -> Vec<(Identity, Arc<Summary>)> {
        self.state.lock().games.iter().map(|(id, summary)| (*id, summary.clone())).collect()
    }

    /// Has somebody look at what waits.
    fn work(self: &Arc<Reviews>, house: &Arc<House>) {
        let mut state = self.state.lock();
        while state.working < AT_ONCE.min(state.working + state.waiting.len()) {
            state.working += 1;
            let (reviews, there) = (self.clone(), house.clone());
            house.pool.submit(Lane::Review, move |desk| reviews.go_on(&there, desk, None));
        }
    }

    /// Looks at one half-move, and leaves the next to whoever is free.
    fn go_on(self: Arc<Reviews>, house: &Arc<House>, desk: &Desk, work: Option<Work>) {
        if house.pool.control().is_stopped() {
            return;
        }
        let work = work.or_else(|| self.begin(house));
        let Some(mut work) = work else {
            self.state.lock().working -= 1;
            return;
        };
        let there = house.clone();
        let left = match work.judging.next() {
            Some(game) if waits_for_table(house, &game) => {
                thread::sleep(NAP);
                Some(work)
            }
            Some(game) => {
                let pricer = Pricer::new(&house.watch.prices, desk);
                let seen = Judging::look(&game, &pricer, &house.review_budget());
                if let Some(observation) = seen.as_ref().filter(|_| !pricer.was_cut()) {
                    work.rated.note(observation);
                }
                work.judging.note(&game, seen);
                Some(work)
            }
            None => {
                self.end(house, work);
                None
            }
        };
        house.pool.submit(Lane::Review, move |desk| self.go_on(&there, desk, left));
    }

    /// The games of a text that can be kept, and what is wrong with the others.
    fn read(&self, text: &[u8]) -> Result<Sent, Refusal> {
        let (mut added, mut skipped) = (Vec::new(), Vec::new());
        // All were sent at once, however long it takes to read them: their places tell them apart.
        let sent_at = now();
        let room = MOST_GAMES.saturating_sub(self.state.lock().games.len());
        for game in Games::new(text) {
            let read = game.map_err(|bad| bad.to_string());
            match read.and_then(|score| super::sound(score).map_err(|refusal| refusal.text)) {
                Ok(_) if added.len() == room => {
                    skipped.push(format!("more than {MOST_GAMES} games are not kept: delete some"));
                    break;
                }
                Ok(score) => {
                    added.push((Identity::random(), Review::waiting(&score, (sent_at, added.len()))))
                }
                Err(what) if skipped.len() < 20 => skipped.push(what),
                Err(_) => {}
            }
        }
        match (added.is_empty(), skipped.first()) {
            (false, _) => Ok(Sent { added, skipped }),
            (true, why) => Err(Refusal::bad(why.map_or("there is no game in it", String::as_str))),
        }
    }

    /// Takes the next game that waits.
    fn begin(&self, house: &House) -> Option<Work> {
        loop {
            let id = self.state.lock().waiting.pop_front()?;
            let review: Option<Review> = house.shelf.get(self.visitor, Kind::Review, id);
            let found = review.and_then(|review| Some((review.score()?, review)));
            if let (Some((score, review)), Ok(stranger)) = (found, house.stranger()) {
                let rated = Rated::new(&score);
                return Some(Work { id, review, judging: Judging::new(score, &stranger), rated });
            }
            log::error!("a game to be reviewed is gone");
            self.state.lock().games.remove(&id);
        }
    }

    fn end(&self, house: &House, work: Work) {
        let Work { id, mut review, judging, rated } = work;
        review.finish(&judging, rated);
        let mut state = self.state.lock();
        // It may have been deleted meanwhile.
        if let Some(summary) = state.games.get_mut(&id) {
            *summary = Arc::new(review.summary.clone());
            house.shelf.put(self.visitor, Kind::Review, id, &review);
        }
        drop(state);
        self.bell.ring();
    }
}

/// Games that were sent.
struct Sent {
    added: Vec<(Identity, Review)>,
    /// What is wrong with others.
    skipped: Vec<String>,
}

/// A game that is being looked at.
struct Work {
    id: Identity,
    review: Review,
    judging: Judging,
    rated: Rated,
}

/// Whether a table that this position needs is being made, or is begun to be made now.
fn waits_for_table(house: &House, game: &Game) -> bool {
    let before = game.up_to(game.moves().len().saturating_sub(1));
    let position = before.position();
    let small = !position.castles().any();
    let material =
        Material::of(position.board()).map(|(material, _)| material).filter(|of| small && of.men() > 2);
    material.is_some_and(|material| house.tables.request(material, house.seat.agent.metric).is_some())
}

impl House {
    /// A visitor's games; they are read from disk if need be.
    pub fn reviews(self: &Arc<House>, visitor: Identity) -> Arc<Reviews> {
        let mut visitors = self.watch.visitors.lock();
        let known = visitors.entry(visitor).or_insert_with(|| {
            let kept = self.shelf.all::<Review>(visitor, Kind::Review).into_iter();
            let games: BTreeMap<Identity, Arc<Summary>> =
                kept.map(|(id, review)| (id, Arc::new(review.summary))).collect();
            let mut waiting: Vec<(Identity, (u64, usize))> = games
                .iter()
                .filter(|(_, summary)| !summary.done)
                .map(|(id, summary)| (*id, summary.added))
                .collect();
            waiting.sort_by_key(|(_, added)| *added);
            let waiting = waiting.into_iter().map(|(id, _)| id).collect();
            let state = State { games, waiting, working: 0, used: Instant::now() };
            Arc::new(Reviews { visitor, state: Mutex::new(state), bell: Bell::default() })
        });
        let reviews = known.clone();
        drop(visitors);
        reviews.state.lock().used = Instant::now();
        reviews.work(self);
        reviews
    }

    /// Takes games in. What can't be read is told.
    pub async fn reviews_add(self: &Arc<House>, visitor: Identity, text: Bytes) -> Result<Value, Refusal> {
        let (reviews, Sent { added, skipped }) = aside(self, move |house| {
            let reviews = house.reviews(visitor);
            let sent = reviews.read(&text)?;
            for (id, review) in &sent.added {
                house.shelf.put(visitor, Kind::Review, *id, review);
            }
            Ok((reviews, sent))
        })
        .await?;
        // They are read from disk again when their turn comes.
        self.shelf.settled(visitor).await;
        let (first, count) = (added.first().map(|(id, _)| *id), added.len());
        let mut state = reviews.state.lock();
        for (id, review) in added {
            state.games.insert(id, Arc::new(review.summary));
            state.waiting.push_back(id);
        }
        drop(state);
        reviews.work(self);
        reviews.bell.ring();
        Ok(json!({ "added": count, "id": first, "skipped": skipped }))
    }

    /// A visitor's game.
    pub fn review(self: &Arc<House>, visitor: Identity, id: Identity) -> Result<Review, Refusal> {
        let gone = || Refusal::not_found("there is no such game of yours");
        if !self.reviews(visitor).state.lock().games.contains_key(&id) {
            return Err(gone());
        }
        self.shelf.get(visitor, Kind::Review, id).ok_or_else(gone)
    }

    /// Throws a game away, or all.
    pub fn review_delete(self: &Arc<House>, visitor: Identity, id: Option<Identity>) -> Result<(), Refusal> {
        let reviews = self.reviews(visitor);
        let mut state = reviews.state.lock();
        let gone: Vec<Identity> =
            state.games.keys().copied().filter(|game| id.is_none_or(|id| id == *game)).collect();
        if id.is_some() && gone.is_empty() {
            return Err(Refusal::not_found("there is no such game of yours"));
        }
        for game in gone {
            state.games.remove(&game);
            state.waiting.retain(|waiting| *waiting != game);
            self.shelf.remove(visitor, Kind::Review, game);
        }
        drop(state);
        reviews.bell.ring();
        Ok(())
    }
}
