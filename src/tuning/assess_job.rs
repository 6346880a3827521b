use std::sync::{Arc, atomic::AtomicBool};

use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::{Assessor, FindLeaves, Leaf};
use crate::{
    evaluation::Weights,
    notation,
    store::{Fnv, NewJob},
};

/// Some positions are to be assessed with a weight vector: a job for any machine that has this program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssessJob {
    assessor: Assessor,
    /// As a file.
    weights: String,
    positions: Vec<String>,
}

/// What begins the line of a leaf where the game is over; the others are positions.
const DECIDED: &str = "=";

impl AssessJob {
    /// What such jobs are called.
    pub const KIND: &str = "assess";

    /// Of these positions.
    pub fn new(positions: &[&Chess], weights: &Weights, assessor: Assessor) -> AssessJob {
        let positions = positions.iter().map(|position| notation::fen(position)).collect();
        AssessJob { assessor, weights: weights.to_toml(), positions }
    }

    /// As it is entered, for workers that are this program.
    pub fn to_job(&self, program: &str, priority: i64) -> NewJob {
        let payload = serde_json::to_string(self).unwrap_or_default();
        NewJob {
            kind: AssessJob::KIND.to_owned(),
            name: format!("{} {program}", Fnv::of(&payload)),
            analyst: program.to_owned(),
            payload,
            priority,
        }
    }

    /// As a worker gets it.
    pub fn read(payload: &str) -> Result<AssessJob, String> {
        serde_json::from_str(payload).map_err(|error| error.to_string())
    }

    /// Does it, with so many threads: the leaves as text, or nothing if it was cancelled.
    pub fn run(&self, threads: usize, cancel: &AtomicBool) -> Result<Option<String>, String> {
        let mut weights = Weights::default();
        weights.replace(&self.weights).map_err(|error| error.to_string())?;
        let positions: Vec<Chess> = self
            .positions
            .iter()
            .map(|fen| notation::read_playable(fen).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        let positions: Vec<&Chess> = positions.iter().collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| error.to_string())?;
        let leaves = pool.install(|| self.assessor.leaves(&positions, &Arc::new(weights), cancel));
        Ok(leaves.map(|leaves| leaves.iter().map(line).collect()))
    }

    /// The leaves that a worker has found.
    pub fn leaves(&self, result: &str) -> Result<Vec<Leaf>, String> {
        let leaves: Vec<Leaf> = result.lines().map(read_line).collect::<Result<_, _>>()?;
        let (found, wanted) = (leaves.len(), self.positions.len());
        if found != wanted {
            return Err(format!("a worker has assessed {found} positions instead of {wanted}"));
        }
        Ok(leaves)
    }
}

fn line(leaf: &Leaf) -> String {
    match leaf {
        Leaf::Position(position) => format!("{}\n", notation::fen(position)),
        Leaf::Decided(value) => format!("{DECIDED}{value}\n"),
    }
}

fn read_line(line: &str) -> Result<Leaf, String> {
    match line.strip_prefix(DECIDED) {
        Some(value) => value.parse().map(Leaf::Decided).map_err(|_| format!("'{value}' is no value")),
        None => notation::read_position(line).map(Leaf::Position).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_finds_what_the_program_itself_finds() {
        let positions: Vec<Chess> = [
            "4k3/8/8/3r4/8/2N5/P7/4K3 w - - 0 1",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 9",
        ]
        .iter()
        .map(|fen| notation::read_playable(fen).unwrap())
        .collect();
        let positions: Vec<&Chess> = positions.iter().collect();
        let running = AtomicBool::new(false);
        let mut weights = Weights::default();
        weights.replace("material.knight = [250, 260]").unwrap();
        for assessor in [Assessor::Quiescence, Assessor::Search { nodes: 500 }] {
            let job = AssessJob::new(&positions, &weights, assessor);
            let read = AssessJob::read(&job.to_job("this", 0).payload).unwrap();
            assert_eq!(read, job);
            let result = read.run(1, &running).unwrap().unwrap();
            let own = assessor.leaves(&positions, &Arc::new(weights.clone()), &running).unwrap();
            assert_eq!(job.leaves(&result).unwrap(), own);
            assert!(job.leaves("").is_err());
        }
    }
}
