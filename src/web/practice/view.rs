//! A practice game as the page sees it.

use std::time::Instant;

use serde_json::{Value, json};
use shakmaty::{EnPassantMode, Position, fen::Fen, san::SanPlus};

use super::{Verdict, state::State, verdict::side_name};
use crate::{
    game::Game,
    notation::{self, game_text, movetext},
    web::identity::Identity,
};

/// How many moves a review names.
const REVIEWED: usize = 3;

/// Everything about a game.
pub fn game(id: Identity, revision: u64, state: &State) -> Value {
    let (record, position) = (&state.record, state.game.position());
    let legal: Vec<Value> = match state.is_over() {
        true => Vec::new(),
        false => position
            .legal_moves()
            .into_iter()
            .map(|m| {
                let uci = m.to_uci(position.castles().mode()).to_string();
                json!({ "uci": uci, "san": SanPlus::from_move(position.clone(), m).to_string() })
            })
            .collect(),
    };
    json!({
        "id": id, "revision": revision, "title": record.title, "begun": record.begun,
        "partner": { "name": record.partner.name(), "setting": record.partner },
        "side": side_name(record.side()), "given": record.given,
        "start": notation::fen(state.game.start()),
        "plies": plies(&state.game), "fen": fen(position), "turn": side_name(position.turn()),
        "check": position.is_check(), "legal": legal, "thinking": state.thinking,
        "clock": state.clock_times(Instant::now()).map(|[white, black]| json!({
            "white": white, "black": black, "running": (!state.is_over()).then(|| side_name(position.turn())),
        })),
        "verdicts": record.verdicts, "hint": state.hint, "hinted": record.hinted,
        "waits": { "hint": state.wants_hint, "draw": state.offers_draw },
        "remarks": state.remarks, "ending": record.ending,
        "review": state.is_over().then(|| review(&record.verdicts)),
    })
}

/// A game in a list.
pub fn line(id: Identity, state: &State) -> Value {
    let record = &state.record;
    json!({
        "id": id, "title": record.title, "partner": record.partner.name(), "begun": record.begun,
        "changed": record.changed, "moves": state.game.moves().len().div_ceil(2), "ending": record.ending,
        "side": side_name(record.side()),
    })
}

/// The FEN as it is shown: with the right to take in passing only where that is legal.
fn fen(position: &shakmaty::Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The moves of a game, with the position after each.
pub fn plies(game: &Game) -> Vec<Value> {
    let mut position = game.start().clone();
    let played = game.moves().iter().map(|&m| {
        let uci = m.to_uci(position.castles().mode()).to_string();
        let (number, side) = (position.fullmoves(), side_name(position.turn()));
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        json!({ "san": san, "uci": uci, "fen": fen(&position), "number": number, "side": side })
    });
    played.collect()
}

/// Where the visitor erred, and what was hardest.
fn review(verdicts: &[Verdict]) -> Value {
    let mut erred: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.is_error()).collect();
    erred.sort_by(|one, two| two.cost().total_cmp(&one.cost()));
    let mut hardest: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.found < 0.5).collect();
    hardest.sort_by(|one, two| one.found.total_cmp(&two.found));
    let first = |list: Vec<&Verdict>| -> Vec<usize> {
        list.into_iter().take(REVIEWED).map(|verdict| verdict.ply).collect()
    };
    let best = verdicts.iter().filter(|verdict| verdict.optimal).count();
    json!({ "erred": first(erred), "hardest": first(hardest), "moves": verdicts.len(), "best": best })
}

/// The game as PGN, with what the visitor's moves were worth.
pub fn pgn(state: &State, date: &str) -> String {
    let record = &state.record;
    let names = ["You", &record.partner.name()].map(str::to_owned);
    let [white, black] = if record.white { [&names[0], &names[1]] } else { [&names[1], &names[0]] };
    let result = record.ending.as_ref().map_or("*", |ending| &ending.result);
    let start = notation::fen(state.game.start());
    let mut tags = vec![
        ("Event", "Practice"),
        ("Site", "?"),
        ("Date", date),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", result),
    ];
    if *state.game.start() != shakmaty::Chess::default() {
        tags.extend([("SetUp", "1"), ("FEN", &start)]);
    }
    if let Some(ending) = &record.ending {
        tags.push(("Termination", &ending.reason));
    }
    let remarks = |ply: usize| {
        let verdict = record.verdicts.iter().find(|verdict| verdict.ply == ply + 1);
        verdict.map_or(String::new(), |verdict| format!("{{{}}}", verdict.text))
    };
    let moves = state.game.moves().iter().enumerate().map(|(ply, &m)| (m, remarks(ply)));
    game_text(tags, &movetext(state.game.start(), "", moves, result))
}
