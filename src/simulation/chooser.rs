//! Who plays.

use shakmaty::{Color, Role};

use super::{
    contest::ContestError,
    powers::{Powers, place},
};
use crate::{
    agents::Rule,
    endgame::{Index, Step, Table, Walk},
    model::{Model, Policy, State},
};

/// How a player chooses by what tables say.
pub struct Chooser(Kind);

enum Kind {
    /// R_c: moves are as likely as they are preferred.
    Fallible { powers: Powers, keeps_value: bool },
    /// R_∞: one of the best. Squares are counted in the orientation in which the table numbers the position.
    Infallible(Rule),
}

impl Chooser {
    /// R_c without a horizon, in an endgame with these bounds n1 and n2, if floating-point numbers can hold its
    /// preferences side by side.
    pub fn fallible(model: &Model, c: f64, bounds: [f64; 2]) -> Option<Chooser> {
        let powers = Powers::new(model, c, bounds)?;
        Some(Chooser(Kind::Fallible { powers, keeps_value: model.policy == Policy::KEEP_VALUE }))
    }

    /// R_∞.
    pub fn infallible(rule: Rule) -> Chooser {
        Chooser(Kind::Infallible(rule))
    }

    /// How likely each of the moves in the position `index` is, up to a common factor.
    pub(super) fn weights(
        &self,
        walk: &Walk,
        mates: Option<&Table>,
        mover: Color,
        index: Index,
        steps: &[Step],
    ) -> Result<Vec<f64>, ContestError> {
        let best = steps.iter().map(|step| step.outcome).max();
        let rule = match &self.0 {
            Kind::Fallible { powers, keeps_value } => {
                let value = best.map(State::value).filter(|_| *keeps_value);
                let allowed = |state: State| value.is_none_or(|value| state.value() == value);
                let weight = |state| if allowed(state) { powers.of(place(state)) } else { 0.0 };
                return Ok(steps.iter().map(|step| weight(step.outcome)).collect());
            }
            Kind::Infallible(rule) => *rule,
        };
        let is_best = |step: &Step| Some(step.outcome) == best;
        let chosen: Vec<bool> = match rule {
            Rule::Uniform => steps.iter().map(is_best).collect(),
            Rule::LongestDtm => {
                let mates = mates.ok_or(ContestError::NoMates)?;
                let by_mate = |step: &Step| match step.next.filter(|_| is_best(step)) {
                    Some(next) => Ok(Some(-mates.state(!mover, next)?)),
                    None => Ok::<_, ContestError>(None),
                };
                let states = steps.iter().map(by_mate).collect::<Result<Vec<_>, _>>()?;
                match states.iter().flatten().max() {
                    Some(longest) => states.iter().map(|state| state.as_ref() == Some(longest)).collect(),
                    // All the best moves change the material.
                    None => steps.iter().map(is_best).collect(),
                }
            }
            Rule::FirstRook | Rule::First => {
                let (men, squares) = (walk.indexer().men(), walk.indexer().squares(index));
                let rook = |step: &Step| rule == Rule::First || men[step.place].role == Role::Rook;
                let order = |step: &Step| (!rook(step), squares[step.place], step.to, step.promotion);
                let first = steps.iter().filter(|step| is_best(step)).map(order).min();
                steps.iter().map(|step| is_best(step) && Some(order(step)) == first).collect()
            }
        };
        Ok(chosen.into_iter().map(|chosen| f64::from(u8::from(chosen))).collect())
    }
}
