use std::{io::Write, sync::Arc};

use serde_json::{Map, Value, json};
use shakmaty::Move;

use super::{Failure, explain_beyond::Beyond, model_flags::as_json};
use crate::{
    agents::{
        AgentKind, AgentSpec, Bait, Foresight, Hunt, Intent, KINDS, Knowledge, OwnMoves, Situation, Why,
    },
    game::Game,
    model::{Competence, Decision, Outcome, Prospect, Scale, Score, State},
    oracle::{Budget, Look, Oracle},
};

/// What the model makes of a position, at one competence.
pub struct Explanation<'a> {
    look: &'a Look,
    c: f64,
    decision: Decision,
    probabilities: Vec<f64>,
    intents: Vec<(&'static AgentKind, Intent)>,
}

/// A move, where it leads, and what players make of it.
pub struct Explained {
    uci: String,
    san: String,
    outcome: Outcome,
    scores: Vec<Score>,
    optimal: bool,
    /// Price, where one competence decides, and probability.
    chances: Option<(Option<f64>, f64)>,
    beyond: Beyond,
}

/// A mate as such, everything else in pawns.
pub fn evaluated(outcome: Outcome, unit: &str) -> String {
    match outcome {
        Outcome::Evaluation(Score::Mate(moves)) if moves > 0 => format!("mate in {moves}"),
        Outcome::Evaluation(Score::Mate(moves)) => format!("mated in {}", -moves),
        outcome => format!("{:+.2}{unit}", outcome.worth()),
    }
}

impl Explained {
    /// With its price, where one competence decides, and its probability, if someone's choice is explained.
    pub fn new(
        look: &Look,
        prospect: &Prospect,
        chances: Option<(Option<f64>, f64)>,
        beyond: Beyond,
    ) -> Explained {
        Explained {
            uci: look.uci(prospect.m),
            san: look.san(prospect.m),
            outcome: prospect.outcome,
            scores: look.scores(&prospect.m).to_vec(),
            optimal: look.prospects().best() == Some(prospect.outcome),
            chances,
            beyond,
        }
    }

    /// For programs.
    pub fn object(&self) -> Value {
        let state = self.outcome.state();
        let mut object = json!({
            "uci": self.uci, "san": self.san, "value": state.map(State::value),
            "depth": state.and_then(State::depth), "optimal": self.optimal,
        });
        if let Outcome::Evaluation(score) = self.outcome {
            object["evaluation"] = score.pawns().into();
            object["values"] = self.scores.iter().map(|score| score.pawns()).collect();
        }
        if let Some((price, probability)) = self.chances {
            if let Some(price) = price {
                object["price"] = as_json(price);
            }
            object["probability"] = probability.into();
        }
        self.beyond.add_to(&mut object);
        object
    }

    /// For people.
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mark = if self.optimal { "*" } else { " " };
        let outcome = match self.outcome {
            Outcome::Table(state) => state.to_string(),
            evaluation => evaluated(evaluation, ""),
        };
        let line = match self.chances {
            Some((Some(price), probability)) => {
                format!("  {mark} {:<8} {outcome:<12} {price:>10.2} {probability:>12.6}", self.san)
            }
            Some((None, probability)) => {
                format!("  {mark} {:<8} {outcome:<12} {:>10.1} %", self.san, 100.0 * probability)
            }
            None => format!("  {mark} {:<8} {outcome}", self.san),
        };
        writeln!(out, "{line}{}", self.beyond.remark())?;
        Ok(())
    }
}

/// What the Predator would play in a whole game against a person of this Elo, and why.
pub fn hunt(
    game: &Game,
    look: &Look,
    oracle: &dyn Oracle,
    budget: &Budget,
    spec: &AgentSpec,
    elo: u16,
) -> Result<Intent, Failure> {
    let spec = AgentSpec { kind: KINDS[0], opponent_elo: Some(elo), limit_strength: false, ..spec.clone() };
    let opponent = spec.analyser().map_err(Failure::usage)?;
    let knowledge = Knowledge { opponent: &opponent, own: &OwnMoves::default(), foresight: None, lot: None };
    let mut situation = Situation::new(game, oracle).having(look.clone());
    situation.budget = budget.clone();
    let agent = spec.agent(look.scale(), &knowledge).map_err(Failure::failed)?;
    agent.consider(&situation).map_err(Failure::failed)
}

/// For programs: what each move is expected to bring, and the replies that are expected.
pub fn hunt_object(look: &Look, hunt: &Hunt) -> Value {
    let bait = |bait: &Bait| {
        let replies = bait.replies.iter().map(|reply| {
            json!({"uci": bait.look.uci(reply.m), "san": bait.look.san(reply.m), "probability": reply.probability,
                   "gained": reply.gained})
        });
        json!({"uci": look.uci(bait.m), "san": look.san(bait.m), "evaluation": bait.score.pawns(), "points": bait.points,
               "replies": replies.collect::<Vec<_>>()})
    };
    hunt.baits.iter().map(bait).collect()
}

impl<'a> Explanation<'a> {
    /// The mover as R_c and as E_c, and as any other agent; the Predator knows that it plays against R_c.
    pub fn new(
        game: &Game,
        look: &'a Look,
        oracle: &dyn Oracle,
        budget: &Budget,
        mut spec: AgentSpec,
        c: f64,
        foresight: Option<&Arc<dyn Foresight>>,
    ) -> Result<Explanation<'a>, Failure> {
        let scale = look.scale();
        let competence = Competence::new(c, scale).map_err(Failure::usage)?;
        *spec.competence.get_mut(scale) = competence;
        spec.opponent_competence = (scale == Scale::Table).then_some(competence);
        let model = spec.own_model(scale).map_err(Failure::usage)?;
        let decision = model.decide(look.prospects()).map_err(Failure::failed)?;
        let probabilities = decision.probabilities(competence).map_err(Failure::failed)?;
        let opponent = spec.analyser().map_err(Failure::usage)?;
        let knowledge = Knowledge { opponent: &opponent, own: &OwnMoves::default(), foresight, lot: None };
        let mut situation = Situation::new(game, oracle).having(look.clone());
        situation.budget = budget.clone();
        let mut intents = Vec::new();
        for &kind in KINDS {
            let agent =
                AgentSpec { kind, ..spec.clone() }.agent(scale, &knowledge).map_err(Failure::failed)?;
            intents.push((kind, agent.consider(&situation).map_err(Failure::failed)?));
        }
        Ok(Explanation { look, c, decision, probabilities, intents })
    }

    /// The competence that is explained.
    pub fn competence(&self) -> f64 {
        self.c
    }

    /// Price and probability of a move.
    pub fn of(&self, m: &Move) -> Option<(Option<f64>, f64)> {
        let index = self.decision.find(m)?;
        Some((Some(self.decision.choices()[index].ln_price.exp()), self.probabilities[index]))
    }

    /// For programs: what each agent would play, and why.
    pub fn agents(&self) -> Value {
        let mut agents = Map::new();
        for (kind, intent) in &self.intents {
            let moves = intent.probabilities();
            let uci = |m: Move| self.look.uci(m);
            let mut object = json!({
                "uci": moves.first().map(|&(m, _)| uci(m)),
                "probability": moves.first().map(|&(_, probability)| probability),
                "moves": moves.iter().map(|&(m, probability)| json!({"uci": uci(m), "probability": probability}))
                    .collect::<Vec<_>>(),
            });
            match &intent.why {
                Why::Rule => {}
                Why::Hunt(advice) => {
                    let expected = advice.candidates.iter().map(|candidate| {
                        let value = candidate.expectation.value();
                        json!({"uci": uci(candidate.m), "depth": candidate.depth, "value": value})
                    });
                    object["expected"] = expected.collect();
                }
                Why::Traps(hunt) => object["expected"] = hunt_object(self.look, hunt),
                Why::Shows(shown) => {
                    object["expected"] = shown.iter().map(|&(m, c)| json!({"uci": uci(m), "c": c})).collect();
                }
            }
            agents.insert(kind.name.to_ascii_lowercase(), object);
        }
        Value::Object(agents)
    }

    /// For people.
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out)?;
        for (kind, intent) in &self.intents {
            let moves = intent.probabilities();
            let Some(&(first, likeliest)) = moves.first() else { continue };
            let equal = moves.iter().take_while(|&&(_, probability)| probability == likeliest);
            let names: Vec<String> = equal.map(|&(m, _)| self.look.san(m)).collect();
            let text = match &intent.why {
                Why::Rule if moves.len() == names.len() => names.join(" or "),
                Why::Rule => {
                    let best: f64 = moves
                        .iter()
                        .filter(|(m, _)| self.look.prospects().of(m) == self.look.prospects().best())
                        .map(|&(_, probability)| probability)
                        .sum();
                    let (likeliest, best) = (100.0 * likeliest, 100.0 * best);
                    format!(
                        "{} is likeliest ({likeliest:.1} %); a best move in {best:.1} % of all cases",
                        self.look.san(first)
                    )
                }
                Why::Hunt(advice) => {
                    let until = if advice.to_the_end { "to the end" } else { "after the reply" };
                    format!("{}, against R_{}; expected {until}:", names.join(" or "), self.c)
                }
                Why::Traps(hunt) => hunt.words(&|m| self.look.san(m), first).unwrap_or_default(),
                Why::Shows(shown) => {
                    let c = shown.iter().find(|(m, _)| *m == first).map_or(f64::NAN, |&(_, c)| c);
                    format!("{}: whoever watches it then has E[c] = {c:.2}", names.join(" or "))
                }
            };
            writeln!(out, "  {kind:<13} {text}")?;
            if let Why::Hunt(advice) = &intent.why {
                for candidate in &advice.candidates {
                    let depth =
                        candidate.depth.map_or(String::new(), |depth| format!(", {depth:.3} moves deep"));
                    let (san, value) = (self.look.san(candidate.m), candidate.expectation.value());
                    writeln!(out, "                  {san:<8} {value:.3} points{depth}")?;
                }
            }
        }
        Ok(())
    }
}
