use shakmaty::Position;

use crate::{
    endgame::{Material, Tables},
    model::Metric,
    notation::GameScore,
};

/// The tables that games ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Not there, but small enough to be generated unasked.
    pub to_build: Vec<Material>,
    /// Phases whose tables are not there and too large to be generated unasked.
    pub missing: Vec<Material>,
}

/// Which tables the positions of a game need that are not at hand: those of their material and of all that a capture
/// or a promotion leads to.
pub fn needs(score: &GameScore, tables: &Tables, metric: Metric) -> Needs {
    let mut needs = Needs::default();
    let mut before = None;
    let mut note = |position: &shakmaty::Chess| {
        let Some((material, _)) = Material::of(position.board()) else { return };
        if material.men() < 3 || before == Some(material) {
            return;
        }
        before = Some(material);
        let served = |material| {
            tables.get(material, metric).is_some()
                || tables.syzygy().is_some() && tables.probe(position, metric).is_some()
        };
        let absent: Vec<Material> =
            material.subgames().into_iter().chain([material]).filter(|&needed| !served(needed)).collect();
        // If the phase can't be served anyway, nothing is made for it; its table is built with all that it needs.
        if absent.iter().all(|&needed| tables.may_build(needed)) {
            needs.to_build.extend(absent);
        } else {
            needs.missing.push(material);
        }
    };
    let mut position = score.start.clone();
    note(&position);
    for ply in &score.plies {
        position.play_unchecked(ply.m);
        note(&position);
    }
    for list in [&mut needs.to_build, &mut needs.missing] {
        list.sort_by_key(|material| (material.men(), *material));
        list.dedup();
    }
    needs
}
