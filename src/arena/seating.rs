use std::sync::Arc;

use crate::{
    agents::AgentSpec,
    endgame::Tables,
    engine::{AgentSeat, EngineSeat, Seat, SeatSettings, Tolerance, Trouble},
    markov::Plans,
    oracle::Control,
};

use super::{player_spec::PlayerSpec, rules::Rules};

/// Who sits down to a match, and on what terms.
pub struct Seating<'a> {
    /// The players.
    pub players: &'a [PlayerSpec],
    /// What holds of our agents where their notation says nothing.
    pub base: SeatSettings,
    /// The tables that they look into.
    pub tables: Arc<Tables>,
    /// What has been worked out of hunting in them.
    pub plans: Arc<Plans>,
    /// What engines are forgiven.
    pub tolerance: Tolerance,
    /// Ends all thinking.
    pub cancel: Control,
}

impl<'a> Seating<'a> {
    /// For a match by these rules. Nobody makes tables while others play, and only values of moves are told.
    pub fn new(
        players: &'a [PlayerSpec],
        base: &SeatSettings,
        rules: &Rules,
        tables: Arc<Tables>,
    ) -> Seating<'a> {
        let mut base = SeatSettings {
            makes_tables: false,
            tells_lines: false,
            repetition: rules.repetition,
            ..base.clone()
        };
        base.tables.fifty = rules.fifty;
        base.search.multi_pv = 1;
        let plans = Arc::new(Plans::new(tables.clone()));
        Seating { players, base, tables, plans, tolerance: Tolerance::default(), cancel: Control::new() }
    }

    /// All that is set of a player that is one of our agents.
    pub fn agent(&self, player: usize) -> Option<AgentSpec> {
        self.players[player].agent(&self.base.agent)
    }

    /// A seat for a player.
    pub fn seat(&self, player: usize) -> Result<Box<dyn Seat>, Trouble> {
        match (&self.players[player], self.players[player].settings(&self.base)) {
            (PlayerSpec::Engine(engine), _) => {
                let (command, cancel) = (engine.command.clone(), self.cancel.clone());
                let seat = EngineSeat::new(command, self.tolerance, cancel);
                Ok(Box::new(if engine.ponder { seat.pondering() } else { seat }))
            }
            (PlayerSpec::Agent(_), Some(settings)) => {
                let seat = AgentSeat::with_tables(settings, self.tables.clone());
                let seat = seat.map_err(|error| Trouble::Unable(error.to_string()))?;
                Ok(Box::new(seat.sharing(self.plans.clone())))
            }
            (player, None) => Err(Trouble::Unable(format!("'{player}' is no agent"))),
        }
    }
}
