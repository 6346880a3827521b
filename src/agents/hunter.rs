use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

use shakmaty::{Move, Position};

use super::{
    Agent, AgentError, Intent, Search, Situation, Why,
    trap::{Bait, Hunt, Prey, Reply},
};
use crate::{
    game::Game,
    model::Score,
    oracle::{Bound, Budget, Found, Limits, Look, Report},
};

/// The Predator in whole games. Of moves that best play can hardly tell apart it plays the one after which this opponent is
/// expected to go wrong: a search with contempt for the opponent says where there is most to be hoped for, the opponent's
/// decision after each move is looked at by depth, the model of people says how likely every reply is, and what is expected to
/// come of it all is what counts. What best play may take from it is bounded.
#[derive(Clone, Debug)]
pub struct Hunter {
    /// The opponent, as far as known.
    pub prey: Prey,
    /// The most that may be given up against best play, in points.
    pub margin: f64,
}

/// Moves that may come into question besides the best.
const LINES: usize = 4;
/// With less time for a move than this, it is all needed for finding a good one.
const LEAST_TIME: Duration = Duration::from_millis(60);
/// With fewer nodes than this, too.
const LEAST_NODES: u64 = 100_000;
/// Looks at replies go no deeper: people are modelled by what they see to this depth.
const LOOK_DEPTH: u32 = 8;
/// What a shallower look promises is not believed.
const LEAST_LOOK_DEPTH: u32 = 5;
/// The part of the time for a move that goes into the search for the best move, …
const SEARCHING: f64 = 0.6;
/// … into finding moves that are as good, so many plies less deep, …
const COMPARING: f64 = 0.1;
const COMPARING_PLIES: u32 = 2;
/// … into what may be hoped for after them against this opponent, …
const HOPING: f64 = 0.1;
/// … and into looks at the opponent's replies. The rest makes sure of the move that was chosen.
const LOOKING: f64 = 0.1;
/// What is left for that.
const CHECKING: f64 = 1.0 - SEARCHING - COMPARING - HOPING - LOOKING;
/// Whoever has this many points against best play needs no tricks.
const WON: f64 = 0.97;
/// A hunt has to promise so many points more than the best move: less is noise.
const GAIN: f64 = 0.015;
/// Errors by less than this, in pawns, are what a shallow look takes for errors.
const NOISE: f64 = 0.25;

impl Hunter {
    /// The part of some limits that a step of the hunt may use.
    fn part(situation: &Situation<'_>, share: f64) -> Limits {
        let limits = &situation.limits;
        Limits {
            nodes: limits.nodes.map(|nodes| (nodes as f64 * share) as u64),
            movetime: situation.budget.time.map(|time| time.mul_f64(share)).or(limits.movetime),
            ..limits.clone()
        }
    }

    /// Whether there is time to hunt, and somebody to be hunted.
    fn is_worth_it(&self, situation: &Situation<'_>) -> bool {
        self.prey.is_weak()
            && situation.budget.time.is_none_or(|time| time >= LEAST_TIME)
            && situation.limits.nodes.is_none_or(|nodes| nodes >= LEAST_NODES)
            && situation.limits.search_moves.is_empty()
            && situation.limits.mate.is_none()
    }

    /// Looks at what the opponent may reply to a move, and weighs it.
    fn bait(&self, situation: &Situation<'_>, line: &Line, budget: &Budget) -> Option<Bait> {
        let after = situation.game.after(line.m);
        let mut moves = self.prey.ideas(&after);
        let expected = line.report.pv.get(1).copied().filter(|m| !moves.contains(m));
        moves.extend(expected.filter(|&m| after.position().is_legal(m)));
        let look = situation.oracle.look(&after, &Budget { moves, ..budget.clone() })?;
        let board = situation.game.position().board();
        let replies = self.prey.replies(&look);
        let seen: f64 = replies.iter().map(|reply| reply.probability).sum();
        let points = match after.repetitions() > 1 || seen <= 0.0 {
            true => self.prey.points(board, line.hope),
            false => {
                let believed = if look.cost().depth < LEAST_LOOK_DEPTH { 0.0 } else { 1.0 };
                let gained = |reply: &Reply| believed * (reply.gained - NOISE).max(0.0);
                let expected = |reply: &Reply| match is_drawn(&after.after(reply.m)) {
                    true => 0.5,
                    false => self.prey.points(board, line.hope + gained(reply)),
                };
                replies.iter().map(|reply| reply.probability * expected(reply)).sum::<f64>() / seen
            }
        };
        Some(Bait { m: line.m, score: line.score, points, replies, look })
    }

    /// Searches the moves that come into question with contempt for the opponent, and notes what may be hoped for after each.
    fn hope(&self, situation: &Situation<'_>, lines: &mut [Line]) {
        let contempt = self.prey.contempt(situation.game.position().turn());
        let seen = match situation.seen() {
            Some(_) => Vec::new(),
            None => {
                let (search_moves, depth) =
                    (lines.iter().map(|line| line.m).collect(), lines[0].report.depth);
                let limits = Limits {
                    lines: lines.len(),
                    search_moves,
                    depth: Some(depth),
                    contempt: Some(contempt),
                    ..self.later(situation, HOPING)
                };
                search(situation, &limits, false).0
            }
        };
        for line in lines {
            let after = situation.game.after(line.m);
            line.hope = match seen.iter().find(|seen| seen.m == line.m) {
                Some(seen) => seen.score.pawns(),
                None if is_drawn(&after) => 0.0,
                None => line.score.pawns() + f64::from(contempt.of(after.position().board())) / 100.0,
            };
        }
    }

    /// Whether, looked at once more and deeper, the move is still within the margin of the best.
    fn is_sound(&self, situation: &Situation<'_>, best: Move, chosen: Move, begun: Instant) -> bool {
        let mut limits = self.later(situation, CHECKING);
        if let (Some(time), false) = (situation.budget.time, situation.limits.ponder) {
            limits.movetime = Some(time.saturating_sub(begun.elapsed()).max(time.mul_f64(CHECKING)));
        }
        limits.search_moves = vec![best, chosen];
        limits.lines = 2;
        let (lines, _) = search(situation, &limits, false);
        let fair = |m: Move| {
            let line = lines.iter().find(|line| line.m == m)?;
            Some(self.prey.fair_points(line.score.pawns()))
        };
        fair(best).zip(fair(chosen)).is_some_and(|(best, chosen)| best - chosen <= self.margin)
    }

    fn hunt(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        let begun = Instant::now();
        let control = &situation.budget.control;
        let (mut lines, found) = match situation.seen() {
            Some(look) => known(look),
            None => search(situation, &Hunter::part(situation, SEARCHING), true),
        };
        let found = found.ok_or(AgentError::NotServed)?;
        let Some(best) = found.best else { return Intent::found(found) };
        let is_won = self.prey.fair_points(found.score.pawns()) >= WON;
        if control.is_stopped() {
            return Intent::found(found);
        }
        if is_won || matches!(found.score, Score::Mate(_)) {
            return search_on(situation, begun, found);
        }
        if situation.seen().is_none() {
            let depth = lines.first().map_or(1, |line| line.report.depth);
            let depth = Some(depth.saturating_sub(COMPARING_PLIES).max(1));
            lines =
                search(situation, &Limits { lines: LINES, depth, ..self.later(situation, COMPARING) }, false)
                    .0;
        }
        let fair = |score: Score| self.prey.fair_points(score.pawns());
        let most = lines.iter().find(|line| line.m == best).map_or(f64::INFINITY, |line| fair(line.score));
        lines.retain(|line| line.m == best || most - fair(line.score) <= self.margin);
        if lines.len() < 2 || most.is_infinite() {
            return search_on(situation, begun, found);
        }
        self.hope(situation, &mut lines);
        let part = self.later(situation, LOOKING / lines.len() as f64);
        let budget = Budget {
            depth: Some(situation.limits.depth.unwrap_or(LOOK_DEPTH).min(LOOK_DEPTH)),
            nodes: part.nodes,
            time: situation.budget.time.and(part.movetime),
            moves: Vec::new(),
            quick: true,
            control: control.clone(),
        };
        let mut baits = Vec::new();
        for line in &lines {
            baits.extend(self.bait(situation, line, &budget));
            if control.is_stopped() {
                return Intent::found(found);
            }
        }
        let Some(promised) = baits.iter().find(|bait| bait.m == best).map(|bait| bait.points) else {
            return search_on(situation, begun, found);
        };
        let promising = baits.iter().max_by(|one, two| one.points.total_cmp(&two.points));
        let chosen = match promising {
            Some(bait) if bait.points > promised + GAIN => bait.m,
            _ => best,
        };
        if chosen == best {
            let intent = search_on(situation, begun, found)?;
            return match intent.found {
                // A longer search may have found something better still.
                Some(found) if found.best == Some(best) => with_hunt(found, best, baits, self),
                _ => Ok(intent),
            };
        }
        if situation.seen().is_none() && !self.is_sound(situation, best, chosen, begun) {
            baits.retain(|bait| bait.m != chosen);
            return with_hunt(found, best, baits, self);
        }
        let line = lines.iter().find(|line| line.m == chosen);
        if let (Some(line), Some(hear)) = (line, situation.report) {
            hear(&Report { multipv: 1, ..line.report.clone() });
        }
        let score = line.map_or(found.score, |line| line.score);
        with_hunt(Found { best: Some(chosen), score, ..found }, best, baits, self)
    }

    /// The part of some limits that a later step of the hunt may use: if we pondered, that is over.
    fn later(&self, situation: &Situation<'_>, share: f64) -> Limits {
        Limits { ponder: false, ..Hunter::part(situation, share) }
    }
}

/// A move and what a search of several lines has found of it.
struct Line {
    m: Move,
    score: Score,
    /// What may be hoped for against this opponent, in pawns: a draw is 0.
    hope: f64,
    report: Report,
}

/// All moves, as they were seen already.
fn known(look: &Look) -> (Vec<Line>, Option<Found>) {
    let line = |m: Move| {
        let score = look.scores(&m).last().copied().unwrap_or(Score::Centipawns(0));
        Line { m, score, hope: 0.0, report: Report { score, ..Report::of_move(Some(m)) } }
    };
    let lines: Vec<Line> = look.best_first().into_iter().take(LINES).map(|best| line(best.m)).collect();
    let found = lines.first().map(|best| Found {
        best: Some(best.m),
        ponder: None,
        score: best.score,
        nodes: look.cost().nodes,
    });
    (lines, found)
}

/// Whether a position leads nowhere: it was on the board before, or nobody can win it.
fn is_drawn(game: &Game) -> bool {
    game.repetitions() > 1 || game.position().is_insufficient_material()
}

/// Searches, and gives every line at its greatest depth, the best first.
fn search(situation: &Situation<'_>, limits: &Limits, tells: bool) -> (Vec<Line>, Option<Found>) {
    let lines: RefCell<Vec<Line>> = RefCell::default();
    let mut hear = |report: &Report| {
        let (Bound::Exact, Some(&m)) = (report.bound, report.pv.first()) else { return };
        if let Some(tell) = situation.report.filter(|_| tells && report.multipv == 1) {
            tell(report);
        }
        let mut lines = lines.borrow_mut();
        lines.retain(|line| line.m != m);
        lines.push(Line { m, score: report.score, hope: 0.0, report: report.clone() });
    };
    let found = situation.oracle.best(situation.game, limits, &situation.budget.control, &mut hear);
    let mut lines = lines.into_inner();
    // A line that dropped out of the best ones some iterations ago says little.
    let deepest = lines.iter().map(|line| line.report.depth).max().unwrap_or(0);
    lines.retain(|line| line.report.depth + 1 >= deepest);
    lines.sort_by(|one, two| two.score.pawns().total_cmp(&one.score.pawns()));
    (lines, found)
}

/// There is nothing to hunt: what time is left goes into the search, which goes on where it was.
fn search_on(situation: &Situation<'_>, begun: Instant, found: Found) -> Result<Intent, AgentError> {
    let is_timed = situation.limits.clock.is_some() || situation.limits.movetime.is_some();
    if !is_timed || situation.seen().is_some() || situation.budget.control.is_stopped() {
        return Intent::found(found);
    }
    let mut rest = situation.clone();
    rest.limits = Limits { ponder: false, ..situation.limits.after(begun.elapsed()) };
    Intent::found(rest.best()?)
}

/// The move that was found, with what was learned of the replies to it.
fn with_hunt(found: Found, best: Move, baits: Vec<Bait>, hunter: &Hunter) -> Result<Intent, AgentError> {
    let hunt = Hunt { elo: hunter.prey.elo(), best, baits };
    let ponder = found.best.and_then(|m| hunt.bait(m)).and_then(Bait::likeliest).or(found.ponder);
    Ok(Intent::found(Found { ponder, ..found })?.because(Why::Traps(hunt)))
}

impl Agent for Hunter {
    fn consider(&self, situation: &Situation<'_>) -> Result<Intent, AgentError> {
        match self.is_worth_it(situation) {
            true => self.hunt(situation),
            false => Search.consider(situation),
        }
    }
}
