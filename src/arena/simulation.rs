//! Games between players that only look up tables, without a chess library, processes or clocks: a position is a number
//! in a table, a move leads to another.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use shakmaty::Color;

use crate::{
    agents::Rule,
    endgame::{Index, StoreError, Tables, Walk},
    model::{Grid, Metric, Model, Policy, State, Value},
};

use super::{
    agent_contender::{AgentSettings, NoAgent},
    entry::Entry,
    rules::{Ending, Reason, Rules, Until},
    schedule::Schedule,
    spec::PlayerSpec,
};

/// States have a place each: wins by depth, then losses by depth, then the draw.
const PLACES: usize = 256;

/// Logarithms of prices may differ by so much, times c, before a floating-point number can't hold their ratio.
const WIDEST: f64 = 600.0;

fn place(state: State) -> usize {
    match state {
        State::Win(depth) => usize::from(depth.0).min(127),
        State::Loss(depth) => 128 + usize::from(depth.0).min(126),
        State::Draw => 255,
    }
}

fn value_at(place: usize) -> Value {
    match place {
        255 => Value::Draw,
        128.. => Value::Loss,
        _ => Value::Win,
    }
}

/// How a player weighs states.
enum Strategy {
    /// w^(−c), up to a common factor.
    Fallible { weights: Box<[f64; PLACES]>, keeps_value: bool },
    /// The best ones alike.
    Infallible,
}

/// w^(−c) for each state and candidate c, with the same factor for all states.
struct Watcher {
    powers: Vec<f64>,
    grid: Grid,
    keeps_value: bool,
}

/// A match that can be simulated.
pub struct Simulation<'a> {
    schedule: &'a Schedule,
    walk: Walk,
    first: Color,
    start: Index,
    /// Of the side to move first and of the other.
    strategies: [Strategy; 2],
    watchers: Option<[Watcher; 2]>,
    longest: usize,
}

/// Why a simulation broke off.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The tables can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody wants it any more.
    #[error("interrupted")]
    Cancelled,
}

impl<'a> Simulation<'a> {
    /// The simulation of a match, if it is one of these: players R_c without horizon or infallible ones with the uniform
    /// rule, both by one metric, from one position without opposing pawns, to conversion, with neither the 50-move rule nor
    /// that on repetition, colours not exchanged. An Analyser watches unless `unwatched`.
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
        let table = located.table;
        if table.material().has_opposing_pawns() {
            return Ok(None);
        }
        let Some(walk) = tables
            .get(table.material(), settings.metric)
            .and_then(|table| Walk::new(table.clone(), tables).ok())
        else {
            return Ok(None);
        };
        let sides = [located.to_move, !located.to_move];
        let bounds =
            sides.map(|side| [side, !side].map(|winner| f64::from(walk.table().deepest(winner).0) + 1.0));
        let mut strategies = Vec::new();
        for (player, bounds) in players.into_iter().zip(bounds) {
            let Some(strategy) = strategy(player, settings, bounds)? else { return Ok(None) };
            strategies.push(strategy);
        }
        let watched = settings.watched()?;
        let watchers = bounds.map(|bounds| Watcher::new(&watched, settings.grid, bounds));
        let watchers = match watchers {
            _ if unwatched => None,
            [Some(first), Some(second)] => Some([first, second]),
            _ => return Ok(None),
        };
        let Ok(strategies) = <[Strategy; 2]>::try_from(strategies) else { return Ok(None) };
        let (first, start, longest) = (located.to_move, located.index, rules.max_moves.saturating_mul(2));
        Ok(Some(Simulation { schedule, walk, first, start, strategies, watchers, longest }))
    }

    /// All games, in order, the same on any number of threads.
    pub fn run(&self, cancel: &AtomicBool) -> Result<Vec<Entry>, SimulationError> {
        (0..self.schedule.games())
            .into_par_iter()
            .map_init(Vec::new, |scratch, number| {
                if cancel.load(Ordering::Relaxed) {
                    return Err(SimulationError::Cancelled);
                }
                self.game(number, scratch)
            })
            .collect()
    }

    fn game(&self, number: usize, steps: &mut Vec<(usize, Option<Index>)>) -> Result<Entry, SimulationError> {
        let (slot, opening) = self.schedule.game(number);
        let mut rng = Pcg64::seed_from_u64(self.schedule.game_seed(number, 0));
        let mut beliefs = self.watchers.as_ref().map(|watchers| watchers.each_ref().map(Watcher::prior));
        let (mut index, mut ply) = (self.start, 0);
        let (winner, reason) = loop {
            let turn = ply % 2;
            let mover = if turn == 0 { self.first } else { !self.first };
            steps.clear();
            let board = self.walk.board(mover, index);
            if let Some(board) = &board {
                self.walk
                    .each_step(board, index, mover, |step| steps.push((place(step.outcome), step.next)))?;
            }
            if steps.is_empty() {
                let mated = board.is_some_and(|board| board.in_check(mover));
                break if mated { (Some(1 - turn), Reason::Checkmate) } else { (None, Reason::Stalemate) };
            }
            if ply >= self.longest {
                break (None, Reason::Length);
            }
            let chosen = self.strategies[turn].choose(steps, &mut rng);
            let (outcome, next) = steps[chosen];
            if let (Some(watchers), Some(beliefs)) = (&self.watchers, &mut beliefs) {
                watchers[turn].observe(&mut beliefs[turn], steps, outcome);
            }
            ply += 1;
            match next {
                Some(next) => index = next,
                None => {
                    let winner = match value_at(outcome) {
                        Value::Win => Some(turn),
                        Value::Draw => None,
                        Value::Loss => Some(1 - turn),
                    };
                    break (winner, Reason::Conversion);
                }
            }
        };
        let ending = match winner {
            Some(winner) => Ending::won(if winner == 0 { slot.a_color } else { !slot.a_color }, reason),
            None => Ending::draw(reason),
        };
        let observed = [ply.div_ceil(2), ply / 2];
        let competence = [0, 1].map(|side| {
            let (watchers, beliefs) = (self.watchers.as_ref()?, beliefs.as_ref()?);
            (observed[side] > 0).then(|| watchers[side].mean(&beliefs[side]))
        });
        Ok(Entry { slot, opening: opening.name.clone(), ending, length: ply.div_ceil(2), competence })
    }
}

/// The metric of a player that can be simulated.
fn by(player: &PlayerSpec, settings: &AgentSettings) -> Option<Metric> {
    match player {
        PlayerSpec::Player { view, .. } if view.horizon.unwrap_or(0) == 0 => {
            Some(view.metric.unwrap_or(settings.metric))
        }
        PlayerSpec::Infallible { rule: None | Some(Rule::Uniform), metric } => {
            Some(metric.unwrap_or(settings.metric))
        }
        _ => None,
    }
}

fn strategy(
    player: &PlayerSpec,
    settings: &AgentSettings,
    bounds: [f64; 2],
) -> Result<Option<Strategy>, NoAgent> {
    let PlayerSpec::Player { c, view } = player else { return Ok(Some(Strategy::Infallible)) };
    let model = settings.model(view, true)?;
    let given = [view.n1.map_or(bounds[0], f64::from), view.n2.map_or(bounds[1], f64::from)];
    // Bounds below the deepest states differ from position to position (see `Preference::bounds`).
    if given[0] < bounds[0] || given[1] < bounds[1] {
        return Ok(None);
    }
    Ok(powers(&model, *c, given).map(|weights| Strategy::Fallible {
        weights: Box::new(weights),
        keeps_value: model.policy == Policy::KEEP_VALUE,
    }))
}

/// w^(−c) of all states that can occur, if floating-point numbers can hold them side by side.
fn powers(model: &Model, c: f64, [n1, n2]: [f64; 2]) -> Option<[f64; PLACES]> {
    let state = |place: usize| match value_at(place) {
        Value::Win => State::win(place as u16),
        Value::Loss => State::loss(place as u16 - 128),
        Value::Draw => State::Draw,
    };
    // Deeper wins and losses than n1 and n2 allow do not occur.
    let occurs = |place: usize| match value_at(place) {
        Value::Win => (place as f64) < n1,
        Value::Loss => ((place - 128) as f64) < n2,
        Value::Draw => true,
    };
    let mut logs = [0.0; PLACES];
    for (place, log) in logs.iter_mut().enumerate().filter(|(place, _)| occurs(*place)) {
        *log = -c * model.preference.ln_price(state(place), n1, n2);
    }
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = logs.iter().copied().fold(f64::INFINITY, f64::min);
    (greatest - least < WIDEST).then(|| logs.map(|log| (log - greatest).exp()))
}

impl Strategy {
    fn choose(&self, steps: &[(usize, Option<Index>)], rng: &mut Pcg64) -> usize {
        match self {
            Strategy::Infallible => {
                let best = best(steps);
                let count = steps.iter().filter(|step| step.0 == best).count();
                let ticket = rng.random_range(0..count);
                steps
                    .iter()
                    .enumerate()
                    .filter(|(_, step)| step.0 == best)
                    .nth(ticket)
                    .map_or(0, |(place, _)| place)
            }
            Strategy::Fallible { weights, keeps_value } => {
                let value = value_at(best(steps));
                let weight = |place: usize| {
                    if *keeps_value && value_at(place) != value { 0.0 } else { weights[place] }
                };
                let sum: f64 = steps.iter().map(|step| weight(step.0)).sum();
                let mut left = rng.random::<f64>() * sum;
                let mut last = 0;
                for (number, step) in steps.iter().enumerate() {
                    let weight = weight(step.0);
                    if weight > 0.0 {
                        last = number;
                        left -= weight;
                        if left < 0.0 {
                            break;
                        }
                    }
                }
                last
            }
        }
    }
}

/// The place of the best state among the steps: the shortest win, else a draw, else the longest loss.
fn best(steps: &[(usize, Option<Index>)]) -> usize {
    let rank = |place: usize| match value_at(place) {
        Value::Win => 1000 - place,
        Value::Draw => 500,
        Value::Loss => place - 128,
    };
    steps.iter().map(|step| step.0).max_by_key(|&place| rank(place)).unwrap_or(255)
}

impl Watcher {
    fn new(model: &Model, grid: Grid, bounds: [f64; 2]) -> Option<Watcher> {
        let count = grid.len();
        let mut all = vec![0.0; PLACES * count];
        for (number, c) in grid.candidates().enumerate() {
            for (place, power) in powers(model, c, bounds)?.into_iter().enumerate() {
                all[place * count + number] = power;
            }
        }
        Some(Watcher { powers: all, grid, keeps_value: model.policy == Policy::KEEP_VALUE })
    }

    fn prior(&self) -> Vec<f64> {
        vec![1.0 / self.grid.len() as f64; self.grid.len()]
    }

    /// Bayes' rule for a move to the state at place `chosen`.
    fn observe(&self, belief: &mut [f64], steps: &[(usize, Option<Index>)], chosen: usize) {
        let value = value_at(best(steps));
        let possible = |place: usize| !self.keeps_value || value_at(place) == value;
        if !possible(chosen) {
            return;
        }
        let powers = |place: usize| &self.powers[place * belief.len()..(place + 1) * belief.len()];
        let mut counts = [0u8; PLACES];
        for step in steps.iter().filter(|step| possible(step.0)) {
            counts[step.0] += 1;
        }
        let mut sums = vec![0.0; belief.len()];
        for step in steps {
            let count = std::mem::take(&mut counts[step.0]);
            if count > 0 {
                let count = f64::from(count);
                sums.iter_mut().zip(powers(step.0)).for_each(|(sum, power)| *sum += count * power);
            }
        }
        let likelihoods = powers(chosen).iter().zip(&sums).map(|(power, sum)| power / sum);
        let updated: Vec<f64> =
            belief.iter().zip(likelihoods).map(|(p, likelihood)| p * likelihood).collect();
        let total: f64 = updated.iter().sum();
        if total > 0.0 {
            belief.iter_mut().zip(updated).for_each(|(p, updated)| *p = updated / total);
        }
    }

    fn mean(&self, belief: &[f64]) -> f64 {
        self.grid.candidates().zip(belief).map(|(c, p)| c * p).sum()
    }
}
