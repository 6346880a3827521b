//! What the Coach says of a move of the person's: what it conceded, and what was best.

use std::fmt;

use crate::{
    agents::Observation,
    game::Game,
    model::{Concession, Outcome, Prospect, State},
    oracle::{Bound, Control, Limits, Look, Oracle},
};

/// A move of the person's beside the best.
#[derive(Clone, Debug)]
pub(super) struct Verdict<'a> {
    look: &'a Look,
    played: Prospect,
    best: Prospect,
    /// In plies; 0 by tables.
    depth: u32,
}

impl<'a> Verdict<'a> {
    /// As a look at all moves has it.
    pub fn new(observation: &'a Observation) -> Option<Verdict<'a>> {
        let Observation { look, m, .. } = observation;
        let played = Prospect { m: *m, outcome: look.prospects().of(m)? };
        let best = look.best_first().first().copied()?;
        let best = if best.outcome == played.outcome { played } else { best };
        Some(Verdict { look, played, best, depth: look.cost().depth })
    }

    /// The same after a search that sees further, since it looks at two moves alone: at the best, then at the one that was played.
    /// `game` is where it was played, `limits` hold for each of the two.
    pub fn searched(
        self,
        game: &Game,
        oracle: &dyn Oracle,
        limits: &Limits,
        control: &Control,
    ) -> Verdict<'a> {
        let search = |limits: &Limits| {
            let mut depth = 0;
            let found = oracle.best(game, limits, control, &mut |report| {
                if report.bound == Bound::Exact {
                    depth = report.depth;
                }
            })?;
            Some((Prospect { m: found.best?, outcome: Outcome::Evaluation(found.score) }, depth))
        };
        let Some((best, depth)) = search(limits).filter(|(_, depth)| *depth > self.depth) else {
            return self;
        };
        if best.m == self.played.m {
            return Verdict { played: best, best, depth, ..self };
        }
        let only = Limits { search_moves: vec![self.played.m], ..limits.clone() };
        match search(&only) {
            Some((played, its)) if its > self.depth => {
                let best = if played.outcome.worth() >= best.outcome.worth() { played } else { best };
                Verdict { played, best, depth: depth.min(its), ..self }
            }
            _ => self,
        }
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { look, played, best, depth } = self;
        let instead = look.san(best.m);
        write!(f, "your {} ", look.san(played.m))?;
        if look.moves().len() == 1 {
            return f.write_str("was the only move");
        }
        if played.m == best.m {
            return f.write_str("was best");
        }
        match (played.outcome, best.outcome) {
            (Outcome::Table(State::Win(after)), Outcome::Table(State::Win(least))) => {
                let more = moves(after.0 - least.0);
                write!(f, "conceded {more} (longer); best was {instead}")
            }
            (Outcome::Table(State::Loss(after)), Outcome::Table(State::Loss(most))) => {
                let fewer = moves(most.0 - after.0);
                write!(f, "conceded {fewer} (sooner lost); best was {instead}")
            }
            (Outcome::Evaluation(after), Outcome::Evaluation(before)) => {
                evaluated(f, Concession::new(before, after), *depth, &instead)
            }
            (after, before) => {
                let [after, before] =
                    [after, before].map(|outcome| outcome.state().unwrap_or(State::Draw).value());
                write!(f, "conceded a {after} instead of a {before}; best was {instead}")
            }
        }
    }
}

fn evaluated(f: &mut fmt::Formatter<'_>, conceded: Concession, depth: u32, instead: &str) -> fmt::Result {
    match conceded {
        Concession::Nothing => f.write_str("was best"),
        Concession::StillWins => write!(f, "wins as well as {instead}"),
        Concession::AllLose => f.write_str("changed nothing: all moves lose"),
        Concession::MissedMate(moves) => write!(f, "missed mate in {moves}; best was {instead}"),
        Concession::AllowedMate(moves) => write!(f, "allowed mate in {moves}; best was {instead}"),
        Concession::Slight(pawns) => {
            write!(f, "was good; {instead} is preferred by {pawns:.2} at depth {depth}")
        }
        Concession::Pawns(pawns) => {
            write!(f, "conceded {pawns:.2} pawns at depth {depth}; best was {instead}")
        }
    }
}

fn moves(count: u16) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}
