use shakmaty::{ByColor, Chess, Color, Position, san::SanPlus};

use super::{
    Mark, Phase, Score, Side,
    summary::{phases, sides},
};
use crate::{
    agents::{AgentError, Analyser},
    endgame::Material,
    model::{Belief, Evidence, Grid, Model, Oracle, Prospects, Scale, State},
};

/// How games are judged.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How the players are believed to see positions.
    pub model: Model,
    /// Candidates for their competence.
    pub grid: Grid,
    /// At most so many moves of each side are counted.
    pub moves: usize,
}

/// The probability that an interval of competence holds.
pub const INTERVAL: f64 = 0.95;

/// What is believed about a player's competence at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apparent {
    /// `E[c]`.
    pub c: f64,
    /// Where c lies with probability 95 %.
    pub interval: (f64, f64),
}

impl Apparent {
    pub(super) fn of(belief: &Belief) -> Apparent {
        Apparent { c: belief.mean(), interval: belief.interval(INTERVAL) }
    }
}

/// A move that tables could judge.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The number of the half-move in the game, counted from 1.
    pub ply: usize,
    /// The number of the move.
    pub number: u32,
    /// Who moved.
    pub side: Color,
    /// The move.
    pub san: String,
    /// The men on the board before it.
    pub material: Option<Material>,
    /// The state before the move, for the mover.
    pub before: State,
    /// The state after the move, for the mover.
    pub after: State,
    /// Moves of depth given up; nothing where value was given up or there is no depth.
    pub conceded: Option<i32>,
    /// How little choice there was.
    pub mark: Option<Mark>,
    /// The optimal moves.
    pub optimal: Vec<String>,
    /// How likely this move was, by what was believed about the mover before it.
    pub probability: f64,
    /// The move can't have been played by the model, and taught nothing.
    pub outside: bool,
    /// What is believed about both players after it.
    pub apparent: ByColor<Apparent>,
}

impl Judged {
    /// No move was better.
    pub fn is_optimal(&self) -> bool {
        self.optimal.contains(&self.san)
    }
}

/// What came out of a game.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// All moves that tables could judge.
    pub moves: Vec<Judged>,
    /// The stretches of the game that they make up.
    pub phases: Vec<Phase>,
    /// Both players.
    pub sides: ByColor<Side>,
    /// What is believed about both players at the end.
    pub beliefs: ByColor<Belief>,
}

/// Judges every move of a game that the oracle knows, both players being unknown at the start.
pub fn analyse(score: &Score, oracle: &dyn Oracle, settings: &Settings) -> Result<Analysis, AgentError> {
    let prior = Belief::uniform(settings.grid, Scale::Table);
    analyse_from(score, oracle, settings, ByColor { black: prior.clone(), white: prior })
}

/// As [`analyse`], from what is already believed about the players.
pub fn analyse_from(
    score: &Score,
    oracle: &dyn Oracle,
    settings: &Settings,
    priors: ByColor<Belief>,
) -> Result<Analysis, AgentError> {
    let mut analyser = Analyser::new(settings.model, priors.clone().map(Some));
    let mut counted = ByColor { black: 0, white: 0 };
    let mut moves = Vec::new();
    let mut position = score.start.clone();
    for (index, ply) in score.plies.iter().enumerate() {
        let side = position.turn();
        let look = oracle.look(&position).filter(|_| *counted.get(side) < settings.moves);
        if let Some(look) = look {
            *counted.get_mut(side) += 1;
            moves.extend(judge(index, &position, &look, ply, &mut analyser)?);
        }
        position.play_unchecked(ply.m);
    }
    let beliefs = priors.zip_color().map(|(color, prior)| analyser.belief(color).cloned().unwrap_or(prior));
    Ok(Analysis { phases: phases(&moves), sides: sides(&moves, &beliefs), moves, beliefs })
}

fn judge(
    index: usize,
    position: &Chess,
    look: &Prospects,
    ply: &super::Ply,
    analyser: &mut Analyser,
) -> Result<Option<Judged>, AgentError> {
    let side = position.turn();
    let decision = analyser.model().decide(look)?;
    let (Some(chosen), Some(before)) = (decision.find(&ply.m), look.outcome().state()) else {
        return Ok(None);
    };
    let Some(after) = decision.choices()[chosen].outcome.state() else { return Ok(None) };
    let probability = match analyser.belief(side) {
        Some(belief) => belief.mixture().probabilities(&decision)?[chosen],
        None => 0.0,
    };
    let evidence = analyser.observe(side, look, &ply.m)?;
    let best = look.moves().iter().filter_map(|prospect| prospect.outcome.state()).max();
    let optimal = look.moves().iter().filter(|prospect| prospect.outcome.state() == best);
    let apparent = |color| analyser.belief(color).map(Apparent::of);
    let (Some(white), Some(black)) = (apparent(Color::White), apparent(Color::Black)) else {
        return Ok(None);
    };
    Ok(Some(Judged {
        ply: index + 1,
        number: position.fullmoves().get(),
        side,
        san: ply.san.clone(),
        material: Material::of(position.board()).map(|(material, _)| material),
        before,
        after,
        conceded: conceded(before, after),
        mark: Mark::of(look, after),
        optimal: optimal
            .map(|prospect| SanPlus::from_move(position.clone(), prospect.m).to_string())
            .collect(),
        probability,
        outside: evidence == Some(Evidence::Outside),
        apparent: ByColor { black, white },
    }))
}

/// A winner's optimal move goes from d to d − 1, a loser's keeps d.
fn conceded(before: State, after: State) -> Option<i32> {
    match (before, after) {
        (State::Win(before), State::Win(after)) => Some(i32::from(after.0) - (i32::from(before.0) - 1)),
        (State::Loss(before), State::Loss(after)) => Some(i32::from(before.0) - i32::from(after.0)),
        (State::Draw, State::Draw) => Some(0),
        _ => None,
    }
}
