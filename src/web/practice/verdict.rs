//! What a move of the visitor's was worth, in numbers and in words.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    agents::{AgentError, Analyser, Observation},
    analysis::{Judge, Judged, Mark, Worth},
    human::HumanModel,
    model::{Concession, Depth, Outcome, Scale, State, Value},
};

/// A move judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The number of the half-move in the game, counted from 1.
    pub ply: usize,
    /// By which scale.
    pub scale: Scale,
    /// Whether no move was better.
    pub optimal: bool,
    /// The best moves.
    pub best: Vec<String>,
    /// Value and depth before the move, where tables know them.
    pub before: Option<(Value, Option<Depth>)>,
    /// … and after it.
    pub after: Option<(Value, Option<Depth>)>,
    /// Moves of depth given up.
    pub conceded: Option<i32>,
    /// Pawns given up.
    pub loss: Option<f64>,
    /// The value after the move as White sees it, in pawns or as a mate; nothing where tables know it.
    pub evaluation: Option<String>,
    /// How likely a player of the visitor's level was to play it.
    pub likelihood: f64,
    /// How likely such a player was to play a move as good as the best.
    pub found: f64,
    /// The Elo that the visitor's moves look like so far, and its interval.
    pub elo: Option<(f64, (f64, f64))>,
    /// The same of the competence on this scale.
    pub c: Option<(f64, (f64, f64))>,
    /// In words.
    pub text: String,
}

/// What a visitor is taken for before he has moved.
const UNKNOWN_ELO: f64 = 1500.0;

impl Verdict {
    /// Judges a move, and learns from it.
    pub fn new(observation: &Observation, judge: &mut Judge) -> Result<Verdict, AgentError> {
        let side = observation.side();
        let chances = chances(observation, judge.players().get(side))?;
        let judged = judge.judge(observation)?;
        let (look, best) = (&observation.look, observation.look.outcome());
        let moves = || look.moves().iter().zip(&chances);
        let as_good = |outcome: Outcome| match (best, outcome) {
            (Outcome::Evaluation(best), Outcome::Evaluation(this)) => Concession::new(best, this).is_slight(),
            _ => look.prospects().optimal().any(|m| look.prospects().of(&m) == Some(outcome)),
        };
        let likelihood =
            moves().find(|(prospect, _)| prospect.m == observation.m).map_or(0.0, |(_, chance)| *chance);
        let found = moves().filter(|(prospect, _)| as_good(prospect.outcome)).map(|(_, chance)| chance).sum();
        let apparent = judged.apparent.get(side);
        let (before, after) = judged.states().unzip();
        let known = |state: State| (state.value(), state.depth());
        Ok(Verdict {
            ply: judged.ply,
            scale: judged.scale(),
            optimal: judged.is_optimal(),
            best: judged.optimal.clone(),
            before: before.map(known),
            after: after.map(known),
            conceded: judged.conceded(),
            loss: judged.loss(),
            evaluation: match judged.worth {
                Worth::Table { .. } => None,
                Worth::Evaluation { played, .. } => Some(played.for_white(side).to_string()),
            },
            likelihood,
            found,
            elo: apparent.elo,
            c: apparent.informed.then_some((apparent.c, apparent.interval)),
            text: words(&judged),
        })
    }

    /// How much was given up, so that moves can be compared: points of value, then moves or pawns.
    pub fn cost(&self) -> f64 {
        let value = match (self.before, self.after) {
            (Some((before, _)), Some((after, _))) => before.points() - after.points(),
            _ => 0.0,
        };
        100.0 * value + self.conceded.map_or(0.0, f64::from) + self.loss.unwrap_or(0.0)
    }

    /// Whether it is worth coming back to.
    pub fn is_error(&self) -> bool {
        self.cost() >= if self.scale == Scale::Table { 1.0 } else { 0.5 }
    }
}

/// How likely a player of this level is to play each move: by Elo outside tables; inside, by the competence shown there,
/// since people know some endgames by heart and others not at all.
fn chances(observation: &Observation, player: &Analyser) -> Result<Vec<f64>, AgentError> {
    match observation.look.scale() {
        Scale::Table => {
            let decision = player.decision(observation)?;
            let by_choice = player.belief(Scale::Table).mixture().probabilities(&decision)?;
            let of = |m| decision.find(m).map_or(0.0, |choice| by_choice[choice]);
            Ok(observation.look.moves().iter().map(|prospect| of(&prospect.m)).collect())
        }
        Scale::Evaluation => {
            let elo = if player.elo().observed() > 0 { player.elo().mean() } else { UNKNOWN_ELO };
            Ok(HumanModel::built_in().probabilities(&observation.look, elo))
        }
    }
}

/// What a move did, in one line.
fn words(judged: &Judged) -> String {
    let instead = judged.optimal.first().map_or("", String::as_str);
    match &judged.worth {
        Worth::Table { before, after, mark, .. } => by_tables(*before, *after, *mark, instead),
        Worth::Evaluation { best, played } => by_search(Concession::new(*best, *played), instead),
    }
}

fn by_tables(before: State, after: State, mark: Option<Mark>, instead: &str) -> String {
    let only = match mark {
        Some(Mark::OnlyLegal) => "The only legal move. ",
        Some(Mark::OnlyValue) => "The only move. ",
        _ => "",
    };
    match (before, after) {
        (State::Win(Depth(from)), State::Win(Depth(0))) if from <= 1 => format!("{only}Won in 1, and done."),
        (State::Win(Depth(from)), State::Win(Depth(to))) if to < from => {
            format!("{only}Won in {from}, you are now winning in {to}: best.")
        }
        (State::Win(from), State::Win(to)) => {
            format!("Won in {from}, you are now winning in {to}; {instead} was quicker.")
        }
        (State::Loss(from), State::Loss(to)) if to == from => {
            format!("{only}Lost in {from}, and you hold out as long as can be.")
        }
        (State::Loss(from), State::Loss(to)) => {
            format!("Lost in {from}, now in {to}; {instead} held out longer.")
        }
        (State::Draw, State::Draw) => format!("{only}Still a draw."),
        (State::Win(from), State::Draw) => {
            format!("You were winning in {from}; now it is a draw. {instead} won.")
        }
        (State::Win(from), State::Loss(to)) => {
            format!("You were winning in {from}; now you are losing in {to}. {instead} won.")
        }
        (State::Draw, State::Loss(to)) => {
            format!("It was a draw; now you are losing in {to}. {instead} held.")
        }
        (_, after) => format!("Now a {}.", after.value()),
    }
}

fn by_search(conceded: Concession, instead: &str) -> String {
    match conceded {
        Concession::Nothing => "The best move that was found.".to_owned(),
        Concession::StillWins => format!("Wins as well as {instead}."),
        Concession::AllLose => "Changes nothing: all moves lose.".to_owned(),
        Concession::MissedMate(moves) => format!("Misses a mate in {moves} that begins with {instead}."),
        Concession::AllowedMate(moves) => format!("Allows a mate in {moves}; {instead} was best."),
        Concession::Slight(pawns) => format!("Good; {instead} is preferred by {pawns:.2}."),
        Concession::Pawns(pawns) => format!("Gives up {pawns:.2} pawns; {instead} was best."),
    }
}

/// A side as the page names it.
pub fn side_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_of_tables_is_told_in_moves() {
        let word = |before, after| by_tables(before, after, None, "Qd4");
        assert_eq!(
            word(State::win(13), State::win(15)),
            "Won in 13, you are now winning in 15; Qd4 was quicker."
        );
        assert_eq!(word(State::win(13), State::win(12)), "Won in 13, you are now winning in 12: best.");
        assert_eq!(word(State::win(13), State::Draw), "You were winning in 13; now it is a draw. Qd4 won.");
        assert_eq!(word(State::Draw, State::loss(9)), "It was a draw; now you are losing in 9. Qd4 held.");
        assert_eq!(
            by_tables(State::Draw, State::Draw, Some(Mark::OnlyValue), ""),
            "The only move. Still a draw."
        );
    }
}
