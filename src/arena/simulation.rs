//! Matches that need no board: what their players do follows from tables alone.

use std::sync::{Arc, atomic::AtomicBool};

use shakmaty::Color;

use crate::{
    agents::{AgentSpec, Rule},
    endgame::{Index, Table, Tables, Walk},
    model::{Belief, Metric, NoPreference, Scale, Value},
    simulation::{Chooser, Contest, ContestError, End, Played, Spectrum, bounds},
};

use super::{
    entry::Entry,
    referee::{Ending, Reason},
    rules::{Rules, Until},
    schedule::Schedule,
};

/// A match that can be simulated.
pub struct Simulation<'a> {
    schedule: &'a Schedule,
    walk: Walk,
    mates: Option<Arc<Table>>,
    start: Index,
    first: Color,
    choosers: [Chooser; 2],
    watchers: [Option<Spectrum>; 2],
    longest: usize,
}

impl<'a> Simulation<'a> {
    /// The simulation of a match, if it is one of these: players R_c without horizon or infallible ones whose rule does not
    /// ask for squares, both by one metric, from one position without opposing pawns, to conversion, with neither the
    /// 50-move rule nor that on repetition, colours not exchanged. An Analyser watches them, as `watched` says of opponents,
    /// unless `unwatched`.
    pub fn new(
        schedule: &'a Schedule,
        players: [&AgentSpec; 2],
        watched: &AgentSpec,
        rules: Rules,
        tables: &Arc<Tables>,
        unwatched: bool,
    ) -> Result<Option<Simulation<'a>>, NoPreference> {
        let [opening] = schedule.openings() else { return Ok(None) };
        let wrong_rules = rules.fifty || rules.repetition || rules.until != Until::Conversion;
        if wrong_rules
            || schedule.is_paired()
            || players.iter().any(|player| !can_be_simulated(player) || player.metric != watched.metric)
        {
            return Ok(None);
        }
        let Some(located) = tables.locate(opening.game.position(), watched.metric) else { return Ok(None) };
        let material = located.table.material();
        if material.has_opposing_pawns() {
            return Ok(None);
        }
        let (start, first) = (located.index, located.to_move);
        let table = tables.get(material, watched.metric);
        let Some(walk) = table.and_then(|table| Walk::new(table.clone(), tables).ok()) else {
            return Ok(None);
        };
        let mates = tables.get(material, Metric::Dtm).cloned();
        let asks_for_mates =
            |player: &&AgentSpec| player.kind.name == "Infallible" && player.rule == Rule::LongestDtm;
        if mates.is_none() && players.iter().any(asks_for_mates) {
            return Ok(None);
        }
        let bounds = [first, !first].map(|side| bounds(walk.table(), side));
        let [Some(one), Some(other)] = [chooser(players[0], bounds[0])?, chooser(players[1], bounds[1])?]
        else {
            return Ok(None);
        };
        let model = watched.opponent_model(Scale::Table)?;
        let watchers = match unwatched {
            true => [None, None],
            false => bounds.map(|bounds| Spectrum::new(&model, watched.grid.table, bounds)),
        };
        if !unwatched && watchers.iter().any(Option::is_none) {
            return Ok(None);
        }
        let longest = rules.max_moves.saturating_mul(2);
        Ok(Some(Simulation {
            schedule,
            walk,
            mates,
            start,
            first,
            choosers: [one, other],
            watchers,
            longest,
        }))
    }

    /// All games, in order, the same on any number of threads.
    pub fn run(&self, cancel: &AtomicBool) -> Result<Vec<Entry>, ContestError> {
        let contest = Contest {
            walk: &self.walk,
            mates: self.mates.as_deref(),
            start: self.start,
            first: self.first,
            choosers: self.choosers.each_ref(),
            watchers: self.watchers.each_ref().map(Option::as_ref),
            longest: self.longest,
        };
        let seed = |number| self.schedule.game_seed(number, 0);
        let played = contest.play_all(self.schedule.games(), seed, cancel)?;
        Ok(played.iter().enumerate().map(|(number, played)| self.entry(number, played)).collect())
    }

    fn entry(&self, number: usize, played: &Played) -> Entry {
        // A is the one who moves first.
        let (scheduled, opening) = self.schedule.game(number);
        let reason = match played.end {
            End::Conversion => Reason::Conversion,
            End::Checkmate => Reason::Checkmate,
            End::Stalemate => Reason::Stalemate,
            End::Length => Reason::Length,
        };
        let ending = match played.value {
            Value::Win => Ending::won(scheduled.a_color, reason),
            Value::Draw => Ending::draw(reason),
            Value::Loss => Ending::won(!scheduled.a_color, reason),
        };
        let belief = |side: usize| {
            let (watcher, evidence) = (self.watchers[side].as_ref()?, played.evidence[side].as_ref()?);
            watcher.belief(evidence, f64::INFINITY).ok().filter(Belief::is_informed)
        };
        let beliefs = [0, 1].map(belief);
        Entry {
            scheduled,
            opening: opening.name.clone(),
            ending,
            length: played.moves(),
            competence: beliefs.each_ref().map(|belief| belief.as_ref().map(Belief::mean)),
            beliefs,
        }
    }
}

/// Whether what a player does follows from the states that its moves lead to.
fn can_be_simulated(player: &AgentSpec) -> bool {
    match player.kind.name {
        // A walk knows one draw only.
        _ if player.draw_depth => false,
        "Player" => player.horizon == 0,
        "Infallible" => matches!(player.rule, Rule::Uniform | Rule::LongestDtm),
        _ => false,
    }
}

fn chooser(player: &AgentSpec, bounds: [f64; 2]) -> Result<Option<Chooser>, NoPreference> {
    if player.kind.name == "Infallible" {
        return Ok(Some(Chooser::infallible(player.rule)));
    }
    let given = [0, 1].map(|side| player.bounds[side].unwrap_or(bounds[side]));
    // Bounds below the deepest states differ from position to position (see `Preference::bounds`).
    if given[0] < bounds[0] || given[1] < bounds[1] {
        return Ok(None);
    }
    Ok(Chooser::fallible(&player.own_model(Scale::Table)?, player.competence.table.get(), given))
}
