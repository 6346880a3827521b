use std::{fmt, time::Duration};

use parking_lot::Mutex;
use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{Budget, Control, Found, Limits, Oracle, Report};
use crate::{
    game::{Game, LeadUp},
    model::{Metric, Outcome, Prospect, Prospects, Scale, Score},
    search::Pricing,
};

/// One look at a position: the outcome of every legal move, at every depth that was completed, who priced it and what
/// that cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    position: Chess,
    lead_up: LeadUp,
    prospects: Prospects,
    /// For each move its values by depth from 1; empty where tables know the truth.
    scores: Vec<Vec<Score>>,
    source: Source,
    cost: Cost,
}

/// Who has looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Endgame tables, by this metric.
    Tables(Metric),
    /// Our own search: prices that are the same wherever and whenever they are asked for.
    Search,
    /// Our own search, each move by itself with much pruning: deeper in the same time, but never quite the same twice.
    QuickSearch,
    /// Another program, by the name it gave itself.
    Engine(String),
}

/// What a look has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The depth that every move has reached, in plies; 0 for tables.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Successful table probes.
    pub table_hits: u64,
    /// Time.
    pub time: Duration,
}

impl Look {
    /// What tables say of the present position of a game.
    pub fn by_tables(game: &Game, prospects: Prospects, metric: Metric, time: Duration) -> Look {
        let table_hits = prospects.moves().len() as u64;
        let cost = Cost { table_hits, time, ..Cost::default() };
        Look {
            position: game.position().clone(),
            lead_up: game.lead_up(),
            prospects,
            scores: Vec::new(),
            source: Source::Tables(metric),
            cost,
        }
    }

    /// What a search or an engine says of the present position of a game; nothing if there is no legal move.
    pub fn by_search(game: &Game, pricing: Pricing, source: Source) -> Option<Look> {
        let Pricing { moves, depth, nodes, table_hits, time, .. } = pricing;
        if moves.is_empty() {
            return None;
        }
        let prospects = Prospects::evaluation(moves.iter().map(|priced| (priced.m, priced.score())));
        let scores = moves.into_iter().map(|priced| priced.scores).collect();
        Some(Look {
            position: game.position().clone(),
            lead_up: game.lead_up(),
            prospects,
            scores,
            source,
            cost: Cost { depth, nodes, table_hits, time },
        })
    }

    /// What was seen and written down; what it has cost is not known any more. On the evaluation scale each move has its
    /// values by depth, on that of tables none.
    pub fn remembered(
        position: Chess,
        lead_up: LeadUp,
        prospects: Prospects,
        scores: Vec<Vec<Score>>,
        metric: Option<Metric>,
    ) -> Look {
        let depth = scores.first().map_or(0, |scores| scores.len() as u32);
        let source = metric.map_or(Source::Search, Source::Tables);
        Look { position, lead_up, prospects, scores, source, cost: Cost { depth, ..Cost::default() } }
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves that led to it, as far as known.
    pub fn lead_up(&self) -> LeadUp {
        self.lead_up
    }

    /// What every legal move leads to, as a model prices it: at the greatest depth.
    pub fn prospects(&self) -> &Prospects {
        &self.prospects
    }

    /// Every legal move with its outcome.
    pub fn moves(&self) -> &[Prospect] {
        self.prospects.moves()
    }

    /// Every legal move with its outcome, the best first.
    pub fn best_first(&self) -> Vec<Prospect> {
        let mut moves = self.moves().to_vec();
        moves.sort_by(|one, two| two.outcome.compare(one.outcome));
        moves
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.prospects.outcome()
    }

    /// The scale of all outcomes.
    pub fn scale(&self) -> Scale {
        self.prospects.scale()
    }

    /// The values of a move by depth from 1, for the mover; nothing from tables.
    pub fn scores(&self, m: &Move) -> &[Score] {
        let index = self.moves().iter().position(|prospect| prospect.m == *m);
        index.and_then(|index| self.scores.get(index)).map_or(&[], Vec::as_slice)
    }

    /// Who has looked.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What the depths count; nothing on the evaluation scale.
    pub fn metric(&self) -> Option<Metric> {
        match self.source {
            Source::Tables(metric) => Some(metric),
            Source::Search | Source::QuickSearch | Source::Engine(_) => None,
        }
    }

    /// What it has cost.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// A move in the words of chess players.
    pub fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.position.clone(), m).to_string()
    }

    /// A move in the notation of the protocol.
    pub fn uci(&self, m: Move) -> String {
        m.to_uci(self.position.castles().mode()).to_string()
    }

    /// The same look at those moves alone that are allowed; at all of them if none is.
    pub fn only(&self, allowed: &[Move]) -> Look {
        let prospects = self.prospects.only(|m| allowed.contains(m));
        let scores = match self.scores.is_empty() {
            true => Vec::new(),
            false => prospects.moves().iter().map(|prospect| self.scores(&prospect.m).to_vec()).collect(),
        };
        Look {
            position: self.position.clone(),
            lead_up: self.lead_up,
            prospects,
            scores,
            source: self.source.clone(),
            cost: self.cost,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Tables(metric) => write!(f, "tables by {metric}"),
            Source::Search => f.write_str("search"),
            Source::QuickSearch => f.write_str("quick search"),
            Source::Engine(name) => f.write_str(name),
        }
    }
}

/// An oracle whose looks are counted.
pub struct Metered<'a> {
    oracle: &'a dyn Oracle,
    spent: Mutex<Cost>,
}

impl<'a> Metered<'a> {
    /// Counts from now on.
    pub fn new(oracle: &'a dyn Oracle) -> Metered<'a> {
        Metered { oracle, spent: Mutex::default() }
    }

    /// What all looks together have cost; the depth is that of the deepest.
    pub fn spent(&self) -> Cost {
        *self.spent.lock()
    }
}

impl Oracle for Metered<'_> {
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let look = self.oracle.look(game, budget)?;
        let Cost { depth, nodes, table_hits, time } = look.cost();
        let mut spent = self.spent.lock();
        spent.depth = spent.depth.max(depth);
        spent.nodes += nodes;
        spent.table_hits += table_hits;
        spent.time += time;
        Some(look)
    }

    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        self.oracle.best(game, limits, control, report)
    }
}
