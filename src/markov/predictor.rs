use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use shakmaty::Color;

use super::{Exact, Fallible, Ground, Kernel, Play, Scope, SideValues, TooCompetent, hunt::Hunt};
use crate::{
    agents::HuntSettings,
    endgame::{BlockFileError, Index, Material, TablesError, Walk},
    model::{Belief, Model, State, Value},
};

/// How the opponent of a fallible player plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rival {
    /// R_∞, each optimal move being as likely as another.
    Uniform,
    /// The Predator, 2 plies, with a belief that it keeps.
    Predator,
    /// As well as can be against exactly this player, whose c it knows, by optimal moves only.
    BestOptimal,
    /// As well as can be against exactly this player, whose c it knows, by any move that keeps the value.
    Best,
    /// R_c of this c, of the same kind as the fallible player.
    Player(f64),
}

/// What is known of a fallible player: competences and their probabilities. The player has one of them for the whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates(Vec<(f64, f64)>);

/// Candidates that are less likely than this part of the likeliest are left out.
const NEGLIGIBLE: f64 = 1e-5;

impl Candidates {
    /// A known competence.
    pub fn one(c: f64) -> Candidates {
        Candidates(vec![(c, 1.0)])
    }

    /// What is believed, all but the least likely.
    pub fn believed(belief: &Belief) -> Candidates {
        let all: Vec<(f64, f64)> = belief.grid().candidates().zip(belief.probabilities()).collect();
        let greatest = all.iter().map(|&(_, p)| p).fold(0.0, f64::max);
        let likely: Vec<_> = all.into_iter().filter(|&(_, p)| p >= NEGLIGIBLE * greatest).collect();
        let sum: f64 = likely.iter().map(|&(_, p)| p).sum();
        Candidates(likely.into_iter().map(|(c, p)| (c, p / sum)).collect())
    }

    /// Each c with its probability.
    pub fn list(&self) -> &[(f64, f64)] {
        &self.0
    }
}

/// What is to be expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The probability that the winner has won after at most m of its moves, by m from 0.
    pub within: Vec<f64>,
    /// Expected moves of the winner; nothing if that was not asked for, or the win is not certain.
    pub expected_moves: Option<f64>,
}

/// Why there is no forecast.
#[derive(Debug, thiserror::Error)]
pub enum PredictError {
    /// A table can't be read.
    #[error(transparent)]
    Store(#[from] BlockFileError),
    /// A competence is finite but too great.
    #[error(transparent)]
    Competence(#[from] TooCompetent),
    /// The expected length is beyond counting.
    #[error(
        "against c = {0} the expected length is beyond counting: ask for chances within so many moves only"
    )]
    Endless(f64),
    /// A table is not to be had.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// An endgame is too large to be solved.
    #[error(
        "solving {material} takes {needed} MiB of memory, {allowed} are allowed: raise 'memory' in [tables] of engine.toml"
    )]
    Memory {
        /// The endgame.
        material: Material,
        /// MiB needed.
        needed: u64,
        /// MiB allowed.
        allowed: u64,
    },
    /// It was told to stop.
    #[error("interrupted")]
    Cancelled,
}

/// Says what to expect of a game from a position between a fallible player and a rival (Haworth & Andrist, §3.5), by exact
/// chains on positions.
pub struct Predictor<'a> {
    walk: &'a Walk,
    ground: Ground,
    start: (Color, Index),
    fallible: Color,
    model: Model,
    winner: Color,
    players: Vec<(Color, Fallible)>,
    rivals: Vec<(Rival, Arc<Kernel>)>,
    /// The last lengths that were worked out: those of another game are a good start.
    lengths: Option<SideValues>,
}

impl<'a> Predictor<'a> {
    /// For games from a position of a table, colours as in the table. Wins are counted of the side that wins in theory; in
    /// a drawn position, of the side that is not the fallible one.
    pub fn new(
        walk: &'a Walk,
        start: (Color, Index),
        fallible: Color,
        model: Model,
    ) -> Result<Predictor<'a>, BlockFileError> {
        let (to_move, index) = start;
        let winner = match walk.table().state(to_move, index)?.value() {
            Value::Win => to_move,
            Value::Draw => !fallible,
            Value::Loss => !to_move,
        };
        let decided = walk.table().state(to_move, index)? != State::Draw;
        let scope = if decided && model.policy.keep_value { Scope::WonBy(winner) } else { Scope::All };
        let ground = Ground::new(walk, scope)?;
        let (players, rivals) = (Vec::new(), Vec::new());
        Ok(Predictor { walk, ground, start, fallible, model, winner, players, rivals, lengths: None })
    }

    /// The side whose wins are counted, as colours are in the table.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// Whether the win is certain and only its length is not.
    pub fn is_certain(&self) -> bool {
        self.ground.scope() != Scope::All
    }

    /// What to expect against a rival, within up to `moves` of the winner's; with the expected length if asked for.
    pub fn forecast(
        &mut self,
        candidates: &Candidates,
        rival: Rival,
        moves: u32,
        length: bool,
        cancel: &AtomicBool,
    ) -> Result<Forecast, PredictError> {
        let rival_kernel = self.rival_kernel(rival, candidates)?;
        let mut forecast = Forecast {
            within: vec![0.0; moves as usize + 1],
            expected_moves: (length && self.is_certain()).then_some(0.0),
        };
        for &(c, probability) in candidates.list() {
            if cancel.load(Relaxed) {
                return Err(PredictError::Cancelled);
            }
            let player = self.player(self.fallible, c)?;
            let (to_move, index) = self.start;
            let chances = self.exact(&player, self.rival_play(rival, &rival_kernel, false));
            let winner = self.winner;
            let Some(start) = self.ground.spot(to_move, index) else { continue };
            chances.won_within(moves, cancel, |m, attacking, defending| {
                let values = if to_move == winner { attacking } else { defending };
                forecast.within[m as usize] += probability * values[start];
            });
            if let Some(sum) = &mut forecast.expected_moves {
                let lengths = self.exact(&player, self.rival_play(rival, &rival_kernel, true));
                let fields = lengths.expected_moves(self.lengths.as_ref(), cancel);
                if cancel.load(Relaxed) {
                    return Err(PredictError::Cancelled);
                }
                let fields = fields.ok_or(PredictError::Endless(c))?;
                *sum += probability * fields.at(to_move == winner, Some(start));
                self.lengths = Some(fields);
            }
        }
        Ok(forecast)
    }

    fn exact(&self, player: &Play, rival: Play) -> Exact<'_> {
        if self.winner == self.fallible {
            Exact::new(&self.ground, player.clone(), rival)
        } else {
            Exact::new(&self.ground, rival, player.clone())
        }
    }

    /// R_c; what players of its kind choose from is found out once.
    fn player(&mut self, side: Color, c: f64) -> Result<Play, PredictError> {
        let known = self.players.iter().position(|(color, player)| *color == side && player.serves(c));
        let number = match known {
            Some(number) => number,
            None => {
                let player = Fallible::new(self.walk, &self.ground, side, &self.model, c)?;
                self.players.push((side, player));
                self.players.len() - 1
            }
        };
        Ok(self.players[number].1.play(c)?)
    }

    fn rival_kernel(&mut self, rival: Rival, candidates: &Candidates) -> Result<RivalPlay, PredictError> {
        let side = !self.fallible;
        if let Rival::Player(c) = rival {
            return Ok(RivalPlay::Given(self.player(side, c)?));
        }
        if let Some((_, kernel)) = self.rivals.iter().find(|(known, _)| *known == rival) {
            return Ok(RivalPlay::Chosen(kernel.clone()));
        }
        let kernel = match rival {
            Rival::Predator => {
                let tolerance = HuntSettings::default().tolerance;
                let hunt = Hunt {
                    walk: self.walk,
                    ground: &self.ground,
                    hunter: side,
                    opponent: &self.model,
                    candidates: candidates.list(),
                    tolerance,
                };
                // It depends on what is believed, so it is not kept.
                return Ok(RivalPlay::Chosen(Arc::new(hunt.kernel(2)?)));
            }
            Rival::Best => Kernel::sound(self.walk, &self.ground, side)?,
            _ => Kernel::optimal(self.walk, &self.ground, side)?,
        };
        let kernel = Arc::new(kernel);
        self.rivals.push((rival, kernel.clone()));
        Ok(RivalPlay::Chosen(kernel))
    }

    /// How the rival plays. The best rival minimises the winner's chances and maximises the length where the fallible side
    /// wins, and does the reverse where it wins itself.
    fn rival_play(&self, rival: Rival, play: &RivalPlay, length: bool) -> Play {
        let kernel = match play {
            RivalPlay::Given(play) => return play.clone(),
            RivalPlay::Chosen(kernel) => kernel.clone(),
        };
        match rival {
            Rival::Best | Rival::BestOptimal if (self.winner == self.fallible) == length => {
                Play::greatest(kernel)
            }
            Rival::Best | Rival::BestOptimal => Play::least(kernel),
            _ => Play::even(kernel),
        }
    }
}

enum RivalPlay {
    Given(Play),
    Chosen(Arc<Kernel>),
}

/// How many moves of the winner are left before a draw can be claimed, the halfmove clock standing at `clock`.
pub fn moves_in_time(clock: u32, winner_to_move: bool) -> u32 {
    (100 + u32::from(winner_to_move)).saturating_sub(clock) / 2
}
