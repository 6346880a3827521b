//! How a person of a given Elo chooses: a composite agent (Haworth, Regan & Di Fatta 2010, §3.2).
//!
//! A person does not see as deep as he could at every move. With chance `π_d` he sees what a look of depth *d* shows, and
//! then chooses move *i* with probability proportional to `v_i^a · (κ + Δ_i)^(-c)`: `v_i` is how people come upon the move,
//! `Δ_i` what it costs at that depth. All of `π`, `a`, `κ` and `c` are smooth functions of Elo.

use std::sync::LazyLock;

use shakmaty::{CastlingSide, Chess, Color, File, Move, MoveList, Position};

use super::{
    Calibration, Levels, Network, Scene,
    parameters::{HumanParameters, perceived_state, sought, taught},
};
use crate::{
    game::LeadUp,
    model::{Scale, Score, State},
    oracle::Look,
};

/// How people choose, by Elo.
#[derive(Clone, Debug)]
pub struct HumanModel {
    prior: Network,
    calibration: Calibration,
}

/// What is built in: learned by `errare calibrate`, as `docs/people.md` records.
static BUILT_IN: LazyLock<HumanModel> = LazyLock::new(|| {
    let read = || {
        let prior = Network::from_bytes(include_bytes!("prior.bin")).map_err(|error| error.to_string())?;
        let calibration = Calibration::parse(include_str!("human.toml"))?;
        Ok(HumanModel { prior, calibration })
    };
    read().unwrap_or_else(|error: String| unreachable!("the built-in model of people is damaged: {error}"))
});

/// A decision as people see it: what it takes to say how likely each move is at any Elo.
#[derive(Clone, Debug)]
pub struct HumanDecision {
    /// The legal moves.
    pub moves: Vec<Move>,
    /// ln v of each move; the v add up to 1.
    pub ln_v: Vec<f64>,
    /// What each move costs, in pawns that count: for each depth from 1 up or, where tables know the truth, for each kind of
    /// people who know the endgame differently well.
    pub losses: Vec<Vec<f64>>,
    /// Whether tables know the truth.
    pub by_tables: bool,
}

/// What a person of one Elo is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// c: how much prices matter.
    pub competence: f64,
    /// κ: below this, prices hardly matter.
    pub kappa: f64,
    /// a: how much first ideas matter.
    pub attention: f64,
    /// π: how often what each depth shows is seen; they add up to 1.
    pub depths: Vec<f64>,
    /// s, by which shorter wins matter where tables know the truth: of each kind of people who may be meant.
    pub techniques: Vec<f64>,
}

/// ln v of every legal move for a mover of this Elo. In Chess960, where nobody has habits, all are alike.
pub fn ln_prior(prior: &Network, position: &Chess, lead_up: LeadUp, moves: &MoveList, elo: f64) -> Vec<f64> {
    if castles_elsewhere(position) {
        return vec![-(moves.len() as f64).ln(); moves.len()];
    }
    let scores = prior.scores(&Scene::new(position, lead_up, moves, elo));
    let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = scores.iter().map(|&score| f64::from(score - greatest).exp()).sum();
    scores.iter().map(|&score| f64::from(score - greatest) - sum.ln()).collect()
}

/// What each move costs where tables know the states that moves lead to, for each technique.
pub fn losses_by_tables(states: &[State], techniques: &[f64]) -> Vec<Vec<f64>> {
    let seen = |&technique| states.iter().map(|&state| perceived_state(state, technique)).collect();
    techniques.iter().map(|technique| losses(seen(technique))).collect()
}

/// What each move costs, from what each is worth.
fn losses(values: Vec<f64>) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.into_iter().map(|value| best - value).collect()
}

/// Whether a right to castle is one that only Chess960 knows. The mode of the rights does not tell: what was stored is read
/// back in that of Chess960.
fn castles_elsewhere(position: &Chess) -> bool {
    Color::ALL.into_iter().any(|side| {
        CastlingSide::ALL.into_iter().any(|wing| {
            let corner = if wing == CastlingSide::KingSide { File::H } else { File::A };
            let rook = position.castles().rook(side, wing);
            let king = position.board().king_of(side);
            rook.is_some_and(|rook| rook.file() != corner || king.is_none_or(|king| king.file() != File::E))
        })
    })
}

impl HumanDecision {
    /// What people of an Elo see of a position that was looked at. Where tables have looked, that is the truth, which is the more
    /// to each the greater his technique.
    pub fn new(prior: &Network, look: &Look, elo: f64, techniques: &[f64]) -> HumanDecision {
        let moves: MoveList = look.moves().iter().map(|prospect| prospect.m).collect();
        let by_tables = look.scale() == Scale::Table;
        let losses = if by_tables {
            let taught = taught(look.position().board());
            let techniques: Vec<f64> = techniques.iter().map(|technique| technique * taught).collect();
            let states = look.moves().iter().filter_map(|prospect| prospect.outcome.state());
            losses_by_tables(&states.collect::<Vec<State>>(), &techniques)
        } else {
            let scores: Vec<&[Score]> =
                look.moves().iter().map(|prospect| look.scores(&prospect.m)).collect();
            let depths = scores.iter().map(|scores| scores.len()).min().unwrap_or(0);
            let seen = |depth: usize| scores.iter().map(move |scores| sought(scores[depth].pawns()));
            (0..depths).map(|depth| losses(seen(depth).collect())).collect()
        };
        let ln_v = ln_prior(prior, look.position(), look.lead_up(), &moves, elo);
        HumanDecision { losses, moves: moves.to_vec(), ln_v, by_tables }
    }

    /// How likely each move is in one row of what moves cost.
    pub fn seeing(&self, person: &Person, row: usize) -> Vec<f64> {
        let scores = self
            .ln_v
            .iter()
            .zip(&self.losses[row])
            .map(|(ln_v, loss)| person.attention * ln_v - person.competence * (person.kappa + loss).ln());
        softmax(scores.collect())
    }

    /// How likely each move is.
    pub fn probabilities(&self, person: &Person) -> Vec<f64> {
        let mut all = vec![0.0; self.moves.len()];
        let rows = self.losses.len();
        let shares = match self.by_tables {
            true => vec![1.0 / rows as f64; rows],
            false => person.shares(rows),
        };
        for (row, share) in shares.into_iter().enumerate() {
            let seen = self.seeing(person, row);
            all.iter_mut().zip(seen).for_each(|(sum, probability)| *sum += share * probability);
        }
        all
    }
}

impl Person {
    /// How often each depth is seen where only so many were looked at: who would see deeper sees the deepest.
    pub fn shares(&self, depths: usize) -> Vec<f64> {
        let mut shares: Vec<f64> = self.depths.iter().copied().take(depths).collect();
        let deeper: f64 = self.depths.iter().skip(depths).sum();
        if let Some(last) = shares.last_mut() {
            *last += deeper;
        }
        shares
    }

    /// The one of them who knows endgames better than this share of all.
    pub fn knowing(mut self, share: f64) -> Person {
        let kind = (share * self.techniques.len() as f64) as usize;
        let technique = self.techniques.get(kind).or(self.techniques.last()).copied();
        self.techniques = technique.into_iter().collect();
        self
    }
}

fn softmax(mut scores: Vec<f64>) -> Vec<f64> {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - greatest).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
    scores
}

impl HumanModel {
    /// People as a calibration has them, with what they come upon.
    pub fn new(prior: Network, calibration: Calibration) -> HumanModel {
        HumanModel { prior, calibration }
    }

    /// The one that is built in.
    pub fn built_in() -> &'static HumanModel {
        &BUILT_IN
    }

    /// Which moves people come upon.
    pub fn prior(&self) -> &Network {
        &self.prior
    }

    /// The parameters.
    pub fn parameters(&self) -> &HumanParameters {
        &self.calibration.people
    }

    /// What it was learned from.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// What players of each kind of choice score.
    pub fn levels(&self) -> &Levels {
        &self.calibration.levels
    }

    /// How likely a person of this Elo is to play each move of a look, in the order of its moves.
    pub fn probabilities(&self, look: &Look, elo: f64) -> Vec<f64> {
        self.probabilities_of(&self.parameters().person(elo), look, elo)
    }

    /// The same for some of the people of this Elo.
    pub fn probabilities_of(&self, person: &Person, look: &Look, elo: f64) -> Vec<f64> {
        HumanDecision::new(&self.prior, look, elo, &person.techniques).probabilities(person)
    }

    /// People who score like those of this Elo in endgames that tables know. It takes more technique than to choose like them:
    /// lots that are drawn anew at every move undo what was gained.
    pub fn scoring(&self, elo: f64) -> Person {
        let technique = self.levels().technique.unwrap_or(self.parameters().technique);
        Person { techniques: technique.kinds(elo), ..self.parameters().person(elo) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        game::Game,
        model::{Metric, Prospects},
        oracle::Source,
        search::{Priced, Pricing},
    };

    /// A look at the starting position: a depth for each row, in which moves cost so many pawns in turn.
    fn look(game: &Game, rows: &[&[i32]]) -> Look {
        let moves = game.position().legal_moves();
        let priced = moves.iter().enumerate().map(|(number, &m)| Priced {
            m,
            scores: rows.iter().map(|row| Score::Centipawns(-row[number % row.len()])).collect(),
        });
        let pricing = Pricing { moves: priced.collect(), depth: rows.len() as u32, ..Pricing::default() };
        Look::by_search(game, pricing, Source::Search).unwrap()
    }

    #[test]
    fn probabilities_add_up_and_what_costs_more_is_rarer() {
        let game = Game::new(Chess::default());
        let model = HumanModel::built_in();
        let [level, losing] = [look(&game, &[&[0]]), look(&game, &[&[0, 500]])];
        for elo in [600.0, 1500.0, 2700.0] {
            let [even, uneven] = [&level, &losing].map(|look| model.probabilities(look, elo));
            assert!((even.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((uneven.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let bad = |probabilities: &[f64]| probabilities.iter().skip(1).step_by(2).sum::<f64>();
            assert!(bad(&uneven) < 0.2 * bad(&even), "{elo}");
        }
    }

    #[test]
    fn the_stronger_see_what_only_depth_shows() {
        let game = Game::new(Chess::default());
        // A trap: the second move looks best to four plies, and loses in the end.
        let rows: [&[i32]; 8] =
            [&[100, 0], &[100, 0], &[100, 0], &[100, 0], &[0, 400], &[0, 400], &[0, 400], &[0, 400]];
        let look = look(&game, &rows);
        let falls = |elo: f64| {
            let probabilities = HumanModel::built_in().probabilities(&look, elo);
            probabilities.iter().skip(1).step_by(2).sum::<f64>()
        };
        assert!(falls(1000.0) > 1.5 * falls(2600.0), "{} {}", falls(1000.0), falls(2600.0));
    }

    #[test]
    fn who_knows_an_endgame_wastes_less_in_it() {
        use shakmaty::{CastlingMode, fen::Fen};
        let fen: Fen = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let game = Game::new(fen.into_position(CastlingMode::Standard).unwrap());
        let moves = game.position().legal_moves().into_iter().zip((1..).map(State::win));
        let prospects = Prospects::table(State::win(1), moves, 17, 1);
        let look = Look::by_tables(&game, prospects, Metric::Dtc, Duration::ZERO);
        let model = HumanModel::built_in();
        let mean_depth = |share: f64| {
            let chances = model.probabilities_of(&model.scoring(1500.0).knowing(share), &look, 1500.0);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            look.moves()
                .iter()
                .zip(chances)
                .map(|(prospect, chance)| match prospect.outcome.state() {
                    Some(State::Win(depth)) => chance * f64::from(depth.0),
                    _ => 0.0,
                })
                .sum::<f64>()
        };
        assert!(mean_depth(0.0) > 1.2 * mean_depth(1.0), "{} {}", mean_depth(0.0), mean_depth(1.0));
    }

    #[test]
    fn in_endgames_a_win_is_seldom_given_away() {
        let person = HumanModel::built_in().parameters().person(1500.0);
        let values = [State::win(3), State::win(12), State::Draw, State::loss(3)]
            .map(|state| perceived_state(state, person.techniques[0]));
        assert!(values.windows(2).all(|pair| pair[0] > pair[1]), "{values:?}");
    }

    #[test]
    fn nobody_has_habits_in_chess960() {
        use shakmaty::{CastlingMode, fen::Fen};
        let fen: Fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
        let moves = position.legal_moves();
        let ln = ln_prior(HumanModel::built_in().prior(), &position, LeadUp::default(), &moves, 1500.0);
        assert!(ln.iter().all(|value| *value == ln[0]));
        // Ordinary castling is ordinary in whichever mode it is read.
        let fen: Fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        let [one, two] = [CastlingMode::Chess960, CastlingMode::Standard].map(|mode| {
            let position: Chess = fen.clone().into_position(mode).unwrap();
            let moves = position.legal_moves();
            ln_prior(HumanModel::built_in().prior(), &position, LeadUp::default(), &moves, 1500.0)
        });
        assert_eq!(one, two);
        assert!(one.iter().any(|value| *value != one[0]));
    }
}
