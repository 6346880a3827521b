use std::{sync::Arc, time::Instant};

use shakmaty::{Chess, Move, Position};

use super::{Budget, Look, Oracle};
use crate::{
    endgame::{Material, Tables},
    game::Game,
    model::{Depth, Metric, Prospects, State, Value},
    search::Probe,
};

/// Endgame tables by one metric.
///
/// It serves positions whose every legal move leads to a position that a table has. It reads tables
/// that are there and makes none.
#[derive(Clone)]
pub struct TableOracle {
    tables: Arc<Tables>,
    metric: Metric,
}

/// Taken for the deepest win where a table does not say (Syzygy's): deeper ones are no wins under the 50-move rule.
const UNKNOWN: Depth = Depth(50);

impl TableOracle {
    /// Looks into these tables by this metric.
    pub fn new(tables: Arc<Tables>, metric: Metric) -> TableOracle {
        TableOracle { tables, metric }
    }

    /// The deepest wins of the side to move and of the other.
    fn deepest(&self, position: &Chess) -> [Depth; 2] {
        let mover = position.turn();
        let found = Material::of(position.board()).and_then(|(material, exchanged)| {
            let table = self.tables.get(material, self.metric)?;
            Some([mover, !mover].map(|side| table.deepest(if exchanged { !side } else { side })))
        });
        found.unwrap_or([UNKNOWN; 2])
    }

    fn prospects(&self, position: &Chess) -> Option<Prospects> {
        let judged = position.legal_moves().into_iter().map(|m| {
            let outcome = self.tables.outcome(position, m, self.metric)?;
            Some((m, outcome))
        });
        let moves: Vec<(Move, State)> = judged.collect::<Option<_>>()?;
        let state = match moves.iter().map(|&(_, outcome)| outcome).max() {
            Some(State::Win(Depth(depth))) => State::win(depth + 1),
            Some(best) => best,
            None => self.tables.probe(position, self.metric)?,
        };
        let [n1, n2] = self.deepest(position).map(|Depth(depth)| depth + 1);
        Some(Prospects::table(state, moves, n1, n2))
    }
}

impl Oracle for TableOracle {
    /// Tables answer at once, whatever the budget.
    fn look(&self, game: &Game, _: &Budget) -> Option<Look> {
        let begun = Instant::now();
        let prospects = self.prospects(game.position())?;
        Some(Look::by_tables(game, prospects, self.metric, begun.elapsed()))
    }
}

/// Endgame tables as the search looks at them: the value alone, from whatever table has it.
pub struct TableProbe {
    tables: Arc<Tables>,
    fifty: bool,
}

/// Our own tables have no more men than this.
const OWN_MEN: usize = 5;

impl TableProbe {
    /// With `fifty`, wins that the 50-move rule spoils count as draws where Syzygy's tables know of them.
    pub fn new(tables: Arc<Tables>, fifty: bool) -> TableProbe {
        TableProbe { tables, fifty }
    }
}

impl Probe for TableProbe {
    fn max_men(&self) -> usize {
        self.tables.syzygy().map_or(OWN_MEN, |syzygy| syzygy.men().max(OWN_MEN))
    }

    fn value(&self, position: &Chess) -> Option<Value> {
        if position.castles().any() || position.legal_ep_square().is_some() {
            return None;
        }
        let own = || {
            let located = Metric::ALL.into_iter().find_map(|metric| self.tables.locate(position, metric))?;
            located.table.state(located.to_move, located.index).ok().map(|state| state.value())
        };
        // Where the rule counts, Syzygy's tables know more than ours.
        let syzygy = self.tables.syzygy();
        let by_rule = || syzygy.filter(|_| self.fifty)?.value_by_rule(position);
        by_rule().or_else(own).or_else(|| syzygy?.value(position))
    }
}
