use std::ops::Range;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Position, fen::Fen, uci::UciMove};

use crate::{
    agents::Observation,
    game::{LeadUp, Step},
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
pub struct ObservationRecord {
    fen: String,
    /// The opponent's last move and the mover's own before it, such as `e4d5x b1c3`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    after: String,
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
            after: after(look.lead_up()),
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
        let lead_up = lead_up(&record.after).ok_or_else(|| wrong(&record.after))?;
        Ok(Observation {
            ply,
            look: Look::remembered(position, lead_up, prospects, scores, record.metric),
            m,
        })
    }
}

fn after(lead_up: LeadUp) -> String {
    let text = |step: Step| format!("{}{}{}", step.from, step.to, if step.capture { "x" } else { "" });
    let steps = [lead_up.last, lead_up.own].into_iter().flatten();
    steps.map(text).collect::<Vec<_>>().join(" ")
}

fn lead_up(text: &str) -> Option<LeadUp> {
    let step = |word: &str| {
        let (squares, capture) = word.strip_suffix('x').map_or((word, false), |squares| (squares, true));
        let square = |range: Range<usize>| squares.get(range)?.parse().ok();
        (squares.len() == 4).then_some(())?;
        Some(Step { from: square(0..2)?, to: square(2..4)?, capture })
    };
    let mut steps = text.split_whitespace().map(step);
    let lead_up = LeadUp { last: steps.next().map_or(Some(None), |step| step.map(Some))?, own: None };
    let own = steps.next().map_or(Some(None), |step| step.map(Some))?;
    Some(LeadUp { own, ..lead_up })
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
