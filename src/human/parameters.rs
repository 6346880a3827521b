use serde::{Deserialize, Serialize};
use shakmaty::{Board, Color};

use super::Person;
use crate::model::{Depth, State};

/// What people of every Elo are like: each number by two, its value at Elo 2000 and what 400 Elo more add to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HumanParameters {
    /// ln c.
    pub ln_competence: [f64; 2],
    /// ln κ.
    pub ln_kappa: [f64; 2],
    /// a, the power of v.
    pub attention: [f64; 2],
    /// For each depth, from 1 up, ln π up to a constant.
    pub ln_depths: Vec<[f64; 2]>,
    /// How well they know endgames.
    pub technique: Technique,
}

/// How well people know endgames where tables know the truth: s, by which shorter wins and longer losses matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Technique {
    /// ln s in the middle of all people: at Elo 2000, and what 400 Elo more add to it.
    pub ln: [f64; 2],
    /// By how much ln s differs among people of one Elo, as a standard deviation: who knows an endgame knows it throughout.
    pub spread: f64,
}

/// Where ln s lies, in standard deviations, for the kinds of people of one Elo, each as frequent as another.
const KINDS: [f64; 9] = [-1.593, -0.967, -0.589, -0.282, 0.0, 0.282, 0.589, 0.967, 1.593];

impl Technique {
    /// s of each kind of people of this Elo, who know the endgame better and better; each is as frequent as another.
    pub fn kinds(&self, elo: f64) -> Vec<f64> {
        let middle = self.ln[0] + self.ln[1] * along(elo);
        KINDS.iter().map(|kind| (middle + self.spread * kind).exp()).collect()
    }
}

/// The Elo at which the first of two numbers holds.
const ORIGIN: f64 = 2000.0;
/// The Elo that the second stands for.
const UNIT: f64 = 400.0;
/// Nobody is weaker or stronger: straight lines go on only so far.
const RANGE: [f64; 2] = [400.0, 8000.0];

/// Where an Elo lies on the lines.
pub(crate) fn along(elo: f64) -> f64 {
    (elo.clamp(RANGE[0], RANGE[1]) - ORIGIN) / UNIT
}

impl HumanParameters {
    /// Where a fit begins: everybody alike.
    pub fn blank(depths: usize) -> HumanParameters {
        HumanParameters {
            ln_competence: [1.2, 0.1],
            ln_kappa: [0.0, 0.0],
            attention: [0.7, 0.0],
            ln_depths: vec![[0.0; 2]; depths],
            technique: Technique::default(),
        }
    }

    /// A person of this Elo.
    pub fn person(&self, elo: f64) -> Person {
        let place = along(elo);
        let at = |line: [f64; 2]| line[0] + line[1] * place;
        let mut depths: Vec<f64> = self.ln_depths.iter().map(|&line| at(line).exp()).collect();
        let sum: f64 = depths.iter().sum();
        depths.iter_mut().for_each(|share| *share /= sum);
        Person {
            competence: at(self.ln_competence).exp(),
            kappa: at(self.ln_kappa).exp(),
            attention: at(self.attention),
            depths,
            techniques: self.technique.kinds(elo),
        }
    }

    /// All numbers of whole games in one row.
    pub(crate) fn to_row(&self) -> Vec<f64> {
        let lines = [self.ln_competence, self.ln_kappa, self.attention];
        lines.into_iter().chain(self.ln_depths.iter().copied()).flatten().collect()
    }

    /// The reverse of `to_row`.
    pub(crate) fn from_row(row: &[f64]) -> HumanParameters {
        let line = |number: usize| [row[2 * number], row[2 * number + 1]];
        HumanParameters {
            ln_competence: line(0),
            ln_kappa: line(1),
            attention: line(2),
            ln_depths: (3..row.len() / 2).map(line).collect(),
            technique: Technique::default(),
        }
    }
}

/// A win, in pawns that count: as much as any evaluation can be worth.
const WIN: f64 = 4.0;

/// What an evaluation in pawns is to a person: being four pawns up is hardly more than three.
pub fn perceived(pawns: f64) -> f64 {
    // Small differences count in full.
    2.0 * WIN * (1.0 / (1.0 + (-2.0 * pawns / WIN).exp()) - 0.5)
}

/// From so many pawns on a game is decided to the eye, ...
const DECIDED: f64 = 5.0;
/// ... but who is winning still wants more, mate above all, and who is losing gives up nothing for it: what is beyond, up to so
/// many, ...
const MOST: f64 = 30.0;
/// ... counts for so much a pawn. Fitted to decided positions, which the other numbers were not.
const BEYOND: f64 = 0.1;

/// What a person plays for: what an evaluation is to him, and in a decided game still some of what is beyond.
pub fn sought(pawns: f64) -> f64 {
    perceived(pawns) + BEYOND * (pawns.clamp(-MOST, MOST) - pawns.clamp(-DECIDED, DECIDED))
}

/// The longest win, in moves, to which all others are compared.
const LONGEST: f64 = 500.0;
/// A move more or less counts nearly as much in a long win as in a short one: so many moves are added to each.
const PATIENCE: f64 = 16.0;

/// What a state that tables know is to a person, on the same scale: the shorter a win, the more it is worth, and the longest
/// is worth a win.
pub fn perceived_state(state: State, technique: f64) -> f64 {
    let won =
        |Depth(depth): Depth| WIN + technique * ((PATIENCE + LONGEST) / (PATIENCE + f64::from(depth))).ln();
    match state {
        State::Win(depth) => won(depth),
        State::Draw => 0.0,
        State::Loss(depth) => -won(depth),
    }
}

/// How much better people know what every beginner is taught: to mate a bare king with a queen or a rook. Not fitted: no
/// games at hand go on so far.
const TAUGHT: f64 = 12.0;

/// How much a person's technique counts for in a position.
pub fn taught(board: &Board) -> f64 {
    let is_taught = Color::ALL.into_iter().any(|side| {
        board.by_color(side).count() == 1 && (board.by_color(!side) & board.rooks_and_queens()).any()
    });
    if is_taught { TAUGHT } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_of_one_elo_know_endgames_differently_well() {
        let technique = Technique { ln: [1.5, 0.5], spread: 0.8 };
        let kinds = technique.kinds(2000.0);
        assert!(kinds.windows(2).all(|pair| pair[0] < pair[1]), "{kinds:?}");
        assert!((kinds[kinds.len() / 2].ln() - 1.5).abs() < 1e-12);
        let stronger = technique.kinds(2400.0);
        assert!(kinds.iter().zip(&stronger).all(|(one, two)| (two / one).ln() - 0.5 < 1e-12));
        let same = Technique { spread: 0.0, ..technique }.kinds(2000.0);
        assert!(same.iter().all(|kind| *kind == same[0]));
    }

    #[test]
    fn a_move_more_counts_in_long_wins_too() {
        let gained = |depth| {
            let [shorter, longer] = [depth, depth + 1].map(|depth| perceived_state(State::win(depth), 1.0));
            shorter - longer
        };
        assert!(gained(2) > gained(30) && gained(2) < 3.0 * gained(30), "{} {}", gained(2), gained(30));
    }

    #[test]
    fn a_decided_game_is_still_played_on() {
        assert_eq!(sought(3.0), perceived(3.0));
        assert!(sought(100.0) - sought(9.0) > 2.0);
        assert!(sought(9.0) - sought(6.0) > 0.3);
        assert_eq!(sought(-9.0), -sought(9.0));
    }

    #[test]
    fn small_differences_count_in_full_and_great_ones_hardly() {
        assert!((perceived(0.1) - 0.1).abs() < 1e-3);
        assert!(perceived(100.0) <= 4.0);
        assert!((perceived(4.0) - perceived(3.0)) < 0.6);
        assert_eq!(perceived(-2.0), -perceived(2.0));
    }

    #[test]
    fn a_row_is_read_back() {
        let mut parameters = HumanParameters::blank(3);
        parameters.ln_depths[2] = [1.0, 2.0];
        assert_eq!(HumanParameters::from_row(&parameters.to_row()), parameters);
    }

    #[test]
    fn the_shares_of_a_person_add_up_to_1() {
        let person = HumanParameters::blank(8).person(1500.0);
        assert!((person.depths.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((person.shares(3)[2] - 0.75).abs() < 1e-12);
    }
}
