use super::{Budget, Control, Found, Limits, Look, Oracle, Report};
use crate::game::Game;

/// Several oracles, of which the first that serves a position answers: tables where they serve, else the search.
pub struct OracleChain<'a>(Vec<&'a dyn Oracle>);

impl<'a> OracleChain<'a> {
    /// The one to be asked first, first.
    pub fn new(oracles: impl IntoIterator<Item = &'a dyn Oracle>) -> OracleChain<'a> {
        OracleChain(oracles.into_iter().collect())
    }
}

impl Oracle for OracleChain<'_> {
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        self.0.iter().find_map(|oracle| oracle.look(game, budget))
    }

    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        self.0.iter().find_map(|oracle| oracle.best(game, limits, control, report))
    }
}
