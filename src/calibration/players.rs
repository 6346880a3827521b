//! Players whose games are taken one after the other: how soon, and how well, an Elo shows in moves.

use std::collections::BTreeMap;

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use shakmaty::{Chess, Color, Move, Position};

use super::{Part, RatedMove};
use crate::{
    game::Game,
    notation::{GameScore, player_number},
};

/// A rated player, with games in which his Elo was about the same.
#[derive(Clone, Debug)]
pub struct RatedPlayer {
    /// His mean Elo in these games.
    pub elo: f64,
    /// His decisions, game by game.
    pub games: Vec<Vec<RatedMove>>,
}

/// Who is drawn from which games.
#[derive(Clone, Copy, Debug)]
pub struct PlayerSettings {
    /// Games of each player.
    pub games: usize,
    /// Players of each band, at the most.
    pub per_band: usize,
    /// Width of a band of Elo.
    pub band: u32,
    /// Openings are known by heart: decisions count from this half-move on, counted from 0.
    pub first_ply: usize,
    /// Of the draws.
    pub seed: u64,
}

/// In the games of one player his Elo differs by no more than this.
const SPAN: u32 = 100;

/// Takes games one by one, and draws among the players of whom nothing was learned.
pub struct PlayerSample {
    settings: PlayerSettings,
    players: BTreeMap<u32, Vec<Side>>,
}

/// One side of a game.
struct Side {
    name: String,
    elo: u32,
    color: Color,
    start: Chess,
    moves: Vec<Move>,
}

impl Side {
    /// The decisions in it from some half-move on.
    fn decisions(&self, first_ply: usize) -> Vec<RatedMove> {
        let mut game = Game::new(self.start.clone());
        let mut decisions = Vec::new();
        for (ply, &m) in self.moves.iter().enumerate() {
            let is_his = game.position().turn() == self.color && ply >= first_ply;
            if is_his && game.position().legal_moves().len() > 1 {
                decisions.push(RatedMove { player: self.name.clone(), elo: self.elo, game: game.clone(), m });
            }
            game.play(m);
        }
        decisions
    }
}

impl PlayerSample {
    /// Nobody is drawn yet.
    pub fn new(settings: PlayerSettings) -> PlayerSample {
        PlayerSample { settings, players: BTreeMap::new() }
    }

    /// The players of a game may be drawn.
    pub fn offer(&mut self, score: &GameScore) {
        for color in Color::ALL {
            let name = score.tag(color.fold_wb("White", "Black"));
            let elo = score.elo(color);
            let (Some(elo), Some(number)) = (elo, player_number(name)) else { continue };
            // A game that is over in the opening says nothing.
            if Part::of(name) != Part::Judging || score.plies.len() <= self.settings.first_ply + 2 {
                continue;
            }
            let moves = score.plies.iter().map(|ply| ply.m).collect();
            let side = Side { name: name.to_owned(), elo, color, start: score.start.clone(), moves };
            self.players.entry(number).or_default().push(side);
        }
    }

    /// Those who were drawn, in random order: the first of them are as good a sample as all. Of each player the games in
    /// which his Elo differs least, these in random order, too.
    pub fn into_players(self) -> Vec<RatedPlayer> {
        let PlayerSettings { games, per_band, band, first_ply, seed } = self.settings;
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut bands: BTreeMap<u32, Vec<(f64, Vec<Side>)>> = BTreeMap::new();
        for mut sides in self.players.into_values() {
            sides.sort_by_key(|side| side.elo);
            let span = |first: usize| sides[first + games - 1].elo - sides[first].elo;
            let firsts = 0..(sides.len() + 1).saturating_sub(games);
            let Some(first) = firsts.min_by_key(|&first| span(first)).filter(|&first| span(first) <= SPAN)
            else {
                continue;
            };
            let mut chosen: Vec<Side> = sides.drain(first..first + games).collect();
            chosen.shuffle(&mut rng);
            let elo = chosen.iter().map(|side| f64::from(side.elo)).sum::<f64>() / games as f64;
            bands.entry(elo as u32 / band * band).or_default().push((elo, chosen));
        }
        let mut players = Vec::new();
        for mut some in bands.into_values() {
            some.shuffle(&mut rng);
            some.truncate(per_band);
            players.extend(some.into_iter().map(|(elo, sides)| RatedPlayer {
                elo,
                games: sides.iter().map(|side| side.decisions(first_ply)).collect(),
            }));
        }
        players.shuffle(&mut rng);
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn players_are_drawn_with_games_of_one_strength() {
        let judged: Vec<String> = (0..200)
            .map(|number| format!("player {number}"))
            .filter(|name| Part::of(name) == Part::Judging)
            .take(3)
            .collect();
        let mut text = String::new();
        // The first has grown much stronger in between, the second has too few games of one strength, the third none too many.
        for (player, elos) in
            judged.iter().zip([vec![1500, 2200, 2210, 2230], vec![1500, 1700, 1900], vec![1610, 1600]])
        {
            for elo in elos {
                text +=
                    &format!("{elo} 2000 1-0 2011|{player}|Somebody|e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5 c3 d6\n");
            }
        }
        let settings = PlayerSettings { games: 2, per_band: 5, band: 200, first_ply: 4, seed: 3 };
        let mut sample = PlayerSample::new(settings);
        Games::new(text.as_bytes()).for_each(|score| sample.offer(&score.unwrap()));
        let mut players = sample.into_players();
        players.sort_by(|one, two| one.elo.total_cmp(&two.elo));
        let elos: Vec<f64> = players.iter().map(|player| player.elo).collect();
        assert_eq!(elos, [1605.0, 2205.0]);
        for player in &players {
            assert_eq!(player.games.len(), 2);
            for game in &player.games {
                assert_eq!(game.len(), 3);
                assert!(game.iter().all(|one| one.game.position().turn() == Color::White));
            }
        }
    }
}
