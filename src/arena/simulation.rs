//! Matches that need no board: what their players do follows from tables alone.

use std::sync::{Arc, atomic::AtomicBool};

use shakmaty::Color;

use crate::{
    agents::Rule,
    endgame::{Index, Table, Tables, Walk},
    model::{Belief, Metric, Value},
    simulation::{Chooser, Contest, ContestError, End, Played, Spectrum, bounds},
};

use super::{
    agent_contender::{AgentSettings, NoAgent},
    entry::Entry,
    rules::{Ending, Reason, Rules, Until},
    schedule::Schedule,
    spec::PlayerSpec,
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
    /// 50-move rule nor that on repetition, colours not exchanged. An Analyser watches unless `unwatched`.
    pub fn new(
        schedule: &'a Schedule,
        players: [&PlayerSpec; 2],
        settings: &AgentSettings,
        rules: Rules,
        tables: &Arc<Tables>,
        unwatched: bool,
    ) -> Result<Option<Simulation<'a>>, NoAgent> {
        let [opening] = schedule.openings() else { return Ok(None) };
        let wrong_rules = rules.fifty || rules.repetition || rules.until != Until::Conversion;
        if wrong_rules
            || schedule.is_paired()
            || players.iter().any(|player| by(player, settings) != Some(settings.metric))
        {
            return Ok(None);
        }
        let Some(located) = tables.locate(opening.game.position(), settings.metric) else { return Ok(None) };
        let material = located.table.material();
        if material.has_opposing_pawns() {
            return Ok(None);
        }
        let (start, first) = (located.index, located.to_move);
        let table = tables.get(material, settings.metric);
        let Some(walk) = table.and_then(|table| Walk::new(table.clone(), tables).ok()) else {
            return Ok(None);
        };
        let mates = tables.get(material, Metric::Dtm).cloned();
        let asks_for_mates = |player: &&PlayerSpec| {
            matches!(player, PlayerSpec::Infallible { rule: Some(Rule::LongestDtm), .. })
        };
        if mates.is_none() && players.iter().any(asks_for_mates) {
            return Ok(None);
        }
        let bounds = [first, !first].map(|side| bounds(walk.table(), side));
        let [Some(one), Some(other)] =
            [chooser(players[0], settings, bounds[0])?, chooser(players[1], settings, bounds[1])?]
        else {
            return Ok(None);
        };
        let model = settings.watched()?;
        let watchers = match unwatched {
            true => [None, None],
            false => bounds.map(|bounds| Spectrum::new(&model, settings.grid, bounds)),
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
        let (slot, opening) = self.schedule.game(number);
        let reason = match played.end {
            End::Conversion => Reason::Conversion,
            End::Checkmate => Reason::Checkmate,
            End::Stalemate => Reason::Stalemate,
            End::Length => Reason::Length,
        };
        let ending = match played.value {
            Value::Win => Ending::won(slot.a_color, reason),
            Value::Draw => Ending::draw(reason),
            Value::Loss => Ending::won(!slot.a_color, reason),
        };
        let belief = |side: usize| {
            let (watcher, evidence) = (self.watchers[side].as_ref()?, played.evidence[side].as_ref()?);
            watcher.belief(evidence, f64::INFINITY).ok().filter(|belief| belief.observed() > 0)
        };
        let beliefs = [0, 1].map(belief);
        Entry {
            slot,
            opening: opening.name.clone(),
            ending,
            length: played.moves(),
            competence: beliefs.each_ref().map(|belief| belief.as_ref().map(Belief::mean)),
            beliefs,
        }
    }
}

/// The metric of a player that can be simulated.
fn by(player: &PlayerSpec, settings: &AgentSettings) -> Option<Metric> {
    match player {
        PlayerSpec::Player { view, .. } if view.horizon.unwrap_or(0) == 0 => {
            Some(view.metric.unwrap_or(settings.metric))
        }
        PlayerSpec::Infallible { rule: None | Some(Rule::Uniform | Rule::LongestDtm), metric } => {
            Some(metric.unwrap_or(settings.metric))
        }
        _ => None,
    }
}

fn chooser(
    player: &PlayerSpec,
    settings: &AgentSettings,
    bounds: [f64; 2],
) -> Result<Option<Chooser>, NoAgent> {
    let (c, view) = match player {
        PlayerSpec::Player { c, view } => (*c, view),
        PlayerSpec::Infallible { rule, .. } => {
            return Ok(Some(Chooser::infallible(rule.unwrap_or_default())));
        }
        _ => return Ok(None),
    };
    let model = settings.model(view, true)?;
    let given = [view.n1.map_or(bounds[0], f64::from), view.n2.map_or(bounds[1], f64::from)];
    // Bounds below the deepest states differ from position to position (see `Preference::bounds`).
    if given[0] < bounds[0] || given[1] < bounds[1] {
        return Ok(None);
    }
    Ok(Chooser::fallible(&model, c, given))
}
