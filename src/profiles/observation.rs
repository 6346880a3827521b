use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, PositionError, fen::Fen, uci::UciMove};

use crate::model::{
    Belief, BeliefError, Evidence, Metric, Model, NoDecision, Outcome, Prospects, Scale, State,
};

/// A decision of somebody as it was seen, and what was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Where it was played.
    pub position: Chess,
    /// What depths count; nothing on the evaluation scale.
    pub metric: Option<Metric>,
    /// What each move leads to.
    pub prospects: Prospects,
    /// The move that was played.
    pub m: Move,
}

/// A stored decision that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no part of an observation")]
pub struct UnreadableRecord(String);

/// Why nothing can be learned from an observation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotLearned {
    /// It makes no decision.
    #[error(transparent)]
    Decision(#[from] NoDecision),
    /// The belief refuses it.
    #[error(transparent)]
    Belief(#[from] BeliefError),
}

/// An observation as it is stored. Moves are in UCI notation, castling as the king taking its rook.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
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

impl Observation {
    /// The scale of its outcomes.
    pub fn scale(&self) -> Scale {
        self.prospects.scale()
    }

    /// Has a belief learn from it, by how the opponent is believed to see positions.
    pub fn teach(&self, model: &Model, belief: &mut Belief) -> Result<Evidence, NotLearned> {
        Ok(belief.observe(&model.decide(&self.prospects)?, &self.m)?)
    }
}

impl From<&Observation> for Record {
    fn from(observation: &Observation) -> Record {
        let Observation { position, metric, prospects, m } = observation;
        let moves = prospects.moves().iter();
        Record {
            fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            metric: *metric,
            n1: prospects.n1(),
            n2: prospects.n2(),
            value: text(prospects.outcome()),
            moves: moves.map(|p| format!("{} {}", p.m.to_uci(MODE), text(p.outcome))).collect(),
            played: m.to_uci(MODE).to_string(),
        }
    }
}

impl TryFrom<Record> for Observation {
    type Error = UnreadableRecord;

    fn try_from(record: Record) -> Result<Observation, UnreadableRecord> {
        let wrong = |text: &str| UnreadableRecord(text.to_owned());
        let fen: Fen = record.fen.parse().map_err(|_| wrong(&record.fen))?;
        let strict = fen.into_position(MODE);
        // Tables count positions too that no game can bring about.
        let position = strict
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|_: PositionError<Chess>| wrong(&record.fen))?;
        let legal = |text: &str| {
            let m: UciMove = text.parse().map_err(|_| wrong(text))?;
            m.to_move(&position).map_err(|_| wrong(text))
        };
        let mut states = Vec::new();
        let mut evaluations = Vec::new();
        for entry in &record.moves {
            let (m, outcome) = entry.split_once(' ').ok_or_else(|| wrong(entry))?;
            match read(outcome).ok_or_else(|| wrong(entry))? {
                Outcome::Table(state) => states.push((legal(m)?, state)),
                Outcome::Evaluation(value) => evaluations.push((legal(m)?, value)),
            }
        }
        let prospects = match (read(&record.value), record.metric) {
            (Some(Outcome::Table(state)), Some(_)) if evaluations.is_empty() => {
                Prospects::table(state, states, record.n1, record.n2)
            }
            (Some(Outcome::Evaluation(value)), None) if states.is_empty() => {
                Prospects::evaluation(value, evaluations)
            }
            _ => return Err(wrong(&record.value)),
        };
        let m = legal(&record.played)?;
        if prospects.moves().iter().all(|prospect| prospect.m != m) {
            return Err(wrong(&record.played));
        }
        Ok(Observation { position, metric: record.metric, prospects, m })
    }
}

fn text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Table(State::Win(depth)) => format!("win {depth}"),
        Outcome::Table(State::Draw) => "draw".to_owned(),
        Outcome::Table(State::Loss(depth)) => format!("loss {depth}"),
        Outcome::Evaluation(pawns) => format!("{pawns:?}"),
    }
}

fn read(text: &str) -> Option<Outcome> {
    let depth = |word: &str| text.strip_prefix(word).and_then(|depth| depth.parse().ok());
    if text == "draw" {
        Some(Outcome::Table(State::Draw))
    } else if let Some(depth) = depth("win ") {
        Some(Outcome::Table(State::win(depth)))
    } else if let Some(depth) = depth("loss ") {
        Some(Outcome::Table(State::loss(depth)))
    } else {
        text.parse().ok().filter(|value: &f64| value.is_finite()).map(Outcome::Evaluation)
    }
}
