//! What is played: a whole game, an endgame, any position.

use rand::RngExt;
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position};

use crate::{
    arena::{self, NamedPosition, PositionSpec},
    endgame::{Client, Material, Tables},
    game::Game,
    model::Metric,
    notation::{Games, read_playable},
    web::error::Refusal,
};

/// What a visitor wants to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Task {
    /// A whole game.
    Game,
    /// An endgame of the list, drawn by chance.
    Endgame {
        /// As in `KQKR`.
        name: String,
        /// `win` or `draw` for the side named first; any if not given.
        #[serde(default)]
        value: Option<String>,
        /// How many moves to the win; any if not given.
        #[serde(default)]
        depth: Option<u16>,
    },
    /// A position of the list.
    Position {
        /// Its name.
        name: String,
    },
    /// A position.
    Fen {
        /// The FEN.
        fen: String,
    },
    /// A game that goes on from where it was left.
    Pgn {
        /// Its text.
        pgn: String,
    },
}

/// What to begin with.
pub struct Beginning {
    /// What it is called.
    pub title: String,
    /// The moves so far.
    pub game: Game,
}

/// An endgame by its men.
struct Endgame {
    name: &'static str,
    title: &'static str,
}

const ENDGAMES: [Endgame; 12] = [
    Endgame { name: "KQK", title: "Queen: mate the bare king" },
    Endgame { name: "KRK", title: "Rook: mate the bare king" },
    Endgame { name: "KBBK", title: "Two bishops: mate the bare king" },
    Endgame { name: "KBNK", title: "Bishop and knight: mate the bare king" },
    Endgame { name: "KPK", title: "Pawn against bare king" },
    Endgame { name: "KQKR", title: "Queen against rook" },
    Endgame { name: "KQKP", title: "Queen against pawn" },
    Endgame { name: "KRKP", title: "Rook against pawn" },
    Endgame { name: "KRKB", title: "Rook against bishop" },
    Endgame { name: "KRKN", title: "Rook against knight" },
    Endgame { name: "KRBKR", title: "Rook and bishop against rook" },
    Endgame { name: "KBBKN", title: "Two bishops against knight" },
];

/// A position that has a name.
struct Study {
    name: &'static str,
    title: &'static str,
    fen: &'static str,
}

const POSITIONS: [Study; 8] = [
    Study {
        name: "lucena",
        title: "Lucena: win with rook and pawn",
        fen: "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    },
    Study {
        name: "philidor",
        title: "Philidor: hold with rook against rook and pawn",
        fen: "3k4/7R/r7/3KP3/8/8/8/8 b - - 0 1",
    },
    Study {
        name: "vancura",
        title: "Vancura: hold with rook against a rook's pawn",
        fen: "R7/6k1/P4r2/8/8/1K6/8/8 b - - 0 1",
    },
    Study { name: "reti", title: "Réti 1921: draw against all odds", fen: "7K/8/k1P5/7p/8/8/8/8 w - - 0 1" },
    Study {
        name: "opposition",
        title: "Opposition: king and pawn against king",
        fen: "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
    },
    Study {
        name: "philidor-bishop",
        title: "Philidor 1749: win with rook and bishop against rook",
        fen: "3k4/4r3/3K4/3B4/8/8/8/5R2 w - - 0 1",
    },
    Study {
        name: "browne-belle-1",
        title: "Browne against BELLE 1978: queen against rook, 31 moves",
        fen: "",
    },
    Study { name: "browne-belle-2", title: "Browne against BELLE 1978, second game", fen: "" },
];

impl Study {
    fn fen(&self) -> &'static str {
        let named = NamedPosition::ALL.into_iter().find(|named| named.name() == self.name);
        named.map_or(self.fen, NamedPosition::fen)
    }

    /// The endgame that it is.
    fn material(&self) -> Option<Material> {
        Some(Material::of(read(self.fen()).ok()?.board())?.0)
    }
}

/// Whether the table of an endgame is `there`, will be made `soon` (as soon as it is needed), is in `making`, or is `missing`.
fn state(material: Material, tables: &Tables, metric: Metric) -> &'static str {
    match () {
        () if tables.get(material, metric).is_some() => "there",
        () if tables.is_being_made(material, metric) => "making",
        () if tables.may_build(material) => "soon",
        () => "missing",
    }
}

/// What there is to play.
pub fn choices(tables: &Tables, metric: Metric) -> Value {
    let endgames = ENDGAMES.iter().map(|Endgame { name, title }| {
        let material: Option<Material> = name.parse().ok();
        let deepest = material
            .and_then(|material| tables.get(material, metric))
            .map(|table| table.deepest(Color::White));
        let table = material.map(|material| state(material, tables, metric));
        json!({ "name": name, "title": title, "deepest": deepest, "table": table })
    });
    let positions = POSITIONS.iter().map(|position| {
        let material = position.material();
        json!({
            "name": position.name, "title": position.title, "fen": position.fen(),
            "endgame": material.map(|material| material.to_string()),
            "table": material.map(|material| state(material, tables, metric)),
        })
    });
    json!({ "endgames": endgames.collect::<Vec<_>>(), "positions": positions.collect::<Vec<_>>() })
}

/// An endgame of the lists: its table may be made.
pub fn endgame(name: &str) -> Option<Material> {
    let endgames = ENDGAMES.iter().filter_map(|endgame| endgame.name.parse().ok());
    endgames.chain(POSITIONS.iter().filter_map(Study::material)).find(|material| material.to_string() == name)
}

/// Longer games are not gone on with.
const MOST_PLIES: usize = 600;

impl Task {
    /// Where it begins. Endgames are drawn by chance, which may take a while.
    pub fn begin(
        &self,
        tables: &Tables,
        metric: Metric,
        rng: &mut dyn rand::Rng,
    ) -> Result<Beginning, Refusal> {
        let beginning = match self {
            Task::Game => Beginning { title: "A whole game".to_owned(), game: Game::new(Chess::default()) },
            Task::Position { name } => {
                let position = POSITIONS.iter().find(|position| position.name == name);
                let position = position.ok_or_else(|| Refusal::bad("there is no such position"))?;
                Beginning { title: position.title.to_owned(), game: Game::new(read(position.fen())?) }
            }
            Task::Fen { fen } => Beginning { title: "A position".to_owned(), game: Game::new(read(fen)?) },
            Task::Pgn { pgn } => {
                let score = Games::new(pgn.as_bytes()).at_most(MOST_PLIES).next();
                let score = score.ok_or_else(|| Refusal::bad("there is no game in it"))?;
                let score = score.map_err(|bad| Refusal::bad(bad.what))?;
                Beginning { title: score.tags.players(), game: score.game() }
            }
            Task::Endgame { name, value, depth } => {
                drawn(name, value.as_deref(), *depth, tables, metric, rng)?
            }
        };
        let position = beginning.game.position();
        if position.legal_moves().is_empty() {
            return Err(Refusal::bad("this game is over already"));
        }
        have_table(position, tables, metric);
        Ok(beginning)
    }
}

/// Where a table of this size is made unasked it is made now, so that the truth is known from the first move on.
fn have_table(position: &Chess, tables: &Tables, metric: Metric) {
    let material = Material::of(position.board()).map(|(material, _)| material);
    let material = material.filter(|material| material.men() > 2 && tables.may_build(*material));
    if let Some(material) = material.filter(|_| !position.castles().any())
        && let Err(error) = tables.require(material, metric, Client::silent())
    {
        log::error!("{error}");
    }
}

fn read(fen: &str) -> Result<Chess, Refusal> {
    read_playable(fen).map_err(Refusal::bad)
}

fn drawn(
    name: &str,
    value: Option<&str>,
    depth: Option<u16>,
    tables: &Tables,
    metric: Metric,
    rng: &mut dyn rand::Rng,
) -> Result<Beginning, Refusal> {
    let endgame = ENDGAMES.iter().find(|endgame| endgame.name == name);
    let endgame = endgame.ok_or_else(|| Refusal::bad("there is no such endgame in the list"))?;
    let value = value.map_or(String::new(), |value| format!(":{value}"));
    let depth = depth.map_or(String::new(), |depth| format!(":{depth}"));
    let spec: PositionSpec = format!("{name}{value}{depth}").parse().map_err(Refusal::bad)?;
    let PositionSpec::Random(spec) = spec else { return Err(Refusal::bad("this is no endgame")) };
    let openings =
        arena::draw(&spec, metric, 1, rng.random(), tables, Client::silent()).map_err(Refusal::bad)?;
    let opening = openings.into_iter().next().ok_or_else(|| Refusal::bad("there is no such position"))?;
    Ok(Beginning { title: endgame.title.to_owned(), game: opening.game })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_list_can_be_played() {
        for position in &POSITIONS {
            let read = read(position.fen()).unwrap();
            assert!(!read.legal_moves().is_empty(), "{}", position.name);
        }
        for endgame in &ENDGAMES {
            assert!(endgame.name.parse::<Material>().is_ok(), "{}", endgame.name);
        }
    }

    #[test]
    fn only_what_is_listed_may_be_asked_for() {
        assert!(endgame("KQKR").is_some());
        assert!(endgame("KRPKR").is_some(), "Lucena");
        assert!(endgame("KQQKQ").is_none());
    }
}
