use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{HumanModel, calibration::interpolate};
use crate::notation::GameScore;

/// Ratings of another place, and what people who have them choose like on the scale of FIDE, in the same places. Both rise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// Over there.
    pub theirs: Vec<f64>,
    /// Elo of FIDE.
    pub fide: Vec<f64>,
}

impl Ratings {
    /// The Elo of FIDE of those who have a rating over there. Without measurements it is taken as it is.
    pub fn fide(&self, rating: u32) -> u32 {
        let rating = f64::from(rating);
        interpolate(&self.theirs, &self.fide, rating).unwrap_or(rating).round().max(1.0) as u32
    }
}

/// Where games were played whose ratings are those of Lichess, by their tag `Site`.
const LICHESS: &str = "lichess.org";

/// What a player is rated on the scale of FIDE, if the tags have a rating. That of a game on Lichess is translated.
pub fn fide_elo(score: &GameScore, side: Color) -> Option<u32> {
    let elo = score.elo(side).filter(|&elo| elo > 0)?;
    match score.tag("Site").contains(LICHESS) {
        true => Some(HumanModel::built_in().calibration().lichess.fide(elo)),
        false => Some(elo),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_translated_along_a_line_and_unknown_ones_are_left() {
        let ratings = Ratings { theirs: vec![1500.0, 2000.0], fide: vec![1200.0, 1900.0] };
        assert_eq!([1500, 1750, 2000, 2100].map(|rating| ratings.fide(rating)), [1200, 1550, 1900, 2040]);
        assert_eq!(Ratings::default().fide(1830), 1830);
    }

    #[test]
    fn only_games_of_lichess_are_translated() {
        let elo = |site: &str| {
            let pgn = format!("[Site \"{site}\"]\n[WhiteElo \"1800\"]\n[BlackElo \"0\"]\n\n1. e4 *\n");
            let score = crate::notation::Games::new(pgn.as_bytes()).next().unwrap().unwrap();
            assert_eq!(fide_elo(&score, Color::Black), None);
            fide_elo(&score, Color::White)
        };
        assert_eq!(elo("Reykjavik"), Some(1800));
        assert_eq!(
            elo("https://lichess.org/abcdefgh"),
            Some(HumanModel::built_in().calibration().lichess.fide(1800))
        );
    }
}
