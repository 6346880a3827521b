use serde_json::{Value, json};
use shakmaty::{Chess, Move};

use crate::{
    endgame::{DrawDepths, Tables},
    model::{Depth, Metric, State},
};

/// What the tables at hand know beyond the metrics that players aim at: under which rule a win stands, and in how many
/// moves a draw can be forced.
pub struct Beyond {
    rule: Option<State>,
    draw: Option<DrawDepths>,
}

impl Beyond {
    /// Of a position, for the side to move.
    pub fn of(tables: &Tables, position: &Chess) -> Beyond {
        Beyond { rule: tables.probe(position, Metric::Dtr), draw: tables.draw_depths(position) }
    }

    /// Of a move, for the mover.
    pub fn after(tables: &Tables, position: &Chess, m: Move) -> Beyond {
        Beyond { rule: tables.outcome(position, m, Metric::Dtr), draw: tables.draw_depths_after(position, m) }
    }

    /// For programs.
    pub fn add_to(&self, object: &mut Value) {
        if let Some(depth) = self.rule.and_then(State::depth) {
            object["dtr"] = depth.0.into();
        }
        if let Some(DrawDepths { mover, other }) = self.draw {
            object["draw_depth"] = json!({"mover": mover, "other": other});
        }
    }

    /// Of a position, for people.
    pub fn sentences(&self) -> Vec<String> {
        let rule = self
            .rule
            .and_then(State::depth)
            .map(|depth| format!("the win stands under a rule of {depth} moves or more (DTR)"));
        let draw = self.draw.map(|DrawDepths { mover, other }| {
            let forced = |depth: Option<Depth>| match depth {
                Some(depth) => format!("in {depth}"),
                None => "not at all".to_owned(),
            };
            format!(
                "the draw can be forced by the side to move {}, by the other {} (DTD)",
                forced(mover),
                forced(other)
            )
        });
        rule.into_iter().chain(draw).collect()
    }

    /// Of a move, for people: a few letters, or none.
    pub fn remark(&self) -> String {
        if let Some(depth) = self.rule.and_then(State::depth) {
            return format!("  rule of {depth}");
        }
        match self.draw {
            Some(DrawDepths { mover: Some(Depth(0)), .. }) => "  makes the draw".to_owned(),
            Some(DrawDepths { mover: Some(depth), .. }) => format!("  forces it in {depth}"),
            Some(DrawDepths { mover: None, other: Some(depth) }) => {
                format!("  held; the other side forces it in {depth}")
            }
            Some(DrawDepths { mover: None, other: None }) => "  held".to_owned(),
            None => String::new(),
        }
    }
}
