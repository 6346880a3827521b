use std::{path::Path, sync::Arc};

use super::{EvalNetwork, Weights};

/// What evaluates positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// A network, and the hand-crafted terms that stand in for it where a king is bare.
    Network(Arc<EvalNetwork>, Arc<Weights>),
    /// Hand-crafted terms with these weights.
    HandCrafted(Arc<Weights>),
}

/// The name of the hand-crafted evaluation with its built-in weights.
const HAND_CRAFTED: &str = "hand-crafted";
/// Networks are in files with this ending, weights in those with another.
const NETWORK_ENDING: &str = "bin";

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Network(EvalNetwork::built_in(), Weights::built_in())
    }
}

impl From<Weights> for Evaluation {
    fn from(weights: Weights) -> Evaluation {
        Evaluation::HandCrafted(Arc::new(weights))
    }
}

impl Evaluation {
    /// The hand-crafted one with its built-in weights.
    pub fn hand_crafted() -> Evaluation {
        Evaluation::HandCrafted(Weights::built_in())
    }

    /// The built-in network by no name, the hand-crafted terms by `hand-crafted`, else what is in a file: a network
    /// (`.bin`), or weights of the terms.
    pub fn read(name: &str) -> Result<Evaluation, String> {
        if name.is_empty() {
            return Ok(Evaluation::default());
        }
        if name == HAND_CRAFTED {
            return Ok(Evaluation::hand_crafted());
        }
        if Path::new(name).extension().is_some_and(|ending| ending == NETWORK_ENDING) {
            return Ok(Evaluation::Network(EvalNetwork::read(name)?, Weights::built_in()));
        }
        Weights::read(name).map(Evaluation::HandCrafted)
    }

    /// What [`read`](Self::read) finds it by.
    pub fn name(&self) -> &str {
        match self {
            Evaluation::Network(network, _) => network.file(),
            Evaluation::HandCrafted(weights) if weights.file().is_empty() => HAND_CRAFTED,
            Evaluation::HandCrafted(weights) => weights.file(),
        }
    }

    /// What tells it from others.
    pub fn mark(&self) -> u32 {
        match self {
            Evaluation::Network(network, _) => network.checksum(),
            Evaluation::HandCrafted(weights) => crc32fast::hash(weights.to_toml().as_bytes()),
        }
    }

    pub(super) fn network(&self) -> Option<&Arc<EvalNetwork>> {
        match self {
            Evaluation::Network(network, _) => Some(network),
            Evaluation::HandCrafted(_) => None,
        }
    }

    pub(super) fn weights(&self) -> &Arc<Weights> {
        match self {
            Evaluation::Network(_, weights) | Evaluation::HandCrafted(weights) => weights,
        }
    }
}
