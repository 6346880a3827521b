use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use serde_json::{Value, json};
use shakmaty::Color;

use super::{
    file::GrowingFile,
    judging::{Judging, player},
};
use crate::{
    agents::Analyser,
    notation::GameScore,
    web::{
        events::Bell,
        house::House,
        identity::Identity,
        pool::{Desk, Lane},
        practice::Table,
    },
};

/// Games that come in while they are played.
pub struct Feed {
    /// Which.
    pub id: Identity,
    /// Whose; everybody's if it is a file.
    pub owner: Option<Identity>,
    /// Where the games come from.
    pub source: Mutex<Source>,
    state: Mutex<State>,
    /// Rings at every change.
    pub bell: Bell,
    used: Mutex<Instant>,
    /// What was last told: after how many changes, of which game, in words. Many may listen.
    told: Mutex<(u64, Option<usize>, String)>,
}

/// Where games come from.
pub enum Source {
    /// A file that was named on the command line.
    File(GrowingFile),
    /// Text that a visitor has sent.
    Pasted,
    /// A practice game.
    Practice(Arc<Table>),
}

#[derive(Default)]
struct State {
    games: Vec<Judging>,
    /// Games before the first of these that are not kept any more.
    dropped: usize,
    /// The games that are being looked at.
    busy: Vec<usize>,
    /// What is wrong with the newest game, if it can't be read as it is now.
    trouble: Option<String>,
}

/// So many games of a feed are kept.
const MOST_GAMES: usize = 100;
/// A feed of a visitor that nobody has used for so long is put away.
const UNUSED: Duration = Duration::from_secs(6 * 3600);

impl Feed {
    /// Without a game so far.
    pub fn new(owner: Option<Identity>, source: Source) -> Feed {
        Feed {
            id: Identity::random(),
            owner,
            source: Mutex::new(source),
            state: Mutex::default(),
            bell: Bell::default(),
            used: Mutex::new(Instant::now()),
            told: Mutex::default(),
        }
    }

    /// Whether somebody may still want it.
    pub fn is_used(&self) -> bool {
        self.owner.is_none() || self.used.lock().elapsed() < UNUSED
    }

    /// Takes in the game that was last, as it is now, and those after it. Says whether anything is new.
    pub fn take(&self, games: Vec<Result<GameScore, String>>, anew: bool, stranger: &Analyser) -> bool {
        let mut state = self.state.lock();
        let mut changed = anew && !state.games.is_empty();
        if anew {
            *state = State::default();
        }
        for (number, score) in games.into_iter().enumerate() {
            let sound = score.and_then(|score| super::sound(score).map_err(|refusal| refusal.text));
            let trouble = sound.as_ref().err().cloned();
            changed |= trouble != state.trouble;
            state.trouble = trouble;
            let Ok(score) = sound else { continue };
            match state.games.last_mut().filter(|_| number == 0) {
                Some(last) => changed |= last.follow(score),
                None => {
                    state.games.push(Judging::new(score, stranger));
                    changed = true;
                }
            }
        }
        let surplus = state.games.len().saturating_sub(MOST_GAMES);
        state.games.drain(..surplus);
        state.dropped += surplus;
        changed
    }

    /// The number of the newest game.
    fn newest(state: &State) -> Option<usize> {
        (state.dropped + state.games.len()).checked_sub(1)
    }

    /// Has a game looked at, the newest if none is named.
    pub fn think(self: &Arc<Feed>, house: &Arc<House>, number: Option<usize>) {
        *self.used.lock() = Instant::now();
        let mut state = self.state.lock();
        let Some(number) = number.or_else(|| Feed::newest(&state)) else { return };
        if state.busy.contains(&number) || state.game(number).is_none_or(|game| game.next().is_none()) {
            return;
        }
        state.busy.push(number);
        let (feed, there) = (self.clone(), house.clone());
        house.pool.submit(Lane::Live, move |desk| feed.look(&there, desk, number));
    }

    /// Looks at the next half-move of a game, and has somebody look at the one after it.
    fn look(self: &Arc<Feed>, house: &Arc<House>, desk: &Desk, number: usize) {
        let next = self.state.lock().game(number).and_then(|game| game.next());
        let seen = next.as_ref().and_then(|game| Judging::look(game, desk, &house.look_budget()));
        let mut state = self.state.lock();
        state.busy.retain(|&busy| busy != number);
        if house.pool.control().is_stopped() {
            return;
        }
        if let (Some(game), Some(judging)) = (next, state.game_mut(number)) {
            judging.note(&game, seen);
        }
        drop(state);
        self.bell.ring();
        self.think(house, Some(number));
    }

    /// A game as the page sees it, the newest if none is named.
    pub fn json(&self, number: Option<usize>) -> Value {
        let state = self.state.lock();
        let newest = Feed::newest(&state);
        let shown = number.or(newest);
        let mut object = shown.and_then(|number| state.game(number)).map_or_else(|| json!({}), Judging::json);
        let trouble = state.trouble.as_ref().filter(|_| shown == newest);
        object["feed"] = json!({ "id": self.id, "newest": newest, "shown": shown, "trouble": trouble });
        object
    }

    /// The same as text, for those who listen.
    pub fn tell(&self, number: Option<usize>) -> String {
        let revision = self.bell.revision();
        let mut told = self.told.lock();
        if told.2.is_empty() || (told.0, told.1) != (revision, number) {
            *told = (revision, number, self.json(number).to_string());
        }
        told.2.clone()
    }

    /// In a list.
    pub fn line(&self) -> Value {
        let state = self.state.lock();
        let games = state.games.iter().enumerate().map(|(place, game)| {
            let score = game.score();
            json!({
                "number": state.dropped + place, "white": player(score, Color::White),
                "black": player(score, Color::Black), "result": score.result, "plies": score.plies.len(),
            })
        });
        let games: Vec<Value> = games.collect();
        drop(state);
        let (kind, name) = match &*self.source.lock() {
            Source::File(file) => ("file", file.name()),
            Source::Pasted => ("pasted", "Pasted".to_owned()),
            Source::Practice(_) => ("practice", "Practice".to_owned()),
        };
        json!({ "id": self.id, "kind": kind, "name": name, "games": games })
    }
}

impl State {
    fn game(&self, number: usize) -> Option<&Judging> {
        self.games.get(number.checked_sub(self.dropped)?)
    }

    fn game_mut(&mut self, number: usize) -> Option<&mut Judging> {
        self.games.get_mut(number.checked_sub(self.dropped)?)
    }
}
