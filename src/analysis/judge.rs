use shakmaty::{ByColor, Color, Position};

use super::{
    Mark, Phase, Side,
    summary::{phases, sides},
};
use crate::{
    agents::{AgentError, Analyser, Observation, Watcher},
    endgame::Material,
    model::{Evidence, Grid, Model, Outcome, PerScale, Policy, Preference, Scale, Score, State},
    notation::GameScore,
    oracle::{Budget, Oracle},
};

/// How games are judged.
#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// How the players are believed to see positions, and what is believed of them before the game.
    pub analyser: Analyser,
    /// At most so many moves of each side are counted.
    pub moves: usize,
    /// What looking at one decision may cost.
    pub budget: Budget,
}

impl AnalysisSettings {
    /// For oracles that know tables only: all moves count.
    pub fn tables(model: Model, grid: Grid) -> AnalysisSettings {
        // Of evaluations nothing will be heard.
        let evaluation = Preference::evaluation(0.0)
            .map_or(model, |preference| Model { preference, policy: Policy::FREE });
        let models = PerScale { table: model, evaluation };
        let grids = PerScale { table: grid, evaluation: Grid::usual(Scale::Evaluation) };
        AnalysisSettings {
            analyser: Analyser::new(models, grids),
            moves: usize::MAX,
            budget: Budget::default(),
        }
    }
}

/// The probability that an interval of competence holds.
pub const INTERVAL: f64 = 0.95;

/// What is believed about a player's competence at one time, on one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apparent {
    /// `E[c]`.
    pub c: f64,
    /// Where c lies with probability 95 %.
    pub interval: (f64, f64),
    /// Something has been learned: else the figures are those of someone who knows nothing.
    pub informed: bool,
    /// The Elo that the moves look like, by evaluations, and where it lies with probability 95 %.
    pub elo: Option<(f64, (f64, f64))>,
}

impl Apparent {
    pub(super) fn of(player: &Analyser, scale: Scale) -> Apparent {
        let (belief, elo) = (player.belief(scale), player.elo());
        let people = scale == Scale::Evaluation && elo.observed() > 0;
        Apparent {
            c: belief.mean(),
            interval: belief.interval(INTERVAL),
            informed: belief.is_informed(),
            elo: people.then(|| (elo.mean(), elo.interval(INTERVAL))),
        }
    }
}

/// A move that the oracle could judge.
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
    /// What it was worth.
    pub worth: Worth,
    /// The best moves.
    pub optimal: Vec<String>,
    /// How likely this move was, by what was believed about the mover before it.
    pub probability: f64,
    /// The move can't have been played by the model, and taught nothing.
    pub outside: bool,
    /// What is believed about both players after it, on the scale of this move.
    pub apparent: ByColor<Apparent>,
}

/// What a move was worth, on the scale on which it was judged.
#[derive(Clone, Debug)]
pub enum Worth {
    /// As tables know it.
    Table {
        /// The men on the board before it.
        material: Option<Material>,
        /// The state before the move, for the mover.
        before: State,
        /// The state after the move, for the mover.
        after: State,
        /// Moves of depth given up; nothing where value was given up or there is no depth.
        conceded: Option<i32>,
        /// How little choice there was.
        mark: Option<Mark>,
    },
    /// As a search or an engine sees it.
    Evaluation {
        /// What the best move is worth, for the mover.
        best: Score,
        /// What this one is worth.
        played: Score,
    },
}

impl Judged {
    /// No move was better.
    pub fn is_optimal(&self) -> bool {
        self.optimal.contains(&self.san)
    }

    /// The scale on which it was judged.
    pub fn scale(&self) -> Scale {
        match self.worth {
            Worth::Table { .. } => Scale::Table,
            Worth::Evaluation { .. } => Scale::Evaluation,
        }
    }

    /// The state before and after the move, where tables know it.
    pub fn states(&self) -> Option<(State, State)> {
        match self.worth {
            Worth::Table { before, after, .. } => Some((before, after)),
            Worth::Evaluation { .. } => None,
        }
    }

    /// How little choice there was.
    pub fn mark(&self) -> Option<Mark> {
        match self.worth {
            Worth::Table { mark, .. } => mark,
            Worth::Evaluation { .. } => None,
        }
    }

    /// Moves of depth given up; nothing where value was given up, or there is no depth.
    pub fn conceded(&self) -> Option<i32> {
        match self.worth {
            Worth::Table { conceded, .. } => conceded,
            Worth::Evaluation { .. } => None,
        }
    }

    /// What was given up, in pawns; nothing where tables know depths. A value beyond ten pawns counts as ten: won is won,
    /// however it is done.
    pub fn loss(&self) -> Option<f64> {
        match self.worth {
            Worth::Table { .. } => None,
            Worth::Evaluation { best, played } => Some((best.capped() - played.capped()).max(0.0)),
        }
    }

    /// What the game was worth for White after the move, in pawns and ten at the most; nothing where tables know depths.
    pub fn value(&self) -> Option<f64> {
        match self.worth {
            Worth::Table { .. } => None,
            Worth::Evaluation { played, .. } => Some(self.side.fold_wb(1.0, -1.0) * played.capped()),
        }
    }
}

/// What came out of a game.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// All moves that the oracle could judge.
    pub moves: Vec<Judged>,
    /// The stretches of the game that tables know.
    pub phases: Vec<Phase>,
    /// Both players, on each scale.
    pub sides: PerScale<ByColor<Side>>,
    /// What is believed about both players at the end.
    pub players: ByColor<Analyser>,
}

/// Judges every move of a game that the oracle knows, both players being unknown at the start.
pub fn analyse(
    score: &GameScore,
    oracle: &dyn Oracle,
    settings: &AnalysisSettings,
) -> Result<Analysis, AgentError> {
    let mut judge = Judge::new(&settings.analyser);
    let mut moves = Vec::new();
    for observation in Watcher::new(&score.game(), oracle, &settings.budget).at_most(settings.moves) {
        moves.push(judge.judge(&observation)?);
    }
    let players = judge.players;
    let sides = PerScale::new_with(|scale| sides(&moves, &players, scale));
    Ok(Analysis { phases: phases(&moves), sides, moves, players })
}

/// Judges moves one by one, and learns from each what its player is like.
#[derive(Clone, Debug)]
pub struct Judge {
    players: ByColor<Analyser>,
}

impl Judge {
    /// Both players are known as well as this: at the start, not at all.
    pub fn new(player: &Analyser) -> Judge {
        Judge { players: ByColor { black: player.clone(), white: player.clone() } }
    }

    /// What is believed about both players.
    pub fn players(&self) -> &ByColor<Analyser> {
        &self.players
    }

    /// Judges the next move.
    pub fn judge(&mut self, observation: &Observation) -> Result<Judged, AgentError> {
        judge(observation, &mut self.players)
    }
}

fn judge(observation: &Observation, players: &mut ByColor<Analyser>) -> Result<Judged, AgentError> {
    let Observation { ply, look, m } = observation;
    let (side, scale) = (observation.side(), look.scale());
    let player = players.get_mut(side);
    let decision = player.decision(observation)?;
    let chances = player.belief(scale).mixture().probabilities(&decision)?;
    let probability = decision.find(m).map_or(0.0, |chosen| chances[chosen]);
    let evidence = player.observe(observation)?;
    let after = look.prospects().of(m).unwrap_or(look.outcome());
    let worth = match (look.outcome(), after) {
        (Outcome::Evaluation(best), Outcome::Evaluation(played)) => Worth::Evaluation { best, played },
        (before, after) => {
            let (before, after) =
                (before.state().unwrap_or(State::Draw), after.state().unwrap_or(State::Draw));
            Worth::Table {
                material: Material::of(look.position().board()).map(|(material, _)| material),
                before,
                after,
                conceded: conceded(before, after),
                mark: Mark::of(look.prospects(), after),
            }
        }
    };
    Ok(Judged {
        ply: ply + 1,
        number: look.position().fullmoves().get(),
        side,
        san: look.san(*m),
        worth,
        optimal: look.prospects().optimal().map(|m| look.san(m)).collect(),
        probability,
        outside: evidence == Evidence::Outside,
        apparent: players.as_ref().map(|player| Apparent::of(player, scale)),
    })
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
