//! The second game Browne - BELLE, 1978 (Haworth 2003, Appendix B), with the engine in BELLE's place.

use errare::{
    game::Game,
    model::{Belief, Model, Policy, Preference, Scale},
    oracle::{Budget, Oracle, TableOracle},
};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen, san::San};

use crate::tables::{TABLES, session};

pub const START: &str = "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1";
pub const GAME: &str = "Kb7 Rb4+ Kc6 Rc4+ Kb5 Rb4+ Ka5 Re4 Qd6 Rd4 Qe5 Kd3 Kb5 Re4 Qf6 Ke3 Kc5 Rf4 Qg6 Ra4 Qg3+ Ke2 \
     Qc3 Rf4 Kd5 Rh4 Qc2+ Ke3 Qd1 Kf2 Qd2+ Kf3 Qe1 Rg4 Qd1+ Kf4 Qe2 Rg5+ Kd4 Rf5 Qe3+ Kg4 Ke4 Rf7 Qg1+ Kh5 Qg3 Rf8 \
     Ke5 Rf7 Ke6 Rf8 Qa3 Rf4 Qh3+ Kg5 Qg3+ Rg4 Qe5+ Kh4 Qh2+ Kg5 Ke5 Kg6 Qh8 Rg5+ Ke6 Rg4 Qg8+ Kh5 Qh7+ Kg5 Ke5 Rg3 \
     Qg7+ Kh4 Qh6+ Kg4 Ke4 Rg2 Qg6+ Kh3 Qh5+ Kg3 Ke3 Rg1 Qg5+ Kh2 Qh4+ Kg2 Ke2 Ra1 Qe4+ Kh3 Qh7+ Kg3 Qg7+ Kh3 Qxa1";

/// The game as UCI moves, with the position before each and the move in words.
pub fn plies() -> Vec<(Chess, shakmaty::Move, String)> {
    let fen: Fen = START.parse().unwrap();
    let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let mut plies = Vec::new();
    for san in GAME.split_whitespace() {
        let m = San::from_ascii(san.as_bytes()).unwrap().to_move(&position).unwrap();
        plies.push((position.clone(), m, m.to_uci(CastlingMode::Standard).to_string()));
        position.play_unchecked(m);
    }
    plies
}

#[test]
fn the_engine_sees_browne_as_the_analyser_does_and_finds_what_is_hardest_for_him() {
    let options = [
        ("Agent", "Predator"),
        ("Kappa", "0"),
        ("Opponent Keeps Value", "true"),
        ("Analyser Grid", "0(1)50"),
    ];
    let mut session = session(&options);
    // As the papers' Predator.
    session.send("setoption name Predator Plies value 2");
    session.send("ucinewgame");
    let oracle = TableOracle::new(TABLES.clone(), errare::model::Metric::Dtc);
    let model = Model { preference: Preference::table(0.0).unwrap(), policy: Policy::KEEP_VALUE };
    let mut belief = Belief::uniform("0(1)50".parse().unwrap(), Scale::Table);
    let preferred = [(10, "Re4"), (12, "Rg4"), (22, "Rf7"), (24, "Rb7")];
    let mut found = 0;
    let mut played = Vec::new();
    for (ply, (position, m, uci)) in plies().into_iter().enumerate() {
        let number = ply / 2 + 1;
        if position.turn() == Color::White {
            let look = oracle.look(&Game::new(position), &Budget::default()).unwrap();
            belief.observe(&model.decide(look.prospects()).unwrap(), &m).unwrap();
        } else {
            session.send(&format!("position fen {START} moves {}", played.join(" ")));
            let lines = session.send("go wtime 60000 btime 60000").until("bestmove");
            let known = match belief.is_informed() {
                true => format!("c {:.1} ± {:.1}", belief.mean(), belief.deviation()),
                false => "no information".to_owned(),
            };
            let expected = format!("info string opponent: {known} after {number} move");
            assert!(lines.iter().any(|line| line.starts_with(&expected)), "{number}b {expected}: {lines:#?}");
            if let Some((_, san)) = preferred.iter().find(|(preferred, _)| *preferred == number) {
                let hardest = San::from_ascii(san.as_bytes()).unwrap().to_move(&position).unwrap();
                let hardest = hardest.to_uci(CastlingMode::Standard);
                assert!(lines.last().unwrap().starts_with(&format!("bestmove {hardest}")), "{lines:#?}");
                let reason = format!("info string {san} keeps ");
                assert!(lines.iter().any(|line| line.starts_with(&reason)), "{lines:#?}");
                found += 1;
            }
        }
        played.push(uci);
    }
    assert_eq!(found, preferred.len());
    session.quit();
}
