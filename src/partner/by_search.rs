//! Decisions where no table serves.

use std::time::{Duration, Instant};

use shakmaty::Chess;

use crate::{
    agents::Situation,
    game::Game,
    model::{Metric, Oracle, Prospects, Scale},
    oracle::prospects,
    search::{Bound, Control, Effort, Limits, Priced, Report, Score},
};

use super::{Answer, Info, Mind, Say};

/// Pricing for a fallible player takes no longer.
const LONGEST: Duration = Duration::from_secs(2);
/// In the opponent's time, before it is known how much there will be.
const PONDERING: Duration = Duration::from_millis(300);
/// Deeper is not necessary for one who errs.
const DEEPEST: u32 = 12;
/// Where nothing is said.
const USUAL: u32 = 8;

impl Mind {
    pub(super) fn by_search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        analysis: bool,
        say: &mut Say<'_>,
    ) -> Answer {
        if !analysis && !self.settings.agent.plays_the_best() {
            return self.by_pricing(game, limits, control, say);
        }
        let found = self.oracle.searcher().search(game, limits, control, &mut |report| {
            // Chess programs drop bounds.
            if report.bound == Bound::Exact {
                say(Info::Search(report.clone()));
            }
        });
        Answer { best: found.best, reply: found.ponder }
    }

    fn by_pricing(&mut self, game: &Game, limits: &Limits, control: &Control, say: &mut Say<'_>) -> Answer {
        let begun = Instant::now();
        let effort = self.effort(limits);
        let mut priced = self.oracle.searcher().price(game, effort, control);
        priced.retain(|priced| limits.search_moves.is_empty() || limits.search_moves.contains(&priced.mv));
        foresee(&mut priced, i32::from(self.settings.own.horizon));
        let Some(look) = prospects(&priced) else {
            return Answer { best: None, reply: None };
        };
        self.notes.looked = game.keys().last().map(|&key| (key, look.clone()));
        let situation = Situation { seen: Some(&look), ..Situation::new(game.position(), &Nobody) };
        let chosen = self.decide(&situation, Scale::Evaluation, say).unwrap_or_else(|error| {
            say(Info::Text(format!("{} can't decide: {error}", self.settings.agent)));
            look.moves()[0].m
        });
        let price = priced.iter().find(|priced| priced.mv == chosen);
        say(Info::Search(Report {
            depth: price.map_or(1, |price| price.depth.max(1)),
            seldepth: price.map_or(1, |price| price.depth.max(1)),
            multipv: 1,
            score: price.map_or(Score::Centipawns(0), |price| price.score),
            bound: Bound::Exact,
            nodes: priced.len() as u64,
            nps: 0,
            hashfull: 0,
            tbhits: 0,
            time: begun.elapsed(),
            pv: vec![chosen],
        }));
        Answer { best: Some(chosen), reply: None }
    }

    /// What pricing a decision may take under these limits.
    fn effort(&self, limits: &Limits) -> Effort {
        let time = match limits.ponder {
            true => Some(PONDERING),
            false => limits.share(self.settings.move_overhead).map(|share| share.min(LONGEST)),
        };
        let unlimited = time.is_none() && limits.nodes.is_none();
        let depth = limits.depth.unwrap_or(if unlimited { USUAL } else { DEEPEST }).min(DEEPEST);
        Effort::Within { depth: Some(depth), nodes: limits.nodes, time }
    }
}

/// Inside the horizon a player mates if it can, and is not mated if it can help it: the moves that are left.
fn foresee(priced: &mut Vec<Priced>, horizon: i32) {
    let mates = |priced: &Priced| match priced.score {
        Score::Mate(moves) if (1..=horizon).contains(&moves) => Some(moves),
        _ => None,
    };
    let mated =
        |priced: &Priced| matches!(priced.score, Score::Mate(moves) if (-horizon..=0).contains(&moves));
    if let Some(shortest) = priced.iter().filter_map(mates).min() {
        priced.retain(|priced| priced.score == Score::Mate(shortest));
    } else if horizon > 0 && !priced.iter().all(mated) {
        priced.retain(|priced| !mated(priced));
    }
}

/// Whoever decides from prices asks nobody beyond what was seen.
struct Nobody;

impl Oracle for Nobody {
    fn look(&self, _: &Chess) -> Option<Prospects> {
        None
    }

    fn metric(&self) -> Option<Metric> {
        None
    }
}
