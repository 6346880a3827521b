use std::{sync::Arc, time::Instant};

use shakmaty::{Chess, Move, Position};

use super::{Budget, Look, Oracle};
use crate::{
    endgame::{DrawDepths, Material, Tables},
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
    /// Draws are told apart by their depth.
    tells_draws: bool,
}

/// Taken for the deepest win where a table does not say (Syzygy's): deeper ones are no wins under the 50-move rule.
const UNKNOWN: Depth = Depth(50);

impl TableOracle {
    /// Looks into these tables by this metric.
    pub fn new(tables: Arc<Tables>, metric: Metric) -> TableOracle {
        TableOracle { tables, metric, tells_draws: false }
    }

    /// Whether draws are told apart, where there are tables of depth to draw. Who has less to win, by the deepest win of each side,
    /// presses for the draw and likes one that he can force soon; the other plays on, and likes one that can't be
    /// forced on him for long.
    pub fn telling_draws(self, tells_draws: bool) -> TableOracle {
        TableOracle { tells_draws, ..self }
    }

    /// How much nearer to a win each draw is priced: by half a move at most.
    fn leans(&self, position: &Chess, moves: &[(Move, State)], presses: bool) -> Vec<f64> {
        let nearness =
            |depth: Option<Depth>| depth.map_or(0.0, |Depth(depth)| 1.0 / (1.0 + f64::from(depth)));
        let lean = |&(m, outcome): &(Move, State)| {
            let depths = self.tables.draw_depths_after(position, m).filter(|_| outcome == State::Draw);
            depths.map_or(0.0, |DrawDepths { mover, other }| {
                0.5 * if presses { nearness(mover) } else { 1.0 - nearness(other) }
            })
        };
        moves.iter().map(lean).collect()
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
        let leans = match self.tells_draws && state == State::Draw {
            true => self.leans(position, &moves, n1 < n2),
            false => Vec::new(),
        };
        Some(Prospects::table(state, moves, n1, n2).leaning(leans))
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
            let located =
                Metric::OF_WINS.into_iter().find_map(|metric| self.tables.locate(position, metric))?;
            located.table.state(located.to_move, located.index).ok().map(|state| state.value())
        };
        // Where the rule counts, Syzygy's tables know more than ours.
        let syzygy = self.tables.syzygy();
        let by_rule = || syzygy.filter(|_| self.fifty)?.value_by_rule(position);
        by_rule().or_else(own).or_else(|| syzygy?.value(position))
    }
}
