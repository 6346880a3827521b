use std::sync::Arc;

use shakmaty::{Chess, Position};

use crate::{
    endgame::Tables,
    model::{Metric, Value},
    search::Probe,
};

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
