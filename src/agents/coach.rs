use super::{AgentKind, emulator::Emulator};
use crate::model::Competence;

/// An Emulator at the level of the person it plays with, whose moves it comments: E_c with the c that the Analyser finds.
pub(super) const KIND: AgentKind = AgentKind {
    name: "Coach",
    help: "at your own level, with comments on your moves",
    fields: &[
        "variety",
        "n1",
        "n2",
        "analyser_grid",
        "game_grid",
        "opponent_keeps_value",
        "opponent_horizon",
        "coach_offset",
        "competence",
        "game_competence",
        "keep_value",
        "horizon",
        "kappa",
        "game_kappa",
        "elo",
        "human_pace",
    ],
    judging_divisor: 2,
    hunts: false,
    comments: true,
    is_steady: true,
    build: |spec, scale, knowledge| {
        let belief = knowledge.opponent.belief(scale);
        let factor = 1.0 + f64::from(spec.coach_offset) / 100.0;
        // Before the person has moved, nothing is known but what was set.
        let level = match belief.observed() {
            0 => *spec.competence.get(scale),
            _ => Competence::new(belief.mean() * factor, scale)?,
        };
        Ok(Box::new(Emulator::playing(level, spec, scale, knowledge)?))
    },
};
