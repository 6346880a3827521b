//! Which request does what: the API, and the files of the page.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use hyper::{
    Method,
    body::{Bytes, Incoming},
    http::request::Parts,
};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::{
    assets,
    error::Refusal,
    house::House,
    identity::Identity,
    message::{self, Response, download, events, json, object},
    practice::{self, Table, Wish},
    query,
};
use crate::arena;

/// Somebody who may come in.
pub struct Visit {
    /// Where.
    pub house: Arc<House>,
    /// Who.
    pub visitor: Identity,
}

/// What a PGN file is, to browsers.
const PGN: &str = "application/x-chess-pgn";

/// Answers a request.
pub async fn answer(visit: Visit, request: &Parts, body: Incoming) -> Result<Response, Refusal> {
    let path = request.uri.path();
    let segments: Vec<&str> = path.strip_prefix("/api/").map_or(Vec::new(), |path| path.split('/').collect());
    let headers = &request.headers;
    let Visit { house, visitor } = visit;
    match (&request.method, segments.as_slice()) {
        (&Method::GET, []) => {
            assets::find(path, request).ok_or_else(|| Refusal::not_found("there is no such page"))
        }
        (&Method::GET, ["choices"]) => Ok(json(&house.practice_choices())),
        (&Method::GET, ["practice"]) => Ok(json(&house.practice_list(visitor))),
        (&Method::POST, ["practice"]) => {
            let wish: Wish = object(headers, body).await?;
            let begun = house.practice_begin(visitor, wish).await?;
            kept(&house, &begun).await
        }
        (&Method::DELETE, ["practice", id]) => {
            house.practice_delete(visitor, identity(id)?)?;
            Ok(message::done())
        }
        (method, ["practice", id, rest @ ..]) => {
            let table = house.practice_table(visitor, identity(id)?)?;
            practice(&house, visitor, table, method, rest, request, body).await
        }
        (&Method::POST, ["tables", name]) => {
            let material =
                practice::endgame(name).ok_or_else(|| Refusal::not_found("there is no such endgame"))?;
            house.tables.make(material, house.seat.agent.metric);
            Ok(message::done())
        }
        (method, ["live", rest @ ..]) => live(&house, visitor, method, rest, request, body).await,
        (method, ["games", rest @ ..]) => games(&house, visitor, method, rest, request, body).await,
        (&Method::GET, ["players"]) => Ok(json(&match query::value(request.uri.query(), "name") {
            Some(name) => house.player(visitor, &name)?,
            None => house.players(visitor),
        })),
        (&Method::GET, _) => Err(Refusal::not_found("there is nothing here")),
        _ => Err(Refusal::method()),
    }
}

/// A stream that counts among those of its visitor.
fn stream(house: &Arc<House>, visitor: Identity, told: mpsc::Receiver<Bytes>) -> Result<Response, Refusal> {
    let listening = house.listen(visitor)?;
    let mut response = events(told);
    response.body_mut().held = Some(Box::new(listening));
    Ok(response)
}

fn identity(text: &str) -> Result<Identity, Refusal> {
    text.parse().map_err(|()| Refusal::not_found("there is nothing of this name"))
}

/// A move of a visitor's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveWish {
    /// In UCI notation or SAN.
    r#move: String,
    /// Half-moves before it.
    ply: usize,
}

/// Where to begin anew.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgainWish {
    /// After so many half-moves.
    ply: usize,
}

/// What can be done with a practice game.
async fn practice(
    house: &Arc<House>,
    visitor: Identity,
    table: Arc<Table>,
    method: &Method,
    what: &[&str],
    request: &Parts,
    body: Incoming,
) -> Result<Response, Refusal> {
    let headers = &request.headers;
    match (method, what) {
        (&Method::GET, []) => Ok(json(&table.view())),
        (&Method::GET, ["events"]) => {
            let told = table.clone();
            stream(house, visitor, table.bell.stream(Duration::ZERO, move || told.tell()))
        }
        (&Method::GET, ["pgn"]) => {
            let text = practice::pgn(&table.state.lock(), &arena::today());
            Ok(download("practice.pgn", PGN, text))
        }
        (&Method::POST, ["move"]) => {
            let wish: MoveWish = object(headers, body).await?;
            table.change(house, |state| state.play(&wish.r#move, wish.ply, Instant::now()))?;
            kept(house, &table).await
        }
        (&Method::POST, ["review"]) => {
            let text = practice::pgn(&table.state.lock(), &arena::today());
            Ok(json(&house.reviews_add(visitor, text.into()).await?))
        }
        (&Method::POST, ["live"]) => Ok(json(&house.live_practice(visitor, table)?.line())),
        (&Method::POST, ["again"]) => {
            let wish: AgainWish = object(headers, body).await?;
            let again = house.practice_again(visitor, &table, wish.ply)?;
            kept(house, &again).await
        }
        (&Method::POST, [act]) => {
            let now = Instant::now();
            table.change(house, |state| match *act {
                "takeback" => state.take_back(now),
                "resign" => state.resign(now),
                "draw" => state.offer_draw(),
                "hint" => state.ask_hint(),
                _ => Err(Refusal::not_found("there is no such thing to do")),
            })?;
            kept(house, &table).await
        }
        _ => Err(Refusal::method()),
    }
}

/// The game as it is, once all that was done in it is on disk: what was answered is not lost, however the program ends.
async fn kept(house: &House, table: &Table) -> Result<Response, Refusal> {
    house.shelf.settled(table.visitor).await;
    Ok(json(&table.view()))
}

/// A text of games is not longer than this.
const PGN_BYTES: usize = 4 << 20;
/// So often is told how a game goes on that is looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// Reads a text of games. Only a few at a time: they take memory.
async fn pgn(house: &House, request: &Parts, body: Incoming) -> Result<Bytes, Refusal> {
    let _turn = house.uploads.acquire().await.map_err(|_| Refusal::too_many("too much is being sent"))?;
    message::read(&request.headers, body, PGN_BYTES).await
}

/// How often the program itself was at fault.
pub static FAILURES: AtomicUsize = AtomicUsize::new(0);

/// Has something done that takes more than an instant, by one of a few threads that wait for disks.
pub async fn aside<T: Send + 'static>(
    house: &Arc<House>,
    work: impl FnOnce(&Arc<House>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let there = house.clone();
    let done = tokio::task::spawn_blocking(move || work(&there)).await;
    done.map_err(|error| {
        log::error!("something that was asked for has failed: {error}");
        FAILURES.fetch_add(1, Ordering::Relaxed);
        Refusal::conflict("this could not be done")
    })?
}

/// The dashboard.
async fn live(
    house: &Arc<House>,
    visitor: Identity,
    method: &Method,
    what: &[&str],
    request: &Parts,
    body: Incoming,
) -> Result<Response, Refusal> {
    let number = || query::value(request.uri.query(), "game").and_then(|text| text.parse().ok());
    match (method, what) {
        (&Method::GET, []) => Ok(json(&house.live_list(visitor))),
        (&Method::POST, []) => {
            let text = pgn(house, request, body).await?;
            let feed = aside(house, move |house| house.live_paste(visitor, &text)).await?;
            Ok(json(&feed.line()))
        }
        (&Method::PUT, [id]) => {
            let feed = house.live_feed(visitor, identity(id)?)?;
            let text = pgn(house, request, body).await?;
            aside(house, move |house| house.live_update(&feed, &text)).await?;
            Ok(message::done())
        }
        (&Method::DELETE, [id]) => {
            house.live_delete(visitor, identity(id)?)?;
            Ok(message::done())
        }
        (&Method::GET, [id]) => {
            let feed = house.live_feed(visitor, identity(id)?)?;
            feed.think(house, number());
            Ok(json(&feed.json(number())))
        }
        (&Method::GET, [id, "events"]) => {
            let feed = house.live_feed(visitor, identity(id)?)?;
            let (told, number) = (feed.clone(), number());
            feed.think(house, number);
            stream(house, visitor, feed.bell.stream(PAUSE, move || Some(told.tell(number))))
        }
        _ => Err(Refusal::method()),
    }
}

/// The review of games.
async fn games(
    house: &Arc<House>,
    visitor: Identity,
    method: &Method,
    what: &[&str],
    request: &Parts,
    body: Incoming,
) -> Result<Response, Refusal> {
    match (method, what) {
        (&Method::GET, []) => Ok(json(&aside(house, move |house| Ok(house.reviews(visitor).list())).await?)),
        (&Method::POST, []) => {
            let text = pgn(house, request, body).await?;
            Ok(json(&house.reviews_add(visitor, text).await?))
        }
        (&Method::DELETE, []) => {
            aside(house, move |house| house.review_delete(visitor, None)).await?;
            Ok(message::done())
        }
        (&Method::DELETE, [id]) => {
            let id = identity(id)?;
            aside(house, move |house| house.review_delete(visitor, Some(id))).await?;
            Ok(message::done())
        }
        (&Method::GET, ["events"]) => {
            let reviews = aside(house, move |house| Ok(house.reviews(visitor))).await?;
            let told = reviews.clone();
            stream(house, visitor, reviews.bell.stream(PAUSE, move || Some(told.progress().to_string())))
        }
        (&Method::GET, [id]) => {
            let id = identity(id)?;
            let review = aside(house, move |house| house.review(visitor, id)).await?;
            Ok(json(&review.json().ok_or_else(|| Refusal::not_found("this game can't be read"))?))
        }
        (&Method::GET, [id, "pgn"]) => {
            let id = identity(id)?;
            let review = aside(house, move |house| house.review(visitor, id)).await?;
            Ok(download("game.pgn", PGN, review.annotated.unwrap_or(review.pgn)))
        }
        _ => Err(Refusal::method()),
    }
}
