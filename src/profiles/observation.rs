use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Position, fen::Fen, uci::UciMove};

use crate::{
    agents::Observation,
    model::{Metric, Outcome, Prospects, Score, State},
    notation::{self, playable},
    oracle::Look,
};

/// A stored decision that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no part of an observation")]
pub struct UnreadableRecord(String);

/// An observation as it is stored. Moves are in UCI notation, castling as the king taking its rook; behind each stands what
/// it leads to: a state, or its values by depth in pawns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ObservationRecord {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    metric: Option<Metric>,
    #[serde(skip_serializing_if = "is_zero", default)]
    n1: u16,
    #[serde(skip_serializing_if = "is_zero", default)]
    n2: u16,
    value: String,
    moves: Vec<String>,
    played: String,
}

const MODE: CastlingMode = CastlingMode::Chess960;

fn is_zero(number: &u16) -> bool {
    *number == 0
}

impl From<&Observation> for ObservationRecord {
    fn from(observation: &Observation) -> ObservationRecord {
        let Observation { look, m, .. } = observation;
        let moves = look.moves().iter().map(|prospect| {
            let outcome = match prospect.outcome {
                Outcome::Table(state) => text(state),
                Outcome::Evaluation(_) => {
                    let scores = look.scores(&prospect.m).iter();
                    scores.map(Score::to_string).collect::<Vec<_>>().join(" ")
                }
            };
            format!("{} {outcome}", prospect.m.to_uci(MODE))
        });
        ObservationRecord {
            fen: notation::fen(look.position()),
            metric: look.metric(),
            n1: look.prospects().n1(),
            n2: look.prospects().n2(),
            value: match look.outcome() {
                Outcome::Table(state) => text(state),
                Outcome::Evaluation(score) => score.to_string(),
            },
            moves: moves.collect(),
            played: m.to_uci(MODE).to_string(),
        }
    }
}

impl TryFrom<ObservationRecord> for Observation {
    type Error = UnreadableRecord;

    fn try_from(record: ObservationRecord) -> Result<Observation, UnreadableRecord> {
        let wrong = |text: &str| UnreadableRecord(text.to_owned());
        let fen: Fen = record.fen.parse().map_err(|_| wrong(&record.fen))?;
        let position = playable(&fen, true).map_err(|_| wrong(&record.fen))?;
        let legal = |text: &str| {
            let m: UciMove = text.parse().map_err(|_| wrong(text))?;
            m.to_move(&position).map_err(|_| wrong(text))
        };
        let (mut states, mut evaluations, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &record.moves {
            let (m, outcome) = entry.split_once(' ').ok_or_else(|| wrong(entry))?;
            if let Some(state) = state(outcome) {
                states.push((legal(m)?, state));
                continue;
            }
            let by_depth: Option<Vec<Score>> = outcome.split(' ').map(score).collect();
            let by_depth = by_depth.ok_or_else(|| wrong(entry))?;
            let last = by_depth.last().copied().ok_or_else(|| wrong(entry))?;
            evaluations.push((legal(m)?, last));
            scores.push(by_depth);
        }
        let prospects = match (state(&record.value), record.metric) {
            (Some(state), Some(_)) if evaluations.is_empty() => {
                Prospects::table(state, states, record.n1, record.n2)
            }
            (None, None) if states.is_empty() => Prospects::evaluation(evaluations),
            _ => return Err(wrong(&record.value)),
        };
        let m = legal(&record.played)?;
        if prospects.of(&m).is_none() {
            return Err(wrong(&record.played));
        }
        let ply = 2 * (position.fullmoves().get() as usize - 1) + usize::from(position.turn().is_black());
        Ok(Observation { ply, look: Look::remembered(position, prospects, scores, record.metric), m })
    }
}

fn text(state: State) -> String {
    match state {
        State::Win(depth) => format!("win {depth}"),
        State::Draw => "draw".to_owned(),
        State::Loss(depth) => format!("loss {depth}"),
    }
}

fn state(text: &str) -> Option<State> {
    let depth = |word: &str| text.strip_prefix(word).and_then(|depth| depth.parse().ok());
    match text {
        "draw" => Some(State::Draw),
        _ => depth("win ").map(State::win).or_else(|| depth("loss ").map(State::loss)),
    }
}

fn score(text: &str) -> Option<Score> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some(Score::Centipawns((100.0 * pawns).round() as i32))
}
