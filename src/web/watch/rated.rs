//! What a game says of its players: the decisions, prices and sums of `errare rate`.

use std::{collections::HashMap, sync::Arc};

use crate::{
    agents::Observation,
    notation::GameScore,
    rating::{Candidate, GameRecord, Judge, Selection, Tally},
};

/// The decisions of a game that count, as they are looked at.
pub struct Rated {
    candidates: HashMap<usize, Candidate>,
    /// Of White and of Black.
    tallies: [Tally; 2],
}

impl Rated {
    /// Nothing was looked at.
    pub fn new(score: &GameScore) -> Rated {
        let record = Arc::new(GameRecord::new(score, "", None));
        let candidates = Selection::default().candidates(score, &record).into_iter();
        let tallies = [(); 2].map(|()| {
            let mut tally = Tally::default();
            tally.games.insert(record.key);
            tally
        });
        Rated { candidates: candidates.map(|candidate| (candidate.ply, candidate)).collect(), tallies }
    }

    /// A decision was looked at.
    pub fn note(&mut self, observation: &Observation) {
        let Some(candidate) = self.candidates.get(&observation.ply) else { return };
        let judge = Judge::usual().inspect_err(|error| log::error!("nothing can be rated: {error}"));
        let judged = judge.ok().and_then(|judge| judge.judge(candidate, &observation.look));
        if let Some(judged) = judged {
            let (record, side) = (&candidate.record, candidate.side());
            self.tallies[usize::from(side.is_black())].add(record.key, record.elo(side), &judged);
        }
    }

    /// What it says of White and of Black.
    pub fn into_tallies(self) -> [Tally; 2] {
        self.tallies
    }
}
