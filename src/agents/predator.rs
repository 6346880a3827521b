use std::{
    cell::Cell,
    fmt::{self, Debug},
    str::FromStr,
    sync::Arc,
    time::Instant,
};

use shakmaty::{Move, Position};

use super::{
    Agent, AgentError, AgentKind, AgentSpec, Hunter, Intent, Prey, Situation, Why,
    lookahead::{Aim, DrawRules, Expectation, LIMIT, Lookahead, RULE_MARGIN, root_value},
};
use crate::{
    game::Game,
    human::EloBelief,
    model::{Metric, Mixture, Model, NoDecision, Outcome, Prospect, Scale, State, Value},
};

/// How far the Predator is to look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    /// So many plies.
    Some(u32),
    /// Six plies, four or two: as many as take no longer than 50 milliseconds or so.
    Auto,
    /// To the end of the endgame, wherever it has been solved; elsewhere as [`Plies::Auto`].
    Exact,
}

impl Plies {
    /// All that can be chosen.
    pub const ALL: [Plies; 5] = [Plies::Auto, Plies::Some(2), Plies::Some(4), Plies::Some(6), Plies::Exact];

    /// How many are looked at where nothing has been solved, and how many looks that may take.
    pub fn limits(self) -> (u32, Option<u32>) {
        match self {
            Plies::Some(plies) => (plies, None),
            Plies::Auto | Plies::Exact => (6, Some(AUTO_LOOKS)),
        }
    }
}

/// Looks, not time, so that the same position always gets the same answer.
const AUTO_LOOKS: u32 = 4000;

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plies::Some(plies) => write!(f, "{plies}"),
            Plies::Auto => f.write_str("auto"),
            Plies::Exact => f.write_str("exact"),
        }
    }
}

impl FromStr for Plies {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Plies, &'static str> {
        match text.parse() {
            // Odd numbers count as the even one below.
            Ok(plies @ 2..=6) => Ok(Plies::Some(plies & !1)),
            _ if text.eq_ignore_ascii_case("auto") => Ok(Plies::Auto),
            _ if text.eq_ignore_ascii_case("exact") => Ok(Plies::Exact),
            _ => Err("it must be auto, 2, 4, 6 or exact"),
        }
    }
}

/// How the Predator hunts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntSettings {
    /// How far it looks: 2 as WILHELM, or 4, 6, …; odd numbers count as the even one below.
    pub plies: u32,
    /// If that takes more looks at positions than these, two plies fewer are looked at, and so on down to two.
    pub looks: Option<u32>,
    /// Expected values (points or pawns) closer than this are ties, to be decided by depth.
    pub tolerance: f64,
    /// What it may give up for a harder task for the opponent; nothing: equi-optimal moves only.
    pub speculation: Option<Speculation>,
}

/// A margin in moves is worth this many points: a whole game is drawn after 50 moves.
const POINTS_PER_MOVE: f64 = 1.0 / 50.0;

impl HuntSettings {
    /// As a spec has it.
    fn of(spec: &AgentSpec) -> HuntSettings {
        let speculation = Speculation {
            most: f64::INFINITY,
            value_margin: spec.speculation_margin * POINTS_PER_MOVE,
            depth_margin: spec.speculation_margin,
            risk_value: false,
        };
        let (plies, looks) = spec.predator_plies.limits();
        HuntSettings {
            plies,
            looks,
            speculation: spec.speculate.then_some(speculation),
            ..HuntSettings::default()
        }
    }
}

impl Default for HuntSettings {
    fn default() -> HuntSettings {
        HuntSettings { plies: 2, looks: None, tolerance: 1e-6, speculation: None }
    }
}

/// Moves that give up depth (Jansen 1993; Haworth 2003, §7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speculation {
    /// The most that may be given up, in moves of depth or in pawns.
    pub most: f64,
    /// A speculative move must be expected to gain more than this, in points or in pawns, …
    pub value_margin: f64,
    /// … or, its value being no worse, more than this in moves of depth.
    pub depth_margin: f64,
    /// Whether theoretical value may be given up too.
    pub risk_value: bool,
}

/// A move that was considered, and what it promises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// What it leads to in theory, seen by the Predator.
    pub outcome: Outcome,
    /// It gives up depth or value.
    pub speculative: bool,
    /// What is expected after the opponent's last reply looked at.
    pub expectation: Expectation,
    /// The expected depth among outcomes of the position's value (for a draw: among wins).
    pub depth: Option<f64>,
}

/// Why the Predator plays as it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// All moves considered, equi-optimal ones first.
    pub candidates: Vec<Candidate>,
    /// The numbers of the best candidates: more than one if they are equally good.
    pub best: Vec<usize>,
    /// What moves promise holds to the end of the endgame, not for a few plies.
    pub to_the_end: bool,
}

/// One who has solved endgames as decision processes against fallible players.
pub trait Foresight: Send + Sync + Debug {
    /// What the side that has just moved can hope for: the chance to win less that to lose. Its opponent has `left` moves
    /// before a draw can be claimed. Nothing if that is not known, or not yet.
    fn hope(&self, game: &Game, left: u32, opponent: &Opponent<'_>) -> Option<f64>;
}

/// The player who is hunted.
#[derive(Clone, Copy, Debug)]
pub struct Opponent<'a> {
    /// What its depths count.
    pub metric: Metric,
    /// How it sees positions.
    pub model: &'a Model,
    /// Its competence, known or believed.
    pub mixture: &'a Mixture,
}

/// Plays what is hardest for this opponent, by what it has learned about it (Haworth & Andrist, §3.3).
///
/// Ranks moves by expected points (in a drawn position plus a bonus for keeping all the men that are there, see
/// [`super::Aim::best`]), then by expected depth: short unless it loses, long if it loses. It serves positions that tables
/// know.
#[derive(Clone, Debug)]
pub struct Predator {
    /// How it hunts.
    pub settings: HuntSettings,
    /// How the opponent is believed to see positions.
    pub opponent: Model,
    /// The opponent, of whom more or less is known: a player of some competence, or a belief about it.
    pub mixture: Mixture,
    /// Who knows what moves promise to the end; where nobody does, it looks some plies ahead.
    pub foresight: Option<Arc<dyn Foresight>>,
}

pub(super) const KIND: AgentKind = AgentKind {
    name: "Predator",
    help: "what is hardest for this opponent",
    fields: &[
        "opponent_competence",
        "opponent_elo",
        "game_speculation_margin",
        "predator_plies",
        "speculate",
        "speculation_margin",
        "analyser_grid",
        "game_grid",
        "opponent_keeps_value",
        "opponent_horizon",
        "kappa",
        "game_kappa",
        "n1",
        "n2",
    ],
    judging_divisor: 20,
    hunts: true,
    build: |spec, scale, knowledge| {
        Ok(match scale {
            Scale::Table => Box::new(Predator {
                settings: HuntSettings::of(spec),
                opponent: *knowledge.opponent.model(scale),
                mixture: match spec.opponent_competence {
                    Some(c) => Mixture::from(c),
                    None => knowledge.opponent.belief(scale).mixture(),
                },
                foresight: knowledge.foresight.cloned().filter(|_| spec.predator_plies == Plies::Exact),
            }),
            Scale::Evaluation => Box::new(Hunter {
                prey: Prey::new(&match spec.opponent_elo {
                    Some(elo) => EloBelief::certain(elo.into()),
                    None => knowledge.opponent.elo().clone(),
                }),
                margin: spec.game_speculation_margin / 100.0,
            }),
        })
    },
    ..AgentKind::BASE
};

/// Points closer than this are ties: they differ by rounding.
const SAME: f64 = 1e-9;

/// The part of a hope that a position has lost by having been on the board before: the opponent may claim a draw when it comes back, of
/// which plans know nothing.
const REPEATED: f64 = 0.05;

impl Predator {
    /// Weighs its moves, as far ahead as it is to look or as time allows; two plies are always looked at.
    pub fn advise(&self, situation: &Situation<'_>) -> Result<Advice, AgentError> {
        if let Some(advice) = self.foresee(situation)? {
            return Ok(advice);
        }
        let end = situation.budget.time.map(|time| Instant::now() + time);
        let mut advice = self.advise_to(situation, 2, None)?;
        let HuntSettings { plies, looks, .. } = self.settings;
        for plies in (4..=plies).step_by(2) {
            let left = Cell::new(looks.unwrap_or(u32::MAX));
            let in_time = || {
                left.set(left.get().saturating_sub(1));
                left.get() > 0
                    && !situation.budget.control.is_stopped()
                    && end.is_none_or(|end| Instant::now() < end)
            };
            match self.advise_to(situation, plies, Some(&in_time)) {
                Err(AgentError::OutOfTime) => break,
                deeper => advice = deeper?,
            }
        }
        Ok(advice)
    }

    /// Weighs the moves that keep the value by what they promise to the end of the endgame. Nothing if nobody knows.
    fn foresee(&self, situation: &Situation<'_>) -> Result<Option<Advice>, AgentError> {
        let Some(foresight) = &self.foresight else { return Ok(None) };
        let look = situation.look()?;
        let best = look.prospects().best().ok_or(NoDecision::GameOver)?;
        let (Some(metric), Some(root)) = (look.metric(), best.state()) else { return Ok(None) };
        let opponent = Opponent { metric, model: &self.opponent, mixture: &self.mixture };
        let rules = DrawRules::new(situation, look);
        let mut candidates = Vec::new();
        for prospect in look.moves() {
            if prospect.outcome.state().is_none_or(|state| state.value() != root.value()) {
                continue;
            }
            let next = situation.game.after(prospect.m);
            let clock = if situation.fifty { next.position().halfmoves() } else { 0 };
            let points = if prospect.m.is_capture() || prospect.m.is_promotion() {
                prospect.outcome.worth()
            } else if rules.drawn(&next) {
                0.5
            } else {
                let left = LIMIT.saturating_sub(clock).div_ceil(2);
                let Some(hope) = foresight.hope(&next, left, &opponent) else { return Ok(None) };
                let key = next.key();
                let times = situation.history.iter().filter(|before| **before == key).count();
                0.5 + 0.5 * hope * (1.0 - REPEATED * times as f64)
            };
            candidates.push(Candidate {
                m: prospect.m,
                outcome: prospect.outcome,
                speculative: prospect.outcome != best,
                expectation: Expectation::promised(points),
                depth: None,
            });
        }
        let points = |candidate: &Candidate| candidate.expectation.value();
        let greatest = candidates.iter().map(points).fold(f64::NEG_INFINITY, f64::max);
        let best = (0..candidates.len()).filter(|&number| points(&candidates[number]) >= greatest - SAME);
        Ok(Some(Advice { best: best.collect(), candidates, to_the_end: true }))
    }

    /// Looks so many plies ahead, an even number, as long as there is time.
    fn advise_to(
        &self,
        situation: &Situation<'_>,
        plies: u32,
        in_time: Option<&dyn Fn() -> bool>,
    ) -> Result<Advice, AgentError> {
        let HuntSettings { tolerance, speculation, .. } = self.settings;
        let look = situation.look()?;
        let prospects = look.prospects();
        let best = prospects.best().ok_or(NoDecision::GameOver)?;
        let root = root_value(best);
        let rules = DrawRules::new(situation, look);
        let rules_matter = rules.matter(look.position(), plies, prospects.n1().max(prospects.n2()));
        let aim = rules.aim(best, look.position(), tolerance);
        let mut lookahead =
            Lookahead::new(situation, &self.opponent, &self.mixture, rules, tolerance).while_true(in_time);
        let mut weigh = |prospect: &Prospect| {
            let expectation = lookahead.after(situation.game, prospect, plies)?;
            Ok::<_, AgentError>(Candidate {
                m: prospect.m,
                outcome: prospect.outcome,
                speculative: prospect.outcome != best,
                expectation,
                depth: expectation.depth(if root == Value::Loss { Value::Loss } else { Value::Win }),
            })
        };

        let (equal, others): (Vec<&Prospect>, Vec<&Prospect>) =
            prospects.moves().iter().partition(|prospect| prospect.outcome == best);
        let mut candidates = equal.into_iter().map(&mut weigh).collect::<Result<Vec<_>, _>>()?;
        let mut chosen = best_of(&candidates, 0..candidates.len(), aim);
        let sober = chosen.first().map(|&index| candidates[index].expectation).unwrap_or_default();

        let mut bold = Vec::new();
        for prospect in others {
            let speculation = speculation.filter(|speculation| speculation.allows(prospect.outcome, best));
            // Where a draw can be claimed, a move that gives up depth may keep the win or save the game.
            let by_rule = rules_matter && root_value(prospect.outcome) == root;
            if speculation.is_none() && !by_rule {
                continue;
            }
            let candidate = weigh(prospect)?;
            let value_gain = candidate.expectation.value() - sober.value();
            let depth_gain = candidate.expectation.depth_gain(&sober, root);
            let worth_it = match speculation {
                Some(Speculation { value_margin, depth_margin, .. }) => {
                    value_gain > value_margin.max(tolerance)
                        || value_gain >= -tolerance && depth_gain > depth_margin
                }
                None => value_gain > tolerance.max(RULE_MARGIN),
            };
            if worth_it {
                bold.push(candidates.len());
            }
            candidates.push(candidate);
        }
        // Each of these beats the best normal move by its margin, so the choice is among them only.
        if !bold.is_empty() {
            chosen = best_of(&candidates, bold, aim);
        }
        // Of what is equally good, the draws that lean most.
        let lean = |&number: &usize| prospects.lean_of(&candidates[number].m);
        let most = chosen.iter().map(lean).fold(0.0, f64::max);
        chosen.retain(|number| lean(number) == most);
        Ok(Advice { candidates, best: chosen, to_the_end: false })
    }
}

fn best_of(candidates: &[Candidate], numbers: impl IntoIterator<Item = usize>, aim: Aim) -> Vec<usize> {
    let numbers: Vec<usize> = numbers.into_iter().collect();
    let expectations: Vec<Expectation> =
        numbers.iter().map(|&number| candidates[number].expectation).collect();
    aim.best(&expectations).into_iter().map(|index| numbers[index]).collect()
}

impl Speculation {
    /// Whether a move with this outcome may be considered where `best` could be had.
    fn allows(&self, outcome: Outcome, best: Outcome) -> bool {
        match (outcome, best) {
            (Outcome::Table(state), Outcome::Table(best)) if state.value() == best.value() => {
                let depth = |state: State| state.depth().map_or(0.0, |depth| f64::from(depth.0));
                (depth(state) - depth(best)).abs() <= self.most
            }
            (Outcome::Table(_), Outcome::Table(_)) => self.risk_value,
            _ => best.worth() - outcome.worth() <= self.most,
        }
    }
}

impl Agent for Predator {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let advice = self.advise(situation)?;
        let best = advice.best.iter().map(|&index| advice.candidates[index].m).collect();
        Ok(Intent::even(best)?.because(Why::Hunt(advice)))
    }
}
