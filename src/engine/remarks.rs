//! What the model thinks, in words: short, since it is one line in a window.

use std::time::Duration;

use shakmaty::{Move, Position};

use crate::{
    agents::{Advice, Analyser, Candidate, Observation, Prey, Reply},
    endgame::{Making, Material},
    model::{Evidence, Metric, Outcome, Scale, State, Value},
    oracle::Look,
};

/// `making the table KQKR by DTC, about 2 s; until it is there, moves are found by search`
pub(super) fn making(material: Material, metric: Metric, making: Making) -> String {
    let until = "until it is there, moves are found by search, at Game Competence";
    match making {
        Making::Begun(time) => {
            let seconds = time.max(Duration::from_secs(1)).as_secs();
            format!("making the table {material} by {metric}, about {seconds} s; {until}")
        }
        Making::UnderWay => format!("the table {material} by {metric} is still being made; {until}"),
    }
}

/// `solving KQKR against this opponent; until that is done, the Predator looks some plies ahead`
pub(super) fn solving(material: Material) -> String {
    format!(
        "solving {material} against this opponent; until that is done, the Predator looks some plies ahead"
    )
}

/// Of the interval that is told of an Elo.
const ELO_MASS: f64 = 0.9;

/// `opponent: c 18.4 ± 2.1 after 23 moves (KQKR)`
pub(super) fn opponent(opponent: &Analyser, observation: &Observation, evidence: Evidence) -> String {
    let belief = opponent.belief(observation.look.scale());
    let digits = if belief.scale() == Scale::Table { 1 } else { 2 };
    let place = match belief.scale() {
        Scale::Table => Material::of(observation.look.position().board())
            .map_or("tables".to_owned(), |(material, _)| material.to_string()),
        Scale::Evaluation => "whole game".to_owned(),
    };
    let moves = belief.observed();
    let known = match belief.is_informed() {
        true => format!("c {:.digits$} ± {:.digits$}", belief.mean(), belief.deviation()),
        false => "no information".to_owned(),
    };
    let mut text =
        format!("opponent: {known} after {moves} move{} ({place})", if moves == 1 { "" } else { "s" });
    let elo = opponent.elo();
    if belief.scale() == Scale::Evaluation && elo.observed() > 0 {
        let (low, high) = elo.interval(ELO_MASS);
        text.push_str(&format!("; chooses like Elo {:.0} ({low:.0} to {high:.0})", elo.mean()));
    }
    if evidence == Evidence::Outside {
        text.push_str("; the last one is outside the model");
    } else if belief.all_optimal() {
        text.push_str(", no mistake so far");
    }
    text
}

/// `Rf7 keeps 13 moves, expected 14.31 moves against this opponent; Rf6 14.02 moves`; nothing where there is nothing to choose.
pub(super) fn hunt(look: &Look, advice: &Advice, chosen: Move) -> Option<String> {
    let best = advice.candidates.iter().find(|candidate| candidate.m == chosen)?;
    let drawn = best.outcome.state().is_some_and(|state| state.value() == Value::Draw);
    let promise = |candidate: &Candidate| match candidate.depth {
        Some(depth) if depth.is_finite() && !drawn => format!("{depth:.2} moves"),
        _ if drawn => format!("{:.1} % to win", 100.0 * candidate.expectation.chance(Value::Win)),
        _ => format!("{:.2} points", candidate.expectation.value()),
    };
    let mut others: Vec<&Candidate> =
        advice.candidates.iter().filter(|candidate| candidate.m != chosen).collect();
    if others.is_empty() {
        return None;
    }
    // The hardest alternatives first: a loser's are long, a winner's short.
    let losing = best.outcome.state().is_some_and(|state| state.value() == Value::Loss);
    let rank = |candidate: &Candidate| candidate.depth.unwrap_or(0.0) * if losing { -1.0 } else { 1.0 };
    others.sort_by(|a, b| {
        b.expectation.value().total_cmp(&a.expectation.value()).then(rank(a).total_cmp(&rank(b)))
    });
    let outcome = match best.outcome.state()? {
        State::Win(depth) => format!("wins in {depth} moves"),
        State::Draw => "draws".to_owned(),
        State::Loss(depth) => format!("keeps {depth} moves"),
    };
    let others: Vec<_> = others.iter().take(3).map(|c| format!("{} {}", look.san(c.m), promise(c))).collect();
    Some(format!(
        "{} {outcome}, {} {} against this opponent; {}",
        look.san(best.m),
        if advice.to_the_end { "to the end" } else { "expected" },
        promise(best),
        others.join(", ")
    ))
}

/// Less than this, in pawns, no search can tell for sure.
const SLIGHT: f64 = 0.2;

/// What a move of the person's conceded, what was best, and which error others would have made.
pub(super) fn comment(observation: &Observation, level: &Prey) -> String {
    let verdict = verdict(observation);
    let Observation { look, m, .. } = observation;
    match level.temptation(look).filter(|error| error.m != *m) {
        Some(Reply { m, probability, .. }) => format!(
            "{verdict}; you did not fall for {}, which {:.0} % of players like you would have played",
            look.san(m),
            100.0 * probability
        ),
        None => verdict,
    }
}

/// `your Nd5 set a trap: Qxb2 tempts 38 % of players like me`; nothing if there is none.
pub(super) fn trap_set(look: &Look, last: Option<String>, level: &Prey) -> Option<String> {
    let Reply { m, probability, .. } = level.temptation(look)?;
    let yours = last.map_or("you".to_owned(), |san| format!("your {san}"));
    Some(format!(
        "{yours} set a trap: {} tempts {:.0} % of players like me",
        look.san(m),
        100.0 * probability
    ))
}

fn verdict(observation: &Observation) -> String {
    let Observation { look, m, .. } = observation;
    let played = look.san(*m);
    let best = look.best_first().first().copied();
    let (Some(outcome), Some(best)) = (look.prospects().of(m), best) else { return format!("your {played}") };
    if look.moves().len() == 1 {
        return format!("your {played} was the only move");
    }
    if outcome == best.outcome {
        return format!("your {played} was best");
    }
    let instead = look.san(best.m);
    let conceded = match (outcome, best.outcome) {
        (Outcome::Table(State::Win(after)), Outcome::Table(State::Win(least))) => {
            moves(after.0 - least.0, "longer")
        }
        (Outcome::Table(State::Loss(after)), Outcome::Table(State::Loss(most))) => {
            moves(most.0 - after.0, "sooner lost")
        }
        (Outcome::Table(after), Outcome::Table(best)) => {
            format!("a {} instead of a {}", after.value(), best.value())
        }
        _ => match best.outcome.worth() - outcome.worth() {
            loss if loss < SLIGHT => {
                return format!("your {played} was good; the search prefers {instead}, by a hair");
            }
            loss => format!("{loss:.2} pawns at depth {}", look.cost().depth),
        },
    };
    format!("your {played} conceded {conceded}; best was {instead}")
}

fn moves(count: u16, how: &str) -> String {
    format!("{count} move{} ({how})", if count == 1 { "" } else { "s" })
}
