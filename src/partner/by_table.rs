//! Decisions from tables.

use std::{cell::Cell, cmp::Reverse, time::Instant};

use rand::seq::IndexedRandom;
use shakmaty::{Chess, Move, Position};

use crate::{
    agents::{Agent, AgentError, Emulator, Infallible, Mover, Player, Predator, Situation, TieBreak},
    game::Game,
    model::{Competence, Depth, Metric, NoDecision, Oracle, Prospects, Scale, State},
    oracle::TableOracle,
    search::{Bound, Report, Score},
};

use super::{AgentName, Answer, Info, Mind, Say, remarks};

/// What a win is worth when nobody knows how many moves there are to mate.
const WIN: i32 = 20_000;
/// Plies of a line that are shown.
const LINE: usize = 12;

/// Counts what is read from tables.
struct Counted {
    oracle: TableOracle,
    hits: Cell<u64>,
}

impl Oracle for Counted {
    fn look(&self, position: &Chess) -> Option<Prospects> {
        let look = self.oracle.look(position);
        self.hits.update(|hits| hits + look.as_ref().map_or(0, |look| look.moves().len() as u64));
        look
    }

    fn metric(&self) -> Option<Metric> {
        self.oracle.metric()
    }
}

impl Mind {
    pub(super) fn by_table(
        &mut self,
        game: &Game,
        look: &Prospects,
        analysis: bool,
        say: &mut Say<'_>,
    ) -> Answer {
        let begun = Instant::now();
        let position = game.position();
        let Some(oracle) = self.table_oracle() else { return Answer { best: None, reply: None } };
        let oracle = Counted { oracle, hits: Cell::new(look.moves().len() as u64) };
        let chosen = if analysis {
            let mut moves: Vec<_> = look.moves().to_vec();
            moves.sort_by_key(|prospect| Reverse(prospect.outcome.state()));
            moves.truncate(self.settings.multi_pv);
            moves.into_iter().map(|prospect| prospect.m).collect()
        } else {
            vec![self.play_by_table(game, look, &oracle, say)]
        };
        let mut reply = None;
        for (index, &m) in chosen.iter().enumerate() {
            let pv = line(&oracle, position, m);
            reply = reply.or(pv.get(1).copied().filter(|_| index == 0));
            say(Info::Search(Report {
                depth: pv.len() as u32,
                seldepth: pv.len() as u32,
                multipv: index + 1,
                score: self.score(position, look, m),
                bound: Bound::Exact,
                nodes: oracle.hits.get(),
                nps: (oracle.hits.get() as f64 / begun.elapsed().as_secs_f64().max(1e-6)) as u64,
                hashfull: 0,
                tbhits: oracle.hits.get(),
                time: begun.elapsed(),
                pv,
            }));
        }
        Answer { best: chosen.first().copied(), reply }
    }

    fn play_by_table(
        &mut self,
        game: &Game,
        look: &Prospects,
        oracle: &dyn Oracle,
        say: &mut Say<'_>,
    ) -> Move {
        let situation = Situation {
            position: game.position(),
            oracle,
            seen: Some(look),
            mates: None,
            fifty: self.settings.tables.fifty,
            history: game.keys(),
        };
        self.notes.looked = game.keys().last().map(|&key| (key, look.clone()));
        self.decide(&situation, look.scale(), say).unwrap_or_else(|error| {
            say(Info::Text(format!("{} can't decide: {error}", self.settings.agent)));
            look.moves()[0].m
        })
    }

    /// The agent that was chosen decides.
    pub(super) fn decide(
        &mut self,
        situation: &Situation<'_>,
        scale: Scale,
        say: &mut Say<'_>,
    ) -> Result<Move, AgentError> {
        let model = self.settings.own_model(scale);
        let competence = self.settings.competence(scale);
        match self.settings.agent {
            AgentName::Predator => {
                let opinion = self.notes.opinions.of(scale);
                let predator = Predator {
                    settings: self.settings.hunting(),
                    opponent: opinion.model,
                    belief: opinion.belief.clone(),
                };
                let advice = predator.consider(situation)?;
                let chosen = *advice.best.choose(&mut self.rng).ok_or(NoDecision::GameOver)?;
                remarks::hunt(situation.position, &advice, chosen).map(Info::Text).into_iter().for_each(say);
                Ok(advice.candidates[chosen].m)
            }
            AgentName::Player => Player { competence, model }.choose(situation, &mut self.rng),
            AgentName::Emulator => self.emulate(competence, situation, scale),
            AgentName::Coach => {
                let level = self.level(scale).unwrap_or(competence);
                self.emulate(level, situation, scale)
            }
            AgentName::Infallible | AgentName::Search => {
                Infallible::default().choose(situation, &mut self.rng)
            }
        }
    }

    /// The competence that the Analyser finds in the person, and the offset; nothing before it has seen a move.
    fn level(&self, scale: Scale) -> Option<Competence> {
        let belief = &self.notes.opinions.of(scale).belief;
        let factor = 1.0 + f64::from(self.settings.coach_offset) / 100.0;
        (belief.observed() > 0).then(|| Competence::new(belief.mean() * factor, scale).ok()).flatten()
    }

    /// The reference Analyser is told of the whole game each time, since the competence may be another one each time.
    fn emulate(
        &mut self,
        competence: Competence,
        situation: &Situation<'_>,
        scale: Scale,
    ) -> Result<Move, AgentError> {
        let mut emulator = Emulator::new(competence, self.settings.own_model(scale), TieBreak::Variety)?;
        for (prospects, m) in self.notes.own.iter().filter(|(prospects, _)| prospects.scale() == scale) {
            emulator.observe(Mover::Own, prospects, m)?;
        }
        emulator.choose(situation, &mut self.rng)
    }

    /// What a move leads to: mate where that is known, else a large score.
    fn score(&self, position: &Chess, look: &Prospects, m: Move) -> Score {
        let mate = self.tables.as_ref().and_then(|tables| tables.outcome(position, m, Metric::Dtm));
        let known = look.moves().iter().find(|prospect| prospect.m == m);
        match (mate, known.and_then(|prospect| prospect.outcome.state())) {
            (Some(State::Win(Depth(depth))), _) => Score::Mate(i32::from(depth) + 1),
            (Some(State::Loss(Depth(depth))), _) => Score::Mate(-i32::from(depth)),
            (None, Some(State::Win(Depth(depth)))) => Score::Centipawns(WIN - i32::from(depth)),
            (None, Some(State::Loss(Depth(depth)))) => Score::Centipawns(i32::from(depth) - WIN),
            _ => Score::Centipawns(0),
        }
    }
}

/// A move, and the best play of both sides after it.
fn line(oracle: &dyn Oracle, position: &Chess, first: Move) -> Vec<Move> {
    let mut now = position.clone();
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(m) = next.filter(|_| line.len() < LINE) {
        line.push(m);
        now.play_unchecked(m);
        let look = oracle.look(&now);
        let best = look.iter().flat_map(|look| look.moves()).max_by_key(|prospect| prospect.outcome.state());
        next = best.map(|prospect| prospect.m);
    }
    line
}
